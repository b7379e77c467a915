"""micrograder's code: it builds the course, judges submissions and fills nbgrader's gradebook."""
