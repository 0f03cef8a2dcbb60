"""What benchmarks have in common: costs, turns, processes with their memory; and the two that `run_benchmarks.py` is made of."""
