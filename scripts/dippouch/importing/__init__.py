"""From a document, as a keeper receives it, to facts: one reader per form, one set of checks for all."""
