"""From a document, as a rating keeper receives it, to rows of the seeds: one module per format, one validation for all."""
