"""Fuzzing of the importer: samples of every format, broken at random, repeatably."""
