"""From a build to the file that readers open: replaced whole, after every check passed."""
