# EXPECT: error - raises groups of groups, BaseExceptionGroup and chains of causes that go round
import math


def group(depth):
    inner = [KeyboardInterrupt(), SystemExit()] if depth == 0 else [group(depth - 1)]
    return BaseExceptionGroup("g" * 100, inner)


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        first, second = ValueError("a"), ValueError("b")
        first.__cause__, second.__cause__ = second, first
        raise group(50) from first
