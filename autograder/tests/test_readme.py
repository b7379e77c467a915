"""The README says what is there: its pictures, and the tests that it points to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURES = re.findall(r"!\[.+\]\((.+)\)", README)
TABLE = README.partition("## What is promised")[2].partition("\n## ")[0]


def test_each_of_the_three_doors_has_a_picture():
    doors = [README.partition(f"## For {who}")[2].partition("\n## ")[0] for who in ("students", "TAs", "instructors")]
    assert [len(re.findall(r"!\[", door)) for door in doors] == [1, 1, 1]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_there_and_small_and_names_no_other_host(name):
    data = (ROOT / name).read_bytes()
    assert 1_000 < len(data) < 150_000
    if name.endswith(".svg"):
        assert not re.search(rb"@font-face|@import|url\(.?http|href=|<script|<image", data)


def test_every_test_that_the_table_points_to_exists():
    rows = [row for row in TABLE.splitlines() if row.startswith("|")][2:]
    named = [re.findall(r"`([a-z_/.]+(?:/|\.py))`", row.split("|")[2]) for row in rows]
    assert len(rows) == 8
    assert all(named)
    assert [name for names in named for name in names if not (ROOT / "autograder" / "tests" / name).exists()] == []
