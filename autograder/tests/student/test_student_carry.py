"""python kit.py carry, carry --undo and engine mine: a student goes on with their own engine from part to part."""

import shutil
import sys
from pathlib import Path

import pytest
from conftest import Folder

from autograder.build.assignment import part_files
from autograder.course import find_root, load_course
from autograder.course.code import worked_solution

COURSE = load_course(find_root(Path(__file__).parent))

OWN_PLUS = """
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        def hand_on():
            _more(self, out.grad)
            _more(other, out.grad)

        out._backward = hand_on
        return out
"""
OWN_TANH = """
    def tanh(self):
        e = cmath.exp(2 * self.data).real
        out = Value((e - 1) / (e + 1), (self,), "tanh")

        def hand_on():
            self.grad += (1 - out.data ** 2) * out.grad

        out._backward = hand_on
        return out
"""
HELPER = """
def _more(node, amount):
    node.grad += amount
"""


def released(path: Path, part: str, *, worked: bool = False) -> Folder:
    """The folder of a part as it is handed out, or with its tasks done."""
    files = part_files(COURSE, COURSE.part(part))
    if worked:
        files |= worked_solution(COURSE, COURSE.part(part))
    for name, content in files.items():
        target = path / part / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return Folder(path / part)


def text(folder: Folder, name: str = "value.py") -> str:
    return (folder.path / name).read_text(encoding="utf-8")


def with_method(source: str, name: str, method: str) -> str:
    """The file with another text as one of its methods."""
    merge = sys.modules["kitlib.merge"]
    file = merge._File(source)
    first, after = file.span(file.definitions[f"Value.{name}"])
    return "\n".join([*file.lines[:first], *method.strip("\n").splitlines(), *file.lines[after:]]) + "\n"


@pytest.fixture(autouse=True)
def merge(kit):
    __import__("kitlib.merge")
    return sys.modules["kitlib.merge"].merge


@pytest.fixture
def own_part4(tmp_path):
    """Part 4, done in a student's own way: other closures, a helper, an import, an extra method."""
    folder = released(tmp_path, "part4", worked=True)
    source = with_method(with_method(text(folder), "__add__", OWN_PLUS), "tanh", OWN_TANH)
    source = source.replace("import math\n", f"import cmath\nimport math\n\n{HELPER}", 1)
    folder.write("value.py", source + "\n    def zero(self):\n        self.grad = 0.0\n")
    return folder


def test_own_passing_methods_go_along_with_what_they_stand_on_and_come_back_on_undo(own_part4, tmp_path):
    new = released(tmp_path, "part5")
    handed_out = text(new)
    run = new.kit("carry", "../part4")
    said = " ".join(run.stdout.split())
    assert "Now yours in value.py: _more, Value.__add__ (4.1), Value.tanh (4.3), Value.zero." in said
    assert run.returncode == 0
    carried = text(new)
    for piece in ("_more(other, out.grad)", "import cmath", HELPER.strip(), "e = cmath.exp", "def zero(self):"):
        assert carried.count(piece) == 1
    assert carried.count("TODO 5.1") == handed_out.count("TODO 5.1")
    assert "5.1  numbers beside + and *            not started" in new.run().stdout
    assert text(Folder(new.path / "before_carry")) == handed_out

    assert new.kit("carry", "--undo").returncode == 0
    assert text(new) == handed_out
    new.kit("carry", "--undo")
    assert text(new) == carried


def test_what_does_not_pass_stays_behind_and_its_reason_is_given(own_part4, tmp_path):
    source = text(own_part4).replace("(1 - out.data ** 2)", "(1 - out.data)")
    own_part4.write("value.py", source.replace("{self.data}", "{+self.data}"))
    new = released(tmp_path, "part5")
    said = " ".join(new.kit("carry", "../part4").stdout.split())
    assert "Not taken: Value.tanh in value.py, since 4.3 does not pass its public tests." in said
    assert "Not taken: Value.__repr__ in value.py, since it belongs to no task of that part, and 4.3 does not" in said
    assert "Now yours in value.py: _more, Value.__add__ (4.1), Value.zero." in said
    assert "e = cmath.exp" not in text(new)


def test_nothing_is_written_when_the_result_would_break_what_passed(own_part4, tmp_path):
    # Two names in one assignment are nothing that is carried; without them, __add__ cannot work.
    source = text(own_part4).replace("_more(self, out.grad)", "_more(self, ONE * out.grad)")
    own_part4.write("value.py", source.replace("import math\n", "import math\n\nONE, TWO = 1.0, 2.0\n"))
    new = released(tmp_path, "part5")
    before = text(new)
    run = new.kit("carry", "../part4")
    assert "your code no longer passes 4.1" in " ".join(run.stdout.split())
    assert run.returncode == 1
    assert text(new) == before
    assert "before_carry" not in new.names()


def test_the_courses_own_code_is_nobodys_and_nothing_changes(tmp_path):
    released(tmp_path, "part4", worked=True)
    new = released(tmp_path, "part5")
    before = text(new)
    assert "Nothing was carried" in new.kit("carry", "../part4").stdout
    assert text(new) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["carry"], "Name the folder of the part before"),
        (["carry", "--undo"], "There is nothing to undo"),
        (["carry", "../part9"], "is not a part's folder"),
        (["carry", "../part6"], "Run the command in the folder of the new part"),
        (["engine", "mine", "../part6"], "In part 5 every engine file is your own already"),
    ],
)
def test_a_wrong_call_is_a_sentence(tmp_path, arguments, sentence):
    released(tmp_path, "part6")
    run = released(tmp_path, "part5").kit(*arguments)
    assert sentence in " ".join(run.stdout.split())
    assert run.returncode == 1


def test_where_the_engine_is_handed_out_ones_own_is_tried_on_a_copy(tmp_path):
    own = released(tmp_path, "part5", worked=True)
    new = released(tmp_path, "part6", worked=True)
    assert "python kit.py engine mine ../part5" in new.kit("carry", "../part5").stdout.replace("\n", " ")
    before = text(new)
    own.write("value.py", text(own).replace('return f"Value(', 'print("mine"); return f"Value('))
    run = new.kit("engine", "mine", "../part5")
    said = " ".join(run.stdout.split())
    assert "5 of 5 tasks" in said
    assert said.endswith(
        f"This was with your own value.py from {Path('../part5')}. Grading uses the one that was handed out."
    )
    assert "not as handed out" not in said
    assert run.returncode == 0
    assert text(new) == before
    own.write("value.py", text(own).replace("self.grad += out.grad", "self.grad -= out.grad"))
    assert new.kit("engine", "mine", "../part5/value.py").returncode == 1
    shutil.rmtree(own.path)
    assert "holds none of the files" in " ".join(new.kit("engine", "mine", "../part5").stdout.split())


LATER = '''"""Later."""

import math


class Value:
    def __init__(self, data):
        self.data = data

    def plus(self, other):
        # TODO 5.1: numbers
        # too.
        if isinstance(other, int):
            raise NotImplementedError("TODO 5.1: numbers")

        return Value(self.data + other.data)

    def times(self, other):
        out = Value(self.data * other.data)

        # TODO 5.2: the closure.
        def _backward():
            raise NotImplementedError("TODO 5.2: the closure")

        out._backward = _backward
        return out

    def half(self):
        """Half."""
        raise NotImplementedError("TODO 5.3: half")
'''


def own(plus: str = "return Value(other.data + self.data)", times: str = "return out") -> str:
    return f"""
class Value:
    def __init__(self, data):
        self.data = data

    def plus(self, other):
        {plus}

    def times(self, other):
        out = Value(other.data * self.data)
        {times}

    def half(self):
        return Value(self.data / 2)
"""


def test_lines_of_a_todo_stay_where_they_are_in_ones_own_method(merge):
    result = merge(own(), LATER, {})
    assert result.taken == ["Value.plus", "Value.times"]
    assert result.left == {"Value.half": "it is what 5.3 of the new part is about"}
    plus = LATER[LATER.index("    def plus") : LATER.index("    def times")]
    assert plus.replace("self.data + other.data", "other.data + self.data") in result.text
    times = LATER[LATER.index("    def times") : LATER.index("    def half")]
    assert times.replace("self.data * other.data", "other.data * self.data") in result.text
    assert merge(result.text, LATER, {}).taken == ["Value.plus", "Value.times"]
    assert merge(own(), result.text, {}).text == result.text


@pytest.mark.parametrize(
    ("source", "name", "reason"),
    [
        (own(times="return Value(out.data)"), "Value.times", "needs one line `return out` at its end"),
        (
            own(times="if other: return out\n        return out"),
            "Value.times",
            "needs one line `return out` at its end",
        ),
        (own().replace("plus(self, other)", "plus(self, rhs)"), "Value.plus", "yours have other names"),
        (own().replace("plus(self, other):\n        ", "plus(self, other): "), "Value.plus", "has no place for"),
        (
            own().replace(
                "def times(self, other):\n        out", "times = None\n\n    def x(self, other):\n        out"
            ),
            "Value.times",
            "has no place for",
        ),
    ],
)
def test_a_method_that_the_new_todo_does_not_fit_into_is_left_with_the_reason(merge, source, name, reason):
    result = merge(source, LATER, {})
    assert reason in result.left[name]
    assert name not in result.taken


@pytest.mark.parametrize("indent", ["  ", "\t"])
def test_another_indentation_is_adapted_and_the_code_stays_the_same(merge, indent):
    result = merge(own().replace("    ", indent), LATER, {})
    assert result.taken == ["Value.plus", "Value.times"]
    compile(result.text, "value.py", "exec")


def test_a_text_that_a_new_indentation_would_change_is_left(merge):
    source = own(plus='text = """one\n\ttwo"""\n        return Value(text)').replace("    ", "  ")
    result = merge(source, LATER, {})
    assert result.left["Value.plus"] == "its indentation does not fit the new file"
    assert result.taken == ["Value.times"]
