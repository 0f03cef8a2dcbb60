"""The checks of seeds before a build, from their declarations; all faults at once, with file and line."""
