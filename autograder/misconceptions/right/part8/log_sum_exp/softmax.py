"""A right softmax: exp of what is left of a logit when the logarithm of the sum of all powers is taken away."""

import ctypes


def log_total(nodes):
    top = max(node.data for node in nodes)
    total = (nodes[0] - top).exp()
    for node in nodes[1:]:
        total = total + (node - top).exp()
    return total.log() + top


def softmax(logits):
    total = log_total(logits)
    return [(logit - total).exp() for logit in logits]


def negative_log_likelihood(probabilities, target):
    return (1.0 / probabilities[target]).log()


def as_float32(x):
    return ctypes.c_float(x).value
