"""A right walk: one level after the other, as sets."""


def trace(root):
    nodes, edges, level = set(), set(), {root}
    while level:
        nodes |= level
        arrows = {(child, parent) for parent in level for child in parent._prev}
        edges |= arrows
        level = {child for child, _ in arrows} - nodes
    return nodes, edges
