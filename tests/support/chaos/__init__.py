"""Refreshes, imports and decisions while readers query, under faults: kills, full disks, stray files."""
