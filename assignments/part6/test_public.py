"""Part 6, the public tests: the lecture's neuron and the documents' networks, and a few neighbours of them.

They cover a part of each task's points. Hidden tests check other sizes, other numbers and the edges.
"""

import math
import random

import pytest

NEURON_BIAS = 6.8813735870195432

# What the network gives that is made after random.seed(seed): seed, inputs, neurons per layer, the numbers that go in
# and the ones that come out. Tuples, because lists are handed over as copies only.
NETWORKS = (
    (1, 2, (4, 4, 1), (1.0, -2.0), (-1.34056301759691,)),
    (2, 2, (4, 4, 1), (1.0, -2.0), (0.5047832110069933,)),
    (3, 3, (4, 2), (2.0, 3.0, -1.0), (-0.8996674485538565, 1.0697875251407016)),
)


def seeded(seed_random, seed, make, *sizes):
    """Set the seed, then make the object. `make` was looked up before, so that loading nn.py can't use up a number."""
    seed_random(seed)
    return make(*sizes)


def set_numbers(neuron, weights, bias):
    """Give a neuron these numbers in place of the ones it has drawn."""
    for value, number in zip(neuron.w, weights, strict=False):
        value.data = number
    neuron.b.data = bias


# ---- 6.1: Neuron ------------------------------------------------------------------------------------------------


@pytest.mark.task("6.1")
def test_a_neuron_draws_its_weights_in_order_and_its_bias_is_zero(nn, seed_random):
    """random.seed(s); neuron = Neuron(nin)"""
    for seed, nin in [(7, 3), (42, 5)]:
        neuron = seeded(seed_random, seed, nn.Neuron, nin)
        expected = random.Random(seed)
        assert len(neuron.w) == nin, f"nin = {nin}: the number of weights"
        for i in range(nin):
            assert neuron.w[i].data == pytest.approx(expected.uniform(-1, 1), abs=1e-12), f"s = {seed}: w[{i}]"
        assert neuron.b.data == 0.0, "the bias"


@pytest.mark.task("6.1")
def test_a_neuron_is_the_tanh_of_its_weighted_sum(nn):
    """neuron = Neuron(2) with the lecture's weights and bias; neuron([2.0, x2])"""
    for x2, output in [(0.0, 0.7071067811865476), (1.0, 0.9546141264596794)]:
        neuron = nn.Neuron(2)
        set_numbers(neuron, [-3.0, 1.0], NEURON_BIAS)
        assert neuron([2.0, x2]).data == pytest.approx(output, rel=1e-9), f"x2 = {x2}"


@pytest.mark.task("6.1")
def test_a_linear_neuron_leaves_the_tanh_out(nn):
    """neuron = Neuron(2, nonlin=False) with w = [0.5, -2.0], b = 3.0; neuron([x1, x2])"""
    for x, output in [([4.0, 1.0], 3.0), ([-1.0, -2.5], 7.5)]:
        neuron = nn.Neuron(2, nonlin=False)
        set_numbers(neuron, [0.5, -2.0], 3.0)
        assert neuron(x).data == output, f"x1, x2 = {x}"


@pytest.mark.task("6.1")
def test_backward_reaches_the_weights_and_the_bias(nn):
    """the lecture's neuron at [2.0, x2]; neuron([2.0, x2]).backward()"""
    slopes = {0.0: (1.0, 0.0, 0.5), 1.0: (0.17742373912724663, 0.08871186956362331, 0.08871186956362331)}
    for x2, (w1, w2, b) in slopes.items():
        neuron = nn.Neuron(2)
        set_numbers(neuron, [-3.0, 1.0], NEURON_BIAS)
        neuron([2.0, x2]).backward()
        assert neuron.w[0].grad == pytest.approx(w1, rel=1e-9), f"w[0].grad at x2 = {x2}"
        assert neuron.w[1].grad == pytest.approx(w2, rel=1e-9), f"w[1].grad at x2 = {x2}"
        assert neuron.b.grad == pytest.approx(b, rel=1e-9), f"b.grad at x2 = {x2}"


@pytest.mark.task("6.1")
def test_a_neuron_refuses_a_wrong_number_of_inputs(nn):
    """neuron = Neuron(3); neuron([1.0, 2.0]), neuron([1.0, 2.0, 3.0, 4.0])"""
    neuron = nn.Neuron(3)
    for x in ([1.0, 2.0], [1.0, 2.0, 3.0, 4.0]):
        with pytest.raises(ValueError):  # noqa: PT011
            neuron(x).data  # noqa: B018
        assert -1.0 < neuron([1.0, -2.0, 3.0]).data < 1.0, "three inputs are right"


# ---- 6.2: Layer -------------------------------------------------------------------------------------------------


@pytest.mark.task("6.2", needs=("6.1",))
def test_a_layer_asks_every_neuron_about_the_same_inputs(nn):
    """layer = Layer(3, nout, nonlin); layer([2.0, 3.0, -1.0])"""
    x = [2.0, 3.0, -1.0]
    for nout, nonlin in [(4, True), (2, False)]:
        layer = nn.Layer(3, nout, nonlin)
        outputs = layer(x)
        assert len(layer.neurons) == nout, f"nout = {nout}: the number of neurons"
        assert len(outputs) == nout, f"nout = {nout}: the number of outputs"
        for i, neuron in enumerate(layer.neurons):
            total = sum(w.data * number for w, number in zip(neuron.w, x, strict=True)) + neuron.b.data
            right = math.tanh(total) if nonlin else total
            assert outputs[i].data == pytest.approx(right, rel=1e-9), f"output {i} of {nout}, nonlin = {nonlin}"


@pytest.mark.task("6.2", needs=("6.1",))
def test_every_neuron_of_a_layer_has_weights_of_its_own(nn):
    """layer = Layer(3, 4): how many different weights it has"""
    for nin, nout in [(3, 4), (2, 5)]:
        layer = nn.Layer(nin, nout)
        weights = [w for neuron in layer.neurons for w in neuron.w]
        assert len({id(w) for w in weights}) == nin * nout, f"Layer({nin}, {nout})"


@pytest.mark.task("6.2", needs=("6.1",))
def test_a_layer_with_one_neuron_gives_a_list_as_well(nn):
    """outputs = Layer(2, 1)([1.0, -2.0])"""
    for x in ([1.0, -2.0], [0.5, 3.0]):
        layer = nn.Layer(2, 1)
        outputs = layer(x)
        assert len(outputs) == 1, "a list with one Value"
        assert outputs[0].data == pytest.approx(layer.neurons[0](x).data), f"x = {x}"


# ---- 6.3: MLP ---------------------------------------------------------------------------------------------------


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_a_network_with_one_output_gives_a_value(nn, seed_random):
    """random.seed(s); MLP(2, [4, 4, 1])([1.0, -2.0])"""
    for seed, nin, nouts, x, outputs in NETWORKS[:2]:
        net = seeded(seed_random, seed, nn.MLP, nin, list(nouts))
        assert net(list(x)).data == pytest.approx(outputs[0], rel=1e-9), f"s = {seed}"


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_a_network_with_several_outputs_gives_a_list(nn, seed_random):
    """random.seed(3); MLP(3, [4, 2])([2.0, 3.0, -1.0])"""
    seed, nin, nouts, x, outputs = NETWORKS[2]
    for _ in range(2):
        found = seeded(seed_random, seed, nn.MLP, nin, list(nouts))(list(x))
        assert len(found) == 2, "the number of outputs"
        for i, output in enumerate(outputs):
            assert found[i].data == pytest.approx(output, rel=1e-9), f"output {i}"


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_each_layer_has_as_many_inputs_as_the_one_before_has_neurons(nn):
    """net = MLP(nin, nouts): neurons per layer, weights per neuron"""
    for nin, nouts in [(2, [4, 4, 1]), (3, [5, 2])]:
        net = nn.MLP(nin, list(nouts))
        assert [len(layer.neurons) for layer in net.layers] == nouts, f"MLP({nin}, {nouts}): neurons per layer"
        weights = [len(layer.neurons[0].w) for layer in net.layers]
        assert weights == [nin, *nouts[:-1]], f"MLP({nin}, {nouts}): weights of each layer's first neuron"


# ---- 6.4: parameters() ------------------------------------------------------------------------------------------


@pytest.mark.task("6.4", needs=("6.1",))
def test_the_parameters_of_a_neuron_are_its_weights_and_then_its_bias(nn):
    """neuron.parameters()"""
    for nin in (3, 5):
        neuron = nn.Neuron(nin)
        parameters = neuron.parameters()
        assert len(parameters) == nin + 1, f"Neuron({nin}): the length of the list"
        for i in range(nin):
            assert parameters[i] is neuron.w[i], f"Neuron({nin}): entry {i} is w[{i}] itself"
        assert parameters[nin] is neuron.b, f"Neuron({nin}): the last entry is b itself"


@pytest.mark.task("6.4", needs=("6.1", "6.2", "6.3"))
def test_a_network_counts_its_parameters(nn):
    """len(MLP(nin, nouts).parameters()), and how many of them are different objects"""
    for nin, nouts, count in [(2, [4, 4, 1], 37), (3, [4, 4, 1], 41), (784, [16, 16, 10], 13_002)]:
        parameters = nn.MLP(nin, nouts).parameters()
        assert len(parameters) == count, f"MLP({nin}, {nouts}): the length of the list"
        assert len({id(p) for p in parameters}) == count, f"MLP({nin}, {nouts}): different objects in it"


# ---- 6.5: zero_grad() -------------------------------------------------------------------------------------------


@pytest.mark.task("6.5", needs=("6.1", "6.2", "6.3", "6.4"))
def test_zero_grad_sets_every_gradient_back(nn):
    """net = MLP(2, [3, 1]); net([2.0, -1.5]).backward(); net.zero_grad()"""
    net = nn.MLP(2, [3, 1])
    for x in ([2.0, -1.5], [0.25, 3.0]):
        net(x).backward()
        assert net.layers[-1].neurons[0].b.grad == 1.0, "before zero_grad(): the last bias counts in full"
        net.zero_grad()
        for p in net.parameters():
            assert p.grad == 0.0, "after zero_grad()"


@pytest.mark.task("6.5", needs=("6.1", "6.4"))
def test_zero_grad_changes_gradients_only(nn):
    """neuron = Neuron(3) with a gradient on every parameter; neuron.zero_grad()"""
    for grad in (4.0, -0.5):
        neuron = nn.Neuron(3)
        parameters = [*neuron.w, neuron.b]
        numbers = [p.data for p in parameters]
        for p in parameters:
            p.grad = grad
        neuron.zero_grad()
        assert [p.grad for p in parameters] == [0.0, 0.0, 0.0, 0.0], "the gradients"
        assert [p.data for p in parameters] == numbers, "the numbers stay as they were"
