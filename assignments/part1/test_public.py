"""Part 1, the public tests: the numbers that the lecture states, and a few neighbours of them.

They cover a part of each task's points. Hidden tests check other functions, other numbers and the edges.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

moderate = st.floats(-4, 4).map(lambda x: round(x, 3))


def parabola(x):
    """The lecture's function: 3x^2 - 4x + 5, with slope 6x - 4."""
    return 3 * x**2 - 4 * x + 5


def cube(x):
    """x^3, with slope 3x^2."""
    return x**3


def exercise(xs):
    """The function of the lecture's exercises: -a^3 + sin(3b) - 1/c + b^2.5 - a^0.5."""
    a, b, c = xs
    return -(a**3) + math.sin(3 * b) - 1 / c + b**2.5 - a**0.5


# ---- 1.1: the forward difference --------------------------------------------------------------------------------


@pytest.mark.task("1.1")
def test_the_forward_difference_of_the_parabola(derivative):
    """forward_difference(f, x, h) for f(x) = 3x^2 - 4x + 5"""
    for x, h, slope in [(3.0, 0.001, 14.003), (3.0, 0.1, 14.3), (-1.0, 0.001, -9.997), (0.0, 0.5, -2.5)]:
        assert derivative.forward_difference(parabola, x, h) == pytest.approx(slope, rel=1e-9), f"x = {x}, h = {h}"
    assert derivative.forward_difference(parabola, 3.0) == pytest.approx(14.003, rel=1e-9), "x = 3, without an h"


@pytest.mark.task("1.1")
@given(slope=moderate, start=moderate, x=moderate)
def test_the_forward_difference_of_a_straight_line_is_its_slope(derivative, slope, start, x):
    """forward_difference(f, x, 0.25) for a straight line f(x) = slope * x + start"""
    found = derivative.forward_difference(lambda at: slope * at + start, x, 0.25)
    assert found == pytest.approx(slope, abs=1e-9), f"slope = {slope}, start = {start}, x = {x}"


# ---- 1.2: the central difference --------------------------------------------------------------------------------


@pytest.mark.task("1.2")
def test_the_central_difference_of_the_parabola_has_no_error(derivative):
    """central_difference(f, x, h) for f(x) = 3x^2 - 4x + 5"""
    for x, h, slope in [(3.0, 0.001, 14.0), (3.0, 0.5, 14.0), (-1.0, 0.1, -10.0), (0.25, 2.0, -2.5)]:
        assert derivative.central_difference(parabola, x, h) == pytest.approx(slope, rel=1e-9), f"x = {x}, h = {h}"
    assert derivative.central_difference(parabola, 3.0) == pytest.approx(14.0, rel=1e-9), "x = 3, without an h"


@pytest.mark.task("1.2")
def test_the_central_difference_of_the_cube(derivative):
    """central_difference(f, x, h) for f(x) = x^3"""
    for x, h, slope in [(2.0, 0.5, 12.25), (2.0, 0.25, 12.0625), (-3.0, 1.0, 28.0)]:
        assert derivative.central_difference(cube, x, h) == pytest.approx(slope, rel=1e-9), f"x = {x}, h = {h}"


# ---- 1.3: partial derivative and gradient -----------------------------------------------------------------------


@pytest.mark.task("1.3")
def test_the_partial_derivatives_of_the_exercise(derivative):
    """partial(f, [2, 3, 4], i) for f(a, b, c) = -a^3 + sin(3b) - 1/c + b^2.5 - a^0.5"""
    for i, slope in enumerate([-12.353553390593273, 10.25699027111255, 0.0625]):
        assert derivative.partial(exercise, [2.0, 3.0, 4.0], i) == pytest.approx(slope, rel=1e-6), f"i = {i}"


@pytest.mark.task("1.3")
def test_the_gradient_of_the_exercise_and_of_a_product_and_a_sum(derivative):
    """gradient(f, xs)"""
    slopes = [-12.353553390593273, 10.25699027111255, 0.0625]
    assert derivative.gradient(exercise, [2.0, 3.0, 4.0]) == pytest.approx(slopes, rel=1e-6), "f of the exercise"
    for xs in ([2.0, -3.0, 10.0], [0.5, 4.0, -1.0]):
        slopes = [xs[1], xs[0], 1.0]
        found = derivative.gradient(lambda p: p[0] * p[1] + p[2], xs)
        assert found == pytest.approx(slopes, rel=1e-6), f"f(a, b, c) = a*b + c, xs = {xs}"


@pytest.mark.task("1.3")
def test_the_list_holds_afterwards_what_it_held_before(derivative):
    """xs after partial(f, xs, i) and gradient(f, xs) for f(a, b, c) = a*b + c"""
    for numbers in ([0.1, -0.7, 0.3], [2.0, -3.0, 10.0]):
        xs = list(numbers)
        slope = derivative.partial(lambda p: p[0] * p[1] + p[2], xs, 1)
        assert slope == pytest.approx(numbers[0], rel=1e-6), f"xs = {numbers}, the partial derivative for i = 1"
        assert xs == numbers, "after partial(f, xs, 1)"
        slopes = derivative.gradient(lambda p: p[0] * p[1] + p[2], xs)
        assert slopes == pytest.approx([numbers[1], numbers[0], 1.0], rel=1e-6), f"xs = {numbers}, the gradient"
        assert xs == numbers, "after gradient(f, xs)"


@pytest.mark.task("1.3")
def test_the_function_is_called_twice_per_entry(derivative):
    """how often f is called"""
    calls = []

    def f(xs):
        calls.append(list(xs))
        return xs[0] * xs[1] + xs[2]

    for i in (0, 2):
        calls.clear()
        derivative.partial(f, [2.0, -3.0, 10.0], i)
        assert len(calls) == 2, f"calls of f in partial(f, xs, {i})"
    calls.clear()
    derivative.gradient(f, [2.0, -3.0, 10.0])
    assert len(calls) == 6, "calls of f in gradient(f, xs), three entries"


# ---- 1.4: the error sweep and the best h ------------------------------------------------------------------------


@pytest.mark.task("1.4", needs=("1.1", "1.2"))
def test_the_errors_on_the_cube(derivative):
    """error_sweep(f, 12.0, 2.0, hs) for f(x) = x^3, whose slope at 2 is 12"""
    for hs in ([0.5, 0.25, 0.125], [0.125, 1.0, 0.25]):
        rows = derivative.error_sweep(cube, 12.0, 2.0, hs)
        assert [row[0] for row in rows] == hs, "the first entry of each row"
        forward = [6 * h + h * h for h in hs]
        assert [row[1] for row in rows] == pytest.approx(forward, rel=1e-9), f"the forward errors for hs = {hs}"
        central = [h * h for h in hs]
        assert [row[2] for row in rows] == pytest.approx(central, rel=1e-9), f"the central errors for hs = {hs}"


@pytest.mark.task("1.4")
def test_the_best_step_sizes_are_looked_for_independently(derivative):
    """best_h(rows)"""
    rows = [(0.1, 0.4, 0.02), (0.01, 0.05, 0.003), (0.001, 0.006, 0.7), (0.0001, 0.09, 0.8)]
    assert tuple(derivative.best_h(rows)) == (0.001, 0.01), f"rows = {rows}"
    rows = [(0.001, 0.6, 0.5), (0.1, 0.7, 0.04), (0.01, 0.8, 0.3)]
    assert tuple(derivative.best_h(rows)) == (0.001, 0.1), f"rows = {rows}"


@pytest.mark.task("1.4", needs=("1.1", "1.2"))
def test_the_errors_of_tanh_fall_and_climb_again(derivative):
    """rows = error_sweep(tanh, 0.5, x, [1e-1, 1e-2, ... 1e-14]) at x = 0.8813735870195432, where the slope is 0.5"""
    hs = [10.0**-k for k in range(1, 15)]
    rows = derivative.error_sweep(math.tanh, 0.5, 0.8813735870195432, hs)
    best_forward, best_central = derivative.best_h(rows)
    assert best_forward <= 1.1e-7, "the best h of the forward difference is near 1e-8"
    assert best_central <= 1.1e-4, "the best h of the central difference is near 1e-5"
    assert min(row[1] for row in rows) < 1e-6, "the smallest forward error"
    assert min(row[2] for row in rows) < 1e-9, "the smallest central error"
    assert max(row[1] for row in rows[10:]) > 1e-6, "the largest forward error for h of 1e-11 and less"
    assert max(row[2] for row in rows[10:]) > 1e-6, "the largest central error for h of 1e-11 and less"
