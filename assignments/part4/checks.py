"""Two instruments that watch an engine: one tests the gradients that it claims, one notes the order in which it works.

Neither knows how an engine is built. gradient_check sees numbers only; record_schedule uses what every node has.
"""


def gradient_check(f, xs, grads, h=1e-6, tol=1e-4):
    """Do these gradients agree with what f does when it is bumped?

    f      a function of one list of numbers that returns a number
    xs     where to test it: a list of numbers; it is the same afterwards
    grads  the claimed slopes of f at xs, one for each number in xs
    h      how far to bump: each number up by h and down by h, all others as they are (the central difference)
    tol    how far a claim may be away from the central difference: by tol where that is smaller than 1 in size, by
           tol times its size where it is larger

    Returns True when all claims agree and False when any of them does not. A claim that is nan or infinite does not
    agree with anything, and neither do too many claims or too few.
    """
    # TODO 4.6: compare each claimed gradient with a central difference of f. One disagreement is enough.
    raise NotImplementedError("TODO 4.6: the gradient check")


def record_schedule(root):
    """Run root.backward() and note which nodes' steps ran, and when.

    Returns a list of nodes: one entry each time that a node's _backward was called, in the order of the calls. The
    steps really run, once, so the gradients are those that root.backward() gives. Afterwards every node's _backward
    is the function that it was before.
    """
    # TODO 4.7: for the length of one backward(), let every node below root (and root) carry a function that notes
    # its node and then does what the node's own _backward does.
    raise NotImplementedError("TODO 4.7: the schedule")
