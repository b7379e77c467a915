"""The one door: `micrograder COMMAND`. It reads the call, hands it on, and turns errors into one line.

No work is done here. Exit codes: 0 done, 1 the answer is no (drift, a leak), 2 a wrong call.
"""

from __future__ import annotations

import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.authoring.files import Added
from autograder.course import Course, CourseError, find_root, load_course

app = typer.Typer(
    help="Build, release, judge and grade a course on backpropagation.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
new = typer.Typer(help="Make the skeleton of a task or of a misconception.", no_args_is_help=True)
app.add_typer(new, name="new")
console = Console(highlight=False)

Folder = Annotated[Path | None, typer.Option("--course", help="The course's root, when it is not here.")]
PartName = Annotated[str, typer.Argument(help="The part: part4, or just 4.")]


class ExportName(StrEnum):
    """The forms that `micrograder export` writes."""

    csv = "csv"
    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    github = "github"


class LevelName(StrEnum):
    """The sandbox levels as the command line takes them."""

    strong = "strong"
    good = "good"
    weak = "weak"


class SizeName(StrEnum):
    """How much `gate` does."""

    short = "short"
    full = "full"
    long = "long"


def _course(folder: Path | None) -> Course:
    return load_course(find_root(folder or Path.cwd()))


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail when anything has drifted.")] = False,
    course: Folder = None,
) -> None:
    """Build assignments/ from solutions/."""
    from autograder.build.assignment import build as build_course

    here = _course(course)
    changed = build_course(here, check=check)
    for name in changed:
        console.print(f"{'drifted' if check else 'wrote'}: {name}", markup=False)
    if check and changed:
        console.print("assignments/ is not what solutions/ says; run: micrograder build")
        raise typer.Exit(1)
    if not changed:
        console.print("assignments/ is what solutions/ says")


@app.command()
def release(
    part: PartName,
    solution: Annotated[
        bool, typer.Option("--solution", help="The worked solution, once nothing more is taken for the part.")
    ] = False,
    early: Annotated[
        bool,
        typer.Option("--early", help="Release although what is in it can still be handed in by somebody."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only rehearse: nothing is written.")] = False,
    course: Folder = None,
) -> None:
    """Make release/PART and its zip, after the leak scan; a second time, also the zip that brings what is new."""
    from autograder.build.changes import CHANGELOG
    from autograder.build.release import release as release_part
    from autograder.build.solution import release_solution

    here = _course(course)
    wanted = here.part(part)
    made = (release_solution if solution else release_part)(here, wanted, early=early, dry_run=dry_run)
    what = f"the worked solution of {wanted.id}" if solution else f"{wanted.id}, due {made.due:%Y-%m-%d %H:%M} UTC"
    done = "would be released" if dry_run else "released"
    console.print(f"{done}: release {made.number} of {what}; {len(made.files)} files, the leak scan found nothing")
    if made.changed:
        console.print(f"  changed: {', '.join(made.changed)}", markup=False)
    if not solution and (kept := sorted(wanted.handed_in.intersection(made.changed))):
        console.print(
            f"  {', '.join(kept)}: students go on with their own; {CHANGELOG} has to say what to change by hand",
            markup=False,
        )
    if not dry_run:
        for path in (made.folder, made.archive, made.update):
            if path is not None:
                console.print(f"  {path}", markup=False, soft_wrap=True)


@app.command()
def judge(
    part: PartName,
    path: Annotated[Path, typer.Argument(help="A submission: a folder, a zip, or one file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole verdict as JSON.")] = False,
    sandbox: Annotated[LevelName | None, typer.Option(help="Demand this level instead of the best one here.")] = None,
    seed: Annotated[int, typer.Option(help="The seed of the tests' random numbers.")] = 0,
    course: Folder = None,
) -> None:
    """Judge one submission by the public and the hidden tests."""
    from autograder.judge import judge_submission
    from autograder.judge.screen import print_verdict
    from autograder.misconceptions.matcher import explain

    here = _course(course)
    level = sandbox.value if sandbox else None
    verdict = judge_submission(here, here.part(part), path, sandbox=level, seed=seed, explain=explain)
    if as_json:
        sys.stdout.buffer.write(verdict.to_json().encode() + b"\n")  # JSON is UTF-8 whatever the terminal takes
    else:
        print_verdict(verdict, console)


@app.command()
def grade(
    part: PartName,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many judge at a time; all cores if left out.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Judge everybody again, whatever is known.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show whose score would move; write nothing.")] = False,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Judge on the Dask cluster with this scheduler (extra: cluster)."),
    ] = None,
    course: Folder = None,
) -> None:
    """Grade every submission into nbgrader's gradebook; safe to stop and to repeat.

    Exits with 1 when somebody stays ungraded.
    """
    from autograder.grading.cluster import judge_on
    from autograder.grading.grade import grade as grade_class
    from autograder.grading.preview import preview as look_ahead
    from autograder.grading.screen import Screen, print_outcome, print_preview
    from autograder.judge.pool import judge_all

    if scheduler is not None and processes is not None:
        raise CourseError(
            "--processes is for judging on this machine; on a cluster its workers say how many they judge"
        )
    here = _course(course)
    wanted = here.part(part)
    screen = Screen(console, "Judging" if preview else "Grading")
    judge = judge_all if scheduler is None else judge_on(scheduler, screen.remark)
    if preview:
        with screen:
            found = look_ahead(here, wanted, screen, processes=processes, judge=judge)
        print_preview(wanted, found, console)
        return
    with screen:
        outcome = grade_class(here, wanted, screen, processes=processes, fresh=fresh, judge=judge)
    print_outcome(wanted, outcome, console)
    if outcome.ungraded:
        raise typer.Exit(1)


@app.command()
def replay(
    student: Annotated[str, typer.Argument(help="The student's folder in submitted/.")],
    part: PartName,
    test: Annotated[str | None, typer.Argument(help="A test's name, or a piece of it; else the first failed.")] = None,
    course: Folder = None,
) -> None:
    """Run one test of a recorded result again and show the smallest example that fails.

    For you, not for students: it shows a hidden test's inputs. Exits with 1 when the test now ends in another way.
    """
    from autograder.grading.replay import replay as run_again
    from autograder.grading.screen import print_replay

    here = _course(course)
    found = run_again(here, here.part(part), student, test)
    print_replay(found, console)
    if not found.same:
        raise typer.Exit(1)


@app.command()
def gate(
    part: Annotated[str | None, typer.Argument(help="The part: part4, or just 4; all if left out.")] = None,
    size: Annotated[
        SizeName, typer.Option(help="short: no mutants; long: 100,000 graphs, every test.")
    ] = SizeName.full,
    matrix: Annotated[Path | None, typer.Option(help="Write the kill matrix here (CSV); takes longer.")] = None,
    course: Folder = None,
) -> None:
    """Hold a part's suites against the stub, constants, the reference, right and wrong engines, and mutants.

    Exits with 1 when anything breaks a rule, and says what to do about it.
    """
    from autograder.misconceptions.gate import gate as hold
    from autograder.misconceptions.gate_screen import print_idle_tests, print_report
    from autograder.misconceptions.mutation import write_matrix

    if matrix is not None and size == SizeName.short:
        raise CourseError("--size short tries no mutants, so there is no matrix to write; leave one of the two out")
    here = _course(course)
    parts = [here.part(part)] if part else list(here.written_parts)
    passed, tried = [], {}
    for report in hold(here, parts, size.value, every_test=matrix is not None):
        passed.append(print_report(report, console))
        if matrix is not None or size == SizeName.long:
            print_idle_tests(report, console)
        tried[report.part.id] = report.mutants
    if matrix is not None:
        write_matrix(matrix, tried)
        console.print(f"wrote: {matrix}", markup=False, soft_wrap=True)
    if not all(passed):
        raise typer.Exit(1)


@new.command("task")
def new_task(
    task: Annotated[str, typer.Argument(help="The task's id, the next one of its part: 4.8")],
    title: Annotated[str, typer.Option(help="Its title, for students.")] = "",
    points: Annotated[float, typer.Option(help="Its points.")] = 1,
    file: Annotated[str | None, typer.Option(help="The file it is written in, when not that of the last task.")] = None,
    name: Annotated[str | None, typer.Option(help="The name of its function or method.")] = None,
    course: Folder = None,
) -> None:
    """Make the skeleton of a task: manifest, reference and stub, hints, notebook, README, tests."""
    from autograder.authoring.task import new_task as add_task
    from autograder.authoring.task import next_steps

    added = add_task(_course(course), task, title=title, points=points, file=file, name=name)
    _print_added(task, added, next_steps(task))


@new.command("misconception")
def new_misconception(
    part: PartName,
    name: Annotated[str, typer.Argument(help="Its name: forgets-the-seed")],
    task: Annotated[str, typer.Option(help="The task that it fails: 4.2")],
    course: Folder = None,
) -> None:
    """Make the skeleton of a misconception in the part's bank."""
    from autograder.authoring.misconception import new_misconception as add_misconception
    from autograder.authoring.misconception import next_steps

    here = _course(course)
    chosen = here.part(part)
    _print_added(name, add_misconception(here, chosen, name, task), next_steps(chosen))


def _print_added(what: str, added: Added, steps: list[str]) -> None:
    console.print(f"{what} has its skeleton in", markup=False)
    for file in added.files:
        console.print(f"  {file}", markup=False, soft_wrap=True)
    for file in added.untouched:
        console.print(f"  {file} (it stood there already, and was left as it is)", markup=False, soft_wrap=True)
    console.print("Next:")
    for number, step in enumerate(steps, 1):
        console.print(f"  {number}. {step}", markup=False)


@app.command()
def report(
    parts: Annotated[list[str], typer.Argument(metavar="PART...", help="The parts: part4, or just 4.")],
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Numbers in place of names.")] = False,
    out: Annotated[Path | None, typer.Option(help="Where to write it, when not to reports/PART.html.")] = None,
    course: Folder = None,
) -> None:
    """Write the class report: scores, misconceptions, tasks, tests, flags, in one HTML file."""
    from autograder.reports.page import write_report

    here = _course(course)
    chosen = {part.id: part for part in map(here.part, parts)}
    console.print(
        str(write_report(here, list(chosen.values()), anonymous=anonymous, out=out)), markup=False, soft_wrap=True
    )


@app.command()
def similar(
    part: PartName,
    most: Annotated[int, typer.Option(min=1, help="How many pairs to show, the most alike first.")] = 30,
    course: Folder = None,
) -> None:
    """List submissions that share more than the stub: for a human to read, never a verdict."""
    from autograder.judge.safe_text import plain
    from autograder.reports.similarity import similarities

    here = _course(course)
    found = similarities(here, here.part(part))
    for pair in found.pairs[:most]:
        shares = (
            f"{pair.share_of_one:4.0%} of {plain(pair.one, 40)}, {pair.share_of_other:4.0%} of {plain(pair.other, 40)}"
        )
        console.print(f"{pair.file}: {shares}", markup=False, soft_wrap=True)
    console.print(
        f"{len(found.pairs)} pairs share something beyond the stub and what most write. "
        "Short tasks have few right answers: read both files before you think anything.",
        markup=False,
    )
    for sentence in found.skipped:
        console.print(f"not compared: {plain(sentence, 200)}", markup=False)


@app.command()
def override(
    part: PartName,
    student: Annotated[str, typer.Argument(help="The student, as the gradebook calls them.")],
    task: Annotated[str, typer.Argument(help="The task: 4.2")],
    points: Annotated[float, typer.Argument(help="The task's points from now on.")],
    reason: Annotated[str, typer.Option(help="Why; the student reads it.")],
    by: Annotated[str, typer.Option(help="Who decided; the student reads it.")] = "",
    course: Folder = None,
) -> None:
    """Decide one task's points by hand; every later autograde honours it, and the feedback says why."""
    from autograder.gradebook.overrides import Override, add_override

    here = _course(course)
    chosen = here.part(part)
    if not (here.root / "submitted" / student / chosen.id).is_dir():
        raise CourseError(f"there is no submitted/{student}/{chosen.id}; name the student as the folder is called")
    entry = Override(student=student, task=task, points=points, reason=reason, by=by)
    console.print(f"noted in {add_override(here, chosen, entry)}", markup=False, soft_wrap=True)
    console.print(f"Now run: nbgrader autograde {chosen.id} --student {student}", markup=False)


@app.command()
def export(
    part: PartName,
    to: Annotated[ExportName, typer.Option(help="Scores (csv, canvas, moodle) or tests (gradescope, github).")],
    out: Annotated[Path | None, typer.Option(help="Where to write it, when not to exports/.")] = None,
    missing_as_zero: Annotated[
        bool, typer.Option("--missing-as-zero", help="Who handed nothing in has 0 points, in place of no score.")
    ] = False,
    course: Folder = None,
) -> None:
    """Export a part's scores, or its tests, in the form that another system takes."""
    from autograder.exports.write import write_export

    here = _course(course)
    path, remarks = write_export(here, here.part(part), to.value, out=out, missing_as_zero=missing_as_zero)
    console.print(str(path), markup=False, soft_wrap=True)
    for remark in remarks:
        console.print(remark, markup=False)


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Where to make the demo course; made anew.")] = Path("demo"),
    course: Folder = None,
) -> None:
    """Release part 4, grade a class of sample students, and show the gradebook."""
    from autograder.demo import run_demo

    raise typer.Exit(run_demo(_course(course), folder, console))


@app.command()
def site(
    parts: Annotated[list[str] | None, typer.Argument(help="The parts; all that are released if left out.")] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="The folder to make; site/ in the course if left out.")
    ] = None,
    course: Folder = None,
) -> None:
    """Build a static website of the released parts, for students who can install nothing."""
    from autograder.site import build_site

    here = _course(course)
    made = build_site(here, [here.part(part) for part in parts or []], to or here.root / "site")
    names = ", ".join(part.id for part in made.parts)
    console.print(f"built: {names}; {made.size / 1e6:.1f} MB for any static host, below any path", markup=False)
    console.print(
        f"  {made.folder}\n  to look at it: python3 -m http.server --directory {made.folder}",
        markup=False,
        soft_wrap=True,
    )


@app.command()
def doctor() -> None:
    """Say what works on this machine."""
    from autograder.doctor import examine

    for line in examine():
        console.print(line, markup=False)


def main() -> None:
    """The console script."""
    from autograder.grading.stopped import GradingStopped
    from autograder.judge import JudgeError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a student's words must not end the program
    try:
        app()
    except CourseError as error:
        sys.exit(_fail(str(error), 2))
    except (JudgeError, GradingStopped) as error:
        sys.exit(_fail(str(error), 3))
    except BrokenPipeError:
        sys.exit(0)


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"micrograder: {message}\n")
    return code


if __name__ == "__main__":
    main()
