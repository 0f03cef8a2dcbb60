"""Queries on the published database, with answers as text or JSON."""
