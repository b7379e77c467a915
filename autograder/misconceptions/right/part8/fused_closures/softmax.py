"""A right softmax that is one closure per output, and rounding through an array of C floats."""

import math
from array import array

from value import Value


def softmax(logits):
    logits = tuple(logits)
    top = max(logit.data for logit in logits)
    powers = [math.exp(logit.data - top) for logit in logits]
    shares = [power / math.fsum(powers) for power in powers]

    def output(k):
        out = Value(shares[k], dict.fromkeys(logits), "softmax")

        def _backward():
            for i, logit in enumerate(logits):
                logit.grad += shares[k] * ((1.0 if i == k else 0.0) - shares[i]) * out.grad

        out._backward = _backward
        return out

    return tuple(output(k) for k in range(len(logits)))


def negative_log_likelihood(probabilities, target):
    p = probabilities[target]
    out = Value(-math.log(p.data), (p,), "nll")

    def _backward():
        p.grad -= out.grad / p.data

    out._backward = _backward
    return out


def as_float32(x):
    return array("f", [x])[0]
