"""One module per format: from the text (or the cells) of a document to its facts.

Each `read` raises a `DocumentError` with all faults of the document; so do the helpers that it calls.
"""
