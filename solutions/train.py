"""Training: how wrong a model is, one step downhill, and the loop around it."""

import random

from nn import MLP
from value import Value

XOR_INPUTS = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
XOR_TARGETS = [0.0, 1.0, 1.0, 0.0]


def squared_error(predictions, targets):
    """How wrong the predictions (a list of Values) are: the sum of (prediction - target)**2, as one Value.

    The targets are numbers, as many as there are predictions; otherwise it raises ValueError.
    """
    #: task 7.1
    if len(predictions) != len(targets):
        raise ValueError(f"{len(predictions)} predictions cannot be compared with {len(targets)} targets")
    return sum(((p - t) ** 2 for p, t in zip(predictions, targets)), Value(0.0))
    #: stub
    #:| # TODO 7.1: out of Values, so that backward() can find its way from the loss to the predictions.
    #:| raise NotImplementedError("TODO 7.1: the squared error")
    #: end


def train_step(model, xs, ys, rate):
    """Move every parameter of the model once, downhill, by rate times its gradient; return the loss before the move.

    The model maps each entry of xs (a list of inputs) to one Value; ys are the targets. The loss is squared_error.
    It is returned as a plain number. Gradients that are left from before the call must not matter.
    """
    #: task 7.2
    loss = squared_error([model(x) for x in xs], ys)
    model.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        parameter.data -= rate * parameter.grad
    return loss.data
    #: stub
    #:| # TODO 7.2: the predictions, their loss, the gradients, the move. What belongs before backward()?
    #:| raise NotImplementedError("TODO 7.2: one step of gradient descent")
    #: end


def fit(model, xs, ys, steps, rate):
    """Train the model for so many steps; return the list of the losses, each as it was before its step."""
    #: task 7.3
    return [train_step(model, xs, ys, rate) for _ in range(steps)]
    #: stub
    #:| # TODO 7.3: the same model all the way, and a new loss in every step.
    #:| raise NotImplementedError("TODO 7.3: the training loop")
    #: end


def learn_xor(seed):
    """Return an MLP with 2 inputs and 1 output that has learnt XOR: each prediction within 0.1 of its target.

    It has the size MLP(2, [4, 1]) or larger, takes at most 2,000 steps through the four examples, and succeeds from
    any seed. The seed alone decides the result, so it starts with random.seed(seed).
    """
    #: task 7.4
    random.seed(seed)
    model = MLP(2, [4, 1])
    fit(model, XOR_INPUTS, XOR_TARGETS, steps=400, rate=0.1)
    return model
    #: stub
    #:| # TODO 7.4: seed, build, train. Which rate and how many steps work from every seed?
    #:| raise NotImplementedError("TODO 7.4: a network that learns XOR")
    #: end
