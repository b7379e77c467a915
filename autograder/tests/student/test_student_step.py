"""step(o): the passes that it shows, of right and of wrong engines; the engine afterwards; the page in a browser."""

import html.parser
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from autograder.course import find_root, load_course
from autograder.course.code import worked_solution

COURSE = load_course(find_root(Path(__file__).parent))
ENGINE = worked_solution(COURSE, COURSE.part("part4"))["value.py"].decode()
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

PASS = "        for node in reversed(self.topological_order()):\n            node._backward()\n"
BREADTH_FIRST = (
    "        todo = [self]\n        for node in todo:\n            node._backward()\n            todo += node._prev\n"
)
LEAVES_FIRST = PASS.replace("reversed(self.topological_order())", "self.topological_order()")


def engine(*changes):
    text = ENGINE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    names: dict = {}
    exec(text, names)
    return names["Value"]


def neuron(Value):
    leaves = {"x1": 2.0, "w1": -3.0, "x2": 0.0, "w2": 1.0, "b": 6.8813735870195432}
    x1, w1, x2, w2, b = (Value(number, label=name) for name, number in leaves.items())
    nodes = {"x1w1": x1 * w1, "x2w2": x2 * w2}
    nodes["s"] = nodes["x1w1"] + nodes["x2w2"]
    nodes["n"] = nodes["s"] + b
    nodes["o"] = nodes["n"].tanh()
    for name, node in nodes.items():
        node.label = name
    return nodes["o"]


def fork(Value):
    """b is used at two depths: 3a = b; d = 7b; o = b + d."""
    a, three, seven = Value(2.0, label="a"), Value(3.0, label="three"), Value(7.0, label="seven")
    b = a * three
    d = seven * b
    o = b + d
    b.label, d.label, o.label = "b", "d", "o"
    return o


def all_nodes(root):
    return root.topological_order()


def test_the_neuron_takes_the_sixteen_steps_of_the_document(kit, golden):
    shown = kit.step(neuron(engine()))
    golden("step_neuron", f"{shown}\n")
    assert len(re.findall(r"^ *\d+  ", str(shown), re.MULTILINE)) == 16
    assert len(re.findall(r" fires: ", str(shown))) == 10


def test_afterwards_every_gradient_and_every_closure_is_what_it_was(kit):
    root = neuron(engine())
    for at, node in enumerate(all_nodes(root)):
        node.grad = at + 0.25
    before = [(node.grad, node._backward) for node in all_nodes(root)]
    kit.step(root)
    assert [(node.grad, node._backward) for node in all_nodes(root)] == before


def test_a_pass_that_stopped_leaves_everything_as_it_was_too(kit):
    root = neuron(engine(("(1.0 - t * t) * out.grad", "(1.0 - t * t) / 0")))
    before = [(node.grad, node._backward) for node in all_nodes(root)]
    assert "Wrong: backward() stopped: ZeroDivisionError" in str(kit.step(root))
    assert [(node.grad, node._backward) for node in all_nodes(root)] == before


WRONG = {
    "breadth first": ((PASS, BREADTH_FIRST), "b fires too early: d, which uses it, had no turn yet"),
    "leaves first": ((PASS, LEAVES_FIRST), "b fires too early: d and o, which use it, had no turn yet"),
    "twice": ((PASS, PASS + PASS), "o fires a second time, and hands its gradient on twice."),
    "no seed": (("        self.grad = 1.0\n", ""), "Wrong: The gradient of o is 0 and not 1 when the first step runs."),
    "never": ((PASS, "        self._backward()\n"), "Wrong: Never fired: b, d."),
    "for ever": ((PASS, "        while True:\n            self._backward()\n"), "Wrong: Stopped after 200 calls"),
    "itself": ((PASS, "        self.backward()\n"), "Wrong: backward() stopped: a function called itself too often."),
    "not written": (
        (PASS, '        raise NotImplementedError("TODO 4.5: the backward pass")\n'),
        "Wrong: backward() stopped: NotImplementedError: TODO 4.5: the backward pass.",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_broken_engine_shows_where_it_goes_wrong(kit, name):
    change, sentence = WRONG[name]
    shown = kit.step(fork(engine(change)))
    assert sentence in " ".join(str(shown).split())
    assert sentence.removeprefix("Wrong: ") in shown._repr_html_()


def test_a_right_engine_is_called_wrong_nowhere(kit):
    for graph in (neuron, fork):
        assert "Wrong" not in str(kit.step(graph(engine())))
    leaves_early = PASS + "            for child in node._prev:\n                child._prev or child._backward()\n"
    assert "Wrong" not in str(kit.step(fork(engine((PASS, leaves_early)))))


def test_fifty_nodes_are_shown_and_fifty_one_are_not(kit):
    Value = engine()

    def chain(nodes):
        node = Value(0.5)
        for _ in range(nodes - 1):
            node = node.tanh()
        return node

    assert str(kit.step(chain(50))).startswith("Backward pass from #50: 50 nodes, 49 operations, 100 steps")
    assert str(kit.step(chain(51))) == "There are 51 nodes here, and a pass is shown for up to 50."


@pytest.mark.parametrize(
    ("thing", "sentence"),
    [
        (7.5, "this float is not a node"),
        (type("Half", (), {"data": 1.0, "_prev": ()})(), "A node of this graph has no grad"),
        (type("Half", (), {"data": 1.0, "_prev": (), "grad": 0.0})(), "has no _backward"),
        (type("Half", (), {"data": 1.0, "_prev": (), "grad": 0.0, "_backward": print})(), "has no backward()"),
        (
            type(
                "Tight", (), {"__slots__": (), "data": 1.0, "_prev": (), "grad": 0.0, "_backward": print, "backward": 7}
            )(),
            "has no backward()",
        ),
    ],
)
def test_what_has_no_backward_pass_is_answered_with_a_sentence(kit, thing, sentence):
    assert sentence in str(kit.step(thing))


def test_a_method_of_the_class_as_closure_is_given_back_to_the_class(kit):
    class Node:
        def __init__(self, data, children=()):
            self.data, self.grad, self._prev, self._op = data, 0.0, children, "f" if children else ""

        def _backward(self):
            for child in self._prev:
                child.grad += 3.0 * self.grad

        def backward(self):
            self.grad = 1.0
            self._backward()

    root = Node(6.0, (Node(2.0),))
    assert "#1.grad 0 -> 3" in str(kit.step(root))
    assert "_backward" not in vars(root)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def test_the_page_asks_no_other_place_for_anything(kit):
    page = kit.step(neuron(engine()))._repr_html_()
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    for tag, attributes in Page(page).found:
        assert tag not in {"link", "iframe", "img", "object", "embed"}
        assert not {"src", "href"} & set(attributes)


def test_labels_that_look_like_html_stay_text(kit):
    root = neuron(engine())
    root.label = "</script><b>"
    page = kit.step(root)._repr_html_()
    assert page.count("</script>") == 1
    assert "b" not in [tag for tag, _ in Page(page).found]


def test_without_scripts_the_picture_after_the_last_step_remains(kit):
    shown = kit.step(neuron(engine()))
    assert shown.svg in shown._repr_html_().replace('style="display:block;max-width:max(100%,640px);height:auto" ', "")
    grads = [text.text for text in ElementTree.fromstring(shown.svg).iter() if text.get("class") == "kit-grad"]
    assert sorted(grads) == sorted(["-1.5", "1", "0.5", "0", "0.5", "0.5", "0.5", "0.5", "0.5", "1"])
    controls = [
        attributes for tag, attributes in Page(shown._repr_html_()).found if "kit-controls" in attributes.values()
    ]
    assert "hidden" in controls[0]


PRESS = """<script>
 var box=document.querySelector("[id^=kit-step]"),log=[];
 function note(){log.push(box.querySelector(".kit-said").textContent+" | "+
  [...box.querySelectorAll(".kit-now,.kit-bad")].map(n=>n.querySelector("text").textContent+"="+
   n.querySelector(".kit-grad").textContent)+" | "+box.querySelector(".kit-wrong").textContent);}
 note();
 for(var i=0;i<3;i++)box.querySelectorAll("button")[1].click();
 note();
 box.querySelectorAll("button")[1].dispatchEvent(new KeyboardEvent("keydown",{key:"ArrowRight",bubbles:true}));
 note();
 var slider=box.querySelector("input");slider.value=5;slider.dispatchEvent(new Event("input"));
 note();
 box.querySelectorAll("button")[0].click();
 note();
 document.body.innerHTML="<pre>"+log.join("\\n")+"</pre>";
</script></body>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is at hand")
def test_in_a_browser_buttons_keys_and_slider_go_through_the_steps(kit, tmp_path):
    shown = kit.step(fork(engine((PASS, BREADTH_FIRST))))
    page = shown.save(tmp_path / "step.html")
    page.write_text(page.read_text(encoding="utf-8").replace("</body>", PRESS), encoding="utf-8")
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'user'}"]
    run = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, encoding="utf-8", timeout=120)
    log = re.search(r"<pre>(.*?)</pre>", run.stdout, re.DOTALL).group(1).replace("&gt;", ">").splitlines()
    assert log == [
        "Step 1 of 13: b = a * three is computed: 6. | b=0 | ",
        "Step 4 of 13: The order is found: o, b, d, a, three, seven. o.grad is 1 when the first one starts. | o=1 | ",
        "Step 5 of 13: o fires: b.grad 0 -> 1, d.grad 0 -> 1. | o=1 | ",
        "Step 6 of 13: b fires: a.grad 0 -> 3, three.grad 0 -> 2. | b=1 | Wrong: b fires too early: d, which uses it, "
        "had no turn yet, so its gradient is not complete.",
        "Step 5 of 13: o fires: b.grad 0 -> 1, d.grad 0 -> 1. | o=1 | ",
    ]
