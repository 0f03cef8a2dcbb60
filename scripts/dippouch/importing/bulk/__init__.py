"""Whole collections out of two files, set by set: what the importer does to every row, done once to every different value."""
