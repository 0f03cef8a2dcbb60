"""Fetch the pages of a rating politely into an archive, a folder that an import reads."""
