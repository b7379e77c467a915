"""Value: a number that remembers how it was computed, so that it can hand its gradient back."""


class Value:
    """One node of an expression: its number, its gradient, and the nodes it was computed from.

    data       the number
    grad       the derivative of the output with respect to this node; 0.0 until a backward pass says otherwise
    _prev      the nodes this one was computed from, empty for a leaf
    _op        the operation that made it, '' for a leaf
    label      a name for drawings
    _backward  hands this node's grad on to the nodes in _prev; does nothing on a leaf
    """

    def __init__(self, data, _children=(), _op="", label=""):
        # TODO 2.1: store data, grad, _prev, _op and label, as the class's docstring lists them.
        raise NotImplementedError("TODO 2.1: the node's attributes")
        # The sixth attribute is finished; part 4 needs it. Leave this line at the end.
        self._backward = lambda: None

    def __repr__(self):
        # TODO 2.2: a text that starts with "Value(data=" and shows the number.
        raise NotImplementedError("TODO 2.2: a readable text")

    def __add__(self, other):
        # TODO 2.3: out, a new Value that holds the sum of the two numbers, and remembers that it was computed from
        # self and other, by "+".
        raise NotImplementedError("TODO 2.3: the sum as a new node")
        return out

    def __mul__(self, other):
        # TODO 2.4: out, a new Value that holds the product of the two numbers. What does it have to remember?
        raise NotImplementedError("TODO 2.4: the product as a new node")
        return out
