"""Exports of the published database, which stand on the site: tables, JSON documents with their schemas, a feed."""
