# EXPECT: error - defines no Value, and answers with four megabytes of names
import gc
import math

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")

SERVER.operations["names"] = lambda module: ["x" * 40 for _ in range(90_000)]


class Velue:
    pass
