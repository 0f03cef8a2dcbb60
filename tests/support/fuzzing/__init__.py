"""Trying the importer with documents that went wrong: samples of every format, broken at random in a repeatable way."""
