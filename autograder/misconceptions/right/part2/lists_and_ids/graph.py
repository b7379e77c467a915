"""A right walk: nodes are known again by their id, and a list of pairs says what is still to look at."""


def trace(root):
    by_id = {id(root): root}
    pairs = [(child, root) for child in root._prev]
    edges = set()
    while len(pairs) > 0:
        child, parent = pairs.pop()
        edges.add((child, parent))
        if id(child) not in by_id:
            by_id[id(child)] = child
            pairs.extend((grandchild, child) for grandchild in child._prev)
    return set(by_id.values()), edges
