"""Part 3, the public tests: the numbers that the lecture states, and a few neighbours of them.

They cover a part of each task's points. Hidden tests check other numbers, and formulas must hold for them too.
"""

import math

import pytest

NEURON_BIAS = 6.8813735870195432


# ---- 3.1: tanh as one node --------------------------------------------------------------------------------------


@pytest.mark.task("3.1")
def test_tanh_holds_the_hyperbolic_tangent_of_its_number(Value):
    """n = Value(x); o = n.tanh()"""
    for x, right in [(0.8813735870195432, 0.7071067811865476), (0.5, 0.46211715726000973), (-2.0, -0.9640275800758169)]:
        n = Value(x)
        o = n.tanh()
        assert o.data == pytest.approx(right, rel=1e-12), f"x = {x}"
        assert n.data == x, "n itself stays as it is"


@pytest.mark.task("3.1")
def test_tanh_remembers_the_one_node_it_was_made_from(Value):
    """n = Value(x); o = n.tanh(); o's children"""
    for x in (0.5, -1.25):
        n = Value(x)
        children = list(n.tanh()._prev)
        assert len(children) == 1, f"x = {x}"
        assert children[0] is n, f"x = {x}"


# ---- 3.2: the expression's gradients ----------------------------------------------------------------------------


@pytest.mark.task("3.2")
def test_the_gradients_of_the_expression(by_hand):
    """g = expression_gradients(2, -3, 10, -2)"""
    for _ in range(2):
        g = by_hand.expression_gradients(2.0, -3.0, 10.0, -2.0)
        assert sorted(g) == ["L", "a", "b", "c", "d", "e", "f"], "the keys of the dict"
        for name, right in {"L": 1.0, "d": -2.0, "f": 4.0, "c": -2.0, "e": -2.0, "a": 6.0, "b": -4.0}.items():
            assert g[name] == right, f"the gradient of {name}"


@pytest.mark.task("3.2")
def test_the_gradients_of_the_expression_when_f_is_3(by_hand):
    """g = expression_gradients(2, -3, 10, 3)"""
    for _ in range(2):
        g = by_hand.expression_gradients(2.0, -3.0, 10.0, 3.0)
        for name, right in {"L": 1.0, "d": 3.0, "f": 4.0, "c": 3.0, "e": 3.0, "a": -9.0, "b": 6.0}.items():
            assert g[name] == right, f"the gradient of {name}"


# ---- 3.3: the slope by a bump -----------------------------------------------------------------------------------


@pytest.mark.task("3.3")
def test_bumping_each_leaf_of_the_expression(Value, by_hand):
    """numeric_slope(expression, {a: 2, b: -3, c: 10, f: -2}, name)"""

    def expression(a, b, c, f):
        return (Value(a) * Value(b) + Value(c)) * Value(f)

    leaves = {"a": 2.0, "b": -3.0, "c": 10.0, "f": -2.0}
    for name, right in {"b": -4.0, "a": 6.0, "c": -2.0, "f": 4.0}.items():
        assert by_hand.numeric_slope(expression, leaves, name) == pytest.approx(right, rel=1e-9), f"bumping {name}"
    assert leaves == {"a": 2.0, "b": -3.0, "c": 10.0, "f": -2.0}, "the dict that was handed in, afterwards"


@pytest.mark.task("3.3")
def test_a_large_bump_shows_that_it_goes_one_way_only(Value, by_hand):
    """numeric_slope(square, {x: 3}, "x", h) for square = x * x, where a forward bump gives 6 + h"""

    def square(x):
        node = Value(x)
        return node * node

    for h in (0.5, 0.25):
        assert by_hand.numeric_slope(square, {"x": 3.0}, "x", h) == pytest.approx(6.0 + h, rel=1e-9), f"h = {h}"


# ---- 3.4: one step along the gradient ---------------------------------------------------------------------------


@pytest.mark.task("3.4")
def test_one_step_of_the_expression(by_hand):
    """one_step({a: 2, b: -3, c: 10, f: -2}, {a: 6, b: -4, c: -2, f: 4})"""
    leaves = {"a": 2.0, "b": -3.0, "c": 10.0, "f": -2.0}
    gradients = {"a": 6.0, "b": -4.0, "c": -2.0, "f": 4.0}
    for rate, right in {0.01: (2.06, -3.04, 9.98, -1.96), 0.5: (5.0, -5.0, 9.0, 0.0)}.items():
        moved = by_hand.one_step(leaves, gradients) if rate == 0.01 else by_hand.one_step(leaves, gradients, rate)
        for name, number in zip("abcf", right, strict=True):
            assert moved[name] == pytest.approx(number, rel=1e-12), f"{name} after a step with rate {rate}"
    assert leaves == {"a": 2.0, "b": -3.0, "c": 10.0, "f": -2.0}, "the dict that was handed in, afterwards"


# ---- 3.5: the neuron's gradients --------------------------------------------------------------------------------


@pytest.mark.task("3.5")
def test_the_gradients_of_the_neuron(by_hand):
    """g = neuron_gradients(x1=2, x2=0, w1=-3, w2=1, b=6.8813735870195432)"""
    names = ["o", "n", "x1w1x2w2", "b", "x1w1", "x2w2", "x1", "w1", "x2", "w2"]
    for _ in range(2):
        g = by_hand.neuron_gradients(2.0, 0.0, -3.0, 1.0, NEURON_BIAS)
        assert sorted(g) == sorted(names), "the keys of the dict"
        for name, right in zip(names, (1.0, 0.5, 0.5, 0.5, 0.5, 0.5, -1.5, 1.0, 0.5), strict=False):
            assert g[name] == pytest.approx(right, rel=1e-9), f"the gradient of {name}"
        assert g["w2"] == 0.0, "x2 is 0, so w2 cannot matter"


@pytest.mark.task("3.5")
def test_the_gradients_of_the_neuron_when_x2_is_1(by_hand):
    """g = neuron_gradients(x1=2, x2=1, w1=-3, w2=1, b=6.8813735870195432)"""
    one_share = 1.0 / math.cosh(1.8813735870195432) ** 2
    for _ in range(2):
        g = by_hand.neuron_gradients(2.0, 1.0, -3.0, 1.0, NEURON_BIAS)
        for name, right in {"x1": -3.0, "w1": 2.0, "x2": 1.0, "w2": 1.0, "b": 1.0, "n": 1.0}.items():
            assert g[name] == pytest.approx(right * one_share, rel=1e-9), f"the gradient of {name}"
        assert g["b"] == pytest.approx(0.08871186956362331, rel=1e-9)
