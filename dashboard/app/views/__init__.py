"""The pages of the dashboard, one a module: each has `show`, which draws it for a visit."""
