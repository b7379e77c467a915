"""Skeletons for whoever writes the course: `micrograder new task`, `micrograder new misconception`.

They add to files that are written by hand and never change or replace what stands there.
"""
