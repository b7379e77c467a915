"""Softmax and its loss, out of the operations of Value, and the rounding that separates two kinds of float.

It computes with nodes only, so that every gradient comes from value.py.
"""


def softmax(logits):
    """Probabilities out of any numbers: e to the power of each, divided by the sum of them all.

    logits   a list of at least one Value; it stays as it is
    Returns a list of as many Values, in the same order, each between 0 and 1, together 1. Logits of 1000 or -1000
    are no trouble, and gradients flow back to every logit.
    """
    # TODO 8.2: what may be taken away from every logit without changing the result? How large is the largest then?
    raise NotImplementedError("TODO 8.2: softmax")


def negative_log_likelihood(probabilities, target):
    """How surprised the probabilities are by the class that came: minus the logarithm of what it was given.

    probabilities   a list of Values, as softmax() returns it
    target          the place of the right class in that list, counted from 0
    Returns a Value: near 0 where the right class had a probability near 1, and large where it was near 0.
    """
    # TODO 8.3: a name, two steps. Which of the probabilities takes part?
    raise NotImplementedError("TODO 8.3: the negative log likelihood")


def as_float32(x):
    """The float nearest to x among those that fit into 32 bits, as an ordinary Python float.

    x   a float (or an int) up to 1e38 in size
    Halfway between two of them, it is the one whose last bit is 0 (the standard library does that by itself).
    """
    # TODO 8.4: the standard library can store a number in four bytes and read it back (look at the module struct).
    raise NotImplementedError("TODO 8.4: rounding to 32 bits")
