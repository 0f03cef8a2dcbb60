"""Questions to the published database: asked in SQL, answered as text, CSV or JSON, and kept true on pages."""
