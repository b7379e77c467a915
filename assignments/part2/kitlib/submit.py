"""`python kit.py submit`: looks at everything that will be graded, and packs it into one zip to hand in.

It loads the student's files as the tests do, so that both complain in the same words. It judges no answer, and of a
folder it writes nothing but the zip.
"""

from __future__ import annotations

import base64
import html
import io
import json
import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from .files import HERE, Modules, Part, Stumble, remarks, todo_place

# The limits of the intake, in bytes.
LARGEST_CODE = 1_000_000
LARGEST_NOTEBOOK = 20_000_000


@dataclass
class Look:
    """What was found: `faults` cost points when handed in like this, `notes` may be as they are meant to be."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def look(part: Part, folder: Path = HERE) -> Look:
    """Read all that is handed in. It runs the student's files from HERE, the part's own folder, to load them."""
    found = Look()
    modules = Modules(part)
    for name in part.files:
        _take(found, folder / name, LARGEST_CODE, "Has something been pasted into it that does not belong there?")
        try:
            modules.get(name)
        except Stumble as stumble:
            found.faults.append(str(stumble))
    _take(found, folder / part.notebook, LARGEST_NOTEBOOK, "Clear its outputs and save it.")
    _look_at_notebook(found, part, folder)
    open_tasks = [task.id for task in part.tasks if todo_place(task, folder)]
    if open_tasks:
        found.notes.append(f"Still marked with a TODO: {', '.join(open_tasks)}.")
    found.notes += remarks(part, folder)
    return found


def pack(part: Part, found: Look, folder: Path = HERE) -> Path:
    """Write the zip, in the place of an older one. Raises Stumble when that cannot be done.

    The files lie in it side by side: nbgrader's zip_collect and the judge look for them there.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(found.files.items()):
            member = zipfile.ZipInfo(name)  # with no time of its own: the same work gives the same zip
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(member, content)
    target = folder / f"{part.id}-submission.zip"
    aside = target.with_suffix(".part")
    try:
        aside.write_bytes(packed.getvalue())
        os.replace(aside, target)
    except OSError as problem:
        raise Stumble(f"{target} cannot be written: {problem.strerror}. Is it open in another program?") from problem
    return target


class Download:
    """A packed zip as a link that a notebook shows; the file is in the link, so that no server has to give it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"The zip: {self.path.name}"

    def _repr_html_(self) -> str:
        content, name = base64.b64encode(self.path.read_bytes()).decode(), html.escape(self.path.name)
        download = f'<a download="{name}" href="data:application/zip;base64,{content}">Download {name}</a>'
        return f'<p style="margin:0;padding:8px">{download}</p>'


def submit(part: Part, anyway: bool, insist: str) -> tuple[int, list[str], Path | None]:
    """The whole command: its exit code, what to tell, a paragraph each, and the zip if there is one.

    insist is what to type to have it packed although something is wrong.
    """
    found = look(part)
    said = [*found.faults, *(f"Mind: {note}" for note in found.notes)]
    if found.faults and not anyway:
        return 1, [*said, f"Nothing was packed. To hand it in as it is: {insist}"], None
    if not found.files:
        return 1, [*said, "There is nothing to pack."], None
    target = pack(part, found)
    said.append(f"Packed {', '.join(found.files)} into {target.name}: this is the file to hand in. It holds your work")
    said[-1] += " as it is saved now; after a change, run the command again."
    return 0, said, target


def _take(found: Look, path: Path, limit: int, advice: str) -> None:
    """Keep the file's bytes. What is missing is said where its content is looked at."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as problem:
        found.faults.append(f"{path.name} cannot be read: {problem.strerror}.")
        return
    found.files[path.name] = content
    if len(content) > limit:
        size, most = len(content) / 1e6, limit / 1e6
        found.faults.append(f"{path.name} has {size:.1f} MB, and no more than {most:g} MB is taken. {advice}")


def _look_at_notebook(found: Look, part: Part, folder: Path) -> None:
    name = part.notebook
    if name not in found.files:
        others = sorted(path.name for path in folder.glob("*.ipynb"))
        advice = f"Is it {others[0]}? Rename it." if others else "Your written answers are in it."
        found.faults.append(f"There is no {name} in this folder. {advice}")
        return
    try:
        cells = json.loads(found.files[name].decode("utf-8"))["cells"]
        named = [(cell["metadata"].get("nbgrader") or {}).get("grade_id") for cell in cells]
        texts = ["".join(cell["source"]) for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        found.faults.append(
            f"{name} is damaged: it is not what a notebook saves. Open it in Jupyter and save it again, or take the "
            "part's own one from its archive and write your answers into that."
        )
        return
    for question, untouched in part.questions.items():
        title = question.partition("-")[2].replace("-", " ")
        count = named.count(question)
        if count == 0:
            found.faults.append(
                f'In {name} the cell for the written answer "{title}" is missing. Take the notebook from the part\'s '
                "archive again and copy your answers into its own cells."
            )
        elif count > 1:
            found.faults.append(f'In {name} the cell for "{title}" is there {count} times. Keep the one that counts.')
        elif texts[named.index(question)].strip() in ("", untouched.strip()):
            found.notes.append(f'The written question "{title}" is not answered yet.')
