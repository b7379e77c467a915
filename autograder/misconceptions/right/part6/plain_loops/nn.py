"""A right network: everything in plain loops with indices, and zero_grad() written three times."""

import random

from value import Value


class Neuron:
    def __init__(self, nin, nonlin=True):
        self.w = []
        for i in range(nin):
            self.w.append(Value(random.uniform(-1, 1), label="w" + str(i)))
        self.b = Value(0)
        if nonlin:
            self.kind = "tanh"
        else:
            self.kind = "linear"

    def __call__(self, x):
        if len(x) < len(self.w):
            raise ValueError("too few inputs")
        if len(x) > len(self.w):
            raise ValueError("too many inputs")
        s = 0
        for i in range(len(x)):
            s = s + x[i] * self.w[i]
        s = s + self.b
        if self.kind == "tanh":
            s = s.tanh()
        return s

    def parameters(self):
        params = []
        for w in self.w:
            params.append(w)
        params.append(self.b)
        return params

    def zero_grad(self):
        for w in self.w:
            w.grad = 0
        self.b.grad = 0


class Layer:
    def __init__(self, nin, nout, nonlin=True):
        self.neurons = []
        for _ in range(nout):
            self.neurons.append(Neuron(nin, nonlin))

    def __call__(self, x):
        result = []
        for neuron in self.neurons:
            result.append(neuron(x))
        return result

    def parameters(self):
        params = []
        for neuron in self.neurons:
            params += neuron.parameters()
        return params

    def zero_grad(self):
        for neuron in self.neurons:
            neuron.zero_grad()


class MLP:
    def __init__(self, nin, nouts):
        self.layers = []
        before = nin
        for number, size in enumerate(nouts):
            self.layers.append(Layer(before, size, number + 1 != len(nouts)))
            before = size

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        if len(x) == 1:
            return x[0]
        return x

    def parameters(self):
        params = []
        for layer in self.layers:
            for neuron in layer.neurons:
                for parameter in neuron.parameters():
                    params.append(parameter)
        return params

    def zero_grad(self):
        for layer in self.layers:
            layer.zero_grad()
