"""What must hold of seeds before a build: read from their declarations, and told with file and line, all of it at once."""
