"""The mutator on a tiny source: every kind of change that it says it makes, and none outside a task."""

import ast
from pathlib import Path

import pytest

from autograder.course import find_root, load_course
from autograder.course.regions import parse, render
from autograder.misconceptions.mutants import mutants

COURSE = load_course(find_root(Path(__file__)))


def made(body, *, arguments="self, other"):
    """What becomes of a function's body of one or more lines, by kind: all (was, now)."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    text = f"def f({arguments}):\n    #: task 4.1\n{lines}\n    #: stub\n    #:| pass\n    #: end\n"
    return text, mutants(text, parse(text, "tiny.py", COURSE), "tiny.py")


def pairs(body, kind, **how):
    return {(each.was, each.now) for each in made(body, **how)[1] if each.kind == kind}


def nows(body, kind, **how):
    return {now for _, now in pairs(body, kind, **how)}


def test_each_operator_becomes_others():
    assert nows("return p - 3", "operator", arguments="p") == {
        "return (p + 3)", "return (p * 3)", "return (p / 3)",
    }  # fmt: skip
    assert nows("return p ** 3", "operator", arguments="p") == {
        "return (p + 3)", "return (p - 3)", "return (p * 3)", "return (p / 3)",
    }  # fmt: skip


def test_operands_are_swapped_where_their_order_matters_and_left_out():
    assert nows("return p / q", "swap", arguments="p, q") == {"return (q / p)"}
    assert nows("return p * q", "swap", arguments="p, q") == set()
    assert nows("return p * q", "operand", arguments="p, q") == {"return p", "return q"}
    assert nows("return g(p, 7)", "swap", arguments="p") == {"return g(7, p)"}
    assert "return abs(q - p)" not in nows("return abs(p - q)", "swap", arguments="p, q")


def test_signs_turn_and_go():
    assert nows("return -p", "sign", arguments="p") == {"return p"}
    assert nows("return p", "sign", arguments="p") == {"return (-p)"}
    assert "if p:" in nows("if not p:\n    return 3", "sign", arguments="p")


def test_constants_change_and_an_index_is_a_constant():
    assert nows("return p[2]", "constant", arguments="p") == {
        "return p[3]", "return p[1]", "return p[(-2)]", "return p[0]",
    }  # fmt: skip
    assert nows("return True", "constant", arguments="p") == {"return False"}
    assert nows("return 'm'", "constant", arguments="p") == {"return ''"}
    assert nows("return p[i]", "index", arguments="p") == {"return p[i - 1]"}


def test_comparisons_and_conditions_change():
    assert nows("return p < 3", "comparison", arguments="p") == {"return (p <= 3)", "return (p > 3)"}
    assert nows("if p:\n    return 3", "condition", arguments="p") == {"if (not p):", "if True:", "if False:"}


def test_an_augmented_assignment_replaces_subtracts_and_a_plain_one_adds():
    assert nows("self.grad += 3", "augmented") == {
        "self.grad = 3", "self.grad -= 3", "self.grad *= 3", "self.grad /= 3",
    }  # fmt: skip
    assert nows("self.grad = 3", "augmented") == {"self.grad += 3"}


def test_statements_are_dropped_and_doubled():
    body = "self.grad += 3\nreturn 5"
    assert pairs(body, "dropped") == {("self.grad += 3", "pass"), ("return 5", "pass")}
    assert nows(body, "doubled") == {"self.grad += 3; self.grad += 3"}
    assert nows("if p:\n    return 5", "dropped", arguments="p") == {"pass"}


def test_an_argument_becomes_the_one_beside_it_and_data_becomes_grad():
    assert nows("return self", "name") == {"return other"}
    assert nows("return other.data", "name") == {"return self.data", "return other.grad"}
    assert nows("return p", "name", arguments="p") == set()


def test_a_loop_leaves_its_ends_or_everything_out():
    assert nows("for x in p:\n    x.go()", "loop", arguments="p") == {
        "for x in []:", "for x in list(p)[1:]:", "for x in list(p)[:-1]:",
    }  # fmt: skip


def test_texts_of_exceptions_and_docstrings_are_left_alone():
    _, found = made('"""Says 3."""\nraise ValueError("no 3")')
    assert {(each.kind, each.now) for each in found} == {("dropped", "pass")}


def test_what_belongs_to_no_task_is_left_alone():
    text = "def f(p=3):\n    p += 4\n    #: task 4.1\n    return p + 5\n    #: stub\n    #:| pass\n    #: end\n"
    found = mutants(text, parse(text, "tiny.py", COURSE), "tiny.py")
    assert {each.line for each in found} == {4}
    assert {each.task for each in found} == {"4.1"}


def test_every_mutant_is_another_program_and_renders_as_python():
    text, found = made("q = p.pop()\nself.grad += (1.0 - p * q) * -other.data\nreturn [q for p in range(9) if p > 3]")
    dumps = [ast.dump(ast.parse(each.applied(text))) for each in found]
    assert len(found) > 30
    assert len({*dumps, ast.dump(ast.parse(text))}) == len(dumps) + 1
    for each in found:
        compile(render(parse(each.applied(text), "tiny.py", COURSE), 4, worked=True), "tiny.py", "exec")


def test_a_letter_of_several_bytes_before_the_change_shifts_nothing():
    assert pairs("return 'naïve ∑' and p + 7", "operand", arguments="p") >= {
        ("return 'naïve ∑' and p + 7", "return 'naïve ∑' and p"),
    }  # fmt: skip


@pytest.mark.parametrize(("name", "least"), [("value.py", 300), ("nn.py", 50), ("train.py", 50)])
def test_the_engine_has_hundreds_of_mutants(name, least):
    text = (COURSE.solutions / name).read_text()
    assert len(mutants(text, parse(text, name, COURSE), name)) >= least
