"""The errors of a run that could not go on; a file of its own, so that the command line need not load grade.py."""

from __future__ import annotations

from autograder.judge.judge import JudgeError


class GradingStopped(Exception):
    """The message says why, and how far the run came. What was written stays."""


class ClusterError(JudgeError):
    """The cluster can't be reached, is gone, or has no worker that may judge; the message says so."""
