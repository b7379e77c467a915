"""Networks in plain floats: what a student's neuron, layer, MLP and training have to agree with.

No Value takes part and no graph is built: the slopes come from the textbook's formulas for a network of layers. A
network is a list of layers, a layer a list of neurons, a neuron the list of its weights with its bias at the end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

Neuron = list[float]
Layers = list[list[Neuron]]
Inputs = Sequence[Sequence[float]]


def drawn(seed: int, nin: int, nouts: Sequence[int]) -> Layers:
    """A fresh network as the contract draws it after random.seed(seed): neuron by neuron, biases 0.0."""
    rng = random.Random(seed)
    sizes = [nin, *nouts]
    return [
        [[*(rng.uniform(-1, 1) for _ in range(before)), 0.0] for _ in range(size)]
        for before, size in zip(sizes, nouts, strict=False)
    ]


def flat(layers: Layers) -> list[float]:
    """All its numbers in the order of parameters()."""
    return [number for layer in layers for neuron in layer for number in neuron]


def activations(layers: Layers, x: Sequence[float]) -> list[list[float]]:
    """The inputs, then the outputs of every layer: tanh, except for the last one."""
    found = [list(x)]
    for depth, layer in enumerate(layers, 1):
        sums = [math.fsum([w * v for w, v in zip(neuron, found[-1], strict=False)] + [neuron[-1]]) for neuron in layer]
        found.append(sums if depth == len(layers) else [math.tanh(s) for s in sums])
    return found


def outputs(layers: Layers, x: Sequence[float]) -> list[float]:
    """What the last layer says to x."""
    return activations(layers, x)[-1]


def slopes(layers: Layers, x: Sequence[float], weights: Sequence[float]) -> Layers:
    """The derivative of sum(weight * output) with respect to every number, in the network's own shape."""
    values = activations(layers, x)
    arriving = list(weights)  # at the sums of the layer in hand, from the last layer to the first
    found: Layers = []
    for depth in range(len(layers) - 1, -1, -1):
        found.insert(0, [[g * v for v in values[depth]] + [g] for g in arriving])
        if depth:
            arriving = [
                (1.0 - v * v) * math.fsum(neuron[i] * g for neuron, g in zip(layers[depth], arriving, strict=True))
                for i, v in enumerate(values[depth])
            ]
    return found


def loss_and_slopes(layers: Layers, xs: Inputs, ys: Sequence[float]) -> tuple[float, list[float]]:
    """The squared error of a network with one output, and its derivative with respect to every number, flat."""
    loss, total = 0.0, [0.0] * len(flat(layers))
    for x, y in zip(xs, ys, strict=True):
        (output,) = outputs(layers, x)
        loss += (output - y) ** 2
        for i, slope in enumerate(flat(slopes(layers, x, [2.0 * (output - y)]))):
            total[i] += slope
    return loss, total


def step(layers: Layers, xs: Inputs, ys: Sequence[float], rate: float) -> float:
    """Move every number once by -rate * slope, in place; the loss before that."""
    loss, moves = loss_and_slopes(layers, xs, ys)
    queue = iter(moves)
    for layer in layers:
        for neuron in layer:
            neuron[:] = [number - rate * next(queue) for number in neuron]
    return loss


def trained(layers: Layers, xs: Inputs, ys: Sequence[float], steps: int, rate: float) -> list[float]:
    """Train in place; the loss before each step."""
    return [step(layers, xs, ys, rate) for _ in range(steps)]
