"""The package behind the command `dptr`: it reads documents, keeps a collection of seeds, verifies and publishes.

The rating rules are SQL (models/ and macros/). `scripts/verify_ratings.py` states them a second time on purpose: an
independent check must not share code with what it checks.
"""
