"""Pages of the World Diplomacy Database.

`html.py` and `plain_text.py` take one apart into a `page.Page`; the reader of its kind (`page.kind_of`) makes a document of it.
"""
