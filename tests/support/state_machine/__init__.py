"""Whole lives of small collections: imports, decisions and edits in any order, with checks after each."""
