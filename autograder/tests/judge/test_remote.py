"""Values, objects, errors and functions across the pipe, with real workers: what a test sees is what is there."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest

from autograder.judge.proxy import NotPlain, Proxy
from autograder.judge.remote import RemoteWorker, StudentError, WorkerStopped
from autograder.judge.zygote import Limits

ECHO = """
class Node:
    def __init__(self, data=0.0, children=()):
        self.data, self.children, self.grad = data, children, 0.0
        self.f = None
    def __add__(self, other):
        return Node(self.data + other.data, (self, other))
    def call(self, *args, **kwargs):
        return self.f(*args, **kwargs)
    def fail(self, kind="ValueError", text="said so"):
        raise getattr(__builtins__, kind, None)(text) if hasattr(__builtins__, kind) else __builtins__[kind](text)
"""
Start = Callable[..., RemoteWorker]


@pytest.fixture
def node(worker: Start) -> Proxy:
    """A node in a fresh worker."""
    return worker(ECHO).load("value").Node(1.5)


PLAIN = [
    *(0.0, -0.0, 1.5, 5e-324, 1.7976931348623157e308, 0.1, math.inf, -math.inf),
    *(0, -1, 2**53 + 1, 2**62, -(2**62), 2**200 + 1, -(10**40)),
    *(True, False, None, "", "a\nb\x00\u202e\ud800\U0001f600", "x" * 40_000),
    *([], [1, 2.5, "three"], (), (1, (2, (3,))), {1, 2}, frozenset({"a"}), {}, {"k": [1, {"n": (None,)}], 3: -0.0}),
]


def same(left: Any, right: Any) -> bool:
    """Equal, of the same types all the way down, and -0.0 is not 0.0."""
    return type(left) is type(right) and repr(left) == repr(right)


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: repr(value)[:30])
def test_a_plain_value_comes_back_exactly(node: Proxy, value: Any) -> None:
    node.data = value
    assert same(node.data, value)


def test_nan_comes_back_as_nan(node: Proxy) -> None:
    node.data = math.nan
    assert math.isnan(node.data)


def test_numbers_of_subclasses_arrive_as_the_plain_numbers_they_hold(worker: Start) -> None:
    source = """
class F(float):
    __eq__ = lambda self, other: True
    __hash__ = float.__hash__
    __float__ = lambda self: 6.0
    __class__ = property(lambda self: int)
class I(int):
    __int__ = __index__ = lambda self: 6
class S(str):
    __str__ = __repr__ = lambda self: "six"
class L(list):
    __iter__ = lambda self: iter([6])
    __len__ = lambda self: 6
FOUND = [F(0.25), I(7), S("seven"), L([1, F(0.5)])]
"""
    found = worker(source).load("value").FOUND
    assert same(found, [0.25, 7, "seven", [1, 0.5]])


def test_an_object_is_itself_wherever_it_turns_up(node: Proxy) -> None:
    other = node + node
    assert other.children == (node, node)
    assert other.children[0] is node
    assert node in other.children
    assert other not in other.children
    other.children = [node, other, node]
    assert [child is node for child in other.children] == [True, False, True]


def test_an_object_that_nobody_holds_any_more_can_be_met_again(node: Proxy) -> None:
    inner = node + node
    inner.data = 42.0
    outer = inner + node
    del inner
    assert outer.children[0].data == 42.0
    assert outer.children[0] is not outer
    assert outer.children[1] is node


def test_a_container_of_objects_keeps_its_type(node: Proxy) -> None:
    other = node + node
    for container in ([node, other], (node, other), {node, other}, frozenset({node})):
        node.data = container
        assert type(node.data) is type(container)
        assert node in node.data


@pytest.mark.parametrize(
    "act",
    [
        *(bool, float, lambda p: p == 1.5, lambda p: p != 1.5, lambda p: operator.eq(1.5, p), lambda p: p in [1.5]),
        *(lambda p: p == pytest.approx(1.5), lambda p: p and 1, lambda p: math.isclose(p, 1.5)),
    ],
)
def test_an_object_never_stands_for_a_number_or_a_truth(node: Proxy, act: Callable[[Any], Any]) -> None:
    with pytest.raises(NotPlain, match=r"Node|object"):
        act(node)


@pytest.mark.parametrize("act", [int, round, math.floor, lambda p: p < 1.5, lambda p: [1, 2][p], lambda p: f"{p:.2f}"])
def test_an_object_is_no_number_for_python_either(node: Proxy, act: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        act(node)


def test_two_objects_are_equal_only_when_they_are_the_same(worker: Start) -> None:
    source = "class Yes:\n    __eq__ = lambda self, other: True\n    __hash__ = lambda self: 1\nA, B = Yes(), Yes()\n"
    module = worker(source).load("value")
    assert module.A == module.A
    assert module.A != module.B
    assert len({module.A, module.B}) == 2


def test_a_proxy_s_text_is_the_judge_s_own_even_after_the_worker_has_gone(worker: Start) -> None:
    started = worker("class Named:\n    def __repr__(self): raise SystemExit\nA = Named()\n")
    proxy = started.load("value").A
    assert repr(proxy) == "<Named object>"
    started.end()
    assert repr(proxy) == "<Named object>"
    with pytest.raises(WorkerStopped):
        proxy.data  # noqa: B018


def test_a_list_that_is_handed_in_is_afterwards_what_the_code_made_of_it(worker: Start) -> None:
    source = """
def change(items, more):
    items.append(items[0])
    items[0] = 6.5
    more.clear()
def leave(items):
    items + [1]
"""
    module = worker(source).load("value")
    items, more, left = [1, 2], [3.0], [4]
    module.change(items, more)
    module.leave(left)
    assert items == [6.5, 2, 1]
    assert more == []
    assert left == [4]


# ---- errors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ValueError, ZeroDivisionError, RecursionError, NotImplementedError, KeyError])
def test_a_built_in_exception_arrives_as_itself(node: Proxy, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="said so") as caught:
        node.fail(kind.__name__)
    assert type(caught.value) is kind
    assert caught.value.failure.place.file == "value.py"


@pytest.mark.parametrize("kind", ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "StopIteration", "BaseException"])
def test_a_way_out_is_only_an_error_of_the_student_s(node: Proxy, kind: str) -> None:
    with pytest.raises(StudentError) as caught:
        node.fail(kind)
    assert caught.value.failure.type == kind


@pytest.mark.parametrize(
    "name", ["Skipped", "Exit", "OutcomeException", "UnsatisfiedAssumption", "StopTest", "XFailed"]
)
def test_a_look_alike_of_the_test_library_s_exceptions_is_only_an_error(worker: Start, name: str) -> None:
    source = (
        f"class {name}(BaseException): pass\n{name}.__module__ = '_pytest.outcomes'\ndef act(): raise {name}('no')\n"
    )
    module = worker(source).load("value")
    with pytest.raises(StudentError) as caught:
        module.act()
    assert type(caught.value) is StudentError


def test_a_subclass_of_a_built_in_exception_is_that_exception(worker: Start) -> None:
    module = worker("class Mine(LookupError): pass\ndef act(): raise Mine('here')\n").load("value")
    with pytest.raises(LookupError) as caught:
        module.act()
    assert type(caught.value) is LookupError
    assert caught.value.failure.type == "Mine"
    assert caught.value.failure.place.line == 2


def test_an_exception_whose_text_raises_still_arrives(worker: Start) -> None:
    module = worker("class E(ValueError):\n    def __str__(self): raise KeyError\ndef act(): raise E\n").load("value")
    with pytest.raises(ValueError, match="could not be read"):
        module.act()


# ---- operations that are put off --------------------------------------------------------------------------------


def test_an_error_of_an_operation_that_was_put_off_comes_with_the_next_read(node: Proxy) -> None:
    node.data = "text"
    broken = node + 3  # 'int' object has no attribute 'data'
    with pytest.raises(AttributeError, match="data"):
        broken.data  # noqa: B018
    assert node.data == "text"


def test_what_follows_a_failed_operation_is_passed_over_until_somebody_hears_of_it(node: Proxy) -> None:
    _ = node + 3
    node.grad = 6.0
    with pytest.raises(AttributeError):
        node.grad  # noqa: B018
    assert node.grad == 0.0


def test_an_error_that_nobody_reads_comes_at_the_end(worker: Start) -> None:
    started = worker(ECHO)
    node = started.load("value").Node(1.5)
    _ = node + 3
    with pytest.raises(AttributeError):
        started.finish()


def test_objects_that_are_let_go_at_once_do_not_mix_up_the_others(node: Proxy) -> None:
    kept = []
    for number in range(700):
        node.data = float(number)
        sum_ = node + node
        if number % 7 == 0:
            kept.append((number, sum_))
    for number, sum_ in kept:
        assert sum_.data == 2.0 * number
        assert sum_.children[0] is node


def test_the_worker_forgets_what_the_judge_has_let_go(worker: Start) -> None:
    source = ECHO + "import gc\ndef alive():\n    return sum(type(o).__name__ == 'Node' for o in gc.get_objects())\n"
    module = worker(source).load("value")
    node = module.Node(1.0)
    for _ in range(1_000):
        _ = node + node
    del _
    assert module.alive() == 1


# ---- functions of the test --------------------------------------------------------------------------------------


def test_a_function_of_the_test_is_called_in_the_judge(node: Proxy) -> None:
    calls = []
    node.f = lambda *args, **kwargs: calls.append((args, kwargs)) or 2.5
    assert node.call(1, node, key=[3.0]) == 2.5
    assert calls == [((1, node), {"key": [3.0]})]
    assert calls[0][0][1] is node


def test_a_function_comes_back_as_itself(node: Proxy) -> None:
    def function() -> None: ...

    node.f = function
    assert node.f is function


def test_a_function_may_ask_the_student_s_objects_while_it_runs(node: Proxy) -> None:
    def closure() -> float:
        node.grad = node.grad + 3.0
        return (node + node).data

    node.f = closure
    assert node.call() == 3.0
    assert node.grad == 3.0


def test_functions_may_call_each_other_through_the_student_s_code(node: Proxy) -> None:
    depths = []

    def deeper(left: int) -> int:
        depths.append(left)
        return node.call(left - 1) + 1 if left else 0

    node.f = deeper
    assert node.call(5) == 5
    assert depths == [5, 4, 3, 2, 1, 0]


def test_functions_that_call_each_other_for_ever_end_the_test(node: Proxy) -> None:
    node.f = lambda: node.call()
    with pytest.raises(WorkerStopped) as caught:
        node.call()
    assert caught.value.outcome == "crashed"


def test_an_exception_of_the_test_s_function_comes_through_the_student_s_code(node: Proxy) -> None:
    class Ours(Exception):
        pass

    def function() -> None:
        raise Ours("from the test")

    node.f = function
    with pytest.raises(Ours, match="from the test"):
        node.call()
    assert node.data == 1.5


def test_student_code_may_catch_what_the_test_s_function_raised(worker: Start) -> None:
    source = "def act(f):\n    try:\n        f()\n    except Exception:\n        return 7\n"
    module = worker(source).load("value")
    assert module.act(lambda: 1 / 0) == 7


# ---- ends -------------------------------------------------------------------------------------------------------


def stopped(act: Callable[[], Any]) -> WorkerStopped:
    with pytest.raises(WorkerStopped) as caught:
        act()
    return caught.value


def test_an_endless_loop_is_stopped_and_its_line_is_told(worker: Start) -> None:
    source = "class V:\n    def backward(self):\n        while True:\n            pass\n"
    proxy = worker(source, Limits(1, 20.0)).load("value").V()
    proxy.backward()
    stop = stopped(lambda: proxy.data)
    assert stop.outcome == "timeout"
    assert stop.sentence.startswith("stopped after 1 s of computing: backward() never came back; the last line")
    assert stop.sentence.endswith(("value.py:3", "value.py:4"))


def test_a_sleep_is_stopped_by_the_clock(worker: Start) -> None:
    module = worker("import time\ndef act():\n    time.sleep(600)\n", Limits(5, 0.3)).load("value")
    stop = stopped(lambda: module.act())
    assert stop.outcome == "timeout"
    assert stop.sentence == (
        "stopped after 0.3 s of waiting: act() never came back; the last line that ran was value.py:3"
    )


def test_an_exit_is_told_with_its_status(worker: Start) -> None:
    module = worker("import os\ndef act():\n    os._exit(3)\n").load("value")
    stop = stopped(lambda: module.act())
    assert (stop.outcome, stop.sentence) == ("crashed", "your code ended the process it ran in (exit status 3)")


def test_a_crash_of_python_is_told_with_its_signal(worker: Start) -> None:
    module = worker("import ctypes\ndef act():\n    ctypes.string_at(0)\n").load("value")
    stop = stopped(lambda: module.act())
    assert (stop.outcome, stop.sentence) == ("crashed", "your code crashed Python itself (SIGSEGV)")


def test_too_much_memory_is_an_error_and_not_the_end(worker: Start) -> None:
    module = worker("def act(size):\n    return len(bytearray(size))\n", Limits(5, 10.0, 400 << 20)).load("value")
    with pytest.raises(MemoryError):
        module.act(500 << 20)
    assert module.act(50 << 20) == 50 << 20


def test_deep_recursion_is_an_error_and_not_the_end(worker: Start) -> None:
    module = worker("def act(n):\n    return 0 if n == 0 else 1 + act(n - 1)\n").load("value")
    with pytest.raises(RecursionError):
        module.act(100_000)
    assert module.act(500) == 500


@pytest.mark.parametrize(
    "way",
    ["import sys; sys.setrecursionlimit(10**6)", "import ctypes; ctypes.pythonapi.Py_SetRecursionLimit(10**6)"],
)
def test_the_recursion_limit_cannot_be_raised(worker: Start, way: str) -> None:
    module = worker(
        f"def act(n):\n    {way}\n    return deep(n)\ndef deep(n):\n    return n and 1 + deep(n - 1)\n"
    ).load("value")
    with pytest.raises(RecursionError):
        module.act(5_000)


def test_what_is_printed_goes_nowhere_however_much_it_is(worker: Start) -> None:
    source = "def act():\n    for _ in range(100):\n        print('a' * 10**6)\n    return 7\n"
    assert worker(source).load("value").act() == 7


def test_a_text_that_is_too_long_is_an_error_of_the_student_s(worker: Start) -> None:
    with pytest.raises(ValueError, match="a text of 60000 characters is too long"):
        worker("TEXT = 'x' * 60_000").load("value").TEXT  # noqa: B018


def test_random_numbers_and_the_order_of_sets_are_the_same_in_every_worker(worker: Start) -> None:
    source = "import random\nTEXT = str([random.random(), list({'a', 'b', 'c', 'd', 'e', 'value', 'grad'})])\n"
    first, second = worker(source).load("value").TEXT, worker(source).load("value").TEXT
    assert first == second
    assert "0.32383276483316237, ['" in first
