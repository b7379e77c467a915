"""Part 7, the public tests: a step that can be done on paper, and the losses of a few trainings.

They cover a part of each task's points. Hidden tests check other data, other networks and other seeds.
"""

import pytest

XOR = ((0.0, 0.0, 0.0), (0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0))  # x1, x2, target

# The losses before the first six steps of MLP(2, [4, 1]) on XOR at rate 0.05, made after random.seed(seed).
XOR_LOSSES = (
    (
        1,
        (
            2.4547381740098313,
            1.4437894151919894,
            1.1962003719942198,
            1.1353426114909886,
            1.1036249879837343,
            1.0779910936157182,
        ),
    ),
    (
        7,
        (
            2.4060031688313335,
            1.6669639343333111,
            1.4160937898648747,
            1.2802271245842847,
            1.1864198565616313,
            1.1172842802683844,
        ),
    ),
)


def line(nn, slope, start):
    """The smallest network there is, MLP(1, [1]), set to slope * x + start; the network and its two parameters."""
    model = nn.MLP(1, [1])
    w, b = model.parameters()
    w.data, b.data = slope, start
    return model, w, b


def seeded(seed_random, seed, make, *sizes):
    """Set the seed, then make the network."""
    seed_random(seed)
    return make(*sizes)


# ---- 7.1: the squared error -------------------------------------------------------------------------------------


@pytest.mark.task("7.1")
def test_the_error_is_the_sum_of_the_squared_differences(train, Value):
    """squared_error([Value(p), ...], targets)"""
    for predictions, targets, error in [([1.0], [3.0], 4.0), ([2.0, -1.0, 0.5], [0.0, 2.0, 1.5], 14.0)]:
        found = train.squared_error([Value(p) for p in predictions], targets)
        assert found.data == error, f"predictions {predictions}, targets {targets}"


@pytest.mark.task("7.1")
def test_the_error_tells_each_prediction_where_to_go(train, Value):
    """loss = squared_error([Value(p), ...], targets); loss.backward()"""
    for predictions, targets, slopes in [
        ([1.0], [3.0], [-4.0]),
        ([2.0, -1.0, 0.5], [0.0, 2.0, 1.5], [4.0, -6.0, -2.0]),
    ]:
        nodes = [Value(p) for p in predictions]
        train.squared_error(nodes, targets).backward()
        assert [node.grad for node in nodes] == slopes, f"predictions {predictions}, targets {targets}"


@pytest.mark.task("7.1")
def test_the_error_refuses_lists_of_unequal_length(train, Value):
    """squared_error of three predictions and two targets, and the other way round"""
    for predictions, targets in [([1.0, 2.0, 3.0], [1.0, 2.0]), ([1.0, 2.0], [1.0, 2.0, 3.0])]:
        with pytest.raises(ValueError):  # noqa: PT011
            train.squared_error([Value(p) for p in predictions], targets).data  # noqa: B018
        assert train.squared_error([Value(2.0), Value(5.0)], [1.0, 3.0]).data == 5.0, "two and two are right"


# ---- 7.2: one step ----------------------------------------------------------------------------------------------


@pytest.mark.task("7.2", needs=("7.1",))
def test_one_step_moves_weight_and_bias_downhill(train, nn):
    """model(x) = w*x + b at w = 0.5, b = 0.0; train_step(model, [[2.0]], [3.0], rate)"""
    for rate, weight, bias in [(0.1, 1.3, 0.4), (0.025, 0.7, 0.1)]:
        model, w, b = line(nn, 0.5, 0.0)
        loss = train.train_step(model, [[2.0]], [3.0], rate)
        assert loss == 4.0, "the loss before the move"
        assert w.data == pytest.approx(weight), f"w after the move, rate = {rate}"
        assert b.data == pytest.approx(bias), f"b after the move, rate = {rate}"


@pytest.mark.task("7.2", needs=("7.1",))
def test_one_step_adds_up_what_all_examples_say(train, nn):
    """model(x) = w*x + b at w = 1.0, b = -1.0; train_step(model, [[1.0], [-2.0], [3.0]], [2.0, -1.0, 0.5], 0.1)"""
    for _ in range(2):
        model, w, b = line(nn, 1.0, -1.0)
        loss = train.train_step(model, [[1.0], [-2.0], [3.0]], [2.0, -1.0, 0.5], 0.1)
        assert loss == 10.25, "the loss before the move"
        assert w.data == pytest.approx(-0.3), "w after the move"
        assert b.data == pytest.approx(-0.5), "b after the move"


@pytest.mark.task("7.2", needs=("7.1",))
def test_old_gradients_do_not_matter_to_a_step(train, nn):
    """the first step again, with w.grad = g and b.grad = g left from before"""
    for g in (100.0, -3.0):
        model, w, b = line(nn, 0.5, 0.0)
        w.grad, b.grad = g, g
        train.train_step(model, [[2.0]], [3.0], 0.1)
        assert w.data == pytest.approx(1.3), f"w after the move, g = {g}"
        assert b.data == pytest.approx(0.4), f"b after the move, g = {g}"


@pytest.mark.task("7.2", needs=("7.1",))
def test_no_parameter_stays_where_it_was(train, nn):
    """model(x) = w*x + b at w = 0.5, b = start; train_step(model, [[2.0]], [3.0], 0.1): has w moved, has b?"""
    for start in (0.0, -1.5):
        model, w, b = line(nn, 0.5, start)
        train.train_step(model, [[2.0]], [3.0], 0.1)
        stuck = [p.grad for p, before in ((w, 0.5), (b, start)) if p.data == before]
        assert stuck == [], f"start = {start}: the gradients of those that stand where they stood, after the step"


# ---- 7.3: fit() -------------------------------------------------------------------------------------------------


@pytest.mark.task("7.3", needs=("7.1", "7.2"))
def test_fit_returns_the_loss_before_every_step(train, nn, seed_random):
    """random.seed(s); fit(MLP(2, [4, 1]), XOR_INPUTS, XOR_TARGETS, 6, 0.05)"""
    for seed, expected in XOR_LOSSES:
        model = seeded(seed_random, seed, nn.MLP, 2, [4, 1])
        losses = train.fit(model, [[x1, x2] for x1, x2, _ in XOR], [target for *_, target in XOR], 6, 0.05)
        assert len(losses) == 6, "one loss for each step"
        for i, loss in enumerate(expected):
            assert losses[i] == pytest.approx(loss, rel=1e-9), f"s = {seed}: the loss before step {i + 1}"


@pytest.mark.task("7.3", needs=("7.1", "7.2"))
def test_fit_trains_the_model_it_is_given(train, nn):
    """model(x) = w*x + b at w = 0.5, b = 0.0; fit(model, [[2.0]], [3.0], steps, 0.05); model([2.0])"""
    for steps, output in [(1, 2.0), (2, 2.5), (4, 2.875)]:  # at this rate every step halves the distance to 3
        model, _, _ = line(nn, 0.5, 0.0)
        train.fit(model, [[2.0]], [3.0], steps, 0.05)
        assert model([2.0]).data == pytest.approx(output), f"steps = {steps}"


# ---- 7.4: learning XOR ------------------------------------------------------------------------------------------


def check_xor(train, seed):
    """The network that has learnt from this seed answers all four inputs."""
    model = train.learn_xor(seed)
    for *x, target in XOR:
        assert model(x).data == pytest.approx(target, abs=0.1), f"learn_xor({seed}) at {x}"


@pytest.mark.task("7.4", needs=("7.1", "7.2", "7.3"))
def test_the_first_seed_learns_xor(train):
    """model = learn_xor(1); model(x)"""
    check_xor(train, 1)


@pytest.mark.task("7.4", needs=("7.1", "7.2", "7.3"))
def test_a_harder_seed_learns_xor(train):
    """model = learn_xor(16); model(x)"""
    check_xor(train, 16)
