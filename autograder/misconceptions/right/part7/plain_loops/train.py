"""A right training: plain loops, gradients set back by hand, fit() with a loop of its own, XOR stops early."""

import random

from nn import MLP
from value import Value

DATA = [([0, 0], 0), ([0, 1], 1), ([1, 0], 1), ([1, 1], 0)]


def squared_error(predictions, targets):
    n = len(predictions)
    if n != len(targets):
        raise ValueError("as many targets as predictions, please")
    loss = Value(0)
    for i in range(n):
        difference = predictions[i] - targets[i]
        loss = loss + difference * difference
    return loss


def train_step(model, xs, ys, rate):
    for p in model.parameters():
        p.grad = 0.0
    outputs = []
    for x in xs:
        outputs.append(model(x))
    loss = squared_error(outputs, ys)
    loss.backward()
    for p in model.parameters():
        p.data = p.data - rate * p.grad
    return loss.data


def fit(model, xs, ys, steps, rate):
    history = []
    step = 0
    while step < steps:
        loss = squared_error([model(x) for x in xs], ys)
        history.append(loss.data)
        for p in model.parameters():
            p.grad = 0
        loss.backward()
        for p in model.parameters():
            p.data += -rate * p.grad
        step += 1
    return history


def learn_xor(seed):
    random.seed(seed)
    net = MLP(2, [4, 1])
    for step in range(2000):
        loss = train_step(net, [x for x, _ in DATA], [y for _, y in DATA], 0.1)
        if loss < 0.001:
            print("good enough after", step, "steps")
            break
    return net
