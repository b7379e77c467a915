"""Tests of the bridge to nbgrader."""
