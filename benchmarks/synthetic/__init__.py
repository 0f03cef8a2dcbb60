"""Synthetic collections of any size, for benchmarks, demonstrations and tests; they are not real results."""
