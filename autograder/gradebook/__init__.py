"""The bridge to nbgrader: its stock commands, with the judge's verdicts in place of a kernel."""
