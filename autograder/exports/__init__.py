"""Scores and tests in the forms that other systems take. It reads the gradebook and the course, and changes neither."""
