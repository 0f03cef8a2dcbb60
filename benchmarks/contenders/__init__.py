"""Ways to rate a whole history, each in a process of its own, from the stored updates of a build to stored ratings.

They run in the environment of `requirements/benchmark.lock`, and know only the names of the project's tables.
"""
