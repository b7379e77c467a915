"""A part with several files: given ones and the student's own, each a fixture, all seeing the same classes."""

import json

import pytest

SUITE = '''
import pytest


@pytest.mark.task("6.1")
def test_the_neuron_is_made_of_the_folders_own_values(nn, Value, text, seed_random):
    """n = nn.Neuron(2)"""
    seed_random(3)
    first = nn.Neuron(2)
    seed_random(3)
    assert [w.data for w in nn.Neuron(2).w] == [w.data for w in first.w]
    assert isinstance(first.w[0], Value)
    assert text(first.w[0]) == repr(first.w[0])
'''
NEURON = """
import random

from value import Value


class Neuron:
    def __init__(self, nin):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
"""
TASK = {
    "id": "6.1",
    "title": "Neuron",
    "points": 3.0,
    "public_points": 1.2,
    "file": "nn.py",
    "names": ["Neuron"],
    "hints": ["a", "b", "c"],
}


def describe_part(folder, given):
    files = {"nn.py": ["Neuron"]} if given else {"value.py": ["Value"], "nn.py": ["Neuron"]}
    data = {"part": "part6", "title": "Neuron", "files": files, "given": given, "tasks": [TASK], "public_share": 0.4}
    data |= {"notebook": "part6.ipynb", "questions": {}, "originals": {}}
    folder.write("part.json", json.dumps(data))
    folder.write("test_public.py", SUITE)
    folder.write("nn.py", NEURON)


@pytest.mark.parametrize("given", [{"value.py": ["Value"]}, {}], ids=["given", "own"])
def test_every_file_sees_the_same_class_whichever_a_test_names_first(folder, given):
    describe_part(folder, given)
    run = folder.run()
    assert "  6.1  Neuron  done           1.2 of 1.2 points" in run.stdout
    assert run.returncode == 0


def test_a_broken_file_is_named_and_not_the_one_that_imports_it(folder):
    describe_part(folder, {"value.py": ["Value"]})
    folder.write("nn.py", NEURON.replace("class Neuron:", "class Neuron"))
    run = folder.run()
    assert "Python cannot read nn.py, line 7" in run.stdout
    assert run.returncode != 0
