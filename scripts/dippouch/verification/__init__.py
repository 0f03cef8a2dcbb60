"""The independent check: every rating once more, in exact arithmetic, from the seeds to every published row."""
