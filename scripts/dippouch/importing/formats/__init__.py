"""One module per format: from the text (or the cells) of a document to what it states.

Each `read` raises a `DocumentError` with everything that is wrong with the document; so do the helpers that it calls.
"""
