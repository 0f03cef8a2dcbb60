"""The published site: pages for everybody, made from the published database alone."""
