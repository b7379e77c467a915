"""Part 2, the hidden tests: other numbers, other graphs, and what a picture of a small expression does not show.

Constructor and trace are tested on nodes wired by hand, operators one by one and then together. Identity is asked for
everywhere: copies with the right numbers in them are the mistake that later parts cannot repair.
"""

import re

import pytest

from autograder.suites.graphs import below, random_edges, wire

FRESH = 20  # graphs per test of trace: a set of nodes has another order every time


def draw(rng):
    """A number that is neither round nor small, of either sign."""
    return rng.choice([-1, 1]) * round(rng.uniform(0.3, 3.0), 3)


def are(found, *nodes):
    """Whether a container holds these nodes themselves and nothing else, however often each."""
    return all(any(item is node for node in nodes) for item in found) and all(
        any(item is node for item in found) for node in nodes
    )


def check_children(node, *children):
    """Its children are these nodes themselves. The counts and numbers say what stands there instead."""
    expected = [len(children), *sorted(child.data for child in children)]
    assert [len(node._prev), *sorted(child.data for child in node._prev)] == expected
    for child in children:
        before, child.data = child.data, 99.5
        assert max(each.data for each in node._prev) == 99.5
        child.data = before
    assert are(node._prev, *children)


def place_of(op):
    """Which operation a node says it was made by: 0 for +, 1 for *, 2 for none, 3 for something else."""
    known = ["+", "*", ""]
    return known.index(op) if op in known else len(known)


# ---- 2.1: the node ----------------------------------------------------------------------------------------------


@pytest.mark.task("2.1")
def test_a_new_node_has_its_number_and_a_gradient_of_zero(Value, rng):
    for _ in range(8):
        x = draw(rng)
        leaf = Value(x)
        assert leaf.data == x
        assert leaf.grad == 0.0
        assert leaf._op == ""
        assert leaf.label == ""
        assert len(leaf._prev) == 0


@pytest.mark.task("2.1")
def test_children_are_kept_as_the_nodes_themselves(Value, rng):
    for count in (1, 2, 3, 5):
        children = [Value(draw(rng)) for _ in range(count)]
        op = rng.choice(["+", "*", "tanh"])
        node = Value(draw(rng), tuple(children), op)
        assert [len(child._prev) for child in children] == [0] * count
        check_children(node, *children)
        assert node._op == op


@pytest.mark.task("2.1")
def test_different_children_with_equal_numbers_are_all_kept(Value, rng):
    for _ in range(5):
        x = draw(rng)
        a, b = Value(x), Value(x)
        node = Value(2 * x, (a, b), "+")
        assert len(node._prev) == 2
        assert are(node._prev, a, b)


@pytest.mark.task("2.1")
def test_nodes_share_nothing_with_nodes_made_before(Value, rng):
    for _ in range(5):
        a, b = Value(draw(rng)), Value(draw(rng))
        inner = Value(draw(rng), (a, b), "*", label="inner")
        outer = Value(draw(rng), (inner,), "tanh")
        later = Value(draw(rng))
        inner.grad = 3.5
        assert are(inner._prev, a, b)
        assert are(outer._prev, inner)
        assert len(later._prev) == 0
        assert later.grad == 0.0
        assert outer.grad == 0.0
        assert outer._op == "tanh"
        assert later._op == ""
        assert inner.label == "inner"
        assert outer.label == ""


# ---- 2.2: a readable text ---------------------------------------------------------------------------------------


def number_in(text):
    """The number that a node's text shows behind its beginning."""
    found = re.match(r"Value\(data=\s*([-+]?[\d.]+(?:e[-+]?\d+)?)", text)
    assert found is not None
    return float(found.group(1))


@pytest.mark.task("2.2", needs=("2.1",))
def test_the_text_shows_any_number(Value, text, rng):
    for _ in range(8):
        x = draw(rng) + rng.choice([-40, 0, 40])
        assert number_in(text(Value(x))) == pytest.approx(x, abs=0.06)
    assert number_in(text(Value(0.0))) == 0.0


@pytest.mark.task("2.2", needs=("2.1",))
def test_the_text_shows_the_number_of_the_node_and_not_its_gradient_or_its_past(Value, text, rng):
    for _ in range(5):
        a, b = Value(draw(rng)), Value(draw(rng))
        node = Value(draw(rng), (a, b), "+", label="node")
        node.grad = 55.5
        assert number_in(text(node)) == pytest.approx(node.data, abs=0.06)
        node.data = node.data + 17
        assert number_in(text(node)) == pytest.approx(node.data, abs=0.06)
        assert number_in(text(a)) == pytest.approx(a.data, abs=0.06)


# ---- 2.3: sum ---------------------------------------------------------------------------------------------------


@pytest.mark.task("2.3", needs=("2.1",))
def test_a_sum_holds_the_sum_and_its_two_children(Value, rng):
    for _ in range(8):
        x, y = draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        out = a + b
        assert out.data == pytest.approx(x + y, abs=1e-12)
        assert place_of(out._op) == 0
        assert out.grad == 0.0
        check_children(out, a, b)


@pytest.mark.task("2.3", needs=("2.1",))
def test_adding_leaves_the_operands_as_they_were(Value, rng):
    for _ in range(5):
        x, y = draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        a.grad, b.label = 2.5, "b"
        before = a
        out = a + b
        a += b
        assert (before.data, before.grad, before._op) == (x, 2.5, "")
        assert (b.data, b.label) == (y, "b")
        assert len(before._prev) == 0
        assert len(b._prev) == 0
        assert a is not before
        assert out is not a
        assert a.data == pytest.approx(x + y, abs=1e-12)
        assert are(a._prev, before, b)


@pytest.mark.task("2.3", needs=("2.1",))
def test_a_sum_starts_without_a_gradient_whatever_its_operands_have(Value, rng):
    for _ in range(5):
        a, b = Value(draw(rng)), Value(draw(rng))
        a.grad, b.grad = draw(rng), draw(rng)
        out = a + b
        assert out.grad == 0.0
        assert are(out._prev, a, b)


@pytest.mark.task("2.3", needs=("2.1",))
def test_equal_operands_of_a_sum_stay_two_nodes_and_one_operand_stays_one(Value, rng):
    for _ in range(5):
        x = draw(rng)
        a, b = Value(x), Value(x)
        different, same = a + b, a + a
        assert are(different._prev, a, b)
        assert len(different._prev) == 2
        assert are(same._prev, a)
        assert same.data == pytest.approx(2 * x, abs=1e-12)


@pytest.mark.task("2.3", needs=("2.1",))
def test_sums_of_sums_keep_every_step(Value, rng):
    for length in (3, 6):
        numbers = [draw(rng) for _ in range(length)]
        leaves = [Value(number) for number in numbers]
        total, steps = leaves[0], []
        for leaf in leaves[1:]:
            total = total + leaf
            steps.append((total, leaf))
        assert total.data == pytest.approx(sum(numbers), abs=1e-9)
        below_it = leaves[0]
        for step, leaf in steps:
            assert are(step._prev, below_it, leaf)
            assert step._op == "+"
            below_it = step


@pytest.mark.task("2.3", needs=("2.1",))
def test_a_sum_does_not_follow_a_number_that_is_changed_later(Value, rng):
    for _ in range(5):
        x, y = draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        out = a + b
        a.data = 50.0
        assert out.data == pytest.approx(x + y, abs=1e-12)
        assert (a + b).data == pytest.approx(50.0 + y, abs=1e-12)


# ---- 2.4: product -----------------------------------------------------------------------------------------------


@pytest.mark.task("2.4", needs=("2.1",))
def test_a_product_holds_the_product_and_its_two_children(Value, rng):
    for _ in range(8):
        x, y = draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        out = a * b
        assert out.data == pytest.approx(x * y, rel=1e-12)
        assert place_of(out._op) == 1
        assert out.grad == 0.0
        check_children(out, a, b)


@pytest.mark.task("2.4", needs=("2.1",))
def test_multiplying_leaves_the_operands_as_they_were(Value, rng):
    for _ in range(5):
        x, y = draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        a.grad, b.label = 2.5, "b"
        before = a
        out = a * b
        a *= b
        assert (before.data, before.grad, before._op) == (x, 2.5, "")
        assert (b.data, b.label) == (y, "b")
        assert len(before._prev) == 0
        assert len(b._prev) == 0
        assert a is not before
        assert out is not a
        assert a.data == pytest.approx(x * y, rel=1e-12)
        assert are(a._prev, before, b)


@pytest.mark.task("2.4", needs=("2.1",))
def test_a_product_starts_without_a_gradient_whatever_its_operands_have(Value, rng):
    for _ in range(5):
        a, b = Value(draw(rng)), Value(draw(rng))
        a.grad, b.grad = draw(rng), draw(rng)
        out = a * b
        assert out.grad == 0.0
        assert are(out._prev, a, b)


@pytest.mark.task("2.4", needs=("2.1",))
def test_equal_operands_of_a_product_stay_two_nodes_and_one_operand_stays_one(Value, rng):
    for _ in range(5):
        x = draw(rng)
        a, b = Value(x), Value(x)
        different, same = a * b, a * a
        assert are(different._prev, a, b)
        assert len(different._prev) == 2
        assert are(same._prev, a)
        assert same.data == pytest.approx(x * x, rel=1e-12)


@pytest.mark.task("2.4", needs=("2.1",))
def test_products_with_zero_and_of_products_keep_their_children(Value, rng):
    for _ in range(5):
        x, y = draw(rng), draw(rng)
        a, zero, b = Value(x), Value(0.0), Value(y)
        nothing = a * zero
        out = nothing * b
        assert nothing.data == 0.0
        assert len(nothing._prev) == 2
        assert are(nothing._prev, a, zero)
        assert are(out._prev, nothing, b)
        triple = (b * a) * b
        assert triple.data == pytest.approx(y * x * y, rel=1e-12)
        assert len(a._prev) == 0


@pytest.mark.task("2.4", needs=("2.1", "2.3"))
def test_sums_and_products_together_give_the_same_numbers_as_plain_arithmetic(Value, rng):
    for steps in range(3, 15):
        numbers = [draw(rng) for _ in range(3)]
        nodes = [Value(number) for number in numbers]
        for _ in range(steps):
            i, j, op = rng.randrange(len(nodes)), rng.randrange(len(nodes)), rng.choice("+*")
            if abs(numbers[i] * numbers[j]) > 100:
                op = "+"
            numbers.append(numbers[i] + numbers[j] if op == "+" else numbers[i] * numbers[j])
            nodes.append(nodes[i] + nodes[j] if op == "+" else nodes[i] * nodes[j])
            assert nodes[-1].data == pytest.approx(numbers[-1], rel=1e-9, abs=1e-9)
            assert nodes[-1]._op == op
            assert are(nodes[-1]._prev, nodes[i], nodes[j])


# ---- 2.5: trace -------------------------------------------------------------------------------------------------


def check_trace(found, nodes, edges, root):
    """Both sets hold exactly what lies below the root, each thing once."""
    numbers = {id(node): i for i, node in enumerate(nodes)}
    found_nodes, found_edges = found
    wanted = below(edges, root)
    assert len(found_nodes) == len(wanted)
    assert {numbers.get(id(node)) for node in found_nodes} == wanted
    arrows = {(child, parent) for parent in wanted for child in edges[parent]}
    assert len(found_edges) == len(arrows)
    assert {(numbers.get(id(child)), numbers.get(id(parent))) for child, parent in found_edges} == arrows


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_finds_everything_in_random_graphs(Value, graph, rng):
    for size in range(4, 4 + FRESH):
        edges = random_edges(rng, size)
        nodes = wire(Value, edges)
        check_trace(graph.trace(nodes[-1]), nodes, edges, size - 1)


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_of_an_inner_node_leaves_out_what_lies_above(Value, graph, rng):
    for size in range(8, 18):
        edges = random_edges(rng, size)
        nodes = wire(Value, edges)
        for root in (0, size // 2, size - 2):
            check_trace(graph.trace(nodes[root]), nodes, edges, root)


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_keeps_different_nodes_with_equal_numbers_apart(Value, graph, rng):
    for size in range(5, 15):
        edges = random_edges(rng, size)
        number = draw(rng)
        nodes = wire(Value, edges, lambda i, number=number: number)
        check_trace(graph.trace(nodes[-1]), nodes, edges, size - 1)


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_finds_an_edge_from_each_of_several_children_with_equal_numbers(Value, graph, rng):
    for count in (2, 3, 5):
        number = draw(rng)
        children = [Value(number) for _ in range(count)]
        root = Value(count * number, tuple(children), "+")
        nodes, edges = graph.trace(root)
        assert len(edges) == count
        assert len(nodes) == count + 1
        assert are(nodes, root, *children)


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_finds_every_edge_of_a_node_that_many_others_use(Value, graph):
    for users in (2, 5, 12):
        # Node 0 is used by each of the others, which also form a chain.
        edges = [(), (0,), *[(i, 0) for i in range(1, users)]]
        for _ in range(5):
            nodes = wire(Value, edges)
            check_trace(graph.trace(nodes[-1]), nodes, edges, users)


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_changes_no_node_and_answers_the_same_when_asked_again(Value, graph, rng):
    for size in (5, 9):
        edges = random_edges(rng, size)
        nodes = wire(Value, edges)
        nodes[1].grad, nodes[2].label = 4.5, "kept"
        for _ in range(3):
            check_trace(graph.trace(nodes[-1]), nodes, edges, size - 1)
        assert nodes[1].grad == 4.5
        assert nodes[2].label == "kept"
        for i, node in enumerate(nodes):
            assert node.data == i
            assert are(node._prev, *[nodes[child] for child in edges[i]])


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_visits_each_node_once_however_many_paths_lead_to_it(Value, graph):
    for layers in (3, 10, 40):
        edges = [()]
        for _ in range(layers):
            edges.append((len(edges) - 1,))
            edges.append((len(edges) - 1, len(edges) - 2))
        nodes = wire(Value, edges)
        check_trace(graph.trace(nodes[-1]), nodes, edges, len(edges) - 1)


@pytest.mark.task("2.5", needs=("2.1",))
def test_trace_survives_a_chain_of_10000_nodes_wired_by_hand(Value, graph):
    edges = [(), *[(i,) for i in range(9_999)]]
    nodes = wire(Value, edges)
    check_trace(graph.trace(nodes[6]), nodes, edges, 6)
    check_trace(graph.trace(nodes[-1]), nodes, edges, 9_999)


@pytest.mark.task("2.5", needs=("2.1", "2.3", "2.4"))
def test_trace_is_right_on_real_expressions(Value, graph, rng):
    for steps in range(2, 14):
        nodes, edges = [Value(draw(rng)) for _ in range(3)], [(), (), ()]
        for _ in range(steps):
            i, j = len(nodes) - 1, rng.randrange(len(nodes))
            nodes.append(nodes[i] + nodes[j] if rng.random() < 0.5 else nodes[j] * nodes[i])
            edges.append(tuple({i, j}))
        check_trace(graph.trace(nodes[-1]), nodes, edges, len(nodes) - 1)
