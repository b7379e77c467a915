# EXPECT: error - defines no Value, and makes the server say that it does
import gc
import math

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")

SERVER.operations["names"] = lambda module: ["Value"]


class Velue:
    pass
