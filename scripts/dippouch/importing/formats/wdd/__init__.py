"""Pages of the World Diplomacy Database: saved as HTML, copied with tabs, or as text without separators between cells."""
