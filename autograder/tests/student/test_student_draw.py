"""draw_dot: every node and edge is in the picture and nothing lies over anything else, with Graphviz and without."""

import shutil
import sys
from itertools import combinations
from xml.etree import ElementTree

import pytest
from graphs_to_draw import Value, chain, diamond, expanded_neuron, neuron, nodes_of, tangle, twice

SVG = "{http://www.w3.org/2000/svg}"
GRAPHS = {
    "neuron": neuron,
    "expanded neuron": expanded_neuron,
    "diamond": diamond,
    "twice": twice,
    "leaf": lambda: Value(2.5),
    "chain": lambda: chain(40),
    **{f"tangle {seed}": lambda seed=seed: tangle(seed, 12 + 3 * (seed % 7)) for seed in range(14)},
}
LAYOUTS = ["built-in", pytest.param("dot", marks=pytest.mark.skipif(not shutil.which("dot"), reason="no Graphviz"))]


@pytest.fixture
def without_dot(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)


def parts(drawing):
    """The picture's boxes and operations as (left, top, right, bottom), and its edges as lists of points."""
    root = ElementTree.fromstring(drawing.svg)
    boxes = [_rectangle(group.find(f"{SVG}rect")) for group in _of_class(root, "kit-node")]
    ops = [_ellipse(group.find(f"{SVG}ellipse")) for group in _of_class(root, "kit-op")]
    edges = [_points(path.get("d")) for path in _of_class(root, "kit-edge")]
    return boxes, ops, edges


def _of_class(root, name):
    return [element for element in root.iter() if element.get("class") == name]


def _rectangle(rect):
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def _ellipse(shape):
    x, y, rx, ry = (float(shape.get(name)) for name in ("cx", "cy", "rx", "ry"))
    return x - rx, y - ry, x + rx, y + ry


def _points(path):
    numbers = [float(text) for text in path[1:].replace("C", " ").split()]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _along(edge):
    """Points on the Bezier curves of an edge."""
    for at in range(0, len(edge) - 1, 3):
        for part in (step / 12 for step in range(13)):
            weights = ((1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3)
            yield tuple(sum(w * p[axis] for w, p in zip(weights, edge[at : at + 4], strict=True)) for axis in (0, 1))


def _apart(one, two):
    return one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", GRAPHS)
def test_every_node_operation_and_edge_is_drawn_once_and_nothing_overlaps(kit, monkeypatch, name, layout):
    if layout == "built-in":
        monkeypatch.setattr(shutil, "which", lambda name: None)
    root = GRAPHS[name]()
    nodes = nodes_of(root)
    boxes, ops, edges = parts(kit.draw_dot(root))
    assert len(boxes) == len(nodes)
    assert len(ops) == sum(bool(node._op) for node in nodes)
    assert len(edges) == sum(len(node._prev) for node in nodes)
    for one, two in combinations(boxes + ops, 2):
        assert _apart(one, two)


@pytest.mark.parametrize("name", GRAPHS)
def test_an_edge_of_the_built_in_layout_runs_through_no_box(kit, without_dot, name):
    boxes, ops, edges = parts(kit.draw_dot(GRAPHS[name]()))
    for edge in edges:
        for x, y in _along(edge):
            for left, top, right, bottom in boxes + ops:
                assert not (left + 1 < x < right - 1 and top + 1 < y < bottom - 1)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("root", [neuron, diamond, lambda: twice(set), lambda: tangle(5)])
def test_every_arrow_points_to_the_right(kit, monkeypatch, root, layout):
    if layout == "built-in":
        monkeypatch.setattr(shutil, "which", lambda name: None)
    shapes = list(ElementTree.fromstring(kit.draw_dot(root()).svg).iter())
    lines = [at for at, shape in enumerate(shapes) if shape.get("class") in ("kit-edge", "kit-stem")]
    assert lines
    for at in lines:
        (tip, _), (one, _), (other, _) = _points(shapes[at + 1].get("d").rstrip("z").replace("L", " "))
        assert (one + other) / 2 < tip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_everything_stands_on_the_paper_and_reads_from_left_to_right(kit, monkeypatch, layout):
    if layout == "built-in":
        monkeypatch.setattr(shutil, "which", lambda name: None)
    drawing = kit.draw_dot(tangle(5), "A tangle")
    boxes, ops, edges = parts(drawing)
    paper = ElementTree.fromstring(drawing.svg)
    width, height = float(paper.get("width")), float(paper.get("height"))
    for left, top, right, bottom in boxes + ops:
        assert left >= -0.1  # the group is moved by the margin, and lengths are rounded to a tenth
        assert top >= -0.1
        assert right <= width - 16
        assert bottom <= height - 16
    assert all(edge[0][0] < edge[-1][0] for edge in edges)


def test_the_built_in_layout_draws_the_neuron_without_a_crossing(kit, without_dot):
    _, _, edges = parts(kit.draw_dot(neuron()))
    for one, two in combinations(edges, 2):
        if one[0][0] == two[0][0]:  # they leave the same column
            assert (one[0][1] - two[0][1]) * (one[-1][1] - two[-1][1]) > 0


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("container", "edges"), [(tuple, 2), (list, 2), (set, 1), (frozenset, 1)])
def test_a_node_used_twice_is_one_box_with_as_many_edges_as_prev_tells(kit, monkeypatch, container, edges, layout):
    if layout == "built-in":
        monkeypatch.setattr(shutil, "which", lambda name: None)
    boxes, ops, drawn = parts(kit.draw_dot(twice(container)))
    assert (len(boxes), len(ops), len(drawn)) == (2, 1, edges)
    assert len({tuple(edge) for edge in drawn}) == edges


def test_an_engine_that_keeps_sets_is_drawn_the_same_every_time(kit, without_dot):
    first = kit.draw_dot(neuron(set))
    assert all(kit.draw_dot(neuron(set)) == first for _ in range(20))


@pytest.mark.parametrize("name", ["neuron", "expanded neuron", "diamond", "twice"])
def test_the_text_says_what_the_picture_says(kit, golden, name):
    golden(f"graph_{name.replace(' ', '_')}", f"{kit.draw_dot(GRAPHS[name]())}\n")


def test_the_picture_names_itself_to_those_who_hear_it(kit):
    root = ElementTree.fromstring(kit.draw_dot(neuron(), "After backward()").svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == "After backward()"
    assert root.find(f"{SVG}title").text == "After backward()"
    assert root.find(f"{SVG}desc").text.startswith("10 nodes, 5 operations")


HOSTILE = ["<script>alert(1)</script>", "\"quoted' & <b>", "bell\x07 esc\x1b[31m nul\x00", "right\u202eleft", "\ud800"]


@pytest.mark.parametrize("label", HOSTILE)
def test_a_hostile_label_is_text_in_the_picture_and_harmless_on_a_terminal(kit, label):
    node = Value(2.0, label=label) * Value("<img src=x onerror=alert(1)>".__len__(), op="]]>", label="-->")
    drawing = kit.draw_dot(node.called(label), label)
    for markup in (drawing.svg, f"<div>{drawing._repr_html_()}</div>"):
        names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(markup).iter()}
        assert not names & {"script", "b", "img"}
    assert all(sign.isprintable() or sign == "\n" for sign in str(drawing))
    assert str(drawing).encode("utf-8")


def test_values_of_any_kind_are_shown_as_text(kit):
    class Stubborn:
        def __str__(self):
            raise ValueError("no")

    odd = [7, None, "seven", float("nan"), float("inf"), 10**400, 3 + 4j, Stubborn(), -0.0, True]
    nodes = [Value(data, label=f"n{place}", grad=data) for place, data in enumerate(odd)]
    text = str(kit.draw_dot(Value(0.5, nodes, "join", "all")))
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines()[3:]}
    assert rows["n0"] == ["7", "7"]
    assert rows["n1"] == ["None", "None"]
    assert rows["n3"] == ["nan", "nan"]
    assert rows["n4"] == ["inf", "inf"]
    assert rows["n5"][0] == "1" + 22 * "0" + "…"
    assert rows["n6"] == ["(3+4j)", "(3+4j)"]
    assert rows["n7"] == ["(not", "printable)"] * 2
    assert rows["n8"] == ["0", "0"]
    assert rows["n9"] == ["True", "True"]


def test_a_half_finished_engine_is_drawn_as_far_as_it_goes(kit):
    class Bare:
        def __init__(self, data, children):
            self.data, self._prev = data, children

    leaf = Bare(1.5, [])
    drawing = kit.draw_dot(Bare(4.5, [leaf, 3.0]))
    boxes, ops, edges = parts(drawing)
    assert (len(boxes), len(ops), len(edges)) == (3, 1, 2)
    assert "not a node" in str(drawing)
    assert "?(" in str(drawing) or " ? " in str(drawing)


def test_nodes_with_equal_labels_are_told_apart_in_the_text(kit):
    text = str(kit.draw_dot(Value(2.0, label="a") * Value(5.0, label="a")))
    assert "a * a #2" in text


@pytest.mark.parametrize("nothing", [3.5, None, "a + b", [Value(1.0)], Value, object()])
def test_what_is_no_node_gets_a_sentence(kit, nothing):
    drawing = kit.draw_dot(nothing)
    assert "is not a node" in str(drawing)
    assert drawing.svg == ""
    assert drawing._repr_svg_() is None
    assert drawing._repr_html_().startswith("<p>Here a node is drawn")


def test_a_graph_that_goes_round_in_a_circle_gets_a_sentence_with_its_names(kit):
    a, b = Value(1.0, label="a"), Value(2.0, label="b")
    c = (a * b).called("c")
    a._prev = (c,)
    assert "it goes round in a circle (c -> a -> c)" in str(kit.draw_dot(c.tanh()))
    b._prev, a._prev = (b,), ()
    assert "b stands in its own _prev" in str(kit.draw_dot(c))


def test_a_prev_that_is_no_collection_gets_a_sentence(kit):
    node = Value(1.0)
    node._prev = 5
    assert "The _prev of a node is 5" in str(kit.draw_dot(node))


def test_a_chain_of_ten_thousand_is_refused_at_once_and_one_of_two_hundred_is_drawn(kit, without_dot):
    assert "more than 200 nodes" in str(kit.draw_dot(chain(10_000)))
    limit = sys.getrecursionlimit()
    boxes, _, edges = parts(kit.draw_dot(chain(199)))
    assert (len(boxes), len(edges)) == (200, 199)
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("answer", ["", "graph 1 1 1\nstop\n", "graph 1 1 1\nnode b0 x 1\n", "no such thing\n"])
def test_a_dot_that_answers_nonsense_is_passed_over(kit, monkeypatch, answer):
    right = _drawn_without(kit, monkeypatch)
    monkeypatch.setattr(shutil, "which", lambda name: sys.executable)
    monkeypatch.setattr(
        sys.modules["kitlib.draw"].subprocess, "run", lambda *args, **more: type("Done", (), {"stdout": answer})()
    )
    assert kit.draw_dot(neuron()) == right


def test_a_dot_that_fails_or_is_not_there_is_passed_over(kit, monkeypatch, tmp_path):
    right = _drawn_without(kit, monkeypatch)
    for program in (sys.executable, str(tmp_path / "gone")):  # Python knows no -Tplain, and ends with an error
        monkeypatch.setattr(shutil, "which", lambda name, program=program: program)
        assert kit.draw_dot(neuron()) == right


def test_a_dot_that_hangs_is_given_up(kit, monkeypatch):
    def hang(*args, timeout, **more):
        raise sys.modules["kitlib.draw"].subprocess.TimeoutExpired("dot", timeout)

    right = _drawn_without(kit, monkeypatch)
    monkeypatch.setattr(shutil, "which", lambda name: sys.executable)
    monkeypatch.setattr(sys.modules["kitlib.draw"].subprocess, "run", hang)
    assert kit.draw_dot(neuron()) == right


def _drawn_without(kit, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    return kit.draw_dot(neuron())
