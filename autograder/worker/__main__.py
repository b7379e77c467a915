"""Starts a module of this package: python -P -s -S -B .../worker CONTROL_FD LEVEL [MODULE], the zygote by default.

With -P there is no path to it, so it is set here for this one import.
"""

import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
module = importlib.import_module("worker." + (sys.argv[3] if len(sys.argv) > 3 else "zygote"))

del sys.path[0]  # students' code finds the standard library and its own files, nothing of ours
module.main(sys.argv[1:3])
