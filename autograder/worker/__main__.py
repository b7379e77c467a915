"""Starts the zygote: python -I -S -B .../worker CONTROL_FD LEVEL. Isolated mode has no path of its own, so it is set here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from worker import zygote  # noqa: E402

del sys.path[0]  # students' code finds the standard library and its own files, nothing of ours
zygote.main(sys.argv[1:])
