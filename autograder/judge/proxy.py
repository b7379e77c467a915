"""Proxy: a student's object as a test sees it. The object itself stays in the worker.

Operations and attributes become requests. Identity, hash, truth and repr are answered here, without asking: a
verdict must never rest on what student code says about equality, and pytest must be able to print a proxy whose
worker has died.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

# What a call of these returns is a node, or nothing a test may look at; so the judge need not wait for the answer. An
# exception then comes back with the next value that is read.
MAKES_NODE = frozenset({"Value", "tanh", "exp", "log", "relu", "sigmoid", "tanh_from_exp"})
RETURNS_NOTHING = frozenset({"_backward", "backward"})
# Methods of the class by contract: no request is needed to find out what they are.
METHODS = (MAKES_NODE | RETURNS_NOTHING) - {"Value", "_backward"}


class Asker(Protocol):
    """What a proxy needs of its worker."""

    def ask(self, op: str, *args: Any, **kwargs: Any) -> Any:
        """Send one request and return its answer."""
        ...

    def make(self, op: str, *args: Any, **kwargs: Any) -> Proxy:
        """Queue an operation that makes an object; the proxy stands for it at once."""
        ...

    def do(self, op: str, *args: Any, **kwargs: Any) -> None:
        """Queue an operation whose result is of no interest."""
        ...

    def release(self, handle: int) -> None:
        """The last proxy of that handle has gone."""
        ...


class NotPlain(TypeError):
    """A test met an object where it needed a plain number, string or list: a fault of the submission."""


class Proxy:
    """One object of the worker. Two proxies are equal when they stand for the same object, and only then."""

    __slots__ = ("__weakref__", "_handle", "_name", "_type", "_worker")

    def __init__(self, worker: Asker, handle: int, type_name: str) -> None:
        object.__setattr__(self, "_worker", worker)
        object.__setattr__(self, "_handle", handle)
        object.__setattr__(self, "_type", type_name)
        object.__setattr__(self, "_name", type_name)

    def __del__(self) -> None:
        self._worker.release(self._handle)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            # Protocol probes of pytest and hypothesis; student-defined ones are reached through operators.
            raise AttributeError(name)
        if name in METHODS:
            return lambda *args, **kwargs: _call(self._worker, name, "method", self, name, *args, **kwargs)
        value = self._worker.ask("getattr", self, name)
        if type(value) is Proxy:
            object.__setattr__(value, "_name", name)
        return value

    def __below__(self) -> list[Any]:
        """See autograder.suites.backward: the whole walk in one request."""
        return self._worker.ask("below", self)

    def __fire__(self) -> None:
        """See autograder.suites.backward: the closure is found and called where it is, and nothing waited for."""
        self._worker.do("method", self, "_backward")

    def __setattr__(self, name: str, value: Any) -> None:
        self._worker.do("setattr", self, name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _call(self._worker, self._name, "call", self, *args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._worker.ask("getitem", self, key)

    def __iter__(self) -> Iterator[Any]:
        items = self._worker.ask("items", self)
        return iter(items)

    def __len__(self) -> int:
        return len(self._worker.ask("items", self))

    def __contains__(self, other: Any) -> bool:
        return any(item is other for item in self)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Proxy:
            raise NotPlain(f"{_what(self)} stands where a plain number is needed")
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return self._handle

    def __bool__(self) -> bool:
        raise NotPlain(f"{_what(self)} stands where a plain value is needed")

    def __float__(self) -> float:
        raise NotPlain(f"{_what(self)} stands where a plain number is needed")

    def __repr__(self) -> str:
        return f"<{self._type} object>"


def _what(proxy: Proxy) -> str:
    """What a proxy stands for; the type is not known of an object that the worker has not spoken of yet."""
    return "an object" if proxy._type == "object" else f"an object of type {proxy._type}"


def _call(worker: Asker, name: str, op: str, *args: Any, **kwargs: Any) -> Any:
    if name in MAKES_NODE:
        return worker.make(op, *args, **kwargs)
    if name in RETURNS_NOTHING:
        return worker.do(op, *args, **kwargs)
    return worker.ask(op, *args, **kwargs)


def _binary(op: str) -> Callable[[Proxy, Any], Any]:
    return lambda left, right: left._worker.make(op, left, right)


def _reflected(op: str) -> Callable[[Proxy, Any], Any]:
    return lambda right, left: right._worker.make(op, left, right)


def _unary(op: str) -> Callable[[Proxy], Any]:
    return lambda operand: operand._worker.make(op, operand)


for _op in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(Proxy, f"__{_op}__", _binary(_op))
    setattr(Proxy, f"__r{_op}__", _reflected(_op))
for _op in ("neg", "pos", "abs"):
    setattr(Proxy, f"__{_op}__", _unary(_op))
