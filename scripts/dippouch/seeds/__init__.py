"""A collection: the folder of seeds that one warehouse is built from. Only this package writes it."""
