"""Publish a build: replace the file that readers open as a whole, after every check has passed."""
