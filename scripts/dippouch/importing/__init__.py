"""Convert documents, as a rating keeper receives them, to rows of the seeds: one module per format, one validation for all."""
