"""The whole term in one test: a class that does not exist, and what its scores must come to."""
