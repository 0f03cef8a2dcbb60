"""Refreshes, imports and decisions under faults: kills, full disks, stray files, and readers."""
