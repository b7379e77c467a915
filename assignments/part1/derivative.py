"""Slopes by bumping: move an input a little, look how much the output moves, divide.

Plain functions of plain numbers. Every function here only calls f; none of them knows how f computes its result.
"""


def forward_difference(f, x, h=1e-3):
    """The slope of f at x, by one bump to the right: how much f grows from x to x + h, per unit of h."""
    # TODO 1.1: the change of f, divided by the step that caused it.
    raise NotImplementedError("TODO 1.1: forward difference")


def central_difference(f, x, h=1e-3):
    """The slope of f at x, by a bump to either side: how much f grows from x - h to x + h, per unit of the way."""
    # TODO 1.2: bump to both sides. How far apart are the two points?
    raise NotImplementedError("TODO 1.2: central difference")


def partial(f, xs, i, h=1e-6):
    """The slope of f with respect to xs[i] alone, by a central difference. f takes one list of numbers.

    f is called twice, with lists in which entry i is moved by h and all the others are as in xs. Afterwards xs holds
    exactly the numbers it held before.
    """
    # TODO 1.3: move one entry, hold the others still.
    raise NotImplementedError("TODO 1.3: partial derivative")


def gradient(f, xs, h=1e-6):
    """All partial derivatives of f at xs, as a list in the order of xs. f is called 2 * len(xs) times."""
    # TODO 1.3: one partial derivative per entry of xs.
    raise NotImplementedError("TODO 1.3: gradient")


def error_sweep(f, exact, x, hs):
    """How far both differences at x are from the exact slope, for each step size in the list hs.

    Returns a list with one tuple per step size, in the order of hs: (h, error of the forward difference, error of the
    central difference). An error is a distance, so it is never negative.
    """
    # TODO 1.4: one tuple of three numbers per h. What makes a difference a distance?
    raise NotImplementedError("TODO 1.4: error sweep")


def best_h(rows):
    """The step sizes with the smallest errors in rows of error_sweep, as a pair: (best h forward, best h central).

    The two are looked for independently of each other. Where several are equally good, any of them will do.
    """
    # TODO 1.4: look for each of the two where its own error is smallest.
    raise NotImplementedError("TODO 1.4: the best h")
