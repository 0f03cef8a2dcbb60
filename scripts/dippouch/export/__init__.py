"""Exports of the published database on the site: tables, JSON documents with their schemas, and a feed."""
