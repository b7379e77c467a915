# EXPECT: error - reads address 0 in every operation
import ctypes
import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        ctypes.string_at(0)
