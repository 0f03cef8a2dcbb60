"""The package behind the command `dptr`: reading documents, keeping a collection of seeds, verifying, publishing.

Rules of the rating live in SQL (models/ and macros/). The one exception is `rating.rules`, which states them a
second time on purpose: an independent check must not share code with what it checks.
"""
