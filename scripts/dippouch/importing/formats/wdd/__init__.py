"""Pages of the World Diplomacy Database: saved as HTML, copied with tabs, or as text without separators between cells.

`html.py` and `plain_text.py` take a document apart into a `page.Page`. The headings of its table tell the kind of page, whose reader
makes a document of it.
"""
