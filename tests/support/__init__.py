"""Shared by several tests: a compiled project that runs on any rows, generated collections, and the programs around them."""
