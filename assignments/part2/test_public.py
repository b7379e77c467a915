"""Part 2, the public tests: the numbers that the lecture states, and a few neighbours of them.

They cover a part of each task's points. Hidden tests check other numbers, other graphs and the edges.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

moderate = st.floats(-4, 4).map(lambda x: round(x, 3))


def names_in(found, nodes):
    """The names of the nodes in a container, sorted; "?" for something that is none of them."""
    return sorted(next((name for name, node in nodes.items() if node is item), "?") for item in found)


# ---- 2.1: the node ----------------------------------------------------------------------------------------------


@pytest.mark.task("2.1")
def test_a_leaf_knows_its_number_and_has_no_children(Value):
    """v = Value(x)"""
    for x in (2.0, -3.0, 6.8813735870195432):
        v = Value(x)
        assert v.data == x, f"x = {x}"
        assert v.grad == 0.0, f"x = {x}"
        assert len(v._prev) == 0, f"x = {x}"
        assert v._op == "", f"x = {x}"
        assert v.label == "", f"x = {x}"


@pytest.mark.task("2.1")
def test_a_node_remembers_what_it_was_made_from(Value):
    """p = Value(x * y, (a, b), "*", label="p") with the nodes a = Value(x), b = Value(y)"""
    for x, y in [(2.0, -3.0), (4.0, 0.5)]:
        a, b = Value(x), Value(y)
        p = Value(x * y, (a, b), "*", label="p")
        assert p.data == x * y, f"x = {x}, y = {y}"
        assert p.grad == 0.0, f"x = {x}, y = {y}"
        assert names_in(p._prev, {"a": a, "b": b}) == ["a", "b"], (
            "the children by name; a ? is something that is neither the node a nor the node b"
        )
        assert p._op == "*"
        assert p.label == "p"
        assert len(a._prev) == 0, "a is still a leaf"


@pytest.mark.task("2.1")
def test_each_node_has_attributes_of_its_own(Value):
    """a and b made one after the other; a.grad, a.label and a.data changed; a._backward()"""
    for x in (2.0, -0.5):
        a, b = Value(x), Value(x + 1)
        a.grad, a.label, a.data = 7.0, "a", 4.5
        a._backward()
        assert a.grad == 7.0, "the step of a leaf does nothing"
        assert a.label == "a"
        assert a.data == 4.5
        assert b.grad == 0.0
        assert b.label == ""
        assert b.data == x + 1


# ---- 2.2: a readable text ---------------------------------------------------------------------------------------


def number_in(text):
    """The number behind "Value(data=", or the whole text when there is none."""
    found = re.match(r"Value\(data=\s*([-+]?[\d.]+(?:e[-+]?\d+)?)", text)
    return float(found.group(1)) if found else text


@pytest.mark.task("2.2", needs=("2.1",))
def test_the_text_begins_with_the_number(Value, text):
    """repr(Value(x))"""
    for x in (3.0, -7.5, 42.25):
        assert text(Value(x))[:11] == "Value(data=", f"x = {x}, the beginning of the text"
        assert number_in(text(Value(x))) == pytest.approx(x, abs=0.06), f"x = {x}, the number in the text"


# ---- 2.3: sum ---------------------------------------------------------------------------------------------------


@pytest.mark.task("2.3", needs=("2.1",))
def test_a_sum_is_a_new_node_that_knows_its_children(Value):
    """c = a + b"""
    for x, y in [(2.0, -3.0), (-6.0, 10.0)]:
        a, b = Value(x), Value(y)
        c = a + b
        assert c.data == x + y, f"a = {x}, b = {y}"
        assert names_in(c._prev, {"a": a, "b": b}) == ["a", "b"], (
            f"a = {x}, b = {y}: the children by name; a ? is neither the node a nor the node b"
        )
        assert c._op == "+", f"a = {x}, b = {y}"
        assert c.grad == 0.0, f"a = {x}, b = {y}"
        assert a.data == x, f"a = {x}, b = {y}: the operands stay as they are"
        assert len(a._prev) == 0, f"a = {x}, b = {y}: a is still a leaf"


@pytest.mark.task("2.3", needs=("2.1",))
def test_a_node_may_be_added_to_itself(Value):
    """b = a + a"""
    for x in (3.0, -0.25):
        a = Value(x)
        b = a + a
        assert b.data == 2 * x, f"a = {x}"
        assert names_in(b._prev, {"a": a}) in (["a"], ["a", "a"]), f"a = {x}: a, listed once or twice"


@pytest.mark.task("2.3", needs=("2.1",))
@given(x=moderate, y=moderate, z=moderate)
def test_sums_of_sums_are_right_for_any_numbers(Value, x, y, z):
    """d = (a + b) + c for any numbers"""
    a, b, c = Value(x), Value(y), Value(z)
    inner = a + b
    d = inner + c
    assert d.data == pytest.approx(x + y + z, abs=1e-9), f"a = {x}, b = {y}, c = {z}"
    assert names_in(d._prev, {"a": a, "b": b, "c": c, "a + b": inner}) == ["a + b", "c"], "the children of d"


# ---- 2.4: product -----------------------------------------------------------------------------------------------


@pytest.mark.task("2.4", needs=("2.1",))
def test_a_product_is_a_new_node_that_knows_its_children(Value):
    """e = a * b"""
    for x, y in [(2.0, -3.0), (4.0, -2.0)]:
        a, b = Value(x), Value(y)
        e = a * b
        assert e.data == x * y, f"a = {x}, b = {y}"
        assert names_in(e._prev, {"a": a, "b": b}) == ["a", "b"], (
            f"a = {x}, b = {y}: the children by name; a ? is neither the node a nor the node b"
        )
        assert e._op == "*", f"a = {x}, b = {y}"
        assert e.grad == 0.0, f"a = {x}, b = {y}"
        assert a.data == x, f"a = {x}, b = {y}: the operands stay as they are"


@pytest.mark.task("2.4", needs=("2.1", "2.3"))
def test_the_expression_of_the_lecture(Value):
    """e = a*b; d = e + c; L = d*f at a = 2, b = -3, c = 10"""
    for number in (-2.0, 3.0):
        a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(number)
        e = a * b
        d = e + c
        L = d * f
        nodes = {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "L": L}
        assert e.data == -6.0, f"f = {number}"
        assert d.data == 4.0, f"f = {number}"
        assert L.data == 4.0 * number, f"f = {number}"
        assert names_in(L._prev, nodes) == ["d", "f"], "the children of L"
        assert names_in(d._prev, nodes) == ["c", "e"], "the children of d"
        assert names_in(e._prev, nodes) == ["a", "b"], "the children of e"


@pytest.mark.task("2.4", needs=("2.1", "2.3"))
def test_a_node_may_be_used_in_several_places(Value):
    """L = (a*b + b) * Value(2.0), and z = (x + y) * y"""
    for x, y in [(2.0, 3.0), (-1.5, 4.0)]:
        a, b = Value(x), Value(y)
        assert ((a * b + b) * Value(2.0)).data == 2 * (x * y + y), f"L at a = {x}, b = {y}"
        assert ((a + b) * b).data == (x + y) * y, f"z at x = {x}, y = {y}"
        square = a * a
        assert square.data == x * x, f"a * a at a = {x}"
        assert names_in(square._prev, {"a": a}) in (["a"], ["a", "a"]), f"the children of a * a at a = {x}"


# ---- 2.5: trace -------------------------------------------------------------------------------------------------


def arrows_in(edges, nodes):
    """The edges as texts such as "a -> e", sorted."""
    return sorted(" -> ".join(names_in([child], nodes) + names_in([parent], nodes)) for child, parent in edges)


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_finds_the_nodes_and_edges_of_the_expression(Value, graph):
    """nodes, edges = trace(L) on the expression, wired by hand"""
    for turn in range(3):
        a, b, c, f = Value(2.0 + turn), Value(-3.0), Value(10.0), Value(-2.0)
        e = Value(-6.0, (a, b), "*")
        d = Value(4.0, (e, c), "+")
        L = Value(-8.0, (d, f), "*")
        names = {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "L": L}
        nodes, edges = graph.trace(L)
        assert names_in(nodes, names) == sorted(names), "the nodes below L, and L"
        assert arrows_in(edges, names) == ["a -> e", "b -> e", "c -> d", "d -> L", "e -> d", "f -> L"]


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_lists_a_shared_node_once_and_each_of_its_edges(Value, graph):
    """nodes, edges = trace(z) for z = (x + y) * y, then of s = x + y alone, wired by hand"""
    for turn in range(3):
        x, y = Value(2.0), Value(3.0 + turn)
        s = Value(5.0 + turn, (x, y), "+")
        z = Value(15.0, (s, y), "*")
        names = {"x": x, "y": y, "s": s, "z": z}
        nodes, edges = graph.trace(z)
        assert names_in(nodes, names) == ["s", "x", "y", "z"], "the nodes below z, and z"
        assert arrows_in(edges, names) == ["s -> z", "x -> s", "y -> s", "y -> z"]
        nodes, edges = graph.trace(s)
        assert names_in(nodes, names) == ["s", "x", "y"], "the nodes below s, and s"
        assert arrows_in(edges, names) == ["x -> s", "y -> s"]


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_has_one_edge_for_a_node_that_is_used_twice_by_the_same_node(Value, graph):
    """nodes, edges = trace(b) for b = a + a, then of a leaf, wired by hand"""
    for x in (3.0, -4.0):
        a = Value(x)
        b = Value(2 * x, (a, a), "+")
        nodes, edges = graph.trace(b)
        assert names_in(nodes, {"a": a, "b": b}) == ["a", "b"], f"a = {x}: the nodes"
        assert arrows_in(edges, {"a": a, "b": b}) == ["a -> b"], f"a = {x}: the edges"
        nodes, edges = graph.trace(a)
        assert names_in(nodes, {"a": a, "b": b}) == ["a"], f"a = {x}: the nodes of the leaf a"
        assert len(edges) == 0, f"a = {x}: the edges of the leaf a"


@pytest.mark.task("2.5", needs=("2.1", "2.3"))
def test_trace_survives_a_chain_of_10000_sums(Value, graph):
    """v = v + Value(1.0), again and again; nodes, edges = trace(v)"""
    for length in (10, 5_000):
        v = Value(0.0)
        for _ in range(length):
            v = v + Value(1.0)
        nodes, edges = graph.trace(v)
        assert len(nodes) == 2 * length + 1, f"the nodes after {length} steps"
        assert len(edges) == 2 * length, f"the edges after {length} steps"
