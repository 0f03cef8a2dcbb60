"""Shared by the benchmarks: costs, turns, processes and their memory; and the two parts of `run_benchmarks.py`."""
