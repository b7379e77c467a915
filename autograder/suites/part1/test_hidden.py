"""Part 1, the hidden tests: other functions and numbers, and edges at which wrong differences come out right by luck.

On a straight line and at a symmetric point several wrong formulas agree with the right one, so the functions here are
curved and lopsided. Functions that note the points they are asked for show what a number alone does not.
"""

import math

import pytest


def draw(rng):
    """A number that is neither round nor small, of either sign."""
    return rng.choice([-1, 1]) * round(rng.uniform(0.3, 3.0), 3)


def noting(f):
    """f, and the list of the points it has been asked for."""
    points = []

    def asked(at):
        points.append(list(at) if isinstance(at, list | tuple) else at)
        return f(at)

    return asked, points


# ---- 1.1: the forward difference --------------------------------------------------------------------------------


@pytest.mark.task("1.1")
def test_the_forward_difference_of_a_parabola_is_off_by_its_curvature_times_h(derivative, rng):
    for _ in range(10):
        a, b, c, x, h = draw(rng), draw(rng), draw(rng), draw(rng), rng.choice([0.5, 0.125, 0.01])
        found = derivative.forward_difference(lambda at, a=a, b=b, c=c: a * at**2 + b * at + c, x, h)
        assert found == pytest.approx(2 * a * x + b + a * h, rel=1e-8, abs=1e-9)


@pytest.mark.task("1.1")
def test_the_forward_difference_comes_close_to_the_slope_of_curved_functions(derivative, rng):
    for _ in range(6):
        x = draw(rng)
        assert derivative.forward_difference(math.sin, x, 1e-7) == pytest.approx(math.cos(x), abs=1e-6)
        assert derivative.forward_difference(math.exp, x, 1e-7) == pytest.approx(math.exp(x), rel=1e-6)
        assert derivative.forward_difference(math.tanh, x, 1e-7) == pytest.approx(1 / math.cosh(x) ** 2, abs=1e-6)


@pytest.mark.task("1.1")
def test_the_forward_difference_looks_to_the_right_only(derivative, rng):
    for _ in range(6):
        corner, left, right = draw(rng), draw(rng), draw(rng)

        def bent(at, corner=corner, left=left, right=right):
            return (at - corner) * (right if at >= corner else left)

        for h in (0.25, 0.001):
            assert derivative.forward_difference(bent, corner, h) == pytest.approx(right, rel=1e-8)


@pytest.mark.task("1.1")
def test_the_forward_difference_asks_for_the_point_and_the_point_one_step_on(derivative, rng):
    for _ in range(5):
        x, h = draw(rng), rng.choice([0.5, 0.125, 0.01])
        f, points = noting(math.sin)
        found = derivative.forward_difference(f, x, h=h)
        assert found == pytest.approx((math.sin(x + h) - math.sin(x)) / h, rel=1e-9)
        assert min(points) == x
        assert max(points) == pytest.approx(x + h, rel=1e-12)


# ---- 1.2: the central difference --------------------------------------------------------------------------------


@pytest.mark.task("1.2")
def test_the_central_difference_has_no_error_on_any_parabola(derivative, rng):
    for _ in range(10):
        a, b, c, x, h = draw(rng), draw(rng), draw(rng), draw(rng), rng.choice([2.0, 0.5, 0.01])
        found = derivative.central_difference(lambda at, a=a, b=b, c=c: a * at**2 + b * at + c, x, h)
        assert found == pytest.approx(2 * a * x + b, rel=1e-8, abs=1e-9)


@pytest.mark.task("1.2")
def test_the_central_difference_of_a_cubic_is_off_by_the_square_of_h(derivative, rng):
    for _ in range(10):
        a, b, x, h = draw(rng), draw(rng), draw(rng), rng.choice([1.5, 0.5, 0.125])
        found = derivative.central_difference(lambda at, a=a, b=b: a * at**3 + b * at, x, h)
        assert found == pytest.approx(3 * a * x**2 + b + a * h * h, rel=1e-8, abs=1e-9)


@pytest.mark.task("1.2")
def test_the_central_difference_comes_close_to_the_slope_of_curved_functions(derivative, rng):
    for _ in range(6):
        x = draw(rng)
        assert derivative.central_difference(math.sin, x, 1e-5) == pytest.approx(math.cos(x), abs=1e-9)
        assert derivative.central_difference(math.exp, x, 1e-5) == pytest.approx(math.exp(x), rel=1e-9)
        assert derivative.central_difference(math.tanh, x, 1e-5) == pytest.approx(1 / math.cosh(x) ** 2, abs=1e-9)


@pytest.mark.task("1.2")
def test_the_central_difference_gives_both_sides_of_a_corner_the_same_weight(derivative, rng):
    for _ in range(6):
        corner, left, right = draw(rng), draw(rng), draw(rng)

        def bent(at, corner=corner, left=left, right=right):
            return (at - corner) * (right if at >= corner else left)

        for h in (0.25, 0.001):
            found = derivative.central_difference(bent, corner, h)
            assert found == pytest.approx((left + right) / 2, rel=1e-8, abs=1e-9)


@pytest.mark.task("1.2")
def test_the_central_difference_asks_one_step_to_either_side(derivative, rng):
    for _ in range(5):
        x, h = draw(rng), rng.choice([0.5, 0.125, 0.01])
        f, points = noting(math.exp)
        found = derivative.central_difference(f, x, h=h)
        assert found == pytest.approx((math.exp(x + h) - math.exp(x - h)) / (2 * h), rel=1e-9)
        assert min(points) == pytest.approx(x - h, rel=1e-12)
        assert max(points) == pytest.approx(x + h, rel=1e-12)


# ---- 1.3: partial derivative and gradient -----------------------------------------------------------------------


def mixed(weights):
    """A function of a list in which every entry meets its neighbour, and its slopes as a second function."""
    size = len(weights)

    def f(p):
        return sum(w * p[k] * p[(k + 1) % size] + p[k] ** 3 for k, w in enumerate(weights))

    def slopes(p):
        return [weights[k] * p[(k + 1) % size] + weights[k - 1] * p[k - 1] + 3 * p[k] ** 2 for k in range(size)]

    return f, slopes


@pytest.mark.task("1.3")
def test_the_partial_derivative_is_right_for_every_entry(derivative, rng):
    for size in (3, 4, 5):
        f, slopes = mixed([draw(rng) for _ in range(size)])
        xs = [draw(rng) for _ in range(size)]
        for i, slope in enumerate(slopes(xs)):
            assert derivative.partial(f, xs, i) == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.task("1.3")
def test_the_gradient_lists_all_partial_derivatives_in_the_order_of_the_list(derivative, rng):
    for size in (1, 2, 3, 12):
        weights = [draw(rng) for _ in range(size)]
        xs = [draw(rng) for _ in range(size)]
        found = derivative.gradient(
            lambda p, weights=weights: sum(w * x**2 for w, x in zip(weights, p, strict=True)), xs
        )
        assert found == pytest.approx([2 * w * x for w, x in zip(weights, xs, strict=True)], rel=1e-6, abs=1e-7)


@pytest.mark.task("1.3")
def test_the_gradient_keeps_entries_with_equal_numbers_apart(derivative, rng):
    for _ in range(5):
        number = draw(rng)
        weights = [draw(rng) for _ in range(4)]
        found = derivative.gradient(lambda p, w=weights: sum(a * b for a, b in zip(w, p, strict=True)), [number] * 4)
        assert found == pytest.approx(weights, rel=1e-6)


@pytest.mark.task("1.3")
def test_only_the_wanted_entry_moves_and_by_one_step_to_either_side(derivative, rng):
    for i in range(4):
        xs, h = [draw(rng) for _ in range(4)], rng.choice([0.5, 0.125])
        f, points = noting(lambda p: sum(p))
        assert derivative.partial(f, xs, i, h) == pytest.approx(1.0, rel=1e-9)
        assert len(points) == 2
        assert sorted(point[i] for point in points) == pytest.approx([xs[i] - h, xs[i] + h], rel=1e-12)
        for point in points:
            assert point[:i] + point[i + 1 :] == xs[:i] + xs[i + 1 :]


@pytest.mark.task("1.3")
def test_partial_and_gradient_use_the_step_they_are_given(derivative, rng):
    for h in (0.5, 0.25):
        xs = [draw(rng) for _ in range(3)]

        def cubes(p):
            return sum((k + 1) * x**3 for k, x in enumerate(p))

        expected = [(k + 1) * (3 * x**2 + h * h) for k, x in enumerate(xs)]
        assert derivative.partial(cubes, xs, 1, h=h) == pytest.approx(expected[1], rel=1e-9)
        assert derivative.gradient(cubes, xs, h=h) == pytest.approx(expected, rel=1e-9)


@pytest.mark.task("1.3")
def test_the_list_is_exactly_what_it_was_even_where_rounding_would_show(derivative, rng):
    for _ in range(10):
        numbers = [draw(rng) for _ in range(5)]
        xs = list(numbers)
        total = 0.0
        for i in range(5):
            total += derivative.partial(lambda p: sum(p), xs, i)
        assert total == pytest.approx(5.0, rel=1e-6)
        assert xs == numbers
        assert derivative.gradient(lambda p: sum(p), xs) == pytest.approx([1.0] * 5, rel=1e-6)
        assert xs == numbers


@pytest.mark.task("1.3")
def test_the_number_of_calls_grows_with_the_list_and_no_faster(derivative, rng):
    for size in (1, 7, 40):
        f, points = noting(lambda p: sum(p))
        xs = [draw(rng) for _ in range(size)]
        derivative.partial(f, xs, size - 1)
        assert len(points) == 2
        points.clear()
        assert derivative.gradient(f, xs) == pytest.approx([1.0] * size, rel=1e-6)
        assert len(points) == 2 * size


# ---- 1.4: the error sweep and the best h ------------------------------------------------------------------------


@pytest.mark.task("1.4", needs=("1.1", "1.2"))
def test_the_sweep_lists_both_errors_for_every_step_in_the_given_order(derivative, rng):
    for _ in range(5):
        a, x = draw(rng), draw(rng)
        hs = [0.5, 0.03125, 1.0, 0.25]
        rng.shuffle(hs)
        before = list(hs)
        rows = derivative.error_sweep(lambda at, a=a: a * at**3, 3 * a * x**2, x, hs)
        assert [row[0] for row in rows] == before
        assert [row[1] for row in rows] == pytest.approx([abs(3 * a * x * h + a * h * h) for h in before], rel=1e-6)
        assert [row[2] for row in rows] == pytest.approx([abs(a * h * h) for h in before], rel=1e-6)


@pytest.mark.task("1.4", needs=("1.1", "1.2"))
def test_the_errors_are_distances_where_the_estimates_are_too_small(derivative, rng):
    for _ in range(5):
        x, hs = abs(draw(rng)), [0.5, 0.25]
        rows = derivative.error_sweep(lambda at: -(at**3), -3 * x**2, x, hs)
        assert [row[1] for row in rows] == pytest.approx([3 * x * h + h * h for h in hs], rel=1e-9)
        assert [row[2] for row in rows] == pytest.approx([h * h for h in hs], rel=1e-9)


@pytest.mark.task("1.4", needs=("1.1", "1.2"))
def test_the_errors_are_measured_against_the_slope_that_was_given(derivative, rng):
    for _ in range(5):
        slope, off, x = draw(rng), draw(rng), draw(rng)
        rows = derivative.error_sweep(lambda at, slope=slope: slope * at, slope + off, x, [0.5, 0.125])
        assert [row[1] for row in rows] == pytest.approx([abs(off)] * 2, rel=1e-9)
        assert [row[2] for row in rows] == pytest.approx([abs(off)] * 2, rel=1e-9)


@pytest.mark.task("1.4", needs=("1.1", "1.2"))
def test_the_sweep_shows_the_fall_and_the_climb_on_curved_functions(derivative, rng):
    hs = [10.0**-k for k in range(1, 15)]
    for f, slope in ((math.sin, math.cos), (math.exp, math.exp)):
        x = round(rng.uniform(0.5, 1.2), 3)
        rows = derivative.error_sweep(f, slope(x), x, hs)
        assert len(rows) == len(hs)
        best_forward, best_central = min(row[1] for row in rows), min(row[2] for row in rows)
        assert best_forward < 1e-6
        assert best_central < 1e-9
        assert rows[0][1] > 1e-3
        assert rows[0][2] > 1e-4
        assert max(row[1] for row in rows[10:]) > 1e-6
        assert max(row[2] for row in rows[10:]) > 1e-6


@pytest.mark.task("1.4")
def test_the_best_step_of_each_kind_is_found_wherever_it_stands(derivative, rng):
    for size in (1, 2, 5, 9):
        for _ in range(4):
            steps = rng.sample([round(0.01 * k, 2) for k in range(1, 60)], size)
            forward = rng.sample([round(0.003 * k, 4) for k in range(1, 90)], size)
            central = rng.sample([round(0.002 * k, 4) for k in range(1, 90)], size)
            rows = list(zip(steps, forward, central, strict=True))
            best = (steps[forward.index(min(forward))], steps[central.index(min(central))])
            assert tuple(derivative.best_h(rows)) == best


@pytest.mark.task("1.4")
def test_the_best_step_need_be_neither_the_largest_nor_the_smallest_nor_the_same(derivative):
    rows = [(0.5, 0.9, 0.8), (0.25, 0.2, 0.7), (0.125, 0.6, 0.1), (0.0625, 0.3, 0.4)]
    assert tuple(derivative.best_h(rows)) == (0.25, 0.125)
    assert tuple(derivative.best_h(rows[::-1])) == (0.25, 0.125)
    assert tuple(derivative.best_h([*rows, (2.0, 0.0, 0.95)])) == (2.0, 0.125)


@pytest.mark.task("1.4")
def test_the_best_step_is_found_where_every_error_is_large(derivative, rng):
    for _ in range(4):
        steps = rng.sample([round(0.01 * k, 2) for k in range(1, 60)], 5)
        forward = [round(rng.uniform(3.0, 500.0), 3) for _ in steps]
        central = [1e12 * error for error in rng.sample(range(2, 90), 5)]
        best = (steps[forward.index(min(forward))], steps[central.index(min(central))])
        assert tuple(derivative.best_h(list(zip(steps, forward, central, strict=True)))) == best
