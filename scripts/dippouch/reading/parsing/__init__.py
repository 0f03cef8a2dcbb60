"""Parse text as people write it: encodings, days, numbers, nations."""
