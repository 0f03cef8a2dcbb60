"""The rules of the rating outside the SQL: as rows of a seed, and in exact arithmetic."""
