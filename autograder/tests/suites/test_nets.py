"""The plain-float networks behind parts 6 and 7 agree with bumps, with the reference, and with the public tests.

Three calculations that share no code: autograder/suites/nets.py, bumps of its numbers, and the course's own Values.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from autograder.course import load_course
from autograder.course.code import given_files, worked_solution
from autograder.judge.students import InProcess
from autograder.judge.zygote import Limits
from autograder.suites import nets
from autograder.suites.graphs import bumped_gradients

ROOT = Path(__file__).parents[3]
SIZES = [(1, [1]), (2, [4, 1]), (3, [4, 4, 1])]
XOR = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
TARGETS = [0.0, 1.0, 1.0, 0.0]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcess]:
    """Part 7's worked solution with the files that it was given."""
    course = load_course(ROOT)
    part = course.part("part7")
    folder = tmp_path_factory.mktemp("part7")
    for name, content in {**given_files(course, part), **worked_solution(course, part)}.items():
        (folder / name).write_bytes(content)
    student = InProcess(folder)
    student.start_test(Limits(), {})
    yield student
    student.end_test()


@pytest.fixture
def nn(reference: InProcess) -> ModuleType:
    return reference.find("nn", None)


@pytest.fixture
def train(reference: InProcess) -> ModuleType:
    return reference.find("train", None)


def examples(rng: random.Random, nin: int) -> tuple[list[list[float]], list[float]]:
    return [[rng.uniform(-1, 1) for _ in range(nin)] for _ in range(4)], [rng.uniform(-1, 1) for _ in range(4)]


def with_numbers(layers: nets.Layers, numbers: list[float]) -> nets.Layers:
    """A network of the same shape with these numbers."""
    queue = iter(numbers)
    return [[[next(queue) for _ in neuron] for neuron in layer] for layer in layers]


@pytest.mark.parametrize(("nin", "nouts"), SIZES)
def test_the_formulas_give_what_small_bumps_give(nin, nouts):
    layers = nets.drawn(11, nin, nouts)
    xs, ys = examples(random.Random(12), nin)
    _, slopes = nets.loss_and_slopes(layers, xs, ys)

    def loss(numbers):
        return nets.loss_and_slopes(with_numbers(layers, list(numbers)), xs, ys)[0]

    assert slopes == pytest.approx(bumped_gradients(loss, nets.flat(layers)), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(("nin", "nouts"), SIZES)
def test_the_reference_trains_exactly_as_the_plain_network_does(nn, train, nin, nouts):
    for seed in range(5):
        random.seed(seed)
        model, plain = nn.MLP(nin, list(nouts)), nets.drawn(seed, nin, nouts)
        xs, ys = examples(random.Random(seed), nin)
        assert train.fit(model, xs, ys, 40, 0.03) == pytest.approx(nets.trained(plain, xs, ys, 40, 0.03), rel=1e-9)
        assert [p.data for p in model.parameters()] == pytest.approx(nets.flat(plain), rel=1e-9)


def test_the_public_tests_state_what_the_plain_networks_give():
    networks = importlib.import_module("autograder.suites.part6.test_public").NETWORKS
    losses = importlib.import_module("autograder.suites.part7.test_public").XOR_LOSSES
    assert len(networks) == 3
    for seed, nin, nouts, x, outputs in networks:
        assert list(outputs) == pytest.approx(nets.outputs(nets.drawn(seed, nin, nouts), x), rel=1e-12)
    assert len(losses) == 2
    for seed, stated in losses:
        assert list(stated) == pytest.approx(
            nets.trained(nets.drawn(seed, 2, [4, 1]), XOR, TARGETS, 6, 0.05), rel=1e-12
        )


def steps_until_learnt(seed: int, rate: float) -> int:
    """How many steps of MLP(2, [4, 1]) it takes until all four answers are within 0.1; 2,000 when it is not done."""
    layers = nets.drawn(seed, 2, [4, 1])
    for steps in range(2_000):
        if all(abs(nets.outputs(layers, x)[0] - y) < 0.1 for x, y in zip(XOR, TARGETS, strict=True)):
            return steps
        nets.step(layers, XOR, TARGETS, rate)
    return 2_000


@pytest.mark.slow
def test_xor_is_within_reach_of_every_seed_at_the_rates_that_the_notebook_names():
    assert max(steps_until_learnt(seed, 0.1) for seed in range(100)) <= 202
    assert max(steps_until_learnt(seed, 0.05) for seed in range(100)) <= 434


@pytest.mark.slow
def test_the_reference_learns_xor_from_a_hundred_seeds(train):
    for seed in range(100):
        model = train.learn_xor(seed)
        assert [model(x).data for x in XOR] == pytest.approx(TARGETS, abs=0.1), seed
