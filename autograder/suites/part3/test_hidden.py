"""Part 3, the hidden tests: the formulas at numbers that nobody has seen, and the edges.

Numbers typed in from the documents fail here, and so does any formula that is right for them only.
"""

import math

import pytest

from autograder.suites.graphs import bumped_gradients

INPUTS = ("x1", "x2", "w1", "w2", "b")


def draw(rng):
    """A number that is neither round nor small, of either sign."""
    return rng.choice([-1, 1]) * round(rng.uniform(0.3, 3.0), 3)


def keys_are(found, names):
    """These keys and no others."""
    assert sorted(found) == sorted(names.split())


# ---- 3.1: tanh as one node --------------------------------------------------------------------------------------


@pytest.mark.task("3.1")
def test_tanh_is_right_for_other_numbers_of_either_sign(Value, rng):
    for _ in range(10):
        x = draw(rng)
        left, right = Value(-x).tanh(), Value(x).tanh()
        assert right.data == pytest.approx(math.tanh(x), rel=1e-9)
        assert left.data == pytest.approx(-math.tanh(x), rel=1e-9)


@pytest.mark.task("3.1")
def test_tanh_is_flat_far_out_and_zero_at_zero(Value):
    for x in (40.0, 150.0):
        assert Value(x).tanh().data == pytest.approx(1.0, abs=1e-12)
        assert Value(-x).tanh().data == pytest.approx(-1.0, abs=1e-12)
        assert Value(0.0).tanh().data == 0.0


@pytest.mark.task("3.1")
def test_tanh_has_exactly_its_operand_as_its_child(Value, rng):
    for _ in range(10):
        inner = Value(draw(rng)) * Value(draw(rng))
        children = list(inner.tanh()._prev)
        assert len(children) == 1
        assert children[0] is inner


@pytest.mark.task("3.1")
def test_tanh_makes_a_new_node_each_time_with_no_gradient_yet(Value, rng):
    for _ in range(10):
        x = draw(rng)
        node = Value(x)
        node.grad = draw(rng)
        one, two = node.tanh(), node.tanh()
        assert [one.grad, two.grad] == [0.0, 0.0]
        one.grad = 3.0
        assert two.grad == 0.0
        assert node.data == x


@pytest.mark.task("3.1")
def test_tanh_can_be_used_inside_a_larger_expression(Value, rng):
    for _ in range(10):
        x, y, z = draw(rng), draw(rng), draw(rng)
        out = (Value(x) * Value(y) + Value(z)).tanh().tanh() * Value(y)
        assert out.data == pytest.approx(math.tanh(math.tanh(x * y + z)) * y, rel=1e-9)


# ---- 3.2: the expression's gradients ----------------------------------------------------------------------------


@pytest.mark.task("3.2")
def test_the_gradients_next_to_the_output_are_formulas(by_hand, rng):
    for _ in range(10):
        a, b, c, f = (draw(rng) for _ in range(4))
        g = by_hand.expression_gradients(a, b, c, f)
        assert g["L"] == 1.0
        assert g["d"] == pytest.approx(f)
        assert g["f"] == pytest.approx(a * b + c)


@pytest.mark.task("3.2")
def test_the_gradients_behind_the_plus_are_formulas(by_hand, rng):
    for _ in range(10):
        a, b, c, f = (draw(rng) for _ in range(4))
        g = by_hand.expression_gradients(a, b, c, f)
        assert g["c"] == pytest.approx(f)
        assert g["e"] == pytest.approx(f)


@pytest.mark.task("3.2")
def test_the_gradients_of_the_leaves_under_the_product_are_formulas(by_hand, rng):
    for _ in range(10):
        a, b, c, f = (draw(rng) for _ in range(4))
        g = by_hand.expression_gradients(a, b, c, f)
        assert g["a"] == pytest.approx(b * f)
        assert g["b"] == pytest.approx(a * f)


@pytest.mark.task("3.2")
def test_the_expression_has_seven_gradients_that_agree_with_bumps_of_it(by_hand, rng):
    for _ in range(10):
        numbers = [draw(rng) for _ in range(4)]
        g = by_hand.expression_gradients(*numbers)
        keys_are(g, "a b c d e f L")
        slopes = bumped_gradients(lambda at: (at[0] * at[1] + at[2]) * at[3], numbers)
        for name, slope in zip("abcf", slopes, strict=True):
            assert g[name] == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.task("3.2")
def test_a_zero_among_the_inputs_silences_only_what_it_multiplies(by_hand, rng):
    for _ in range(5):
        a, b, c, f = (draw(rng) for _ in range(4))
        g = by_hand.expression_gradients(0.0, b, c, f)
        assert [g["b"], g["a"], g["f"]] == [0.0, pytest.approx(b * f), pytest.approx(c)]
        g = by_hand.expression_gradients(a, b, c, 0.0)
        assert [g["a"], g["b"], g["c"], g["f"]] == [0.0, 0.0, 0.0, pytest.approx(a * b + c)]
        g = by_hand.expression_gradients(a, b, -a * b, f)
        assert [g["f"], g["d"]] == [pytest.approx(0.0, abs=1e-12), pytest.approx(f)]


# ---- 3.3: the slope by a bump -----------------------------------------------------------------------------------


@pytest.mark.task("3.3")
def test_the_bump_is_right_for_every_leaf_at_other_numbers(Value, by_hand, rng):
    def build(p, q, r):
        return (Value(p) + Value(q)) * Value(r)

    for _ in range(5):
        leaves = {"p": draw(rng), "q": draw(rng), "r": draw(rng)}
        for name, slope in {"p": leaves["r"], "q": leaves["r"], "r": leaves["p"] + leaves["q"]}.items():
            assert by_hand.numeric_slope(build, leaves, name) == pytest.approx(slope, rel=1e-7, abs=1e-9)


@pytest.mark.task("3.3")
def test_the_bump_goes_forward_by_the_step_that_was_asked_for(Value, by_hand, rng):
    def cube(x, unused):
        node = Value(x)
        return node * node * node + Value(unused)

    for _ in range(5):
        x = draw(rng)
        for h in (0.5, 0.03):
            right = ((x + h) ** 3 - x**3) / h
            assert by_hand.numeric_slope(cube, {"x": x, "unused": 7.0}, "x", h) == pytest.approx(right, rel=1e-7)
        right = ((x + 1e-3) ** 3 - x**3) / 1e-3
        assert by_hand.numeric_slope(cube, {"unused": 7.0, "x": x}, "x") == pytest.approx(right, rel=1e-7)


@pytest.mark.task("3.3")
def test_both_graphs_are_built_anew_and_only_one_leaf_is_bumped(Value, by_hand, rng):
    for _ in range(5):
        seen = []

        def build(p, q, r, seen=seen):
            seen.append({"p": p, "q": q, "r": r})
            return Value(p) * Value(q) + Value(r)

        leaves = {"p": draw(rng), "q": draw(rng), "r": draw(rng)}
        assert by_hand.numeric_slope(build, leaves, "q", 0.25) == pytest.approx(leaves["p"], rel=1e-9)
        plain = [numbers for numbers in seen if numbers == leaves]
        bumped = [numbers for numbers in seen if numbers["q"] == pytest.approx(leaves["q"] + 0.25)]
        assert plain != []
        assert bumped != []
        assert len(plain) + len(bumped) == len(seen)
        assert [(n["p"], n["r"]) for n in bumped] == [(leaves["p"], leaves["r"]) for _ in bumped]


@pytest.mark.task("3.3")
def test_the_leaves_are_the_same_after_the_bump(Value, by_hand, rng):
    def build(p, q):
        return Value(p) * Value(q)

    for _ in range(5):
        p, q = draw(rng), draw(rng)
        leaves = {"p": p, "q": q}
        slope = by_hand.numeric_slope(build, leaves, "p", 0.5)
        assert [leaves["p"], leaves["q"]] == [p, q]
        assert slope == pytest.approx(q, rel=1e-9)
        assert by_hand.numeric_slope(build, leaves, "q", 0.1) == pytest.approx(p, rel=1e-9)
        assert leaves == {"p": p, "q": q}


@pytest.mark.task("3.3")
def test_the_leaves_are_exactly_the_same_even_where_rounding_would_show(Value, by_hand, rng):
    def build(p, q):
        return Value(p) * Value(q)

    numbers = [rng.uniform(0.001, 0.3) for _ in range(10)]
    for p in numbers:
        leaves = {"p": p, "q": 3.0}
        assert by_hand.numeric_slope(build, leaves, "p", 0.7) == pytest.approx(3.0, rel=1e-9)
        assert [leaves["p"], leaves["q"]] == [p, 3.0]


@pytest.mark.task("3.3")
def test_a_leaf_that_is_used_twice_is_bumped_in_both_places(Value, by_hand, rng):
    def build(x, y):
        shared = Value(y)
        return (Value(x) + shared) * shared

    for _ in range(5):
        x, y, h = draw(rng), draw(rng), 1e-3
        slope = by_hand.numeric_slope(build, {"x": x, "y": y}, "y", h)
        assert slope == pytest.approx(x + 2 * y + h, rel=1e-7, abs=1e-9)
        assert by_hand.numeric_slope(build, {"x": x, "y": y}, "x", h) == pytest.approx(y, rel=1e-7, abs=1e-9)


@pytest.mark.task("3.3", needs=("3.1",))
def test_the_bump_goes_through_a_tanh(Value, by_hand, rng):
    def build(x, w, b):
        return (Value(x) * Value(w) + Value(b)).tanh()

    for _ in range(5):
        x, w, b = draw(rng) / 2, draw(rng) / 2, draw(rng) / 4
        slope = w / math.cosh(x * w + b) ** 2
        found = by_hand.numeric_slope(build, {"x": x, "w": w, "b": b}, "x", 1e-6)
        assert found == pytest.approx(slope, rel=1e-4, abs=1e-6)


# ---- 3.4: one step along the gradient ---------------------------------------------------------------------------


@pytest.mark.task("3.4")
def test_every_leaf_moves_by_the_rate_times_its_gradient(by_hand, rng):
    for size in range(1, 7):
        names = [f"w{i}" for i in range(size)]
        leaves = {name: draw(rng) for name in names}
        gradients = {name: draw(rng) for name in reversed(names)}
        for rate in (0.3, 0.002):
            moved = by_hand.one_step(leaves, gradients, rate)
            assert sorted(moved) == names
            for name in names:
                assert moved[name] == pytest.approx(leaves[name] + rate * gradients[name], rel=1e-12)


@pytest.mark.task("3.4")
def test_a_step_without_a_rate_is_a_hundredth_of_the_gradient(by_hand, rng):
    for _ in range(5):
        p, q, slope = draw(rng), draw(rng), 100 * draw(rng)
        moved = by_hand.one_step({"p": p, "q": q}, {"p": slope, "q": -slope})
        assert moved["p"] == pytest.approx(p + slope / 100, rel=1e-9, abs=1e-12)
        assert moved["q"] == pytest.approx(q - slope / 100, rel=1e-9, abs=1e-12)


@pytest.mark.task("3.4")
def test_a_step_moves_leaves_only_and_leaves_what_was_handed_in_alone(by_hand, rng):
    for _ in range(5):
        p, slope = draw(rng), draw(rng)
        leaves, gradients = {"p": p}, {"out": 1.0, "p": slope, "inner": draw(rng)}
        before = dict(gradients)
        for _ in range(2):
            moved = by_hand.one_step(leaves, gradients, 0.25)
            assert moved == {"p": pytest.approx(p + 0.25 * slope)}
        assert leaves == {"p": p}
        assert gradients == before


@pytest.mark.task("3.4")
def test_a_small_step_makes_the_output_rise(by_hand, rng):
    for _ in range(10):
        a, b, c, f = (draw(rng) for _ in range(4))
        gradients = {"a": b * f, "b": a * f, "c": f, "f": a * b + c}
        moved = by_hand.one_step({"a": a, "b": b, "c": c, "f": f}, gradients, 1e-4)
        rise = (moved["a"] * moved["b"] + moved["c"]) * moved["f"] - (a * b + c) * f
        assert rise == pytest.approx(1e-4 * sum(slope**2 for slope in gradients.values()), rel=0.05)


# ---- 3.5: the neuron's gradients --------------------------------------------------------------------------------


def neuron_inputs(rng):
    """Inputs at which the tanh is neither flat nor straight: the weighted sum lies between -2 and 2."""
    x1, x2, w1, w2 = (draw(rng) for _ in range(4))
    n = rng.choice([-1, 1]) * rng.uniform(0.3, 2.0)
    return {"x1": x1, "x2": x2, "w1": w1, "w2": w2, "b": n - x1 * w1 - x2 * w2}, n


@pytest.mark.task("3.5")
def test_the_neurons_gradient_behind_the_tanh_is_a_formula(by_hand, rng):
    for _ in range(10):
        inputs, n = neuron_inputs(rng)
        g = by_hand.neuron_gradients(**inputs)
        assert g["o"] == 1.0
        assert g["n"] == pytest.approx(1 / math.cosh(n) ** 2, rel=1e-9)


@pytest.mark.task("3.5")
def test_both_pluses_of_the_neuron_pass_one_number_on(by_hand, rng):
    for _ in range(10):
        inputs, n = neuron_inputs(rng)
        g = by_hand.neuron_gradients(**inputs)
        for name in ("x1w1x2w2", "x1w1", "x2w2", "b"):
            assert g[name] == pytest.approx(1 / math.cosh(n) ** 2, rel=1e-9)


@pytest.mark.task("3.5")
def test_both_products_of_the_neuron_swap(by_hand, rng):
    for _ in range(10):
        inputs, n = neuron_inputs(rng)
        g = by_hand.neuron_gradients(*(inputs[name] for name in INPUTS))
        for name, partner in (("x1", "w1"), ("w1", "x1"), ("x2", "w2"), ("w2", "x2")):
            assert g[name] == pytest.approx(inputs[partner] / math.cosh(n) ** 2, rel=1e-9)


@pytest.mark.task("3.5")
def test_the_neuron_has_ten_gradients_that_agree_with_bumps_of_it(by_hand, rng):
    for _ in range(10):
        inputs, _ = neuron_inputs(rng)
        numbers = [inputs[name] for name in INPUTS]
        g = by_hand.neuron_gradients(*numbers)
        keys_are(g, "o n x1w1x2w2 x1w1 x2w2 x1 x2 w1 w2 b")
        slopes = bumped_gradients(lambda at: math.tanh(at[0] * at[2] + at[1] * at[3] + at[4]), numbers)
        for name, slope in zip(INPUTS, slopes, strict=True):
            assert g[name] == pytest.approx(slope, rel=1e-5, abs=1e-8)


@pytest.mark.task("3.5")
def test_an_input_of_zero_silences_its_weight_and_a_weight_of_zero_its_input(by_hand, rng):
    for _ in range(5):
        x, w, b = draw(rng), draw(rng), draw(rng) / 3 - 0.1
        g = by_hand.neuron_gradients(0.0, x, w, 0.0, b)
        through = 1 / math.cosh(b) ** 2
        assert [g["w1"], g["x2"]] == [0.0, 0.0]
        assert [g["x1"], g["w2"]] == [pytest.approx(w * through, rel=1e-9), pytest.approx(x * through, rel=1e-9)]


@pytest.mark.task("3.5")
def test_a_neuron_that_is_pushed_far_out_has_no_slope_left(by_hand, rng):
    for _ in range(5):
        g = by_hand.neuron_gradients(draw(rng), draw(rng), draw(rng), draw(rng), rng.choice([-60.0, 60.0]))
        assert g["o"] == 1.0
        for name in ("n", *INPUTS):
            assert g[name] == pytest.approx(0.0, abs=1e-9)
