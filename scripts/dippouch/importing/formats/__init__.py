"""One module per format: from the text (or the cells) of a document to what it states."""
