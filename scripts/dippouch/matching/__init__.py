"""Who is who and which event is which: one rule each, likely duplicates, and what the rating keeper decides about them."""
