"""The hidden suites' own arithmetic is right: its slopes agree with bumps, and its backward pass with the reference."""

import random
from pathlib import Path

import pytest

from autograder.course import find_root, load_course
from autograder.course.regions import render, solution_file
from autograder.suites.backward import nodes_below, send_back
from autograder.suites.expressions import LARGEST, STEPS, follow, random_steps, slopes_of

LEAVES = (0.83, -1.31, 2.17)


@pytest.fixture(scope="module")
def value_class():
    """Value of part 8, finished."""
    course = load_course(find_root(Path(__file__).parent))
    names: dict[str, object] = {}
    exec(render(solution_file(course, "value.py"), 8, worked=True), names)
    return names["Value"]


def bumped(steps, i, h=1e-6):
    """The slope of the steps' result with respect to leaf i, by a central difference."""
    up, down = ([number + side * h * (i == j) for j, number in enumerate(LEAVES)] for side in (1, -1))
    return (slopes_of(steps, up)[0] - slopes_of(steps, down)[0]) / (2 * h)


@pytest.mark.parametrize("name", STEPS)
def test_the_slopes_of_every_step_agree_with_a_bump(name):
    for seed in range(5):
        steps = random_steps(random.Random(seed), LEAVES, [name, "p + q"], 6)
        _, slopes = slopes_of(steps, LEAVES)
        for i, slope in enumerate(slopes):
            assert slope == pytest.approx(bumped(steps, i), rel=1e-4, abs=1e-6)


def test_no_random_expression_leaves_its_range():
    for seed in range(30):
        steps = random_steps(random.Random(seed), LEAVES, list(STEPS), 12)
        for count in range(1, len(steps) + 1):
            assert abs(slopes_of(steps[:count], LEAVES)[0]) <= LARGEST


@pytest.mark.parametrize("name", STEPS)
def test_every_step_takes_part_in_some_random_expression(name):
    assert any(
        name in {step[0] for step in random_steps(random.Random(seed), LEAVES, [name, "p + q"], 8)} for seed in range(5)
    )


def test_the_suites_backward_pass_on_the_reference_gives_the_right_slopes(value_class):
    for seed in range(20):
        steps = random_steps(random.Random(seed), LEAVES, list(STEPS), 12)
        leaves = [value_class(number) for number in LEAVES]
        root = follow(steps, leaves)
        send_back(root, -1.5)
        result, slopes = slopes_of(steps, LEAVES)
        assert root.data == pytest.approx(result)
        for leaf, slope in zip(leaves, slopes, strict=True):
            assert leaf.grad == pytest.approx(-1.5 * slope, rel=1e-6, abs=1e-9)


def test_nodes_below_has_each_node_once_with_children_first(value_class):
    x = value_class(3.0)
    y = x * 2
    root = y * y + x
    order = nodes_below(root)
    assert len(order) == len({id(node) for node in order}) == 5
    place = {id(node): i for i, node in enumerate(order)}
    assert all(place[id(child)] < place[id(node)] for node in order for child in node._prev)
    assert order[-1] is root
