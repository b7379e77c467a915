"""The error of a run that could not go on; a file of its own, so that the command line need not load grade.py."""

from __future__ import annotations


class GradingStopped(Exception):
    """The message says why, and how far the run came. What was written stays."""
