"""One module per part of the site: which rows a page shows, and in which template."""
