"""Tests of autograder/exports."""
