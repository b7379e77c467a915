"""The suites themselves: their tools, the numbers they state, and what they promise for every seed."""
