"""A small hidden suite for the tests of the judge: every kind of test that the real one has, with few rounds."""

import math

import pytest

CANARY = "nobody may ever see this text"


def draw(rng):
    return rng.choice([-1, 1]) * round(rng.uniform(0.3, 3.0), 3)


def fire(out, gradient):
    out.grad = gradient
    out._backward()


@pytest.mark.task("4.1")
def test_plus_adds_to_what_is_there(Value, rng):
    for _ in range(3):
        a, b, g, before = Value(draw(rng)), Value(draw(rng)), draw(rng), draw(rng)
        a.grad, b.grad = before, 2 * before
        fire(a + b, g)
        assert a.grad == pytest.approx(before + g)
        assert b.grad == pytest.approx(2 * before + g)


@pytest.mark.task("4.2")
def test_times_adds_to_what_is_there(Value, rng):
    for _ in range(3):
        x, y, g, before = draw(rng), draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        a.grad, b.grad = before, 2 * before
        fire(a * b, g)
        assert a.grad == pytest.approx(before + y * g)
        assert b.grad == pytest.approx(2 * before + x * g)


@pytest.mark.task("4.3")
def test_tanh_adds_to_what_is_there(Value, rng):
    for _ in range(3):
        x, g, before = draw(rng), draw(rng), draw(rng)
        a = Value(x)
        a.grad = before
        fire(a.tanh(), g)
        assert a.grad == pytest.approx(before + g / math.cosh(x) ** 2, rel=1e-9)


@pytest.mark.task("4.4")
def test_the_order_survives_a_long_chain(Value):
    node = root = Value(1.0)
    for _ in range(3_000):
        root = Value(1.0, (root,), "+")
    order = root.topological_order()
    assert len(order) == 3_001
    assert order[0] is node
    assert order[-1] is root


@pytest.mark.task("4.4", needs=("4.1", "4.2", "4.3"))
def test_the_order_is_right_on_a_real_expression(Value, rng):
    for _ in range(3):
        a, b = Value(draw(rng)), Value(draw(rng))
        inner = a * b
        root = (inner + a).tanh()
        order = root.topological_order()
        assert len(order) == 5
        assert order[2] is inner
        assert order[4] is root


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_fires_every_closure_once_and_in_order(Value):
    for _ in range(3):
        fired = []
        x = Value(2.0)
        y = Value(6.0, (x,), "*")
        o = Value(12.0, (y, x), "+")
        y._backward = lambda fired=fired: fired.append("y")
        o._backward = lambda fired=fired: fired.append("o")
        o.backward()
        assert fired == ["o", "y"]


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.3", "4.4"))
def test_backward_is_right_on_a_real_expression(Value, rng):
    for _ in range(3):
        x, y = draw(rng) / 2, draw(rng) / 2
        a, b = Value(x), Value(y)
        u = a * b
        (u.tanh() + u + u).backward()
        slope = 1 / math.cosh(x * y) ** 2 + 2
        assert a.grad == pytest.approx(slope * y, rel=1e-9)
        assert b.grad == pytest.approx(slope * x, rel=1e-9)
