"""Part 6, the hidden tests: fresh numbers and sizes, gradients of every parameter, and the edges.

Expected numbers come from autograder/suites/nets.py, which knows no Value. Networks are read through w, b, neurons and
layers, so that nothing but 6.4 and 6.5 rests on parameters().
"""

import math

import pytest

from autograder.suites import nets

SHAPES = ((1, (1,)), (2, (3,)), (3, (2, 1)), (2, (4, 4, 1)), (4, (3, 2, 5, 2)))  # lists are handed over as copies only


def draw(rng):
    """A number that is neither round nor small, of either sign."""
    return rng.choice([-1, 1]) * round(rng.uniform(0.3, 2.0), 3)


def draws(rng, count):
    return [draw(rng) for _ in range(count)]


def seeded(seed_random, seed, make, *sizes):
    """Set the seed, then make the object; `make` was looked up before, so that nothing is drawn in between."""
    seed_random(seed)
    return make(*sizes)


def set_numbers(neuron, weights, bias):
    for value, number in zip(neuron.w, weights, strict=False):
        value.data = number
    neuron.b.data = bias


def values_of(layers):
    """The Values of some layers in the order in which they were made, found without parameters()."""
    return [value for layer in layers for neuron in layer.neurons for value in [*neuron.w, neuron.b]]


def shuffled_net(nn, rng, nin, nouts):
    """A network with drawn numbers everywhere, biases too; the network, and the same as plain floats."""
    net = nn.MLP(nin, list(nouts))
    plain = [[draws(rng, len(neuron)) for neuron in layer] for layer in nets.drawn(0, nin, nouts)]
    for layer, numbers in zip(net.layers, plain, strict=True):
        for neuron, (*weights, bias) in zip(layer.neurons, numbers, strict=True):
            set_numbers(neuron, weights, bias)
    return net, plain


def places(found, values):
    """For each entry of `found` where in `values` that very object stands; -1 where it is none of them."""
    ids = [id(value) for value in values]
    return [ids.index(id(value)) if id(value) in ids else -1 for value in found]


def outputs_of(net, x, count):
    """The outputs as a list, whether there are several or one."""
    return [net(x)] if count == 1 else list(net(x))


# ---- 6.1: Neuron ------------------------------------------------------------------------------------------------


@pytest.mark.task("6.1")
def test_a_neuron_takes_one_random_number_per_weight_and_none_for_the_bias(nn, seed_random, rng):
    for nin in (1, 2, 6):
        seed = rng.randrange(10**6)
        first = seeded(seed_random, seed, nn.Neuron, nin)
        second = nn.Neuron(nin)
        (one, two) = nets.drawn(seed, nin, [2])[0]
        assert [w.data for w in first.w] == pytest.approx(one[:-1], abs=1e-12)
        assert [w.data for w in second.w] == pytest.approx(two[:-1], abs=1e-12)
        assert first.b.data == 0.0
        assert second.b.data == 0.0


@pytest.mark.task("6.1")
def test_a_neuron_computes_its_sum_with_the_bias_in_it(nn, rng):
    for nin in (3, 1, 2, 5):
        for nonlin in (True, False):
            weights, bias, x = draws(rng, nin), draw(rng), draws(rng, nin)
            neuron = nn.Neuron(nin, nonlin)
            set_numbers(neuron, weights, bias)
            total = math.fsum([w * v for w, v in zip(weights, x, strict=True)] + [bias])
            assert neuron(x).data == pytest.approx(math.tanh(total) if nonlin else total, rel=1e-9, abs=1e-12)


@pytest.mark.task("6.1")
def test_a_neuron_has_a_tanh_unless_it_is_told_otherwise(nn, rng):
    for _ in range(3):
        bias = 2.0 + abs(draw(rng))
        bent, straight = nn.Neuron(1), nn.Neuron(1, nonlin=False)
        set_numbers(bent, [0.0], bias)
        set_numbers(straight, [0.0], bias)
        assert bent([1.5]).data == pytest.approx(math.tanh(bias), rel=1e-9)
        assert straight([1.5]).data == pytest.approx(bias, rel=1e-9)


@pytest.mark.task("6.1")
def test_the_gradients_of_a_neuron_are_right_for_every_weight_and_the_bias(nn, rng):
    for nin in (1, 3, 4):
        for nonlin in (True, False):
            weights, bias, x = draws(rng, nin), draw(rng) / 4, [v / 4 for v in draws(rng, nin)]
            neuron = nn.Neuron(nin, nonlin)
            set_numbers(neuron, weights, bias)
            out = neuron(x)
            slope = 1.0 - out.data**2 if nonlin else 1.0
            (out * 3.0).backward()
            assert [w.grad for w in neuron.w] == pytest.approx([3.0 * slope * v for v in x], rel=1e-9, abs=1e-12)
            assert neuron.b.grad == pytest.approx(3.0 * slope, rel=1e-9, abs=1e-12)


@pytest.mark.task("6.1")
def test_inputs_may_be_values_and_get_gradients_then(nn, Value, rng):
    for _ in range(3):
        weights, bias, x = draws(rng, 3), draw(rng), draws(rng, 3)
        neuron = nn.Neuron(3, nonlin=False)
        set_numbers(neuron, weights, bias)
        first, last = Value(x[0]), Value(x[2])
        out = neuron([first, x[1], last])
        out.backward()
        assert out.data == pytest.approx(sum(w * v for w, v in zip(weights, x, strict=True)) + bias)
        assert first.grad == pytest.approx(weights[0])
        assert last.grad == pytest.approx(weights[2])
        assert [w.grad for w in neuron.w] == pytest.approx(x)


@pytest.mark.task("6.1")
def test_a_neuron_refuses_any_other_number_of_inputs_and_goes_on_working(nn, rng):
    for nin in (1, 2, 4):
        neuron = nn.Neuron(nin, nonlin=False)
        weights, bias = draws(rng, nin), draw(rng)
        set_numbers(neuron, weights, bias)
        for count in (0, nin - 1, nin + 1, nin + 3):
            with pytest.raises(ValueError):  # noqa: PT011
                neuron([1.0] * count).data  # noqa: B018
        assert neuron([1.0] * nin).data == pytest.approx(sum(weights) + bias)


@pytest.mark.task("6.1")
def test_every_call_of_a_neuron_builds_a_new_expression(nn, rng):
    for _ in range(3):
        x, y = draws(rng, 2), draws(rng, 2)
        neuron = nn.Neuron(2, nonlin=False)
        first, second = neuron(x), neuron(y)
        assert first is not second
        before = first.data
        first.backward()
        second.backward()
        assert [w.grad for w in neuron.w] == pytest.approx([x[0] + y[0], x[1] + y[1]])
        assert neuron.b.grad == 2.0
        neuron.w[0].data = neuron.w[0].data + 1.0
        assert first.data == before
        assert neuron(x).data == pytest.approx(before + x[0])


@pytest.mark.task("6.1")
def test_two_neurons_share_nothing(nn, rng):
    for nin in (2, 4):
        neurons = [nn.Neuron(nin), nn.Neuron(nin)]
        values = [value for neuron in neurons for value in [*neuron.w, neuron.b]]
        assert len({id(value) for value in values}) == 2 * nin + 2
        x = draws(rng, nin)
        neurons[0](x).backward()
        assert [w.grad for w in neurons[1].w] == [0.0] * nin
        assert neurons[1].b.grad == 0.0


# ---- 6.2: Layer -------------------------------------------------------------------------------------------------


@pytest.mark.task("6.2", needs=("6.1",))
def test_a_layer_draws_neuron_by_neuron(nn, seed_random, rng):
    for nin, nout in [(3, 4), (1, 2), (5, 1)]:
        seed = rng.randrange(10**6)
        layer = seeded(seed_random, seed, nn.Layer, nin, nout)
        (expected,) = nets.drawn(seed, nin, [nout])
        assert len(layer.neurons) == nout
        for neuron, (*weights, bias) in zip(layer.neurons, expected, strict=True):
            assert [w.data for w in neuron.w] == pytest.approx(weights, abs=1e-12)
            assert neuron.b.data == bias


@pytest.mark.task("6.2", needs=("6.1",))
def test_a_layer_gives_the_outputs_in_the_order_of_its_neurons(nn, rng):
    for nin, nout in [(3, 4), (2, 1), (1, 5)]:
        for nonlin in (True, False):
            layer = nn.Layer(nin, nout, nonlin)
            rows = [draws(rng, nin + 1) for _ in range(nout)]
            for neuron, (*weights, bias) in zip(layer.neurons, rows, strict=True):
                set_numbers(neuron, weights, bias)
            x = draws(rng, nin)
            outputs = layer(x)
            assert len(outputs) == nout
            for i, (*weights, bias) in enumerate(rows):
                total = math.fsum([w * v for w, v in zip(weights, x, strict=True)] + [bias])
                assert outputs[i].data == pytest.approx(math.tanh(total) if nonlin else total, rel=1e-9, abs=1e-12)


@pytest.mark.task("6.2", needs=("6.1",))
def test_a_layer_is_bent_unless_it_is_told_otherwise(nn, rng):
    for nout in (1, 3):
        bent, straight = nn.Layer(1, nout), nn.Layer(1, nout, nonlin=False)
        for layer in (bent, straight):
            for neuron in layer.neurons:
                set_numbers(neuron, [2.5], 1.0)
        assert [out.data for out in bent([1.0])] == pytest.approx([math.tanh(3.5)] * nout)
        assert [out.data for out in straight([1.0])] == pytest.approx([3.5] * nout)


@pytest.mark.task("6.2", needs=("6.1",))
def test_an_output_of_a_layer_depends_on_its_own_neuron_only(nn, rng):
    for nout in (2, 4):
        layer = nn.Layer(3, nout)
        x = draws(rng, 3)
        chosen = nout - 2
        layer(x)[chosen].backward()
        for i, neuron in enumerate(layer.neurons):
            grads = [value.grad for value in [*neuron.w, neuron.b]]
            if i == chosen:
                assert 0.0 not in grads
            else:
                assert grads == [0.0] * 4


@pytest.mark.task("6.2", needs=("6.1",))
def test_a_layer_has_as_many_different_values_as_its_size_says(nn):
    for nin, nout in [(2, 2), (3, 7), (4, 1)]:
        values = values_of([nn.Layer(nin, nout)])
        assert len({id(value) for value in values}) == (nin + 1) * nout


@pytest.mark.task("6.2", needs=("6.1",))
def test_a_layer_refuses_a_wrong_number_of_inputs(nn, rng):
    for nin in (2, 3):
        layer = nn.Layer(nin, 2)
        for count in (nin - 1, nin + 1):
            with pytest.raises(ValueError):  # noqa: PT011
                layer(draws(rng, count))[0].data  # noqa: B018
        assert len(layer(draws(rng, nin))) == 2


# ---- 6.3: MLP ---------------------------------------------------------------------------------------------------


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_a_network_draws_layer_by_layer(nn, seed_random, rng):
    for nin, nouts in SHAPES:
        seed = rng.randrange(10**6)
        net = seeded(seed_random, seed, nn.MLP, nin, list(nouts))
        expected = nets.drawn(seed, nin, nouts)
        assert [len(layer.neurons) for layer in net.layers] == list(nouts)
        assert [value.data for value in values_of(net.layers)] == pytest.approx(nets.flat(expected), abs=1e-12)


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_a_network_gives_the_outputs_of_its_last_layer(nn, rng):
    for nin, nouts in SHAPES:
        net, plain = shuffled_net(nn, rng, nin, list(nouts))
        for _ in range(2):
            x = draws(rng, nin)
            found = outputs_of(net, x, nouts[-1])
            assert len(found) == nouts[-1]
            assert [out.data for out in found] == pytest.approx(nets.outputs(plain, x), rel=1e-9, abs=1e-12)


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_only_the_last_layer_is_linear(nn, rng):
    for depth in (1, 2, 3):
        net = nn.MLP(1, [1] * depth)
        expected = bias = 1.0 + abs(draw(rng))
        for layer in net.layers:
            set_numbers(layer.neurons[0], [2.0], bias)
        for level in range(depth):
            total = (2.0 * expected if level else 2.0 * 0.5) + bias
            expected = total if level == depth - 1 else math.tanh(total)
        assert net([0.5]).data == pytest.approx(expected, rel=1e-9)


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_a_layer_of_one_neuron_may_stand_anywhere(nn, rng):
    for nin, nouts in [(2, [1, 3]), (3, [4, 1, 2]), (1, [1, 1, 1])]:
        net, plain = shuffled_net(nn, rng, nin, list(nouts))
        x = draws(rng, nin)
        found = outputs_of(net, x, nouts[-1])
        assert [out.data for out in found] == pytest.approx(nets.outputs(plain, x), rel=1e-9, abs=1e-12)


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_backward_gives_every_number_of_a_network_its_gradient(nn, rng):
    for nin, nouts in SHAPES:
        net, plain = shuffled_net(nn, rng, nin, list(nouts))
        x, weights = [v / 4 for v in draws(rng, nin)], draws(rng, nouts[-1])
        found = outputs_of(net, x, nouts[-1])
        total = found[0] * weights[0]
        for out, weight in zip(found[1:], weights[1:], strict=True):
            total = total + out * weight
        total.backward()
        expected = nets.flat(nets.slopes(plain, x, weights))
        assert [value.grad for value in values_of(net.layers)] == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_no_two_places_of_a_network_share_a_value(nn):
    for nin, nouts in [(3, [3, 3, 3]), (2, [4, 4, 1]), (5, [2])]:
        values = values_of(nn.MLP(nin, list(nouts)).layers)
        count = sum((before + 1) * size for before, size in zip([nin, *nouts], nouts, strict=False))
        assert len({id(value) for value in values}) == count


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_a_network_leaves_the_lists_it_is_given_as_they_are(nn, rng):
    for nouts in ([3, 2], [4, 1]):
        sizes, x = list(nouts), draws(rng, 3)
        inputs = list(x)
        net = nn.MLP(3, sizes)
        assert len(outputs_of(net, inputs, nouts[-1])) == nouts[-1]
        assert sizes == nouts
        assert inputs == x


@pytest.mark.task("6.3", needs=("6.1", "6.2"))
def test_a_network_refuses_a_wrong_number_of_inputs(nn, rng):
    for nin, nouts in [(2, [4, 1]), (3, [1])]:
        net = nn.MLP(nin, list(nouts))
        for count in (nin - 1, nin + 1):
            with pytest.raises(ValueError):  # noqa: PT011
                net(draws(rng, count)).data  # noqa: B018
        assert net(draws(rng, nin)).data != 0.0


# ---- 6.4: parameters() ------------------------------------------------------------------------------------------


@pytest.mark.task("6.4", needs=("6.1",))
def test_a_neuron_lists_its_own_values_each_time_the_same(nn):
    for nin in (1, 2, 6):
        neuron = nn.Neuron(nin)
        for _ in range(2):
            found = neuron.parameters()
            assert places(found, [*neuron.w, neuron.b]) == list(range(nin + 1))
            assert len(neuron.w) == nin


@pytest.mark.task("6.4", needs=("6.1", "6.2"))
def test_a_layer_lists_its_values_neuron_by_neuron(nn):
    for nin, nout in [(3, 4), (1, 1), (2, 5)]:
        layer = nn.Layer(nin, nout)
        expected = values_of([layer])
        for _ in range(2):
            assert places(layer.parameters(), expected) == list(range(len(expected)))


@pytest.mark.task("6.4", needs=("6.1", "6.2", "6.3"))
def test_a_network_lists_its_values_layer_by_layer(nn):
    for nin, nouts in SHAPES:
        net = nn.MLP(nin, list(nouts))
        expected = values_of(net.layers)
        for _ in range(2):
            assert places(net.parameters(), expected) == list(range(len(expected)))


@pytest.mark.task("6.4", needs=("6.1", "6.2", "6.3"))
def test_the_number_of_parameters_follows_from_the_sizes(nn, rng):
    for _ in range(4):
        nin, nouts = rng.randint(1, 6), [rng.randint(1, 6) for _ in range(rng.randint(1, 4))]
        found = nn.MLP(nin, list(nouts)).parameters()
        count = sum((before + 1) * size for before, size in zip([nin, *nouts], nouts, strict=False))
        assert len(found) == count
        assert len({id(value) for value in found}) == count


@pytest.mark.task("6.4", needs=("6.1", "6.2", "6.3"))
def test_changing_a_parameter_changes_the_network(nn, rng):
    for _ in range(2):
        net = nn.MLP(2, [3, 1])
        x = draws(rng, 2)
        before = net(x).data
        last = net.parameters()[-1]
        last.data = last.data + 2.0
        assert net(x).data == pytest.approx(before + 2.0)
        first = net.parameters()[0]
        first.data = first.data + 0.5
        assert net(x).data != pytest.approx(before + 2.0, rel=1e-9)


# ---- 6.5: zero_grad() -------------------------------------------------------------------------------------------


@pytest.mark.task("6.5", needs=("6.1", "6.2", "6.3", "6.4"))
def test_zero_grad_works_on_a_neuron_a_layer_and_a_network(nn, rng):
    for make, values in [
        (lambda: nn.Neuron(4), lambda made: [*made.w, made.b]),
        (lambda: nn.Layer(2, 3), lambda made: values_of([made])),
        (lambda: nn.MLP(2, [3, 2, 1]), lambda made: values_of(made.layers)),
    ]:
        made = make()
        own = values(made)
        numbers = [value.data for value in own]
        for value in own:
            value.grad = draw(rng)
        made.zero_grad()
        assert [value.grad for value in own] == [0.0] * len(own)
        assert [value.data for value in own] == numbers
        assert [id(value) for value in values(made)] == [id(value) for value in own]


@pytest.mark.task("6.5", needs=("6.1", "6.2", "6.3", "6.4"))
def test_zero_grad_of_one_layer_leaves_the_others_alone(nn, rng):
    for chosen in (0, 1):
        net = nn.MLP(2, [3, 2])
        for value in values_of(net.layers):
            value.grad = 1.5
        net.layers[chosen].zero_grad()
        assert {value.grad for value in values_of([net.layers[chosen]])} == {0.0}
        assert {value.grad for value in values_of([net.layers[1 - chosen]])} == {1.5}


@pytest.mark.task("6.5", needs=("6.1", "6.2", "6.3", "6.4"))
def test_after_zero_grad_a_backward_pass_gives_the_plain_gradients(nn, rng):
    for _ in range(2):
        net, x = nn.MLP(2, [3, 1]), draws(rng, 2)
        net(x).backward()
        once = [value.grad for value in values_of(net.layers)]
        assert once[-1] == 1.0
        net.zero_grad()
        net(x).backward()
        assert [value.grad for value in values_of(net.layers)] == once
        net(x).backward()
        assert [value.grad for value in values_of(net.layers)] == pytest.approx([2 * grad for grad in once])


@pytest.mark.task("6.5", needs=("6.1", "6.4"))
def test_zero_grad_does_not_touch_what_is_no_parameter(nn, Value, rng):
    for _ in range(2):
        neuron, x = nn.Neuron(2, nonlin=False), Value(draw(rng))
        out = neuron([x, 1.5])
        out.backward()
        arrived = neuron.w[0].data
        neuron.zero_grad()
        assert x.grad == pytest.approx(arrived)
        assert out.grad == 1.0
        assert neuron.b.grad == 0.0
