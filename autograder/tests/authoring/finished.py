"""Task 4.8, count_nodes, as somebody writes it into the skeleton; and its first misconception."""

from __future__ import annotations

import re

from autograder.course import Course

REFERENCE = '''\
def count_nodes(root):
    """How many nodes root depends on, and root itself: a number. A node that is used twice is one node."""
    #: task 4.8
    return len(root.topological_order())
    #: stub
    #:| # TODO 4.8: count the nodes below root, and root, each once.
    #:| raise NotImplementedError("TODO 4.8: the number of nodes")
    #: end
'''
HINTS = """\
["4.8"]
hints = [
    "How many nodes does a + a have?",
    "You have a method that lists every node once.",
    "The length of that list is the answer.",
]
"""
TEST = '''\
@pytest.mark.task("4.8", needs=("4.4",))
def {name}(Value, checks):
    """count_nodes(root) on a chain of products with one leaf"""
    for steps in {steps}:
        leaf = Value(2.0)
        root = leaf
        for _ in range(steps):
            root = Value(root.data * 2.0, (root, leaf), "*")
        assert checks.count_nodes(root) == steps + 1, f"steps = {{steps}}"
'''
MISCONCEPTION = {
    "title": "Nodes are counted once for each use",
    "belief": "A node used twice is two nodes.",
    "explanation": "A node that is used twice is counted twice: a + a gives 3 in place of 2.",
    "reread": "part 4, section 12",
    "old": "return len(root.topological_order())",
    "new": "return 1 + sum(count_nodes(child) for child in root._prev)",
}


def finish_task(course: Course) -> None:
    """Write everything that the skeleton of 4.8 lacks, apart from a misconception."""
    _rewrite(course, "solutions/checks.py", r"def count_nodes\(\):.*", REFERENCE)
    _rewrite(course, "solutions/part4/hints.toml", r'\["4\.8"\].*', HINTS)
    _rewrite(
        course, "solutions/part4/part4.py", r"PLACEHOLDER 4\.8: [^\n]*", "How large is a graph? Write `count_nodes`."
    )
    demand = "`count_nodes(root)` returns how many nodes `root` depends on, and `root`, each once."
    _rewrite(course, "solutions/part4/README.md", r"PLACEHOLDER 4\.8: [^\n]*", demand)
    for kind, steps in (("public", "(0, 1, 5)"), ("hidden", "(0, 2, 7, 11)")):
        test = TEST.format(name=f"test_the_{kind}_chain_has_one_node_per_step_and_its_leaf", steps=steps)
        _rewrite(course, f"autograder/suites/part4/test_{kind}.py", r'@pytest\.mark\.task\("4\.8"\).*', test)


def finish_misconception(course: Course) -> None:
    """Write everything that the skeleton of the misconception lacks."""
    words = iter(MISCONCEPTION.values())
    pattern = r"PLACEHOLDER 4\.8: [^\n\"]*"
    path = course.root / "autograder/misconceptions/part4.toml"
    path.write_text(re.sub(pattern, lambda _: next(words), path.read_text()))


def _rewrite(course: Course, name: str, pattern: str, new: str) -> None:
    path = course.root / name
    text, count = re.subn(pattern, lambda _: new, path.read_text(), flags=re.DOTALL)
    assert count == 1, name
    path.write_text(text)
