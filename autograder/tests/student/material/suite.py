"""A small suite in the course's dialect, for the tests of the student's run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

numbers = st.floats(min_value=-9, max_value=9)


@pytest.mark.task("4.1")
def test_plus_hands_its_gradient_on(Value):
    """c = a + b at a = 2, b = -3; c.grad = 5, then c._backward()."""
    a, b = Value(2.0), Value(-3.0)
    c = a + b
    c.grad = 5.0
    c._backward()
    assert a.grad == 5.0
    assert b.grad == 5.0


@pytest.mark.task("4.1")
def test_a_node_used_twice_collects_both_contributions(Value):
    """b = a + a at a = 3; b.grad = 7, then b._backward()."""
    a = Value(3.0)
    b = a + a
    b.grad = 7.0
    b._backward()
    assert a.grad == 14.0, "a = 3.0"


@pytest.mark.task("4.2")
def test_times_hands_each_factor_the_other_one(Value):
    """c = a * b at a = 2, b = -3; c.grad = 5, then c._backward()."""
    a, b = Value(2.0), Value(-3.0)
    c = a * b
    c.grad = 5.0
    c._backward()
    assert a.grad == -15.0
    assert b.grad == 10.0


@pytest.mark.task("4.2")
@given(x=numbers, y=numbers)
def test_the_gradient_of_a_product_at_any_point(Value, x, y):
    """c = a * b; c.grad = 2, then c._backward()."""
    a, b = Value(x), Value(y)
    c = a * b
    c.grad = 2.0
    c._backward()
    assert a.grad == pytest.approx(2 * y)


@pytest.mark.task("4.3", needs=("4.1", "4.2"))
def test_backward_on_the_diamond(Value):
    """f = (a * b) * (a + b) at a = -2, b = 3, then f.backward()."""
    a, b = Value(-2.0), Value(3.0)
    f = (a * b) * (a + b)
    f.backward()
    assert a.grad == -3.0, "both routes count"
    assert b.grad == -8.0


@pytest.mark.task("4.3")
def test_a_leaf_is_its_own_output(Value):
    """a.backward() on a leaf."""
    a = Value(4.0)
    a.backward()
    assert a.grad == 1.0
