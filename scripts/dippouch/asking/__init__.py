"""Questions to the published database: who is meant, and what the functions of its schema `marts` answer."""
