"""Part 4, the hidden tests: other numbers, other graphs, and the edges at which wrong engines come out right by luck.

Every test repeats what it judges, so that an engine that is right only the first time gains nothing. Closures are
called by hand for 4.1 to 4.3; 4.4, 4.5 and 4.7 are tested on nodes wired by hand, and on real expressions as well; 4.6
gets right and wrong gradients of functions of plain numbers, and no node at all.
"""

import math

import pytest

from autograder.suites.graphs import (
    Dual,
    below,
    bumped_gradients,
    exact_gradients,
    random_edges,
    random_program,
    run,
    wire,
)

FRESH = 20  # graphs per order-sensitive test: a set of nodes has another order every time


def draw(rng):
    """A number that is neither round nor small, of either sign."""
    return rng.choice([-1, 1]) * round(rng.uniform(0.3, 3.0), 3)


def fire(out, gradient):
    """Call a node's closure by hand."""
    out.grad = gradient
    out._backward()


# ---- 4.1: the closure of + --------------------------------------------------------------------------------------


@pytest.mark.task("4.1")
def test_plus_hands_any_gradient_on_unchanged(Value, rng):
    for _ in range(10):
        a, b, g = Value(draw(rng)), Value(draw(rng)), draw(rng)
        fire(a + b, g)
        assert a.grad == g
        assert b.grad == g


@pytest.mark.task("4.1")
def test_plus_adds_to_a_gradient_that_is_already_there(Value, rng):
    for _ in range(10):
        a, b, g, before = Value(draw(rng)), Value(draw(rng)), draw(rng), draw(rng)
        a.grad, b.grad = before, 2 * before
        fire(a + b, g)
        assert a.grad == pytest.approx(before + g)
        assert b.grad == pytest.approx(2 * before + g)


@pytest.mark.task("4.1")
def test_plus_counts_a_node_on_both_sides_twice(Value, rng):
    for _ in range(10):
        a, g = Value(draw(rng)), draw(rng)
        fire(a + a, g)
        assert a.grad == 2 * g


@pytest.mark.task("4.1")
def test_plus_keeps_two_nodes_with_equal_numbers_apart(Value, rng):
    for _ in range(10):
        number, g = draw(rng), draw(rng)
        a, b, unused = Value(number), Value(number), Value(number)
        fire(a + b, g)
        assert a.grad == g
        assert b.grad == g
        assert unused.grad == 0.0


@pytest.mark.task("4.1")
def test_plus_reads_its_gradient_when_the_closure_runs(Value, rng):
    for _ in range(10):
        a, b, first, second = Value(draw(rng)), Value(draw(rng)), draw(rng), draw(rng)
        out = a + b
        fire(out, first)
        fire(out, second)
        assert a.grad == pytest.approx(first + second)
        assert b.grad == pytest.approx(first + second)


@pytest.mark.task("4.1")
def test_plus_keeps_its_closure_when_the_sum_is_used_again(Value, rng):
    for _ in range(10):
        a, b, c = Value(draw(rng)), Value(draw(rng)), Value(draw(rng))
        inner = a + b
        outer = inner + c
        again = c + inner
        fire(outer, 0.75)
        fire(again, 2.0)
        assert inner.grad == 2.75
        assert c.grad == 2.75
        assert a.grad == 0.0
        inner._backward()
        assert a.grad == 2.75
        assert b.grad == 2.75


@pytest.mark.task("4.1")
def test_plus_keeps_its_function_on_the_result_and_leaves_its_operands_theirs(Value, rng):
    for _ in range(5):
        x, y, g = draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        before = [a._backward, b._backward]
        a.grad = b.grad = -0.0  # adding even a nought shows: it turns the sign round
        out = a + b
        assert a._backward is before[0]
        assert b._backward is before[1]
        fire(out, g)
        assert a.grad == pytest.approx(g)
        assert b.grad == pytest.approx(g)


# ---- 4.2: the closure of * --------------------------------------------------------------------------------------


@pytest.mark.task("4.2")
def test_times_swaps_the_numbers_and_scales_by_the_gradient(Value, rng):
    for _ in range(10):
        x, y, g = draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        fire(a * b, g)
        assert a.grad == pytest.approx(y * g)
        assert b.grad == pytest.approx(x * g)


@pytest.mark.task("4.2")
def test_times_adds_to_a_gradient_that_is_already_there(Value, rng):
    for _ in range(10):
        x, y, g, before = draw(rng), draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        a.grad, b.grad = before, 2 * before
        fire(a * b, g)
        assert a.grad == pytest.approx(before + y * g)
        assert b.grad == pytest.approx(2 * before + x * g)


@pytest.mark.task("4.2")
def test_times_counts_a_node_on_both_sides_twice(Value, rng):
    for _ in range(10):
        x, g = draw(rng), draw(rng)
        a = Value(x)
        fire(a * a, g)
        assert a.grad == pytest.approx(2 * x * g)


@pytest.mark.task("4.2")
def test_times_keeps_two_nodes_with_equal_numbers_apart(Value, rng):
    for _ in range(10):
        number, g = draw(rng), draw(rng)
        a, b, unused = Value(number), Value(number), Value(number)
        fire(a * b, g)
        assert a.grad == pytest.approx(number * g)
        assert b.grad == pytest.approx(number * g)
        assert unused.grad == 0.0


@pytest.mark.task("4.2")
def test_times_with_zero_passes_nothing_to_the_other_operand(Value, rng):
    for _ in range(10):
        x, g = draw(rng), draw(rng)
        a, zero = Value(x), Value(0.0)
        fire(a * zero, g)
        assert a.grad == 0.0
        assert zero.grad == pytest.approx(x * g)


@pytest.mark.task("4.2")
def test_times_reads_its_gradient_when_the_closure_runs(Value, rng):
    for _ in range(10):
        x, y, first, second = draw(rng), draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        out = a * b
        fire(out, first)
        fire(out, second)
        assert a.grad == pytest.approx(y * (first + second))
        assert b.grad == pytest.approx(x * (first + second))


@pytest.mark.task("4.2")
def test_times_keeps_its_closure_when_the_product_is_used_again(Value, rng):
    for _ in range(10):
        x, y, z = draw(rng), draw(rng), draw(rng)
        a, b, c = Value(x), Value(y), Value(z)
        inner = a * b
        outer = inner * c
        again = c * inner
        fire(outer, 0.75)
        fire(again, 2.0)
        assert inner.grad == pytest.approx(2.75 * z)
        assert c.grad == pytest.approx(2.75 * x * y)
        assert a.grad == 0.0
        inner._backward()
        assert a.grad == pytest.approx(2.75 * z * y)
        assert b.grad == pytest.approx(2.75 * z * x)


@pytest.mark.task("4.2")
def test_times_agrees_with_a_small_bump_of_its_operands(Value, rng):
    for _ in range(10):
        numbers = [draw(rng), draw(rng)]
        a, b = Value(numbers[0]), Value(numbers[1])
        fire(a * b, 3.0)
        slopes = bumped_gradients(lambda p: 3.0 * p[0] * p[1], numbers)
        assert a.grad == pytest.approx(slopes[0], rel=1e-6)
        assert b.grad == pytest.approx(slopes[1], rel=1e-6)


@pytest.mark.task("4.2")
def test_times_keeps_its_function_on_the_result_and_leaves_its_operands_theirs(Value, rng):
    for _ in range(5):
        x, y, g = draw(rng), draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        before = [a._backward, b._backward]
        a.grad = b.grad = -0.0  # adding even a nought shows: it turns the sign round
        out = a * b
        assert a._backward is before[0]
        assert b._backward is before[1]
        fire(out, g)
        assert a.grad == pytest.approx(y * g)
        assert b.grad == pytest.approx(x * g)


# ---- 4.3: the closure of tanh -----------------------------------------------------------------------------------


@pytest.mark.task("4.3")
def test_tanh_scales_its_slope_by_the_gradient(Value, rng):
    for _ in range(10):
        x, g = draw(rng), draw(rng)
        a = Value(x)
        fire(a.tanh(), g)
        assert a.grad == pytest.approx(g / math.cosh(x) ** 2, rel=1e-9)


@pytest.mark.task("4.3")
def test_tanh_adds_to_a_gradient_that_is_already_there(Value, rng):
    for _ in range(10):
        x, g, before = draw(rng), draw(rng), draw(rng)
        a = Value(x)
        a.grad = before
        fire(a.tanh(), g)
        assert a.grad == pytest.approx(before + g / math.cosh(x) ** 2, rel=1e-9)


@pytest.mark.task("4.3")
def test_tanh_of_one_node_twice_collects_both_contributions(Value, rng):
    for _ in range(10):
        x, g, h = draw(rng), draw(rng), draw(rng)
        a = Value(x)
        one, two = a.tanh(), a.tanh()
        fire(one, g)
        fire(two, h)
        assert a.grad == pytest.approx((g + h) / math.cosh(x) ** 2, rel=1e-9, abs=1e-12)


@pytest.mark.task("4.3")
def test_tanh_of_a_tanh_keeps_both_closures(Value, rng):
    for _ in range(10):
        x = draw(rng)
        a = Value(x)
        inner = a.tanh()
        outer = inner.tanh()
        fire(outer, 3.0)
        middle = 3.0 / math.cosh(math.tanh(x)) ** 2
        assert inner.grad == pytest.approx(middle, rel=1e-9)
        assert a.grad == 0.0
        inner._backward()
        assert a.grad == pytest.approx(middle / math.cosh(x) ** 2, rel=1e-9)


@pytest.mark.task("4.3")
def test_tanh_is_even_in_its_slope_and_flat_far_out(Value):
    for x in (0.7, 1.9, 2.6):
        left, right = Value(-x), Value(x)
        fire(left.tanh(), 2.0)
        fire(right.tanh(), 2.0)
        assert left.grad == pytest.approx(2.0 / math.cosh(x) ** 2, rel=1e-9)
        assert right.grad == pytest.approx(2.0 / math.cosh(x) ** 2, rel=1e-9)
    for x in (-25.0, 25.0):
        a = Value(x)
        fire(a.tanh(), 2.0)
        assert a.grad == pytest.approx(0.0, abs=1e-12)


@pytest.mark.task("4.3")
def test_tanh_agrees_with_a_small_bump_of_its_operand(Value, rng):
    for _ in range(10):
        x = draw(rng)
        a = Value(x)
        fire(a.tanh(), 3.0)
        assert a.grad == pytest.approx(bumped_gradients(lambda p: 3.0 * math.tanh(p[0]), [x])[0], rel=1e-6, abs=1e-9)


@pytest.mark.task("4.3")
def test_tanh_keeps_its_function_on_the_result_and_leaves_its_operand_its_own(Value, rng):
    for _ in range(5):
        x, g = draw(rng), draw(rng)
        a = Value(x)
        before = a._backward
        a.grad = -0.0  # adding even a nought shows: it turns the sign round
        out = a.tanh()
        assert a._backward is before
        fire(out, g)
        assert a.grad == pytest.approx(g / math.cosh(x) ** 2, rel=1e-9)


# ---- 4.4: the topological order ---------------------------------------------------------------------------------


def check_order(order, nodes, edges, root):
    """The order has exactly the nodes below the root, each once, children first, the root last."""
    numbers = {id(node): i for i, node in enumerate(nodes)}
    found = [numbers.get(id(node)) for node in order]
    assert len(found) == len(below(edges, root))
    assert set(found) == below(edges, root)
    assert found[-1] == root
    place = {number: i for i, number in enumerate(found)}
    for parent in found:
        for child in edges[parent]:
            assert place[child] < place[parent]


@pytest.mark.task("4.4")
def test_the_order_is_right_on_random_graphs(Value, rng):
    for size in range(4, 4 + FRESH):
        edges = random_edges(rng, size)
        nodes = wire(Value, edges)
        check_order(nodes[-1].topological_order(), nodes, edges, size - 1)


@pytest.mark.task("4.4")
def test_the_order_of_an_interior_node_leaves_the_rest_out(Value, rng):
    for size in range(8, 18):
        edges = random_edges(rng, size)
        nodes = wire(Value, edges)
        for root in (size // 2, size - 2):
            check_order(nodes[root].topological_order(), nodes, edges, root)


@pytest.mark.task("4.4")
def test_the_order_of_a_chain_is_the_chain_and_of_a_leaf_the_leaf(Value):
    for length in range(1, 9):
        nodes = wire(Value, [(), *[(i,) for i in range(length - 1)]])
        order = nodes[-1].topological_order()
        assert len(order) == length
        for i, node in enumerate(nodes):
            assert order[i] is node


@pytest.mark.task("4.4")
def test_the_order_keeps_different_nodes_with_equal_numbers_apart(Value, rng):
    for size in range(5, 15):
        edges = random_edges(rng, size)
        number = draw(rng)
        nodes = wire(Value, edges, lambda i, number=number: number)
        check_order(nodes[-1].topological_order(), nodes, edges, size - 1)


@pytest.mark.task("4.4")
def test_the_order_holds_where_a_shared_node_is_reached_at_different_depths(Value):
    # 0 <- 1 <- 2 <- 3, and the root uses both 3 and 1, in either order; reversed so that stacks see both.
    for children in ((3, 1), (1, 3)):
        edges = [(), (0,), (1,), (2,), children]
        for _ in range(FRESH):
            nodes = wire(Value, edges)
            check_order(nodes[-1].topological_order(), nodes, edges, 4)


@pytest.mark.task("4.4")
def test_the_order_lists_each_node_once_however_many_paths_lead_to_it(Value):
    for layers in (3, 10, 18):
        edges = [()]
        for _ in range(layers):
            edges.append((len(edges) - 1,))
            edges.append((len(edges) - 1, len(edges) - 2))
        nodes = wire(Value, edges)
        check_order(nodes[-1].topological_order(), nodes, edges, len(edges) - 1)


@pytest.mark.task("4.4", forward=("4.1", "4.2", "4.3"))
def test_the_order_is_right_on_real_expressions(Value, rng):
    for steps in range(3, 15):
        numbers = [draw(rng) for _ in range(3)]
        root = run(random_program(rng, numbers, steps), [Value(number) for number in numbers])
        order = root.topological_order()
        place = {id(node): i for i, node in enumerate(order)}
        assert len(place) == len(order)
        assert order[-1] is root
        assert len(order) > 1
        for node in order:
            for child in node._prev:
                assert place[id(child)] < place[id(node)]


@pytest.mark.task("4.4")
def test_the_order_survives_a_chain_of_10000_nodes(Value):
    edges = [(), *[(i,) for i in range(9_999)]]
    nodes = wire(Value, edges)
    check_order(nodes[6].topological_order(), nodes, edges, 6)
    check_order(nodes[-1].topological_order(), nodes, edges, 9_999)


# ---- 4.5: backward() --------------------------------------------------------------------------------------------


def hand_on(node, slopes):
    """Give a node a closure of the test's: grad * slope for each (child, slope)."""

    def closure():
        for child, slope in slopes:
            child.grad = child.grad + slope * node.grad

    node._backward = closure


def record_firing(nodes, edges, fired):
    """Give every node a closure that notes its number in `fired`, and stops an engine that fires without end."""

    def closure_of(number):
        def closure():
            fired.append(number)
            assert len(fired) <= 3 * len(nodes)

        return closure

    for number, node in enumerate(nodes):
        if edges[number]:
            node._backward = closure_of(number)


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_fires_every_closure_once_and_none_before_its_consumers(Value, rng):
    for size in range(5, 5 + FRESH):
        edges = random_edges(rng, size - 1)
        edges.append((size - 2, 0) if size % 2 else (0, size - 2))
        nodes, fired = wire(Value, edges), []
        record_firing(nodes, edges, fired)
        nodes[-1].backward()
        assert sorted(fired) == sorted(i for i in below(edges, size - 1) if edges[i])
        place = {number: i for i, number in enumerate(fired)}
        for parent in fired:
            for child in edges[parent]:
                if edges[child]:
                    assert place[parent] < place[child]


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_fires_once_however_many_paths_lead_to_a_node(Value):
    for layers in (4, 18):
        edges = [()]
        for _ in range(layers):
            edges.append((len(edges) - 1,))
            edges.append((len(edges) - 1, len(edges) - 2))
        nodes, fired = wire(Value, edges), []
        record_firing(nodes, edges, fired)
        nodes[-1].backward()
        assert len(fired) == 2 * layers


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_starts_from_the_slope_of_a_node_with_respect_to_itself(Value, rng):
    for _ in range(5):
        leaf = Value(draw(rng))
        leaf.backward()
        assert leaf.grad == 1.0
        child, root, slope = Value(draw(rng)), None, draw(rng)
        root = Value(draw(rng), (child,), "*")
        hand_on(root, [(child, slope)])
        root.backward()
        assert root.grad == 1.0
        assert child.grad == slope


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_adds_to_leaves_and_starts_from_one_every_time(Value, rng):
    for _ in range(5):
        child, slope, before = Value(draw(rng)), draw(rng), draw(rng)
        child.grad = before
        root = Value(draw(rng), (child,), "*")
        hand_on(root, [(child, slope)])
        for times in (1, 2, 3):
            root.backward()
            assert child.grad == pytest.approx(before + times * slope)
            assert root.grad == 1.0


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_from_an_interior_node_leaves_everything_above_alone(Value, rng):
    for _ in range(5):
        leaf, slope = Value(draw(rng)), draw(rng)
        middle = Value(draw(rng), (leaf,), "*")
        top = Value(draw(rng), (middle,), "*")
        hand_on(middle, [(leaf, slope)])
        hand_on(top, [(middle, 100.0)])
        middle.backward()
        assert middle.grad == 1.0
        assert leaf.grad == slope
        assert top.grad == 0.0


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_completes_a_shared_node_before_it_fires(Value, rng):
    for turn in range(FRESH):
        p, q, r = draw(rng), draw(rng), draw(rng)
        x = Value(draw(rng))
        y = Value(draw(rng), (x,), "*")
        deep = Value(draw(rng), (y,), "*")
        root = Value(draw(rng), (deep, y) if turn % 2 else (y, deep), "+")
        hand_on(root, [(deep, 1.0), (y, p)])
        hand_on(deep, [(y, q)])
        hand_on(y, [(x, r)])
        root.backward()
        assert y.grad == pytest.approx(p + q)
        assert x.grad == pytest.approx((p + q) * r)


@pytest.mark.task("4.5", needs=("4.4",))
def test_backward_keeps_different_nodes_with_equal_numbers_apart(Value, rng):
    for _ in range(10):
        number, p, q = draw(rng), draw(rng), draw(rng)
        a, b = Value(number), Value(number)
        left, right = Value(number, (a,), "*"), Value(number, (b,), "*")
        root = Value(number, (left, right), "+")
        hand_on(root, [(left, 1.0), (right, 1.0)])
        hand_on(left, [(a, p)])
        hand_on(right, [(b, q)])
        root.backward()
        assert a.grad == p
        assert b.grad == q


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.4"))
def test_backward_on_real_operators_waits_for_a_shared_node(Value):
    for turn in range(FRESH):
        a = Value(5.0)
        b = Value(3.0) * a
        d = (Value(1.0) * b) * Value(1.0)
        o = d + b if turn % 2 else b + d
        o.backward()
        assert a.grad == 6.0
        x = Value(2.0)
        y = Value(3.0) * x
        o = Value(2.0) * y + Value(5.0) * y if turn % 2 else Value(5.0) * y + Value(2.0) * y
        o.backward()
        assert x.grad == 21.0
        x = Value(2.0)
        y = x * Value(3.0)
        o = y * y + y if turn % 2 else y + y * y
        o.backward()
        assert x.grad == 39.0


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.4"))
def test_backward_doubles_the_leaves_of_an_expression_that_is_built_again(Value, rng):
    for _ in range(5):
        x, y = draw(rng), draw(rng)
        a, b = Value(x), Value(y)
        for times in (1, 2, 3):
            f = (a * b) * (a + b)
            f.backward()
            assert a.grad == pytest.approx(times * (2 * x * y + y * y))
            assert b.grad == pytest.approx(times * (2 * x * y + x * x))


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.3", "4.4"))
def test_backward_agrees_with_a_second_engine_on_random_expressions(Value, rng):
    for steps in range(4, 4 + FRESH):
        numbers = [draw(rng) for _ in range(3)]
        program = random_program(rng, numbers, steps)
        leaves = [Value(number) for number in numbers]
        run(program, leaves).backward()
        slopes = exact_gradients(program, numbers)
        for leaf, slope in zip(leaves, slopes, strict=True):
            assert leaf.grad == pytest.approx(slope, rel=1e-6, abs=1e-9)


@pytest.mark.task("4.5", needs=("4.1", "4.2", "4.3", "4.4"))
def test_backward_agrees_with_small_bumps_of_every_leaf(Value, rng):
    for _ in range(8):
        numbers = [draw(rng) / 2 for _ in range(4)]
        p, q, r, s = (Value(number) for number in numbers)
        u = (p * q + r).tanh()
        (u * s + u * u + p).backward()

        def f(at):
            t = math.tanh(at[0] * at[1] + at[2])
            return t * at[3] + t * t + at[0]

        for leaf, slope in zip((p, q, r, s), bumped_gradients(f, numbers), strict=True):
            assert leaf.grad == pytest.approx(slope, rel=1e-5, abs=1e-8)


# ---- 4.6: the gradient check ------------------------------------------------------------------------------------


def accepts(checks, f, xs, grads, **how):
    """What the student's check says; anything but True and False is neither right nor wrong."""
    said = checks.gradient_check(f, xs, grads, **how)
    assert said is True or said is False
    return said


def plain(program):
    """A random program as a function of a list of numbers."""
    return lambda xs: run(program, [Dual(x, []) for x in xs]).number


def affine(slopes):
    """x -> the sum of slope * x."""
    return lambda xs: sum(slope * x for slope, x in zip(slopes, xs, strict=True))


@pytest.mark.task("4.6")
def test_the_check_accepts_right_gradients_of_random_expressions_and_rejects_slips(checks, rng):
    for steps in range(4, 19):
        numbers = [draw(rng) for _ in range(3)]
        program = random_program(rng, numbers, steps)
        right = exact_gradients(program, numbers)
        assert accepts(checks, plain(program), numbers, right) is True
        wrong = list(right)
        wrong[steps % 3] += rng.choice([-1, 1]) * rng.uniform(0.01, 0.5) * max(1.0, abs(wrong[steps % 3]))
        assert accepts(checks, plain(program), numbers, wrong) is False


@pytest.mark.task("4.6")
def test_one_wrong_gradient_is_enough_wherever_it_stands(checks, rng):
    for size in (1, 2, 5):
        slopes, xs = [draw(rng) for _ in range(size)], [draw(rng) for _ in range(size)]
        assert accepts(checks, affine(slopes), xs, slopes) is True
        for position in range(size):
            for wrong in (-slopes[position], 0.0, slopes[position] + 0.01, slopes[position] - 0.01):
                claimed = [wrong if i == position else slope for i, slope in enumerate(slopes)]
                assert accepts(checks, affine(slopes), xs, claimed) is False


@pytest.mark.task("4.6")
def test_wrong_gradients_that_balance_each_other_are_still_wrong(checks, rng):
    for _ in range(10):
        p, q, r = draw(rng), draw(rng) + 5, draw(rng) - 5
        xs, off = [draw(rng) for _ in range(3)], draw(rng)
        assert accepts(checks, affine([p, q, r]), xs, [p, q, r]) is True
        assert accepts(checks, affine([p, q, r]), xs, [p, q + off, r - off]) is False
        assert accepts(checks, affine([p, q, r]), xs, [p, r, q]) is False


@pytest.mark.task("4.6")
def test_the_check_measures_large_slopes_relatively_and_small_ones_absolutely(checks, rng):
    for _ in range(5):
        large = rng.choice([-1, 1]) * rng.uniform(2e4, 9e4)
        for x in (0.25, -0.5):
            assert accepts(checks, affine([large]), [x], [large * (1 + 3e-5)]) is True
            assert accepts(checks, affine([large]), [x], [large * (1 - 4e-4)]) is False
        small = rng.choice([-1, 1]) * rng.uniform(1e-3, 9e-3)
        assert accepts(checks, affine([small]), [draw(rng)], [small + 3e-5]) is True
        assert accepts(checks, affine([small]), [draw(rng)], [small - 4e-4]) is False
        assert accepts(checks, affine([0.0]), [draw(rng)], [-4e-5]) is True
        assert accepts(checks, affine([0.0]), [draw(rng)], [3e-4]) is False


@pytest.mark.task("4.6")
def test_the_tolerance_is_the_one_that_was_asked_for(checks, rng):
    for _ in range(10):
        slope, x = draw(rng) / 4, draw(rng)
        assert accepts(checks, affine([slope]), [x], [slope + 0.05], tol=0.2) is True
        assert accepts(checks, affine([slope]), [x], [slope + 0.05], tol=0.01) is False
        assert accepts(checks, affine([8 * slope]), [x], [8 * slope + 1e-5], tol=1e-3) is True
        assert accepts(checks, affine([8 * slope]), [x], [8 * slope + 1e-5], tol=1e-7) is False


@pytest.mark.task("4.6")
def test_half_as_much_again_as_the_tolerance_is_too_much_and_three_quarters_of_it_are_not(checks, rng):
    for tol in (0.2, 0.01):
        for slope in (0.0, draw(rng) / 4, 40 * draw(rng)):
            near, x = tol * max(1.0, abs(slope)), draw(rng)
            for side in (1, -1):
                assert accepts(checks, affine([slope]), [x], [slope + side * 0.75 * near], tol=tol) is True
                assert accepts(checks, affine([slope]), [x], [slope + side * 1.5 * near], tol=tol) is False


@pytest.mark.task("4.6")
def test_each_bump_is_central_as_large_as_asked_for_and_alone(checks, rng):
    def product(xs):
        return xs[0] * xs[1] * xs[2]

    def cube(xs):
        return xs[0] ** 3

    for h in (0.5, 0.125):
        p, q, r = draw(rng), draw(rng), draw(rng)
        assert accepts(checks, product, [p, q, r], [q * r, p * r, p * q], h=h) is True
        assert accepts(checks, product, [p, q, r], [q * r, (p + h) * r, p * q], h=h) is False
        assert accepts(checks, cube, [p], [3 * p * p + h * h], h=h) is True
        assert accepts(checks, cube, [p], [3 * p * p], h=h) is False
        assert accepts(checks, cube, [p], [3 * p * p + 3 * p * h + h * h], h=h) is False


@pytest.mark.task("4.6")
def test_a_strongly_curved_function_does_not_fool_the_check(checks, rng):
    for _ in range(5):
        x, bend = draw(rng), 1e4 * draw(rng)

        def parabola(xs, x=x, bend=bend):
            return bend * (xs[0] - x) ** 2 + 0.3 * xs[0]

        assert accepts(checks, parabola, [x], [0.3]) is True
        assert accepts(checks, parabola, [x], [0.31]) is False


@pytest.mark.task("4.6")
def test_the_check_leaves_its_lists_alone(checks, rng):
    for _ in range(5):
        xs = [draw(rng) + 0.0001 for _ in range(3)]
        slopes = [draw(rng) for _ in range(3)]
        wrong = [slopes[0], slopes[1] + 1.0, slopes[2]]
        for grads, right in ((slopes, True), (wrong, False)):
            point, claimed = list(xs), list(grads)
            assert accepts(checks, affine(slopes), point, claimed) is right
            assert point == xs
            assert claimed == grads


@pytest.mark.task("4.6")
def test_nothing_agrees_with_nan_or_infinity_or_a_missing_claim(checks, rng):
    for _ in range(3):
        slopes, xs = [draw(rng) for _ in range(3)], [draw(rng) for _ in range(3)]
        assert accepts(checks, affine(slopes), xs, slopes) is True
        for position in range(3):
            for strange in (math.nan, math.inf, -math.inf):
                claimed = [strange if i == position else slope for i, slope in enumerate(slopes)]
                assert accepts(checks, affine(slopes), xs, claimed) is False
        assert accepts(checks, affine(slopes), xs, slopes[:2]) is False
        assert accepts(checks, affine(slopes), xs, [*slopes, slopes[0]]) is False


# ---- 4.7: the recorded schedule ---------------------------------------------------------------------------------


def numbers_of(schedule, nodes):
    """The numbers of the scheduled nodes; None for one that does not belong to the graph."""
    numbers = {id(node): i for i, node in enumerate(nodes)}
    return [numbers.get(id(node)) for node in schedule]


def listen(nodes, edges, fired, restless=None):
    """Give every inner node a closure that notes its number; returns them all, so that they can be compared.

    restless    the number of an inner node whose step the root's closure calls once more, so that what happens is not
                what an order of the nodes would let one expect
    """
    record_firing(nodes, edges, fired)
    if restless is not None:
        own = nodes[-1]._backward
        nodes[-1]._backward = lambda: (own(), nodes[restless]._backward())[0]
    return [node._backward if edges[i] else None for i, node in enumerate(nodes)]


@pytest.mark.task("4.7", needs=("4.4", "4.5"))
def test_the_schedule_is_the_order_in_which_the_closures_ran(Value, checks, rng):
    for size in range(4, 4 + FRESH):
        edges = random_edges(rng, size - 1)
        edges.append((size - 2, 0))
        nodes, fired = wire(Value, edges), []
        listen(nodes, edges, fired)
        found = numbers_of(checks.record_schedule(nodes[-1]), nodes)
        assert [number for number in found if number is None or edges[number]] == fired
        assert fired != []
        leaves = [number for number in found if not edges[number]]
        assert len(set(leaves)) == len(leaves)
        again, fired = wire(Value, [(), (0,), (1,), (2, 1)]), []
        listen(again, [(), (0,), (1,), (2, 1)], fired, restless=1 + size % 2)
        found = numbers_of(checks.record_schedule(again[-1]), again)
        assert sorted(number for number in found if number != 0) == sorted(fired)
        assert len(fired) == 4


@pytest.mark.task("4.7", needs=("4.4", "4.5"))
def test_a_closure_that_is_called_twice_stands_in_the_schedule_twice(Value, checks, rng):
    for turn in range(6):
        leaf = Value(draw(rng))
        low = Value(draw(rng), (leaf,), "*")
        middle = Value(draw(rng), (low,), "*")
        root = Value(draw(rng), (middle, low), "+")
        calls = []
        low._backward = lambda calls=calls: calls.append("low")
        middle._backward = lambda calls=calls: calls.append("middle")
        meddled = low if turn % 2 else middle
        root._backward = lambda calls=calls, meddled=meddled: (calls.append("root"), meddled._backward())[0]
        found = checks.record_schedule(root)
        places = {id(root): "root", id(middle): "middle", id(low): "low"}
        names = [places.get(id(node), "?") for node in found if node is not leaf]
        assert sorted(names) == sorted(calls)
        assert len(calls) == 4


@pytest.mark.task("4.7", needs=("4.4", "4.5"))
def test_afterwards_every_closure_is_the_one_that_was_there(Value, checks, rng):
    for size in range(5, 15):
        edges = [*random_edges(rng, size - 2), (size - 3, 0), (size - 2, 0)]
        nodes, fired = wire(Value, edges), []
        before = listen(nodes, edges, fired, restless=size - 2)
        found = numbers_of(checks.record_schedule(nodes[-1]), nodes)
        assert sorted(number for number in found if edges[number]) == sorted(fired)
        assert fired.count(size - 2) == 2
        for i, node in enumerate(nodes):
            if edges[i]:
                assert node._backward is before[i]


@pytest.mark.task("4.7", needs=("4.4", "4.5"))
def test_a_leaf_with_a_step_of_its_own_has_it_again_after_the_recording(Value, checks, rng):
    for _ in range(5):
        calls = []
        leaf = Value(draw(rng))
        middle = Value(draw(rng), (leaf,), "*")
        root = Value(draw(rng), (middle, leaf), "+")
        leaf._backward = lambda calls=calls: calls.append("leaf")
        middle._backward = lambda calls=calls: calls.append("middle")
        root._backward = lambda calls=calls: calls.append("root")
        given = leaf._backward
        found = checks.record_schedule(root)
        assert calls[:2] == ["root", "middle"]
        assert [node is root for node in found][:1] == [True]
        assert sum(node is middle for node in found) == 1
        assert leaf._backward is given


@pytest.mark.task("4.7", needs=("4.4", "4.5"))
def test_recording_runs_one_backward_pass_and_each_recording_another(Value, checks, rng):
    for _ in range(5):
        leaf, p, q = Value(draw(rng)), draw(rng), draw(rng)
        middle = Value(draw(rng), (leaf,), "*")
        root = Value(draw(rng), (middle,), "*")
        hand_on(root, [(middle, p)])
        hand_on(middle, [(leaf, q)])
        for _ in range(3):
            middle.grad = leaf.grad = 0.0
            inner = [node for node in checks.record_schedule(root) if node is not leaf]
            assert len(inner) == 2
            assert inner[0] is root
            assert inner[1] is middle
            assert root.grad == 1.0
            assert middle.grad == p
            assert leaf.grad == pytest.approx(p * q)


@pytest.mark.task("4.7", needs=("4.4", "4.5"))
def test_the_schedule_of_an_interior_node_has_nothing_above_it(Value, checks, rng):
    for size in range(8, 16):
        edges = [(), *[(i, max(0, i - 2)) if i % 2 else (i,) for i in range(size - 1)]]
        nodes, fired = wire(Value, edges), []
        listen(nodes, edges, fired)
        found = numbers_of(checks.record_schedule(nodes[size // 2]), nodes)
        assert [number for number in found if number] == fired
        assert fired == list(range(size // 2, 0, -1))


@pytest.mark.task("4.7", needs=("4.1", "4.2", "4.3", "4.4", "4.5"))
def test_the_schedule_of_real_expressions_has_each_node_once_after_its_consumers(Value, checks, rng):
    for steps in range(3, 15):
        numbers = [draw(rng) for _ in range(3)]
        program = random_program(rng, numbers, steps)
        leaves = [Value(number) for number in numbers]
        root = run(program, leaves)
        schedule = checks.record_schedule(root)
        place = {id(node): i for i, node in enumerate(schedule)}
        assert len(place) == len(schedule)
        assert schedule[0] is root
        known, todo = {id(root): root}, [root]
        while todo:
            node = todo.pop()
            children = list(node._prev)
            assert not children or id(node) in place
            for child in children:
                assert id(child) not in place or place[id(node)] < place[id(child)]
                if id(child) not in known:
                    known[id(child)] = child
                    todo.append(child)
        for leaf, slope in zip(leaves, exact_gradients(program, numbers), strict=True):
            assert leaf.grad == pytest.approx(slope, rel=1e-6, abs=1e-9)
