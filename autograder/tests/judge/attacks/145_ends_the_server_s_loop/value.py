# EXPECT: error - raises through the server's frames and closes its descriptor in each operation
import gc
import math
import os

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        SERVER.reply = None
        SERVER.lines = None
        os.close(SERVER.fd)
