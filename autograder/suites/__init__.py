"""The suites: per part the public tests that students get and the hidden ones that never leave this folder."""
