"""The parts of the site, one module each: they choose the rows and the template of a page."""
