"""Part 4, the public tests: the numbers that the lecture states, and a few neighbours of them.

They cover a part of each task's points. Hidden tests check other numbers, other graphs and the edges.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NEURON_BIAS = 6.8813735870195432
moderate = st.floats(-4, 4).map(lambda x: round(x, 3))


# ---- 4.1: the closure of + --------------------------------------------------------------------------------------


@pytest.mark.task("4.1")
def test_plus_hands_its_gradient_to_both_operands(Value):
    """out = a + b; out.grad = g; out._backward()"""
    for x, y, g in [(2.0, -3.0, 5.0), (0.25, 4.0, -1.5)]:
        a, b = Value(x), Value(y)
        out = a + b
        out.grad = g
        out._backward()
        assert a.grad == g, f"a = {x}, b = {y}, g = {g}"
        assert b.grad == g, f"a = {x}, b = {y}, g = {g}"


@pytest.mark.task("4.1")
def test_plus_gives_a_node_that_is_used_twice_both_contributions(Value):
    """out = a + a; out.grad = 1.0; out._backward()"""
    for x in (3.0, -5.0, 0.5, 7.0):
        a = Value(x)
        out = a + a
        out.grad = 1.0
        out._backward()
        assert a.grad == 2.0, f"a = {x}"
        out._backward()
        assert a.grad == 4.0, f"a = {x}, after calling out._backward() a second time"


# ---- 4.2: the closure of * --------------------------------------------------------------------------------------


@pytest.mark.task("4.2")
def test_times_hands_on_the_other_operand_times_its_gradient(Value):
    """e = a * b; e.grad = g; e._backward()"""
    for x, y, g in [(2.0, -3.0, -2.0), (1.5, 4.0, 0.5)]:
        a, b = Value(x), Value(y)
        e = a * b
        e.grad = g
        e._backward()
        assert a.grad == y * g, f"a = {x}, b = {y}, g = {g}"
        assert b.grad == x * g, f"a = {x}, b = {y}, g = {g}"


@pytest.mark.task("4.2")
def test_times_gives_a_node_that_is_used_twice_both_contributions(Value):
    """out = a * a; out.grad = 1.0; out._backward()"""
    for x in (3.0, -5.0, 0.5, 7.0):
        a = Value(x)
        out = a * a
        out.grad = 1.0
        out._backward()
        assert a.grad == 2 * x, f"a = {x}"


@pytest.mark.task("4.2")
@given(x=moderate, y=moderate, g=moderate)
def test_times_is_right_for_any_numbers(Value, x, y, g):
    """out = a * b; out.grad = g; out._backward(), for any numbers"""
    a, b = Value(x), Value(y)
    out = a * b
    out.grad = g
    out._backward()
    assert a.grad == pytest.approx(y * g), f"a = {x}, b = {y}, g = {g}"
    assert b.grad == pytest.approx(x * g), f"a = {x}, b = {y}, g = {g}"


# ---- 4.3: the closure of tanh -----------------------------------------------------------------------------------


@pytest.mark.task("4.3")
def test_tanh_hands_on_its_slope(Value):
    """o = n.tanh(); o.grad = 1.0; o._backward()"""
    for x, slope in [(0.8813735870195432, 0.5), (0.5, 0.7864477329659274)]:
        n = Value(x)
        o = n.tanh()
        o.grad = 1.0
        o._backward()
        assert n.grad == pytest.approx(slope, rel=1e-9), f"n = {x}"


@pytest.mark.task("4.3")
def test_tanh_multiplies_its_slope_with_the_gradient_from_above(Value):
    """o = n.tanh() at n = 0.5; o.grad = g; o._backward()"""
    for g in (3.0, -0.25):
        n = Value(0.5)
        o = n.tanh()
        o.grad = g
        o._backward()
        assert n.grad == pytest.approx(0.7864477329659274 * g, rel=1e-9), f"g = {g}"


# ---- 4.4: the topological order ---------------------------------------------------------------------------------


def neuron(Value, x2=0.0):
    """The lecture's neuron: its output and its nodes by name."""
    x1, x2, w1, w2, b = Value(2.0), Value(x2), Value(-3.0), Value(1.0), Value(NEURON_BIAS)
    x1w1, x2w2 = x1 * w1, x2 * w2
    both = x1w1 + x2w2
    n = both + b
    o = n.tanh()
    names = {"x1": x1, "x2": x2, "w1": w1, "w2": w2, "b": b, "x1w1": x1w1, "x2w2": x2w2, "both": both, "n": n, "o": o}
    return o, names


def names_in(order, nodes):
    """The names of the nodes in an order, "?" for one that does not belong there."""
    return [next((name for name, node in nodes.items() if node is found), "?") for found in order]


@pytest.mark.task("4.4", forward=("4.1", "4.2", "4.3"))
def test_the_order_of_the_neuron_has_every_node_once_children_first(Value):
    """order = o.topological_order() on the neuron"""
    for _ in range(3):
        o, nodes = neuron(Value)
        order = names_in(o.topological_order(), nodes)
        assert sorted(order) == sorted(nodes), "each of the ten nodes once, in any order"
        assert order[-1] == "o", "the node itself comes last"
        edges = "x1 x1w1, w1 x1w1, x2 x2w2, w2 x2w2, x1w1 both, x2w2 both, both n, b n, n o"
        for child, parent in (edge.split() for edge in edges.split(", ")):
            assert order.index(child) < order.index(parent), f"{child} has to come before {parent}"


@pytest.mark.task("4.4")
def test_the_order_lists_a_shared_node_before_both_that_use_it(Value):
    """x -> y -> left and right -> o, wired by hand; order = o.topological_order()"""
    for _ in range(3):
        x = Value(2.0)
        y = Value(6.0, (x,), "*")
        left, right = Value(12.0, (y,), "*"), Value(30.0, (y,), "*")
        o = Value(42.0, (left, right), "+")
        order = names_in(o.topological_order(), {"x": x, "y": y, "left": left, "right": right, "o": o})
        assert sorted(order) == ["left", "o", "right", "x", "y"], "each of the five nodes once, in any order"
        assert order[:2] == ["x", "y"]
        assert order[4] == "o"


# ---- 4.5: backward() --------------------------------------------------------------------------------------------


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.4"))
def test_backward_fills_in_the_expression(Value):
    """L = (a*b + c) * f at a = 2, b = -3, c = 10; L.backward()"""
    for number, slopes in [(-2.0, (6.0, -4.0, -2.0, 4.0)), (3.0, (-9.0, 6.0, 3.0, 4.0))]:
        a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(number)
        e = a * b
        d = e + c
        L = d * f
        L.backward()
        assert a.grad == slopes[0], f"f = {number}"
        assert b.grad == slopes[1], f"f = {number}"
        assert c.grad == slopes[2], f"f = {number}"
        assert f.grad == slopes[3], f"f = {number}"
        assert d.grad == number, f"f = {number}"
        assert e.grad == number, f"f = {number}"
        assert L.grad == 1.0, f"f = {number}"


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.3", "4.4"))
def test_backward_fills_in_the_neuron(Value):
    """o = tanh(x1*w1 + x2*w2 + b); o.backward()"""
    o, nodes = neuron(Value, x2=0.0)
    o.backward()
    assert nodes["w2"].grad == 0.0, "x2 is 0, so w2 cannot matter"
    for name, slope in [("x1", -1.5), ("w1", 1.0), ("x2", 0.5), ("b", 0.5), ("n", 0.5), ("x1w1", 0.5), ("x2w2", 0.5)]:
        assert nodes[name].grad == pytest.approx(slope, rel=1e-9), f"the gradient of {name} at x2 = 0"
    o, nodes = neuron(Value, x2=1.0)
    o.backward()
    for name, slope in [("x1", -0.26613560869086994), ("w1", 0.17742373912724663), ("w2", 0.08871186956362331)]:
        assert nodes[name].grad == pytest.approx(slope, rel=1e-9), f"the gradient of {name} at x2 = 1"


@pytest.mark.task("4.5", needs=("4.1", "4.4"))
def test_backward_adds_to_what_stands_there(Value):
    """b = a + a at a = 3; b.backward(), twice"""
    a = Value(3.0)
    b = a + a
    b.backward()
    assert a.grad == 2.0
    b.backward()
    assert a.grad == 4.0, "after the second backward()"


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.4"))
def test_backward_collects_every_route_through_the_diamond(Value):
    """d = a*b; e = a + b; f = d*e at a = -2, b = 3; f.backward()"""
    for _ in range(5):
        a, b = Value(-2.0), Value(3.0)
        d, e = a * b, a + b
        f = d * e
        f.backward()
        assert a.grad == -3.0
        assert b.grad == -8.0
        assert d.grad == 1.0
        assert e.grad == -6.0


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.4"))
def test_backward_collects_both_routes_of_y(Value):
    """z = (x + y) * y at x = 2, y = 3; z.backward()"""
    for _ in range(5):
        x, y = Value(2.0), Value(3.0)
        z = (x + y) * y
        z.backward()
        assert x.grad == 3.0
        assert y.grad == 8.0


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_waits_until_a_shared_node_is_complete(Value):
    """y = 3x, o = 2y + 5y at x = 2, wired by hand with closures of the test; o.backward()"""
    for _ in range(5):
        x = Value(2.0)
        y = Value(6.0, (x,), "*")
        left, right = Value(12.0, (y,), "*"), Value(30.0, (y,), "*")
        o = Value(42.0, (left, right), "+")
        hand_on(o, [(left, 1.0), (right, 1.0)])
        hand_on(left, [(y, 2.0)])
        hand_on(right, [(y, 5.0)])
        hand_on(y, [(x, 3.0)])
        o.backward()
        assert y.grad == 7.0
        assert x.grad == 21.0


def hand_on(node, slopes):
    """Give a node a closure that hands grad * slope on to each (child, slope)."""

    def closure():
        for child, slope in slopes:
            child.grad = child.grad + slope * node.grad

    node._backward = closure


# ---- 4.6: the gradient check ------------------------------------------------------------------------------------


def diamond(xs):
    """f = (a*b) * (a+b), in plain numbers."""
    a, b = xs
    return (a * b) * (a + b)


@pytest.mark.task("4.6")
def test_the_check_tells_right_gradients_of_the_diamond_from_wrong_ones(checks):
    """gradient_check(f, [-2, 3], grads), f = (a*b) * (a+b)"""
    for grads, right in [([-3.0, -8.0], True), ([3.0, -2.0], False), ([-6.0, -6.0], False), ([-3.0, -6.0], False)]:
        assert checks.gradient_check(diamond, [-2.0, 3.0], grads) is right, f"grads = {grads}"


@pytest.mark.task("4.6")
def test_the_check_tells_right_gradients_of_curved_functions_from_wrong_ones(checks):
    """gradient_check(f, [x], [slope]) for x + x, x * x and tanh(x)"""
    double, square = (lambda xs: xs[0] + xs[0]), (lambda xs: xs[0] * xs[0])
    for f, x, slope, wrong in [(double, 3.0, 2.0, 1.0), (square, 3.0, 6.0, 3.0), (square, -1.5, -3.0, 3.0)]:
        assert checks.gradient_check(f, [x], [slope]) is True, f"x = {x}, slope = {slope}"
        assert checks.gradient_check(f, [x], [wrong]) is False, f"x = {x}, slope = {wrong}"
    tangent, xs = (lambda xs: math.tanh(xs[0])), [0.5]
    assert checks.gradient_check(tangent, xs, [0.7864477329659274]) is True, "the slope of tanh at 0.5"
    assert checks.gradient_check(tangent, xs, [0.75]) is False, "the slope of tanh at 0.5, from the input"
    assert xs == [0.5], "the list that was handed in, afterwards"


# ---- 4.7: the recorded schedule ---------------------------------------------------------------------------------


@pytest.mark.task("4.7", needs=("4.1", "4.2", "4.3", "4.4", "4.5"))
def test_the_schedule_of_the_neuron_starts_at_the_output_and_works_down(Value, checks):
    """fired = record_schedule(o) on the neuron"""
    for x2 in (0.0, 1.0):
        o, nodes = neuron(Value, x2)
        fired = names_in(checks.record_schedule(o), nodes)
        inner = [name for name in fired if name not in ("x1", "x2", "w1", "w2", "b")]
        assert inner[:3] == ["o", "n", "both"]
        assert sorted(inner[3:]) == ["x1w1", "x2w2"]
        assert nodes["w1"].grad == pytest.approx(2.0 * nodes["n"].grad, rel=1e-9), "the steps really ran, once"
        assert nodes["n"].grad != 0.0


@pytest.mark.task("4.7", needs=("4.4", "4.5"))
def test_the_schedule_lists_each_call_and_leaves_the_functions_as_they_were(Value, checks):
    """x -> y -> left and right -> o, wired by hand with closures of the test; fired = record_schedule(o)"""
    for _ in range(3):
        x = Value(2.0)
        y = Value(6.0, (x,), "*")
        left, right = Value(12.0, (y,), "*"), Value(30.0, (y,), "*")
        o = Value(42.0, (left, right), "+")
        hand_on(o, [(left, 1.0), (right, 1.0)])
        hand_on(left, [(y, 2.0)])
        hand_on(right, [(y, 5.0)])
        hand_on(y, [(x, 3.0)])
        before = [node._backward for node in (o, left, right, y)]
        fired = names_in(checks.record_schedule(o), {"x": x, "y": y, "left": left, "right": right, "o": o})
        inner = [name for name in fired if name != "x"]
        assert sorted(inner) == ["left", "o", "right", "y"], "each of the four inner nodes once"
        assert [inner[0], inner[3]] == ["o", "y"]
        assert x.grad == 21.0
        for node, function in zip((o, left, right, y), before, strict=True):
            assert node._backward is function, "its _backward afterwards"
