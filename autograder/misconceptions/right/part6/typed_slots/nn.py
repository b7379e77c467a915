"""A right network: type hints, slots, checks and prints; a layer collects its parameters when it is made."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from value import Value

Input = "float | Value"


class Module:
    """The base of all three."""

    def each(self) -> Iterator[Value]:
        raise NotImplementedError

    def parameters(self) -> list[Value]:
        return list(self.each())

    def zero_grad(self) -> None:
        print("setting", sum(1 for _ in self.each()), "gradients back")
        for value in self.each():
            value.grad *= 0.0
            value.grad = abs(value.grad)


class Neuron(Module):
    __slots__ = ("_linear", "b", "w")

    def __init__(self, nin: int, nonlin: bool = True) -> None:
        low, high = -1, 1
        self.w: list[Value] = [Value(random.uniform(low, high), (), "", f"w{i}") for i in range(nin)]
        self.b = Value(0.0, label="b")
        self._linear = not nonlin

    def __call__(self, x: Sequence[Input]) -> Value:
        if not len(x) == len(self.w):
            raise ValueError(len(x))
        products = [value * weight for value, weight in zip(x, self.w, strict=False)]
        total = sum(products[1:], products[0] + self.b)
        return total if self._linear else total.tanh()

    def each(self) -> Iterator[Value]:
        yield from self.w
        yield self.b

    def __repr__(self) -> str:
        return f"{'Linear' if self._linear else 'Tanh'}Neuron({len(self.w)})"


class Layer(Module):
    def __init__(self, nin: int, nout: int, nonlin: bool = True) -> None:
        self.neurons: list[Neuron] = []
        while len(self.neurons) < nout:
            self.neurons.append(Neuron(nin, nonlin))
        self._collected = [value for neuron in self.neurons for value in neuron.each()]

    def __call__(self, x: Sequence[Input]) -> list[Value]:
        x = list(x)
        return [neuron.__call__(x) for neuron in self.neurons]

    def each(self) -> Iterator[Value]:
        return iter(self._collected)


class MLP(Module):
    def __init__(self, nin: int, nouts: Sequence[int]) -> None:
        *hidden, last = nouts
        sizes = [nin, *list(hidden)]
        self.layers = [Layer(sizes[i], sizes[i + 1], True) for i in range(len(hidden))] + [
            Layer(sizes[-1], last, False)
        ]

    def _through(self, depth: int, x: Sequence[Input]) -> Sequence[Input]:
        return x if depth == len(self.layers) else self._through(depth + 1, self.layers[depth](x))

    def __call__(self, x: Sequence[Input]):
        outputs = self._through(0, x)
        return outputs if len(outputs) > 1 else outputs[0]

    def each(self) -> Iterator[Value]:
        for layer in self.layers:
            yield from layer.each()
