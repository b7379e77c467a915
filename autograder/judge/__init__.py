"""The trusted side: proxies, the pipe, the pytest plugin, the sandbox levels; one submission becomes one verdict.

Nothing in here ever imports, evaluates or unpickles anything of a submission's.
"""

from autograder.judge.judge import JudgeError, judge_submission
from autograder.judge.verdict import Verdict

__all__ = ["JudgeError", "Verdict", "judge_submission"]
