"""The rating rules outside the SQL: as rows of a seed, and in exact arithmetic."""
