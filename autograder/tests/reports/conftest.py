"""A released tiny course for the reports' tests; the gradebook's own fixtures do the work."""

from autograder.tests.gradebook.conftest import released, tiny

__all__ = ["released", "tiny"]
