"""Part 5, the hidden tests: other numbers, other graphs, and the edges at which wrong engines come out right by luck.

Every backward pass here is the suites' own (send_back): what a student's backward() does is part 4's business. Each
operation is tried with a gradient other than 1, on one node twice, on inner nodes, and in random expressions.
"""

import math

import pytest

from autograder.suites.backward import nodes_below, send_back
from autograder.suites.expressions import follow, random_steps, slopes_of
from autograder.suites.unary import both_shares_arrive, draw, inner_nodes_pass_on, quadruples

BELOW = ("5.1", "5.2", "5.3", "5.4", "5.5", "5.6")  # what a sigmoid may be made of
LINEAR = ("p + q", "p * q", "p + q", "p * q", "p + c", "c * p")


def whole(rng):
    """A plain int other than 0 and 1."""
    return rng.choice([-7, -4, -3, -2, 2, 3, 5, 6])


def agrees_on_random_expressions(Value, rng, names, graphs=8):
    """Random expressions out of these steps have the right number and slopes, also where two graphs share leaves."""
    for size in range(4, 4 + graphs):
        numbers = [draw(rng) for _ in range(3)]
        leaves = [Value(number) for number in numbers]
        expected = [0.0] * len(numbers)
        for gradient in (1.0, draw(rng)):
            steps = random_steps(rng, numbers, names, size)
            result, slopes = slopes_of(steps, numbers)
            root = follow(steps, leaves)
            assert root.data == pytest.approx(result, rel=1e-9, abs=1e-9)
            send_back(root, gradient)
            expected = [before + gradient * slope for before, slope in zip(expected, slopes, strict=True)]
            for leaf, slope in zip(leaves, expected, strict=True):
                assert leaf.grad == pytest.approx(slope, rel=1e-6, abs=1e-9)


# ---- 5.1: numbers beside + and * --------------------------------------------------------------------------------


@pytest.mark.task("5.1")
def test_plus_takes_whole_and_broken_numbers_on_either_side(Value, rng):
    for number in [whole(rng), draw(rng), whole(rng), draw(rng), 0, -1.5]:
        x, g = draw(rng), draw(rng)
        for turn in (0, 1):
            a = Value(x)
            out = a + number if turn else number + a
            assert out.data == pytest.approx(x + number)
            send_back(out, g)
            assert a.grad == pytest.approx(g)


@pytest.mark.task("5.1")
def test_times_takes_whole_and_broken_numbers_on_either_side(Value, rng):
    for number in [whole(rng), draw(rng), whole(rng), draw(rng), 0, -1.5]:
        x, g = draw(rng), draw(rng)
        for turn in (0, 1):
            a = Value(x)
            out = a * number if turn else number * a
            assert out.data == pytest.approx(x * number)
            send_back(out, g)
            assert a.grad == pytest.approx(number * g)


@pytest.mark.task("5.1")
def test_a_number_beside_a_node_adds_to_the_gradient_that_is_there(Value, rng):
    for number in (whole(rng), draw(rng)):
        both_shares_arrive(Value, lambda v, n=number: v + n, lambda x: 1.0, quadruples(rng, 3))
        both_shares_arrive(Value, lambda v, n=number: n + v, lambda x: 1.0, quadruples(rng, 3))
        both_shares_arrive(Value, lambda v, n=number: v * n, lambda x, n=number: n, quadruples(rng, 3))
        both_shares_arrive(Value, lambda v, n=number: n * v, lambda x, n=number: n, quadruples(rng, 3))


@pytest.mark.task("5.1")
def test_the_node_beside_a_number_is_a_child_and_keeps_its_own_number(Value, rng):
    for _ in range(5):
        x, number = draw(rng), whole(rng)
        a = Value(x)
        for out in (a + number, number + a, a * number, number * a):
            assert a in out._prev
            assert out is not a
            assert a.data == x
            assert a.grad == 0.0


@pytest.mark.task("5.1")
def test_two_nodes_are_added_and_multiplied_as_before(Value, rng):
    for _ in range(6):
        x, y, g = draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        out = a + b
        assert out.data == pytest.approx(x + y)
        assert a in out._prev
        assert b in out._prev
        send_back(out, g)
        assert a.grad == pytest.approx(g)
        assert b.grad == pytest.approx(g)
        a, b = Value(x), Value(y)
        out = (a * b) * 2
        assert out.data == pytest.approx(2 * x * y)
        send_back(out, g)
        assert a.grad == pytest.approx(2 * y * g)
        assert b.grad == pytest.approx(2 * x * g)


@pytest.mark.task("5.1")
def test_nodes_and_numbers_that_are_equal_stay_apart(Value, rng):
    for _ in range(6):
        x, g = draw(rng), draw(rng)
        a, b = Value(x), Value(x)
        for out in (a + b, a * b):
            assert a in out._prev
            assert b in out._prev
        send_back((a + b) + x, g)
        assert a.grad == pytest.approx(g)
        assert b.grad == pytest.approx(g)
        c = Value(x)
        send_back(c * x, g)
        assert c.grad == pytest.approx(x * g)


@pytest.mark.task("5.1")
def test_a_sum_of_nodes_and_products_with_numbers_works(Value, rng):
    for _ in range(6):
        xs, ws, g = [draw(rng) for _ in range(4)], [draw(rng) for _ in range(4)], draw(rng)
        nodes = [Value(w) for w in ws]
        total = sum(node * x for node, x in zip(nodes, xs, strict=True)) + 0.5
        assert total.data == pytest.approx(sum(w * x for w, x in zip(ws, xs, strict=True)) + 0.5)
        send_back(total, g)
        for node, x in zip(nodes, xs, strict=True):
            assert node.grad == pytest.approx(x * g)


@pytest.mark.task("5.1")
def test_numbers_are_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, ["p + q", "p * q", "p + c", "c + p", "p * c", "c * p"])


# ---- 5.2: negation and subtraction ------------------------------------------------------------------------------


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_difference_takes_the_right_side_from_the_left(Value, rng):
    for _ in range(8):
        x, y, g = draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        out = a - b
        assert out.data == pytest.approx(x - y)
        send_back(out, g)
        assert a.grad == pytest.approx(g)
        assert b.grad == pytest.approx(-g)


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_number_minus_a_node_and_a_node_minus_a_number(Value, rng):
    for number in [whole(rng), draw(rng), whole(rng), draw(rng), 0]:
        x, g = draw(rng), draw(rng)
        a = Value(x)
        out = number - a
        assert out.data == pytest.approx(number - x)
        send_back(out, g)
        assert a.grad == pytest.approx(-g)
        a = Value(x)
        out = a - number
        assert out.data == pytest.approx(x - number)
        send_back(out, g)
        assert a.grad == pytest.approx(g)


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_minus_sign_belongs_to_the_graph(Value, rng):
    both_shares_arrive(Value, lambda v: -v, lambda x: -1.0, quadruples(rng))
    inner_nodes_pass_on(Value, lambda v: -v, lambda x: -x, lambda x: -1.0, quadruples(rng, 4))
    for _ in range(4):
        x, g = draw(rng), draw(rng)
        a = Value(x)
        m = -a
        out = -m
        assert out.data == pytest.approx(x)
        send_back(out, g)
        assert a.grad == pytest.approx(g)
        assert a.data == x


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_difference_adds_to_the_gradient_that_is_there(Value, rng):
    both_shares_arrive(Value, lambda v: v - 2.5, lambda x: 1.0, quadruples(rng, 4))
    both_shares_arrive(Value, lambda v: 2.5 - v, lambda x: -1.0, quadruples(rng, 4))
    inner_nodes_pass_on(Value, lambda v: 3 - v, lambda x: 3 - x, lambda x: -1.0, quadruples(rng, 4))
    for _ in range(4):
        a, b, g, h, before = Value(draw(rng)), Value(draw(rng)), draw(rng), draw(rng), draw(rng)
        a.grad, b.grad = before, 2 * before
        send_back(a - b, g)
        send_back(b - a, h)
        assert a.grad == pytest.approx(before + g - h)
        assert b.grad == pytest.approx(2 * before - g + h)


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_node_minus_itself_is_nothing(Value, rng):
    for _ in range(5):
        a = Value(draw(rng))
        out = a - a
        assert out.data == pytest.approx(0.0, abs=1e-12)
        send_back(out, draw(rng))
        assert a.grad == pytest.approx(0.0, abs=1e-12)


@pytest.mark.task("5.2", needs=("5.1",))
def test_differences_of_inner_nodes_with_equal_and_opposite_numbers(Value, rng):
    for _ in range(6):
        x, y, g = draw(rng), draw(rng), draw(rng)
        for side in (1, -1):
            a, b = Value(x), Value(side * y)
            left, right = a + y, b + side * x
            out = (left - right) * 2
            assert out.data == pytest.approx(2 * (x + y) * (1 - side))
            send_back(out, g)
            assert a.grad == pytest.approx(2 * g)
            assert b.grad == pytest.approx(-2 * g)


@pytest.mark.task("5.2", needs=("5.1",))
def test_differences_are_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, [*LINEAR, "p - q", "p - c", "c - p", "-p"])


# ---- 5.3: powers ------------------------------------------------------------------------------------------------


@pytest.mark.task("5.3")
def test_whole_powers_have_the_right_number_and_slope(Value, rng):
    for n in (2, 3, 4, 5, -1, -2, -3):
        x, g = draw(rng), draw(rng)
        v = Value(x)
        out = v**n
        assert out.data == pytest.approx(x**n)
        send_back(out, g)
        assert v.grad == pytest.approx(n * x ** (n - 1) * g)


@pytest.mark.task("5.3")
def test_broken_powers_of_positive_numbers(Value, rng):
    for n in (0.5, 1.5, -0.5, 2.5, 2.0):
        x, g = abs(draw(rng)), draw(rng)
        v = Value(x)
        out = v**n
        assert out.data == pytest.approx(x**n)
        send_back(out, g)
        assert v.grad == pytest.approx(n * x ** (n - 1) * g)


@pytest.mark.task("5.3")
def test_the_powers_one_and_zero(Value, rng):
    for _ in range(4):
        x, g = draw(rng), draw(rng)
        v = Value(x)
        out = v**1
        assert out.data == pytest.approx(x)
        send_back(out, g)
        assert v.grad == pytest.approx(g)
        v = Value(x)
        out = v**0
        assert out.data == pytest.approx(1.0)
        send_back(out, g)
        assert v.grad == pytest.approx(0.0, abs=1e-12)


@pytest.mark.task("5.3")
def test_powers_of_zero_are_flat(Value, rng):
    for n in (2, 3, 4.0):
        v = Value(0.0)
        out = v**n
        assert out.data == 0.0
        send_back(out, draw(rng))
        assert v.grad == 0.0


@pytest.mark.task("5.3")
def test_powers_of_one_node_collect_every_share(Value, rng):
    both_shares_arrive(Value, lambda v: v**3, lambda x: 3 * x**2, quadruples(rng))
    both_shares_arrive(Value, lambda v: v**-1, lambda x: -(x**-2), quadruples(rng))
    inner_nodes_pass_on(Value, lambda v: v**2, lambda x: x**2, lambda x: 2 * x, quadruples(rng, 5))


@pytest.mark.task("5.3")
def test_a_power_of_a_power_keeps_both_closures(Value, rng):
    for _ in range(6):
        x, g = draw(rng), draw(rng)
        v = Value(x)
        inner = v**2
        outer = inner**3
        send_back(outer, g)
        assert inner.grad == pytest.approx(3 * x**4 * g)
        assert v.grad == pytest.approx(6 * x**5 * g)


@pytest.mark.task("5.3", needs=("5.1",))
def test_powers_are_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, [*LINEAR, "p ** 2", "p ** 3", "p ** -1", "p ** 2"])


# ---- 5.4: division ----------------------------------------------------------------------------------------------


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_a_quotient_divides_the_left_side_by_the_right(Value, rng):
    for _ in range(8):
        x, y, g = draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        out = a / b
        assert out.data == pytest.approx(x / y)
        send_back(out, g)
        assert a.grad == pytest.approx(g / y)
        assert b.grad == pytest.approx(-x / y**2 * g)


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_a_number_over_a_node_and_a_node_over_a_number(Value, rng):
    for number in [whole(rng), draw(rng), whole(rng), draw(rng)]:
        x, g = draw(rng), draw(rng)
        a = Value(x)
        out = number / a
        assert out.data == pytest.approx(number / x)
        send_back(out, g)
        assert a.grad == pytest.approx(-number / x**2 * g)
        a = Value(x)
        out = a / number
        assert out.data == pytest.approx(x / number)
        send_back(out, g)
        assert a.grad == pytest.approx(g / number)


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_a_quotient_adds_to_the_gradient_that_is_there(Value, rng):
    both_shares_arrive(Value, lambda v: v / 4, lambda x: 0.25, quadruples(rng, 4))
    both_shares_arrive(Value, lambda v: 3 / v, lambda x: -3 / x**2, quadruples(rng, 4))
    inner_nodes_pass_on(Value, lambda v: 2 / v, lambda x: 2 / x, lambda x: -2 / x**2, quadruples(rng, 4))
    for _ in range(4):
        x, y, g, h = draw(rng), draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        send_back(a / b, g)
        send_back(b / a, h)
        assert a.grad == pytest.approx(g / y - h * y / x**2)
        assert b.grad == pytest.approx(-g * x / y**2 + h / x)


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_a_node_over_itself_is_one_and_flat(Value, rng):
    for _ in range(5):
        a = Value(draw(rng))
        out = a / a
        assert out.data == pytest.approx(1.0)
        send_back(out, draw(rng))
        assert a.grad == pytest.approx(0.0, abs=1e-12)


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_quotients_of_inner_nodes_with_equal_and_inverse_numbers(Value, rng):
    for x, y in [(2.0, 0.5), (-4.0, -0.25), (draw(rng),) * 2, (8.0, 0.125)]:
        a, b, g = Value(x / 2), Value(y / 4), draw(rng)
        left, right = a * 2, b * 4
        out = left / right + g
        assert out.data == pytest.approx(x / y + g)
        send_back(out, g)
        assert a.grad == pytest.approx(2 / y * g)
        assert b.grad == pytest.approx(-4 * x / y**2 * g)


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_whole_numbers_are_not_divided_without_remainder(Value):
    for x, y in [(7, 2), (-3, 4), (1, 8)]:
        for out in (Value(x) / Value(y), Value(x) / y, x / Value(y)):
            assert out.data == pytest.approx(x / y)


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_quotients_are_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, [*LINEAR, "p / q", "p / c", "c / p"])


# ---- 5.5: exp ---------------------------------------------------------------------------------------------------


@pytest.mark.task("5.5")
def test_exp_scales_its_own_number_by_the_gradient(Value, rng):
    for _ in range(10):
        x, g = draw(rng), draw(rng)
        v = Value(x)
        out = v.exp()
        assert out.data == pytest.approx(math.exp(x))
        send_back(out, g)
        assert v.grad == pytest.approx(math.exp(x) * g)


@pytest.mark.task("5.5")
def test_exp_of_one_node_twice_collects_both_shares(Value, rng):
    both_shares_arrive(Value, lambda v: v.exp(), math.exp, quadruples(rng))
    inner_nodes_pass_on(Value, lambda v: v.exp(), math.exp, math.exp, quadruples(rng, 5))


@pytest.mark.task("5.5")
def test_exp_of_an_exp_keeps_both_closures(Value, rng):
    for _ in range(6):
        x, g = draw(rng) / 3, draw(rng)
        v = Value(x)
        inner = v.exp()
        outer = inner.exp()
        send_back(outer, g)
        assert inner.grad == pytest.approx(math.exp(math.exp(x)) * g)
        assert v.grad == pytest.approx(math.exp(math.exp(x)) * math.exp(x) * g)


@pytest.mark.task("5.5")
def test_exp_far_out_on_the_left_is_nothing_and_flat(Value, rng):
    for x in (-800.0, -5000.0):
        v = Value(x)
        out = v.exp()
        assert out.data == 0.0
        send_back(out, draw(rng))
        assert v.grad == 0.0
    for x in (20.0, 30.5):
        v = Value(x)
        out = v.exp()
        send_back(out, 2.0)
        assert v.grad == pytest.approx(2.0 * math.exp(x))


@pytest.mark.task("5.5")
def test_exp_makes_a_node_with_one_child(Value, rng):
    for _ in range(4):
        v = Value(draw(rng))
        out = v.exp()
        assert len(out._prev) == 1
        assert v in out._prev


@pytest.mark.task("5.5", needs=("5.1",))
def test_exp_is_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, [*LINEAR, "exp", "exp", "exp"])


# ---- 5.6: relu --------------------------------------------------------------------------------------------------


@pytest.mark.task("5.6")
def test_relu_hands_any_gradient_through_where_its_number_is_positive(Value, rng):
    for _ in range(10):
        x, g = abs(draw(rng)), draw(rng)
        for number in (x, x / 1000, x * 1000):
            v = Value(number)
            out = v.relu()
            assert out.data == number
            send_back(out, g)
            assert v.grad == g


@pytest.mark.task("5.6")
def test_relu_stops_every_gradient_where_its_number_is_negative(Value, rng):
    for _ in range(10):
        x, g, before = -abs(draw(rng)), draw(rng), draw(rng)
        for number in (x, x / 1000, x * 1000):
            v = Value(number)
            v.grad = before
            out = v.relu()
            assert out.data == 0.0
            send_back(out, g)
            assert v.grad == before


@pytest.mark.task("5.6")
def test_relu_of_one_node_twice_collects_both_shares(Value, rng):
    both_shares_arrive(Value, lambda v: v.relu(), lambda x: float(x > 0), quadruples(rng, 12))
    inner_nodes_pass_on(Value, lambda v: v.relu(), lambda x: max(x, 0.0), lambda x: float(x > 0), quadruples(rng, 8))


@pytest.mark.task("5.6")
def test_relu_of_a_relu_keeps_both_closures(Value, rng):
    for _ in range(8):
        x, g = draw(rng), draw(rng)
        v = Value(x)
        inner = v.relu()
        outer = inner.relu()
        assert outer.data == max(x, 0.0)
        if x > 0:
            send_back(outer, g)
            assert inner.grad == g
            assert v.grad == g
        else:
            send_back(inner, g)
            assert v.grad == 0.0


@pytest.mark.task("5.6")
def test_relu_of_zero_is_zero_and_it_has_one_child(Value, rng):
    for number in (0.0, 0, draw(rng)):
        v = Value(number)
        out = v.relu()
        assert out.data == max(number, 0)
        assert len(out._prev) == 1
        assert v in out._prev


@pytest.mark.task("5.6", needs=("5.1",))
def test_relu_is_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, [*LINEAR, "relu", "relu", "relu"])


# ---- 5.7: tanh out of exp ---------------------------------------------------------------------------------------

OUT_OF_EXP = ("5.1", "5.2", "5.3", "5.4", "5.5")


@pytest.mark.task("5.7", needs=OUT_OF_EXP)
def test_tanh_from_exp_has_the_number_and_the_slope_of_tanh(Value, rng):
    for _ in range(8):
        x, g = draw(rng), draw(rng)
        v = Value(x)
        out = v.tanh_from_exp()
        assert v not in out._prev
        assert out.data == pytest.approx(math.tanh(x), rel=1e-9)
        send_back(out, g)
        assert v.grad == pytest.approx(g / math.cosh(x) ** 2, rel=1e-8)


@pytest.mark.task("5.7", needs=OUT_OF_EXP)
def test_tanh_from_exp_of_one_node_twice_collects_both_shares(Value, rng):
    slope, numbers = (lambda x: 1 / math.cosh(x) ** 2), quadruples(rng, 5)
    for x, *_ in numbers:
        v = Value(x)
        assert v not in v.tanh_from_exp()._prev
    both_shares_arrive(Value, lambda v: v.tanh_from_exp(), slope, numbers)
    inner_nodes_pass_on(Value, lambda v: v.tanh_from_exp(), math.tanh, slope, numbers)


@pytest.mark.task("5.7", needs=OUT_OF_EXP)
def test_tanh_from_exp_is_put_together_from_exp_and_the_operators(Value, rng):
    for _ in range(5):
        x = draw(rng)
        v = Value(x)
        nodes = nodes_below(v.tanh_from_exp())
        numbers = [node.data for node in nodes if node is not v]
        assert len(nodes) >= 4
        powers = [pytest.approx(math.exp(k * x), rel=1e-9) for k in (-2, -1, 1, 2)]
        assert any(number == power for number in numbers for power in powers)


@pytest.mark.task("5.7", needs=OUT_OF_EXP)
def test_tanh_from_exp_is_odd_and_flat_far_out(Value, rng):
    for x in (9.0, 15.5, 20.0):
        for side in (-1, 1):
            v = Value(side * x)
            out = v.tanh_from_exp()
            assert v not in out._prev
            assert out.data == pytest.approx(math.tanh(side * x), rel=1e-9)
            send_back(out, draw(rng))
            assert v.grad == pytest.approx(0.0, abs=1e-6)


@pytest.mark.task("5.7", needs=OUT_OF_EXP)
def test_tanh_from_exp_is_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, [*LINEAR, "tanh_from_exp", "tanh_from_exp"], graphs=6)


# ---- 5.8: sigmoid -----------------------------------------------------------------------------------------------


def logistic(x):
    """The sigmoid of a plain number."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


@pytest.mark.task("5.8", needs=BELOW)
def test_sigmoid_has_the_right_number_and_slope(Value, rng):
    for _ in range(10):
        x, g = draw(rng), draw(rng)
        v = Value(x)
        out = v.sigmoid()
        assert out.data == pytest.approx(logistic(x), rel=1e-9)
        send_back(out, g)
        assert v.grad == pytest.approx(logistic(x) * logistic(-x) * g, rel=1e-8)


@pytest.mark.task("5.8", needs=BELOW)
def test_sigmoid_of_one_node_twice_collects_both_shares(Value, rng):
    slope, numbers = (lambda x: logistic(x) * logistic(-x)), quadruples(rng, 6)
    both_shares_arrive(Value, lambda v: v.sigmoid(), slope, numbers)
    inner_nodes_pass_on(Value, lambda v: v.sigmoid(), logistic, slope, numbers)


@pytest.mark.task("5.8", needs=BELOW)
def test_sigmoid_does_not_overflow_far_out_on_the_right(Value, rng):
    for x in (720.0, 1000.0, 5000.0, 1e6):
        v = Value(x)
        out = v.sigmoid()
        assert out.data == pytest.approx(1.0, abs=1e-12)
        send_back(out, draw(rng))
        assert v.grad == pytest.approx(0.0, abs=1e-12)


@pytest.mark.task("5.8", needs=BELOW)
def test_sigmoid_does_not_overflow_far_out_on_the_left(Value, rng):
    for x in (-720.0, -1000.0, -5000.0, -1e6):
        v = Value(x)
        out = v.sigmoid()
        assert out.data == pytest.approx(0.0, abs=1e-12)
        send_back(out, draw(rng))
        assert v.grad == pytest.approx(0.0, abs=1e-12)


@pytest.mark.task("5.8", needs=BELOW)
def test_sigmoid_is_right_between_the_middle_and_the_far_ends(Value, rng):
    for x in (6.0, 15.0, 40.0, 300.0):
        for side in (-1, 1):
            v, g = Value(side * x), draw(rng)
            out = v.sigmoid()
            assert out.data == pytest.approx(logistic(side * x), rel=1e-9, abs=1e-12)
            send_back(out, g)
            assert v.grad == pytest.approx(logistic(x) * logistic(-x) * g, rel=1e-6, abs=1e-12)


@pytest.mark.task("5.8", needs=BELOW)
def test_sigmoid_has_its_steepest_slope_in_the_middle(Value, rng):
    for number in (0.0, 0):
        g = draw(rng)
        v = Value(number)
        out = v.sigmoid()
        assert out.data == pytest.approx(0.5)
        send_back(out, g)
        assert v.grad == pytest.approx(0.25 * g)


@pytest.mark.task("5.8", needs=BELOW)
def test_sigmoid_is_right_in_random_expressions(Value, rng):
    agrees_on_random_expressions(Value, rng, [*LINEAR, "sigmoid", "sigmoid"], graphs=6)
