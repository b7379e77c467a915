"""Neurons, layers and whole networks, built from Values."""

import random

from value import Value


class Module:
    """What a neuron, a layer and a network have in common. Each of them is a Module and has parameters()."""

    def zero_grad(self):
        """Set the grad of every parameter back to 0.0 and touch nothing else."""
        #: task 6.5
        for parameter in self.parameters():
            parameter.grad = 0.0
        #: stub
        #:| # TODO 6.5: self.parameters() works here, whichever of the three classes self belongs to.
        #:| raise NotImplementedError("TODO 6.5: gradients back to zero")
        #: end


class Neuron(Module):
    """One neuron: tanh(w[0]*x[0] + w[1]*x[1] + ... + b), or the same sum without the tanh.

    w  its weights: a list with one Value per input
    b  its bias: a Value
    """

    def __init__(self, nin, nonlin=True):
        """A neuron with nin inputs; nonlin=False leaves the tanh out.

        The weights are drawn with random.uniform(-1, 1), one after the other; the bias starts at 0.0.
        """
        #: task 6.1
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0.0)
        self.nonlin = nonlin
        #: stub
        #:| # TODO 6.1 (first half): make self.w and self.b, and remember whether there will be a tanh.
        #:| raise NotImplementedError("TODO 6.1: the neuron's weights and bias")
        #: end

    def __call__(self, x):
        """The output for the inputs x (a list of numbers or Values), as one new Value.

        Raises ValueError when x is longer or shorter than the list of weights.
        """
        #: task 6.1
        if len(x) != len(self.w):
            raise ValueError(f"this neuron has {len(self.w)} weights and was given {len(x)} inputs")
        total = self.b
        for weight, number in zip(self.w, x):
            total = total + weight * number
        return total.tanh() if self.nonlin else total
        #: stub
        #:| # TODO 6.1 (second half): refuse a wrong number of inputs, then compute the output out of Values.
        #:| raise NotImplementedError("TODO 6.1: the neuron's output")
        #: end

    def parameters(self):
        """The neuron's own Values in a list: its weights in order, then its bias."""
        #: task 6.4
        return [*self.w, self.b]
        #: stub
        #:| # TODO 6.4 (one of three): the Values themselves, not their numbers and not copies.
        #:| raise NotImplementedError("TODO 6.4: the parameters of a neuron")
        #: end


class Layer(Module):
    """Some neurons side by side, all with the same inputs.

    neurons  the list of them
    """

    def __init__(self, nin, nout, nonlin=True):
        """nout neurons with nin inputs each, made one after the other; nonlin goes to every one of them."""
        #: task 6.2
        self.neurons = [Neuron(nin, nonlin) for _ in range(nout)]
        #: stub
        #:| # TODO 6.2 (first half): make self.neurons. Each neuron draws weights of its own.
        #:| raise NotImplementedError("TODO 6.2: the layer's neurons")
        #: end

    def __call__(self, x):
        """The outputs of all neurons for the inputs x: always a list, even when there is one neuron only."""
        #: task 6.2
        return [neuron(x) for neuron in self.neurons]
        #: stub
        #:| # TODO 6.2 (second half): what does each neuron say to the same x?
        #:| raise NotImplementedError("TODO 6.2: the layer's outputs")
        #: end

    def parameters(self):
        """The parameters of all neurons in one list, neuron by neuron."""
        #: task 6.4
        return [parameter for neuron in self.neurons for parameter in neuron.parameters()]
        #: stub
        #:| # TODO 6.4 (two of three): one flat list.
        #:| raise NotImplementedError("TODO 6.4: the parameters of a layer")
        #: end


class MLP(Module):
    """A multi-layer perceptron: layers in a row, each with the outputs of the one before as its inputs.

    layers  the list of them
    """

    def __init__(self, nin, nouts):
        """nin inputs, then one layer for each number in the list nouts, with so many neurons, made in this order.

        Every layer has tanh neurons, except the last one, which is linear.
        """
        #: task 6.3
        sizes = [nin, *nouts]
        last = len(nouts) - 1
        self.layers = [Layer(sizes[i], sizes[i + 1], nonlin=i < last) for i in range(len(nouts))]
        #: stub
        #:| # TODO 6.3 (first half): make self.layers. How many inputs does each of them need?
        #:| raise NotImplementedError("TODO 6.3: the network's layers")
        #: end

    def __call__(self, x):
        """The outputs of the last layer: a list of Values, or, when there is one output only, that Value itself."""
        #: task 6.3
        for layer in self.layers:
            x = layer(x)
        return x[0] if len(x) == 1 else x
        #: stub
        #:| # TODO 6.3 (second half): send x through the layers.
        #:| raise NotImplementedError("TODO 6.3: the network's output")
        #: end

    def parameters(self):
        """The parameters of all layers in one list, layer by layer."""
        #: task 6.4
        return [parameter for layer in self.layers for parameter in layer.parameters()]
        #: stub
        #:| # TODO 6.4 (three of three): one flat list.
        #:| raise NotImplementedError("TODO 6.4: the parameters of a network")
        #: end
