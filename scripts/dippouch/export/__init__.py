"""Exports of the published database: tables, and JSON documents with their schemas."""
