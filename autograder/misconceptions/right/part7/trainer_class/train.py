"""A right training: a class does the work, with type hints, generators, tuples and snapshots of the best network."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import nn
from value import Value


@dataclass
class Trainer:
    model: nn.MLP
    xs: Sequence[Sequence[float]]
    ys: Sequence[float]
    rate: float

    def loss(self) -> Value:
        return squared_error([self.model(list(x)) for x in self.xs], self.ys)

    def steps(self) -> Iterator[float]:
        """One step for each number that is asked for: the loss before it."""
        while True:
            loss = self.loss()
            self.model.zero_grad()
            loss.backward()
            self.move()
            yield loss.data

    def move(self) -> None:
        for layer in self.model.layers:
            for neuron in layer.neurons:
                for knob in (neuron.b, *neuron.w):
                    knob.data = knob.data - self.rate * knob.grad


def squared_error(predictions: Sequence[Value], targets: Sequence[float]) -> Value:
    if len(predictions) - len(targets):
        raise ValueError(f"lengths {len(predictions)} and {len(targets)}")
    pairs = zip(predictions, targets, strict=False)
    return sum((prediction + -target) ** 2 for prediction, target in pairs) + Value(0.0)


def train_step(model: nn.MLP, xs: Sequence[Sequence[float]], ys: Sequence[float], rate: float) -> float:
    return next(Trainer(model, xs, ys, rate).steps())


def fit(model: nn.MLP, xs: Sequence[Sequence[float]], ys: Sequence[float], steps: int, rate: float) -> list[float]:
    training = Trainer(model, xs, ys, rate).steps()
    return [next(training) for _ in range(steps)]


def learn_xor(seed: int) -> nn.MLP:
    random.seed(seed)
    model = nn.MLP(2, [4, 1])
    training = Trainer(model, ((0, 0), (1, 0), (0, 1), (1, 1)), (0, 1, 1, 0), 0.1)
    for _, loss in zip(range(1000), training.steps(), strict=False):
        if loss < 1e-4:
            break
    return model
