"""Refreshes, imports and decisions in bad surroundings: killed, without room, between stray files, under readers."""
