"""The published site: pages for all readers, made from the published database alone."""
