"""Tests of autograder/build, on a tiny course of their own."""
