"""Starts a module of this package: python -I -S -B .../worker CONTROL_FD LEVEL [MODULE], the zygote by default.

Isolated mode has no path of its own, so it is set here for this one import.
"""

import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
module = importlib.import_module("worker." + (sys.argv[3] if len(sys.argv) > 3 else "zygote"))

del sys.path[0]  # students' code finds the standard library and its own files, nothing of ours
module.main(sys.argv[1:3])
