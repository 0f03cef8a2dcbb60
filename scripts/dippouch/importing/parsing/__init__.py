"""From text as people write it to values: encodings, days, numbers, nations."""
