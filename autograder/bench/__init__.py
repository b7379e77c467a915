"""Benchmarks: run by hand, side by side in one run, ratios and medians. Tests never assert a time."""
