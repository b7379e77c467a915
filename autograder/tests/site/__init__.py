"""The tests of the static site, in part in a real browser."""
