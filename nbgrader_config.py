"""nbgrader's settings for this course, read by plain `nbgrader ...` and by Jupyter when started from this folder.

To use another database, PostgreSQL for instance, set c.CourseDirectory.db_url after the call of configure().
"""

from pathlib import Path

c = get_config()  # noqa: F821  (nbgrader puts get_config into this file)

try:
    from autograder.gradebook.config import configure

    configure(c, Path(__file__).resolve().parent)
except Exception as error:
    # After an ordinary error nbgrader goes on with its own defaults, and those run students' code in this process's
    # place. SystemExit ends it.
    raise SystemExit(
        f"nbgrader_config.py: {error}\nNothing was done. Is micrograder installed here (pip install -e .)?"
    ) from None
