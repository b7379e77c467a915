"""Part 5, the public tests: the numbers that the lecture states, and a few neighbours of them.

They cover a part of each task's points. Hidden tests check other numbers, other graphs and the edges.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NEURON_BIAS = 6.8813735870195432
moderate = st.floats(-4, 4).map(lambda x: round(x, 3))
away_from_zero = st.floats(0.25, 4).map(lambda x: round(x, 3)) | st.floats(-4, -0.25).map(lambda x: round(x, 3))


def send_back(root, gradient=1.0):
    """A backward pass from `root`: its grad becomes `gradient`, then every closure runs once, parents first.

    The same as root.backward(), but for the gradient to start with; so these tests do not depend on backward().
    """
    order, seen = [], set()

    def place(node):
        if id(node) not in seen:
            seen.add(id(node))
            for child in node._prev:
                place(child)
            order.append(node)

    place(root)
    root.grad = gradient
    for node in reversed(order):
        node._backward()


# ---- 5.1: numbers beside + and * --------------------------------------------------------------------------------


@pytest.mark.task("5.1")
def test_a_number_may_stand_to_the_right_of_plus_and_times(Value):
    """s = a + number and p = a * number; then g is sent back from each"""
    for x, number, g in [(2.0, 1, 3.0), (-3.0, 0.5, -2.0)]:
        a = Value(x)
        s = a + number
        assert s.data == x + number, f"a = {x}, number = {number}"
        send_back(s, g)
        assert a.grad == g, f"a = {x}, number = {number}, g = {g}, from the sum"
        a = Value(x)
        p = a * number
        assert p.data == x * number, f"a = {x}, number = {number}"
        send_back(p, g)
        assert a.grad == number * g, f"a = {x}, number = {number}, g = {g}, from the product"


@pytest.mark.task("5.1")
def test_a_number_may_stand_to_the_left_of_plus_and_times(Value):
    """s = number + a and p = number * a; then g is sent back from each"""
    for x, number, g in [(2.0, 3, 5.0), (-4.0, 0.25, -2.0)]:
        a = Value(x)
        s = number + a
        assert s.data == number + x, f"number = {number}, a = {x}"
        send_back(s, g)
        assert a.grad == g, f"number = {number}, a = {x}, g = {g}, from the sum"
        a = Value(x)
        p = number * a
        assert p.data == number * x, f"number = {number}, a = {x}"
        send_back(p, g)
        assert a.grad == number * g, f"number = {number}, a = {x}, g = {g}, from the product"


@pytest.mark.task("5.1")
def test_the_sum_of_a_list_of_nodes_is_a_node(Value):
    """total = sum([a, b, c], start)"""
    for numbers, start in [((2.0, -3.0, 10.0), 0), ((0.5, 4.0, -1.25), 3)]:
        nodes = [Value(number) for number in numbers]
        total = sum(nodes, start)
        assert total.data == sum(numbers, start), f"a, b, c = {numbers}, start = {start}"
        send_back(total, 3.0)
        for node, letter in zip(nodes, "abc", strict=True):
            assert node.grad == 3.0, f"the gradient of {letter}, 3.0 being sent back"


# ---- 5.2: negation and subtraction ------------------------------------------------------------------------------


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_difference_of_two_nodes(Value):
    """d = a - b; then g is sent back"""
    for x, y, g in [(5.0, 3.0, 1.0), (-2.0, 4.5, 3.0)]:
        a, b = Value(x), Value(y)
        d = a - b
        assert d.data == x - y, f"a = {x}, b = {y}"
        send_back(d, g)
        assert a.grad == g, f"a = {x}, b = {y}, g = {g}"
        assert b.grad == -g, f"a = {x}, b = {y}, g = {g}"


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_difference_with_a_number_on_either_side(Value):
    """d = v - number, and then d = number - v"""
    for number, x in [(10, 3.0), (1, -2.5)]:
        v = Value(x)
        d = v - number
        assert d.data == x - number, f"v = {x}, number = {number}, v - number"
        send_back(d, 2.0)
        assert v.grad == 2.0, f"v = {x}, number = {number}, v - number, 2.0 being sent back"
        v = Value(x)
        d = number - v
        assert d.data == number - x, f"v = {x}, number = {number}, number - v"
        send_back(d, 2.0)
        assert v.grad == -2.0, f"v = {x}, number = {number}, number - v, 2.0 being sent back"


@pytest.mark.task("5.2", needs=("5.1",))
def test_a_minus_sign_before_a_node(Value):
    """m = -v; then g is sent back"""
    for x, g in [(2.0, 3.0), (-0.75, -5.0)]:
        v = Value(x)
        m = -v
        assert m.data == -x, f"v = {x}"
        send_back(m, g)
        assert v.grad == -g, f"v = {x}, g = {g}"


# ---- 5.3: powers ------------------------------------------------------------------------------------------------


@pytest.mark.task("5.3")
def test_a_power_and_its_slope(Value):
    """p = v ** n; then g is sent back"""
    for x, n, g, power, slope in [
        (3.0, 2, 1.0, 9.0, 6.0),
        (2.0, 3, -5.0, 8.0, -60.0),
        (2.0, -1, 3.0, 0.5, -0.75),
        (4.0, 0.5, 6.0, 2.0, 1.5),
    ]:
        v = Value(x)
        p = v**n
        assert p.data == pytest.approx(power), f"v = {x}, n = {n}"
        send_back(p, g)
        assert v.grad == pytest.approx(slope), f"v = {x}, n = {n}, g = {g}"


@pytest.mark.task("5.3", needs=("5.1",))
def test_the_square_of_an_expression(Value):
    """L = (a*b + c) ** 2; then 1.0 is sent back"""
    for (x, y, z), square, slopes in [
        ((2.0, 3.0, 1.0), 49.0, (42.0, 28.0, 14.0)),
        ((2.0, -3.0, 10.0), 16.0, (-24.0, 16.0, 8.0)),
    ]:
        a, b, c = Value(x), Value(y), Value(z)
        L = (a * b + c) ** 2
        assert L.data == square, f"a, b, c = {x}, {y}, {z}"
        send_back(L, 1.0)
        assert a.grad == pytest.approx(slopes[0]), f"a, b, c = {x}, {y}, {z}"
        assert b.grad == pytest.approx(slopes[1]), f"a, b, c = {x}, {y}, {z}"
        assert c.grad == pytest.approx(slopes[2]), f"a, b, c = {x}, {y}, {z}"


@pytest.mark.task("5.3")
@given(x=away_from_zero, n=st.sampled_from([-2, -1, 2, 3, 4]), g=moderate)
def test_a_power_is_right_for_any_numbers(Value, x, n, g):
    """p = v ** n; then g is sent back, for any numbers"""
    v = Value(x)
    p = v**n
    assert p.data == pytest.approx(x**n), f"v = {x}, n = {n}"
    send_back(p, g)
    assert v.grad == pytest.approx(n * x ** (n - 1) * g), f"v = {x}, n = {n}, g = {g}"


# ---- 5.4: division ----------------------------------------------------------------------------------------------


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_a_quotient_of_two_nodes(Value):
    """q = a / b; then g is sent back"""
    for x, y, g in [(6.0, 4.0, 1.0), (-3.0, 0.5, 2.0)]:
        a, b = Value(x), Value(y)
        q = a / b
        assert q.data == pytest.approx(x / y), f"a = {x}, b = {y}"
        send_back(q, g)
        assert a.grad == pytest.approx(g / y), f"a = {x}, b = {y}, g = {g}"
        assert b.grad == pytest.approx(-x / y**2 * g), f"a = {x}, b = {y}, g = {g}"


@pytest.mark.task("5.4", needs=("5.1", "5.3"))
def test_a_quotient_with_a_number_on_either_side(Value):
    """q = v / number, and then q = number / v"""
    for number, x in [(2, 4.0), (5, -0.5)]:
        v = Value(x)
        q = v / number
        assert q.data == pytest.approx(x / number), f"v = {x}, number = {number}, v / number"
        send_back(q, 3.0)
        assert v.grad == pytest.approx(3.0 / number), f"v = {x}, number = {number}, v / number, 3.0 being sent back"
        v = Value(x)
        q = number / v
        assert q.data == pytest.approx(number / x), f"v = {x}, number = {number}, number / v"
        send_back(q, 3.0)
        slope = -number / x**2
        assert v.grad == pytest.approx(3.0 * slope), f"v = {x}, number = {number}, number / v, 3.0 being sent back"


@pytest.mark.task("5.4", needs=("5.1", "5.2", "5.3"))
def test_the_fork_of_tanh_collects_both_shares(Value):
    """o = (e - 1) / (e + 1); then 1.0 is sent back"""
    for number, slope in [(math.exp(2 * 0.8813735870195432), 0.04289321881345247), (3.0, 0.125)]:
        e = Value(number)
        o = (e - 1) / (e + 1)
        assert o.data == pytest.approx((number - 1) / (number + 1)), f"e = {number}"
        send_back(o, 1.0)
        assert e.grad == pytest.approx(slope), f"e = {number}"


# ---- 5.5: exp ---------------------------------------------------------------------------------------------------


@pytest.mark.task("5.5")
def test_exp_and_its_slope(Value):
    """y = v.exp(); then g is sent back"""
    for x, g in [(2.0, 1.0), (-0.5, 3.0), (0.0, -2.0)]:
        v = Value(x)
        y = v.exp()
        assert y.data == pytest.approx(math.exp(x)), f"v = {x}"
        send_back(y, g)
        assert v.grad == pytest.approx(math.exp(x) * g), f"v = {x}, g = {g}"


@pytest.mark.task("5.5", needs=("5.1",))
def test_exp_of_a_node_that_is_used_again(Value):
    """y = v.exp() + v.exp() * v at v = x; then 1.0 is sent back"""
    for x in (2.0, 0.5):
        v = Value(x)
        y = v.exp() + v.exp() * v
        send_back(y, 1.0)
        assert v.grad == pytest.approx((2 + x) * math.exp(x)), f"v = {x}"


# ---- 5.6: relu --------------------------------------------------------------------------------------------------


@pytest.mark.task("5.6")
def test_relu_passes_the_positive_and_stops_the_negative(Value):
    """y = v.relu(); then g is sent back"""
    for x, g, number, slope in [(2.0, 3.0, 2.0, 3.0), (-2.0, 3.0, 0.0, 0.0), (0.25, -4.0, 0.25, -4.0)]:
        v = Value(x)
        y = v.relu()
        assert y.data == number, f"v = {x}"
        send_back(y, g)
        assert v.grad == slope, f"v = {x}, g = {g}"


@pytest.mark.task("5.6", needs=("5.1",))
def test_relu_of_a_node_that_is_used_again(Value):
    """y = v.relu() + v.relu() * v; then 1.0 is sent back"""
    for x, slope in [(3.0, 7.0), (-3.0, 0.0)]:
        v = Value(x)
        y = v.relu() + v.relu() * v
        send_back(y, 1.0)
        assert v.grad == pytest.approx(slope), f"v = {x}"


# ---- 5.7: tanh out of exp ---------------------------------------------------------------------------------------


@pytest.mark.task("5.7", needs=("5.1", "5.2", "5.3", "5.4", "5.5"))
def test_the_neuron_has_the_same_gradients_with_tanh_taken_apart(Value):
    """o = (x1*w1 + x2*w2 + b).tanh_from_exp(); then 1.0 is sent back"""
    for x2_number, slopes in [
        (0.0, {"x1": -1.5, "w1": 1.0, "x2": 0.5, "w2": 0.0, "b": 0.5, "n": 0.5}),
        (1.0, {"x1": -0.26613560869086994, "w1": 0.17742373912724663, "w2": 0.08871186956362331}),
    ]:
        x1, x2, w1, w2, b = Value(2.0), Value(x2_number), Value(-3.0), Value(1.0), Value(NEURON_BIAS)
        n = x1 * w1 + x2 * w2 + b
        o = n.tanh_from_exp()
        assert o.data == pytest.approx(math.tanh(0.8813735870195432 + x2_number)), f"x2 = {x2_number}"
        assert not any(child is n for child in o._prev), "o is made of exp and the operators, not of n in one step"
        nodes = {"x1": x1, "x2": x2, "w1": w1, "w2": w2, "b": b, "n": n}
        send_back(o, 1.0)
        for name, slope in slopes.items():
            assert nodes[name].grad == pytest.approx(slope, rel=1e-9, abs=1e-12), f"of {name}, at x2 = {x2_number}"


@pytest.mark.task("5.7", needs=("5.1", "5.2", "5.3", "5.4", "5.5"))
def test_the_squared_loss_of_the_neuron(Value):
    """loss = (o - target) ** 2 on the neuron, o from tanh_from_exp(); then 1.0 is sent back"""
    for target, of_w1, of_b in [
        (1.0, -0.5857864376269047, -0.29289321881345237),
        (0.0, 1.4142135623730951, 0.7071067811865476),
    ]:
        x1, x2, w1, w2, b = Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(NEURON_BIAS)
        n = x1 * w1 + x2 * w2 + b
        o = n.tanh_from_exp()
        assert not any(child is n for child in o._prev), "o is made of exp and the operators, not of n in one step"
        loss = (o - target) ** 2
        send_back(loss, 1.0)
        assert w1.grad == pytest.approx(of_w1, rel=1e-9), f"target = {target}"
        assert b.grad == pytest.approx(of_b, rel=1e-9), f"target = {target}"


# ---- 5.8: sigmoid -----------------------------------------------------------------------------------------------


@pytest.mark.task("5.8", needs=("5.1", "5.2", "5.3", "5.4", "5.5", "5.6"))
def test_sigmoid_and_its_slope(Value):
    """y = v.sigmoid(); then g is sent back"""
    for x, g, number, slope in [
        (0.0, 1.0, 0.5, 0.25),
        (2.0, 3.0, 0.8807970779778823, 0.10499358540350662),
        (-2.0, -1.0, 0.11920292202211755, 0.10499358540350662),
    ]:
        v = Value(x)
        y = v.sigmoid()
        assert y.data == pytest.approx(number, rel=1e-9), f"v = {x}"
        send_back(y, g)
        assert v.grad == pytest.approx(slope * g, rel=1e-9), f"v = {x}, g = {g}"


@pytest.mark.task("5.8", needs=("5.1", "5.2", "5.3", "5.4", "5.5", "5.6"))
def test_sigmoid_does_not_overflow(Value):
    """y = v.sigmoid(); then 2.0 is sent back"""
    for x, number in [(1000.0, 1.0), (-1000.0, 0.0)]:
        v = Value(x)
        y = v.sigmoid()
        assert y.data == pytest.approx(number, abs=1e-12), f"v = {x}"
        send_back(y, 2.0)
        assert v.grad == pytest.approx(0.0, abs=1e-12), f"v = {x}"
