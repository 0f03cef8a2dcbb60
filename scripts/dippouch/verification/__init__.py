"""The independent check: recomputes every rating in exact arithmetic, from the seeds to every published row."""
