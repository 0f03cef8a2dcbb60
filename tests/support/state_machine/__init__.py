"""Whole lives of small collections: imports, decisions and edits in any order, and what must hold after each of them."""
