"""A backward pass on a student's own engine, recorded: which node's step ran when, and every gradient after each.

It calls root.backward() and nothing else of the engine, and afterwards puts back every grad and every _backward. What
looks wrong (a node that fires before a node that uses it, one that fires twice) is noted, never corrected.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

from .graph import MISSING, Graph, Undrawable, read_nodes
from .svg import number, plain

MOST_NODES = 50
MOST_CALLS = 200


@dataclass(frozen=True)
class Fired:
    """One call of a node's _backward: the node's place, all gradients before and after it, and what looks wrong."""

    node: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def changed(self) -> list[int]:
        return [at for at, (old, new) in enumerate(zip(self.before, self.after, strict=True)) if old != new]


@dataclass
class Recording:
    """The whole pass. problem: what stopped it or what is missing at its end, in a sentence; empty when all is well."""

    graph: Graph
    calls: list[Fired] = field(default_factory=list)
    final: tuple[str, ...] = ()
    problem: str = ""

    @property
    def order(self) -> list[int]:
        """The nodes in the order in which they fired, each where it fired first."""
        return list(dict.fromkeys(call.node for call in self.calls))


class _TooMany(Exception):
    pass


def record(root: object) -> Recording:
    """Run and record root.backward() with all gradients at 0 before it. Raises Undrawable when that cannot be done."""
    nodes: list[Any]
    graph, nodes = read_nodes(root)
    if len(nodes) > MOST_NODES:
        raise Undrawable(f"There are {len(nodes)} nodes here, and a pass is shown for up to {MOST_NODES}.")
    for name, lacks in (("grad", "no grad"), ("_backward", "no _backward")):
        if any(getattr(node, name, MISSING) is MISSING for node in nodes):
            raise Undrawable(f"A node of this graph has {lacks}, so there is no backward pass to show yet.")
    if not callable(getattr(root, "backward", None)):
        raise Undrawable("This node has no backward(), so there is no backward pass to show yet.")
    recording = Recording(graph)
    kept = [(node, node.grad, node._backward, _on_itself(node)) for node in nodes]
    try:
        for at, (node, _, step, _) in enumerate(kept):
            node.grad = 0.0
            node._backward = _watched(recording, nodes, at, step)
        _run(recording, root)
        recording.final = _grads(nodes)
    except AttributeError as problem:
        raise Undrawable(f"This engine's nodes cannot be watched ({plain(problem, 60)}).") from None
    finally:
        for node, grad, step, own in kept:
            node.grad = grad
            if own:
                node._backward = step
            elif _on_itself(node):
                del node._backward
    if not recording.problem:
        recording.problem = _unfinished(recording)
    return recording


def _run(recording: Recording, root: Any) -> None:
    try:
        root.backward()
    except _TooMany:
        recording.problem = f"Stopped after {MOST_CALLS} calls: steps run again and again."
    except RecursionError:
        recording.problem = "backward() stopped: a function called itself too often."
    except Exception as problem:
        said = f": {plain(problem, 70)}" if str(problem) else ""
        recording.problem = f"backward() stopped: {type(problem).__name__}{said}."


def _watched(recording: Recording, nodes: list[Any], at: int, step: Callable[[], object]) -> Callable[[], None]:
    def fire() -> None:
        if len(recording.calls) >= MOST_CALLS:
            raise _TooMany
        before, faults = _grads(nodes), _faults(recording, at)
        try:
            step()
        finally:
            recording.calls.append(Fired(at, before, _grads(nodes), faults))

    return fire


def _grads(nodes: list[Any]) -> tuple[str, ...]:
    return tuple(number(node.grad) for node in nodes)


def _faults(recording: Recording, at: int) -> tuple[str, ...]:
    """What is wrong with this node's step running now. A leaf's step does nothing, so it may run at any time."""
    graph, names = recording.graph, recording.graph.names
    if not graph.nodes[at].children:
        return ()
    fired = {call.node for call in recording.calls}
    early = [names[user] for user, node in enumerate(graph.nodes) if at in node.children and user not in fired]
    said = []
    if early:
        using = " and ".join(early)
        verb = "uses" if len(early) == 1 else "use"
        said.append(
            f"{names[at]} fires too early: {using}, which {verb} it, had no turn yet, so its gradient is not complete."
        )
    if at in fired:
        said.append(f"{names[at]} fires a second time, and hands its gradient on twice.")
    return tuple(said)


def _unfinished(recording: Recording) -> str:
    graph, names = recording.graph, recording.graph.names
    fired = {call.node for call in recording.calls}
    silent = [names[at] for at, node in enumerate(graph.nodes) if node.children and at not in fired]
    if silent:
        return f"Never fired: {', '.join(silent)}. Nothing was handed on from there."
    if recording.calls and recording.calls[0].before[-1] != "1":
        return f"The gradient of {names[-1]} is {recording.calls[0].before[-1]} and not 1 when the first step runs."
    return ""


def _on_itself(node: object) -> bool:
    """Whether the node itself holds its _backward, and not only its class."""
    return "_backward" in getattr(node, "__dict__", {"_backward": None})
