"""A right network: folds, chains and pairs; the bend is a function that is kept; lists of parameters are tuples."""

from functools import reduce
from itertools import chain, pairwise
from operator import add, mul
from random import uniform

from value import Value


class Module:
    def parameters(self):
        return tuple(chain.from_iterable(part.parameters() for part in self.parts()))

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0


def fitting(weights, x):
    """Pairs of weights and inputs; refuses lists that do not fit, by strict zip."""
    return list(zip(weights, x, strict=True))


class Neuron(Module):
    def __init__(self, nin, nonlin=True):
        draws = iter(lambda: uniform(-1, 1), None)
        self.w = [Value(next(draws)) for _ in range(nin)]
        self.b = Value(0.0)
        self.bend = Value.tanh if nonlin else (lambda total: total)

    def __call__(self, x):
        return self.bend(reduce(add, (mul(w, v) for w, v in fitting(self.w, x)), self.b))

    def parameters(self):
        return (*self.w, self.b)


class Layer(Module):
    def __init__(self, nin, nout, nonlin=True):
        self.neurons = [Neuron(nin, nonlin=nonlin) for _ in range(nout)]

    def parts(self):
        return self.neurons

    def __call__(self, x):
        return [neuron(x) for neuron in self.neurons]


class MLP(Module):
    def __init__(self, nin, nouts):
        sizes = list(pairwise((nin, *nouts)))
        self.layers = [Layer(*pair, nonlin=True) for pair in sizes[:-1]]
        self.layers.append(Layer(*sizes[-1], nonlin=False))

    def parts(self):
        return self.layers

    def __call__(self, x):
        outs = reduce(lambda values, layer: layer(values), self.layers, x)
        (only, *rest) = outs
        return outs if rest else only
