"""Queries on the published database: run, shown as text, CSV or JSON, and kept as snapshots in the documentation."""
