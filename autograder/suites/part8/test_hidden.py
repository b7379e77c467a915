"""Part 8, the hidden tests: other numbers, and the edges at which a wrong engine comes out right by luck.

Every backward pass here is the suites' own (send_back), and log is tried without any operator beside it: what earlier
parts have made is not judged again.
"""

import math
import struct

import pytest

from autograder.suites.backward import send_back
from autograder.suites.unary import both_shares_arrive, draw, inner_nodes_pass_on, quadruples


def positive(rng):
    """A number that log can take, on either side of 1."""
    return round(rng.choice([rng.uniform(0.05, 0.8), rng.uniform(1.5, 30.0)]), 3)


def hand_on(node, slopes):
    """Give a node a closure of the test's: grad * slope for each (child, slope)."""
    pairs = list(slopes)

    def closure():
        for child, slope in pairs:
            child.grad = child.grad + slope * node.grad

    node._backward = closure


def shares(numbers):
    """The softmax of plain numbers."""
    largest = max(numbers)
    powers = [math.exp(number - largest) for number in numbers]
    return [power / sum(powers) for power in powers]


# ---- 8.1: log ---------------------------------------------------------------------------------------------------


@pytest.mark.task("8.1")
def test_log_is_the_natural_logarithm_with_its_slope(Value, rng):
    for _ in range(10):
        x, g = positive(rng), draw(rng)
        v = Value(x)
        out = v.log()
        assert out.data == pytest.approx(math.log(x), abs=1e-12)
        send_back(out, g)
        assert v.grad == pytest.approx(g / x)


@pytest.mark.task("8.1")
def test_log_of_one_node_twice_collects_both_shares(Value, rng):
    both_shares_arrive(Value, lambda v: v.log(), lambda x: 1 / x, quadruples(rng, 8, positive))


@pytest.mark.task("8.1")
def test_log_of_an_inner_node_stops_there(Value, rng):
    inner_nodes_pass_on(Value, lambda v: v.log(), math.log, lambda x: 1 / x, quadruples(rng, 6, positive))


@pytest.mark.task("8.1")
def test_log_of_a_log_keeps_both_closures(Value, rng):
    for _ in range(6):
        x, g = round(rng.uniform(1.5, 30.0), 3), draw(rng)
        v = Value(x)
        inner = v.log()
        outer = inner.log()
        assert outer.data == pytest.approx(math.log(math.log(x)))
        send_back(outer, g)
        assert inner.grad == pytest.approx(g / math.log(x))
        assert v.grad == pytest.approx(g / math.log(x) / x)


@pytest.mark.task("8.1")
def test_log_is_steep_near_zero_and_nearly_flat_far_out(Value, rng):
    for x in (1e-9, 3e-5, 2e6, 7e12):
        g = draw(rng)
        v = Value(x)
        out = v.log()
        assert out.data == pytest.approx(math.log(x))
        send_back(out, g)
        assert v.grad == pytest.approx(g / x)


@pytest.mark.task("8.1")
def test_log_makes_a_node_with_one_child(Value, rng):
    for _ in range(4):
        v = Value(positive(rng))
        out = v.log()
        assert len(out._prev) == 1
        assert v in out._prev


# ---- 8.2: softmax -----------------------------------------------------------------------------------------------


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_gives_each_logit_its_share_in_order(Value, softmax, rng):
    for size in (2, 3, 5, 9):
        numbers = [draw(rng) for _ in range(size)]
        p = softmax.softmax([Value(number) for number in numbers])
        assert len(p) == size
        for got, right in zip(p, shares(numbers), strict=True):
            assert got.data == pytest.approx(right)


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_gradients_are_right_for_every_output(Value, softmax, rng):
    for size in (2, 3, 4):
        numbers = [draw(rng) for _ in range(size)]
        right = shares(numbers)
        for k in range(size):
            g = draw(rng)
            logits = [Value(number) for number in numbers]
            send_back(softmax.softmax(logits)[k], g)
            for i, logit in enumerate(logits):
                assert logit.grad == pytest.approx(g * right[k] * ((i == k) - right[i]), rel=1e-8, abs=1e-12)


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_gradients_add_up_over_the_outputs_and_sum_to_zero(Value, softmax, rng):
    for _ in range(4):
        numbers, weights = [draw(rng) for _ in range(4)], [draw(rng) for _ in range(4)]
        right = shares(numbers)
        logits = [Value(number) for number in numbers]
        p = softmax.softmax(logits)
        root = Value(0.0, tuple(p), "weighted sum")
        hand_on(root, zip(p, weights, strict=True))
        send_back(root, 1.0)
        mean = sum(w * q for w, q in zip(weights, right, strict=True))
        for logit, w, q in zip(logits, weights, right, strict=True):
            assert logit.grad == pytest.approx(q * (w - mean), rel=1e-8, abs=1e-12)
        assert sum(logit.grad for logit in logits) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_does_not_care_about_a_common_shift(Value, softmax, rng):
    for shift in (0.0, 800.0, -800.0, 5000.0, -5000.0):
        numbers, g = [draw(rng) for _ in range(3)], draw(rng)
        right = shares(numbers)
        logits = [Value(number + shift) for number in numbers]
        p = softmax.softmax(logits)
        for got, q in zip(p, right, strict=True):
            assert got.data == pytest.approx(q, rel=1e-6)
        send_back(p[1], g)
        for i, logit in enumerate(logits):
            assert logit.grad == pytest.approx(g * right[1] * ((i == 1) - right[i]), rel=1e-6, abs=1e-9)


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_survives_logits_that_lie_far_apart(Value, softmax, rng):
    for numbers in [(0.0, 2000.0), (2000.0, 0.0, 1999.0), (-1500.0, 900.0, -40.0, 899.5), (0.0, -3000.0)]:
        logits = [Value(number) for number in numbers]
        p = softmax.softmax(logits)
        for got, q in zip(p, shares(numbers), strict=True):
            assert got.data == pytest.approx(q, abs=1e-12)
        send_back(p[0], draw(rng))
        assert sum(logit.grad for logit in logits) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_of_equal_logits_and_of_a_single_one(Value, softmax, rng):
    for size in (1, 2, 4):
        number, g = draw(rng), draw(rng)
        logits = [Value(number) for _ in range(size)]
        p = softmax.softmax(logits)
        for got in p:
            assert got.data == pytest.approx(1 / size)
        send_back(p[0], g)
        for i, logit in enumerate(logits):
            assert logit.grad == pytest.approx(g / size * ((i == 0) - 1 / size), abs=1e-12)


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_collects_the_shares_of_a_logit_that_stands_there_twice(Value, softmax, rng):
    for _ in range(4):
        x, y, g = draw(rng), draw(rng), draw(rng)
        right = shares([x, y, x])
        a, b = Value(x), Value(y)
        send_back(softmax.softmax([a, b, a])[1], g)
        assert b.grad == pytest.approx(g * right[1] * (1 - right[1]), rel=1e-8)
        assert a.grad == pytest.approx(-2 * g * right[1] * right[0], rel=1e-8)


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_adds_to_gradients_and_leaves_its_list_alone(Value, softmax, rng):
    for _ in range(4):
        numbers, g, before = [draw(rng) for _ in range(3)], draw(rng), draw(rng)
        right = shares(numbers)
        nodes = [Value(number) for number in numbers]
        nodes[0].grad = before
        handed = list(nodes)
        send_back(softmax.softmax(handed)[2], g)
        assert len(handed) == 3
        for i, node in enumerate(nodes):
            assert handed[i] is node
            assert node.data == numbers[i]
        assert nodes[0].grad == pytest.approx(before - g * right[2] * right[0])


# ---- 8.3: negative log likelihood -------------------------------------------------------------------------------


@pytest.mark.task("8.3", needs=("8.1",))
def test_the_loss_is_minus_the_logarithm_of_the_right_class(Value, softmax, rng):
    for size in (2, 3, 5):
        numbers = [round(rng.uniform(0.05, 0.95), 3) for _ in range(size)]
        for target in range(size):
            g = draw(rng)
            p = [Value(number) for number in numbers]
            loss = softmax.negative_log_likelihood(p, target)
            assert loss.data == pytest.approx(-math.log(numbers[target]))
            send_back(loss, g)
            for i, node in enumerate(p):
                assert node.grad == pytest.approx(-g / numbers[i] if i == target else 0.0)


@pytest.mark.task("8.3", needs=("8.1",))
def test_the_loss_grows_as_the_right_class_becomes_unlikely(Value, softmax):
    for small in (1e-9, 1e-4, 0.03):
        p = [Value(1 - small), Value(small)]
        unlikely, likely = softmax.negative_log_likelihood(p, 1), softmax.negative_log_likelihood(p, 0)
        assert unlikely.data == pytest.approx(-math.log(small))
        assert likely.data == pytest.approx(-math.log(1 - small), rel=1e-6, abs=1e-12)


@pytest.mark.task("8.3", needs=("8.1",))
def test_two_losses_of_one_list_add_up_and_leave_it_alone(Value, softmax, rng):
    for _ in range(5):
        numbers = [round(rng.uniform(0.05, 0.95), 3) for _ in range(3)]
        nodes, g, h = [Value(number) for number in numbers], draw(rng), draw(rng)
        handed = list(nodes)
        one, two = softmax.negative_log_likelihood(handed, 2), softmax.negative_log_likelihood(handed, 2)
        send_back(one, g)
        send_back(two, h)
        assert nodes[2].grad == pytest.approx(-(g + h) / numbers[2])
        assert nodes[0].grad == 0.0
        assert len(handed) == 3
        for i, node in enumerate(nodes):
            assert handed[i] is node
            assert node.data == numbers[i]


@pytest.mark.task("8.3", needs=("8.1", "8.2"))
def test_the_loss_through_softmax_pulls_the_right_logit_up_and_the_others_down(Value, softmax, rng):
    for size in (2, 3, 5):
        numbers, g, target = [draw(rng) for _ in range(size)], draw(rng), rng.randrange(size)
        right = shares(numbers)
        logits = [Value(number) for number in numbers]
        loss = softmax.negative_log_likelihood(softmax.softmax(logits), target)
        assert loss.data == pytest.approx(-math.log(right[target]), abs=1e-12)
        send_back(loss, g)
        for i, logit in enumerate(logits):
            assert logit.grad == pytest.approx(g * (right[i] - (i == target)), rel=1e-7, abs=1e-10)


# ---- 8.4: 32 bits -----------------------------------------------------------------------------------------------


def rounded(x):
    """What 32 bits keep of x."""
    return struct.unpack(">f", struct.pack(">f", x))[0]


@pytest.mark.task("8.4")
def test_rounding_to_32_bits_gives_the_nearest_number(softmax, rng):
    for _ in range(20):
        x = rng.choice([-1, 1]) * rng.uniform(0.01, 100.0)
        assert softmax.as_float32(x) == rounded(x)


@pytest.mark.task("8.4")
def test_rounding_to_32_bits_works_for_large_and_small_numbers(softmax, rng):
    for exponent in (-30, -12, -3, 5, 11, 30, 37):
        x = rng.choice([-1, 1]) * rng.uniform(1.0, 9.0) * 10.0**exponent
        assert softmax.as_float32(x) == rounded(x)


@pytest.mark.task("8.4")
def test_rounding_to_32_bits_a_second_time_changes_nothing(softmax, rng):
    for _ in range(10):
        x = rng.choice([-1, 1]) * rng.uniform(0.01, 100.0)
        once = softmax.as_float32(x)
        assert softmax.as_float32(once) == once
        assert once == rounded(x)


@pytest.mark.task("8.4")
def test_whole_numbers_beyond_24_bits_are_rounded_too(softmax, rng):
    for _ in range(8):
        n = 2 * rng.randrange(2**24, 2**25) + 1
        assert softmax.as_float32(n) == rounded(n)
        assert softmax.as_float32(-n) == -rounded(n)


@pytest.mark.task("8.4")
def test_the_last_bit_is_kept_and_half_of_it_is_not(softmax, rng):
    step = 2.0**-23
    for _ in range(8):
        k = rng.randrange(1, 2**20)
        x = 1.0 + 2 * k * step
        assert softmax.as_float32(x) == x
        assert softmax.as_float32(x + step / 2) == x
        assert softmax.as_float32(x + step * 0.51) == x + step
