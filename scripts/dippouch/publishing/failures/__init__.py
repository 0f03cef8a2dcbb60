"""What a build that failed says: which steps, why, and the rows with the lines of the seeds that they come from."""
