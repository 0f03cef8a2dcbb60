"""The independent check: every rating once more, in exact fractions, from the seeds to every published row."""
