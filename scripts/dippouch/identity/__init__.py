"""Who may be the same person: finding likely matches, and recording what the keeper decides. Nothing merges by itself."""
