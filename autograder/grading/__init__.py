"""A whole class in one go: judged on all cores, written into the gradebook, safe to kill and to repeat."""
