"""The stub: what a student starts from."""


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        # TODO 4.1: hand out.grad on.
        def _backward():
            raise NotImplementedError("TODO 4.1: the closure of +")

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")

        # TODO 4.2: hand out.grad on.
        def _backward():
            raise NotImplementedError("TODO 4.2: the closure of *")

        out._backward = _backward
        return out

    def backward(self):
        # TODO 4.3: the backward pass.
        raise NotImplementedError("TODO 4.3: the backward pass")
