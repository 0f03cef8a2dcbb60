"""Trying the importer with documents that went wrong: samples of every form, broken at random in a repeatable way."""
