"""What several tests need: a compiled project to run on any rows, and collections made on the spot."""
