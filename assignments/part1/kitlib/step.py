"""step(o): a backward pass to go through step by step, on the student's own engine; one piece of HTML with no outside.

First the operations that build the graph, one by one, then the order in which the steps will run, then every call of
_backward. Without scripts (an exported notebook) the picture after the last step remains, and all steps as text.
"""

from __future__ import annotations

import html
import json
import textwrap
import uuid
from dataclasses import dataclass, replace

from .draw import paint_graph
from .graph import Graph, Undrawable, formula
from .recording import Recording, record
from .svg import INK, PAPER, Drawing, plain


@dataclass(frozen=True)
class Step:
    """One step: what is said, which nodes are there already, which one fires, the gradients, which of them changed."""

    said: str
    shown: list[int]
    node: int
    grads: tuple[str, ...]
    changed: list[int]
    wrong: str = ""


@dataclass(frozen=True, repr=False)
class Stepper(Drawing):
    """The pass as HTML with a slider; as a picture and as text it is what remains without scripts."""

    page: str = ""

    def _repr_html_(self) -> str:
        return self.page or super()._repr_html_()

    def _contents(self) -> dict[str, str]:
        return {**super()._contents(), ".html": _alone(self.page)}


def step(root: object, title: str = "") -> Drawing:
    """Show the backward pass from the node `root`. Its graph's gradients and closures are afterwards as before."""
    try:
        recording = record(root)
    except Undrawable as problem:
        return Drawing(str(problem))
    graph, name = recording.graph, recording.graph.names[-1]
    heading = plain(title, 80) or f"Backward pass from {name}"
    steps = _steps(recording)
    final = _with_grads(graph, recording.final)
    longest = [max((one.grads[at] for one in steps), key=len) for at in range(len(graph.nodes))]
    svg = paint_graph(final, _with_grads(graph, tuple(longest)), heading, f"{graph.summary}, after the last step.")
    text = _text(heading, final, steps, recording.problem)
    return Stepper(text, svg, page=_page(svg, steps, recording.problem, text))


def _steps(recording: Recording) -> list[Step]:
    graph, names = recording.graph, recording.graph.names
    zeros = ("0",) * len(graph.nodes)
    steps: list[Step] = []
    shown: list[int] = []
    for at, node in enumerate(graph.nodes):
        if node.op:
            shown = sorted({*shown, at, *node.children})
            made = formula(node.op, [names[child] for child in node.children])
            steps.append(Step(f"{names[at]} = {made} is computed: {node.data}.", shown, at, zeros, []))
    everything = list(range(len(graph.nodes)))
    if recording.calls:
        first = recording.calls[0].before
        order = ", ".join(names[at] for at in recording.order)
        seeded = [at for at in everything if first[at] != "0"]
        said = f"The order is found: {order}. {names[-1]}.grad is {first[-1]} when the first one starts."
        steps.append(Step(said, everything, len(everything) - 1, first, seeded))
    for call in recording.calls:
        moves = [f"{names[at]}.grad {call.before[at]} -> {call.after[at]}" for at in call.changed]
        nothing = "nothing changes" if graph.nodes[call.node].children else "a leaf, nothing to do"
        given = ", ".join(moves) or nothing
        said = f"{names[call.node]} fires: {given}."
        steps.append(Step(said, everything, call.node, call.after, call.changed, " ".join(call.faults)))
    return steps or [Step(f"{names[-1]} is a leaf.", everything, 0, zeros, [])]


def _with_grads(graph: Graph, grads: tuple[str, ...]) -> Graph:
    return Graph(tuple(replace(node, grad=grad) for node, grad in zip(graph.nodes, grads, strict=True)))


def _text(heading: str, final: Graph, steps: list[Step], problem: str) -> str:
    lines = [f"{heading}: {final.summary}, {len(steps)} step{'s' * (len(steps) > 1)}", ""]
    for number, one in enumerate(steps, 1):
        lines += textwrap.wrap(one.said, 80, initial_indent=f"{number:>3}  ", subsequent_indent="     ")
        if one.wrong:
            lines += textwrap.wrap(f"Wrong: {one.wrong}", 80, initial_indent="     ", subsequent_indent="     ")
    if problem:
        lines += ["", *textwrap.wrap(f"Wrong: {problem}", 80)]
    return "\n".join([*lines, "", "Afterwards:", *final.lines()])


PAPER_STYLE = f"max-width:100%;box-sizing:border-box;padding:10px;border-radius:6px;background:{PAPER};color:{INK}"
BUTTON = "font:inherit;min-width:5.5em;min-height:2.2em;padding:2px 10px;margin-right:6px"
STYLE = """
#ID svg .kit-late{opacity:.12}
#ID svg .kit-now>rect:first-of-type{stroke:#00609c;stroke-width:4}
#ID svg .kit-bad>rect:first-of-type{stroke:#a3200d;stroke-width:5;stroke-dasharray:9 3}
#ID svg .kit-new>.kit-grad{font-weight:bold;text-decoration:underline}
#ID .kit-wrong{font-weight:bold;color:#a3200d}
"""
# lmSuppressShortcuts asks JupyterLab to leave the arrow keys to the element that has the focus.
SCRIPT = """
(function(){
 var box=document.getElementById("ID");
 if(!box||box.dataset.ready)return;
 box.dataset.ready="1";
 var steps=STEPS,slider=box.querySelector("input"),said=box.querySelector(".kit-said"),
  wrong=box.querySelector(".kit-wrong"),buttons=box.querySelectorAll("button"),
  parts=box.querySelectorAll("svg [data-node]");
 function show(at){
  at=Math.max(0,Math.min(steps.length-1,at));
  var one=steps[at];
  slider.value=at;
  slider.setAttribute("aria-valuetext","step "+(at+1)+" of "+steps.length);
  said.textContent="Step "+(at+1)+" of "+steps.length+": "+one.said;
  wrong.textContent=one.wrong?"Wrong: "+one.wrong:"";
  buttons[0].disabled=at===0;
  buttons[1].disabled=at===steps.length-1;
  parts.forEach(function(part){
   var node=+part.dataset.node,box=part.classList.contains("kit-node");
   part.classList.toggle("kit-late",one.shown.indexOf(node)<0);
   if(!box)return;
   part.classList.toggle("kit-now",node===one.node&&!one.wrong);
   part.classList.toggle("kit-bad",node===one.node&&!!one.wrong);
   part.classList.toggle("kit-new",one.changed.indexOf(node)>=0);
   part.querySelector(".kit-grad").textContent=one.grads[node];
  });
 }
 slider.addEventListener("input",function(){show(+slider.value);});
 buttons[0].addEventListener("click",function(){show(+slider.value-1);});
 buttons[1].addEventListener("click",function(){show(+slider.value+1);});
 box.addEventListener("keydown",function(event){
  if(event.target===slider)return;
  var by={ArrowLeft:-1,ArrowRight:1}[event.key];
  if(!by||event.altKey||event.ctrlKey||event.metaKey)return;
  event.preventDefault();event.stopPropagation();show(+slider.value+by);
 });
 // JupyterLab must not take the arrows for its own here, but Ctrl+S still has to save the notebook.
 function guard(event){
  if(event.ctrlKey||event.metaKey)delete event.currentTarget.dataset.lmSuppressShortcuts;
  else event.currentTarget.dataset.lmSuppressShortcuts="true";
 }
 box.querySelectorAll("button,input").forEach(function(one){
  ["focus","keydown","keyup"].forEach(function(kind){one.addEventListener(kind,guard);});
 });
 box.querySelector(".kit-controls").hidden=false;
 show(0);
})();
"""


def _page(svg: str, steps: list[Step], problem: str, text: str) -> str:
    name = f"kit-step-{uuid.uuid4().hex[:12]}"  # a page may hold several, and the same one twice
    data = [{**vars(one)} for one in steps]
    # Inside a script nothing but this can end it early.
    packed = json.dumps(data, ensure_ascii=True).replace("</", "<\\/").replace("<!", "<\\!")
    last = html.escape(f"After all {len(steps)} steps: {steps[-1].said}")
    first = [f"Wrong, first at step {at}: {one.wrong}" for at, one in enumerate(steps, 1) if one.wrong][:1]
    wrong = [*first, *([f"Wrong: {problem}"] if problem else [])]
    remark = "".join(f'<p style="font-weight:bold;color:#a3200d">{html.escape(said)}</p>' for said in wrong)
    picture = svg.replace("<svg ", '<svg style="display:block;max-width:max(100%,640px);height:auto" ', 1)
    return (
        f'<div id="{name}" style="{PAPER_STYLE}">'
        f"<style>{STYLE.replace('ID', name)}</style>{remark}"
        '<div class="kit-controls" hidden>'
        f'<button type="button" style="{BUTTON}">Back</button><button type="button" style="{BUTTON}">Next</button>'
        f'<input type="range" min="0" max="{len(steps) - 1}" value="0" step="1" aria-label="step of the backward pass" '
        'style="width:min(320px,55%);vertical-align:middle;min-height:2.2em"></div>'
        f'<p class="kit-said" role="status" style="min-height:2.6em;margin:6px 0">{last}</p>'
        '<p class="kit-wrong" style="min-height:1.3em;margin:0 0 6px"></p>'
        f'<div style="overflow-x:auto" tabindex="0" role="group" aria-label="picture">{picture}</div>'
        '<details style="margin-top:6px"><summary>All steps as text</summary>'
        '<pre style="overflow-x:auto" tabindex="0" role="group" aria-label="all steps as text">'
        f"{html.escape(text)}</pre></details>"
        f"<script>{SCRIPT.replace('ID', name).replace('STEPS', packed)}</script></div>"
    )


def _alone(page: str) -> str:
    head = '<meta charset="utf-8"><title>Backward pass</title>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{page}</body></html>'
