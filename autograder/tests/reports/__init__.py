"""Tests of autograder/reports."""
