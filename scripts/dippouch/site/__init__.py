"""The published site: pages that anybody can open, made from the published database alone."""
