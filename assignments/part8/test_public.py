"""Part 8, the public tests: the numbers that the lecture's exercise states, and a few neighbours of them.

They cover a part of each task's points. Hidden tests check other numbers and the edges.
"""

import math

import pytest

LOGITS = (0.0, 3.0, -2.0, 1.0)
PROBABILITIES = (0.04177257051535045, 0.839024507462532, 0.005653302662216329, 0.11354961935990121)


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


# ---- 8.1: log ---------------------------------------------------------------------------------------------------


@pytest.mark.task("8.1")
def test_log_and_its_slope(Value):
    """y = v.log(); then g is sent back"""
    for x, g, number, slope in [(4.0, 1.0, 1.3862943611198906, 0.25), (0.5, -3.0, -0.6931471805599453, 2.0)]:
        v = Value(x)
        y = v.log()
        assert y.data == pytest.approx(number), f"v = {x}"
        send_back(y, g)
        assert v.grad == pytest.approx(slope * g), f"v = {x}, g = {g}"


@pytest.mark.task("8.1")
def test_log_of_a_node_that_is_used_again(Value):
    """one = v.log(); two = v.log(); then g is sent back from each"""
    for x, g in [(4.0, 2.0), (0.25, -1.5)]:
        v = Value(x)
        one, two = v.log(), v.log()
        send_back(one, g)
        send_back(two, g)
        assert v.grad == pytest.approx(2 * g / x), f"v = {x}, g = {g}"


# ---- 8.2: softmax -----------------------------------------------------------------------------------------------


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_of_the_exercise(Value, softmax):
    """p = softmax(logits)"""
    for numbers, expected in [
        (LOGITS, PROBABILITIES),
        ((1.0, -3.0), (0.9820137900379085, 0.01798620996209156)),
    ]:
        p = softmax.softmax([Value(number) for number in numbers])
        assert len(p) == len(expected), f"logits {numbers}"
        for i in range(len(p)):
            assert p[i].data == pytest.approx(expected[i]), f"logits {numbers}, i = {i}"


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_sends_its_gradient_to_every_logit(Value, softmax):
    """p = softmax(logits); then 1.0 is sent back from one of them, p[k]"""
    for k in (3, 1):
        logits = [Value(number) for number in LOGITS]
        p = softmax.softmax(logits)
        send_back(p[k], 1.0)
        for i in range(4):
            slope = PROBABILITIES[k] * ((i == k) - PROBABILITIES[i])
            assert logits[i].grad == pytest.approx(slope, rel=1e-9, abs=1e-12), f"of logit {i}, k = {k}"


@pytest.mark.task("8.2", needs=("8.1",))
def test_softmax_of_large_logits_does_not_overflow(Value, softmax):
    """p = softmax(logits)"""
    for shift in (1000.0, -1000.0):
        logits = [Value(number + shift) for number in LOGITS]
        p = softmax.softmax(logits)
        for i in range(4):
            assert p[i].data == pytest.approx(PROBABILITIES[i]), f"logits {LOGITS}, each plus {shift}, i = {i}"


# ---- 8.3: negative log likelihood -------------------------------------------------------------------------------


@pytest.mark.task("8.3", needs=("8.1",))
def test_the_loss_looks_at_the_right_class(Value, softmax):
    """loss = negative_log_likelihood(p, target); then 1.0 is sent back"""
    numbers = (0.125, 0.625, 0.25)
    for target in (0, 2):
        p = [Value(number) for number in numbers]
        loss = softmax.negative_log_likelihood(p, target)
        assert loss.data == pytest.approx(-math.log(numbers[target])), f"p = {numbers}, target = {target}"
        send_back(loss, 1.0)
        for i in range(3):
            slope = -1 / numbers[i] if i == target else 0.0
            assert p[i].grad == pytest.approx(slope), f"of p[{i}], p = {numbers}, target = {target}"


@pytest.mark.task("8.3", needs=("8.1", "8.2"))
def test_the_loss_of_the_exercise(Value, softmax):
    """loss = negative_log_likelihood(softmax(logits), target); then 1.0 is sent back"""
    for target, expected in [(3, 2.1755153626167147), (1, 0.17551536261671476)]:
        logits = [Value(number) for number in LOGITS]
        loss = softmax.negative_log_likelihood(softmax.softmax(logits), target)
        assert loss.data == pytest.approx(expected), f"logits {LOGITS}, target = {target}"
        send_back(loss, 1.0)
        for i in range(4):
            slope = PROBABILITIES[i] - (i == target)
            assert logits[i].grad == pytest.approx(slope), f"of logit {i}, logits {LOGITS}, target = {target}"


# ---- 8.4: 32 bits -----------------------------------------------------------------------------------------------


@pytest.mark.task("8.4")
def test_numbers_of_the_lecture_in_32_bits(softmax):
    """as_float32(x)"""
    for x, expected in [
        (6.8813735870195432, 6.881373405456543),
        (0.7071067811865476, 0.7071067690849304),
        (0.1, 0.10000000149011612),
    ]:
        assert softmax.as_float32(x) == expected, f"x = {x!r}"


@pytest.mark.task("8.4")
def test_numbers_that_fit_into_32_bits_stay_as_they_are(softmax):
    """as_float32(x)"""
    for x in (2.0, -3.0, 0.0, 0.5, -1.75, 1024.0, 6.881373405456543):
        assert softmax.as_float32(x) == x, f"x = {x!r}"
    assert softmax.as_float32(0.2) == 0.20000000298023224, "x = 0.2"
