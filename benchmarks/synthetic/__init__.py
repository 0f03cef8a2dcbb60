"""Synthetic collections of any size: for benchmarks, demonstrations and tests, never to be taken for results."""
