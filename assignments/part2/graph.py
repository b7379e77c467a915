"""Walks the graph below a Value, to draw it or to count it. It reads the nodes and changes none of them."""


def trace(root):
    """Return (nodes, edges): what `root` was computed from, as two sets.

    nodes   root, its children, their children and so on down to the leaves; each once
    edges   a pair (child, parent) for each child of each of these nodes; each pair once

    It has to survive a chain of 10,000 nodes, so it keeps a list of what is still to do instead of calling itself,
    and it leaves Python's recursion limit alone.
    """
    # TODO 2.5: collect the nodes and the edges. How do you notice that you have met a node before?
    raise NotImplementedError("TODO 2.5: nodes and edges")
