"""A right softmax whose shift is the largest logit itself, with its gradient; rounding by arithmetic alone."""

from functools import reduce
from math import frexp, ldexp
from operator import add


def softmax(logits):
    largest = logits[0]
    for logit in logits[1:]:
        if logit.data > largest.data:
            largest = logit
    powers = list(map(lambda logit: (logit + -1 * largest).exp(), logits))  # noqa: C417
    one_over = reduce(add, powers) ** -1
    return [power * one_over for power in powers]


def negative_log_likelihood(probabilities, target):
    for place, probability in enumerate(probabilities):
        if place == target:
            surprise = probability.log() * -1.0
    return surprise


def as_float32(x):
    mantissa, exponent = frexp(x)
    return ldexp(float(round(mantissa * 16777216)), exponent - 24)
