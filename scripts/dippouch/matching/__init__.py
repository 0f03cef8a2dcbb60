"""Identity of people and tournaments: the matching rules, likely duplicates, and the rating keeper's decisions."""
