"""Tests of the bank, of the naming of mistakes, and of the gate."""
