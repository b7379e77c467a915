"""Tests of autograder/authoring."""
