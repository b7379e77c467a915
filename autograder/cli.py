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

from autograder.course import Course, CourseError, find_root, load_course

app = typer.Typer(
    help="Build, release, judge and grade a course on backpropagation.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
console = Console(highlight=False)

Folder = Annotated[Path | None, typer.Option("--course", help="The course's root, when it is not here.")]
PartName = Annotated[str, typer.Argument(help="The part: part4, or just 4.")]


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
    early: Annotated[
        bool, typer.Option("--early", help="Release although the part before it is not due yet; its answers are in it.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only rehearse: nothing is written.")] = False,
    course: Folder = None,
) -> None:
    """Make release/PART and its zip, after the leak scan."""
    from autograder.build.release import release as release_part

    here = _course(course)
    released = release_part(here, here.part(part), early=early, dry_run=dry_run)
    done = "would be released" if dry_run else "released"
    console.print(
        f"{done}: {len(released.files)} files, due {released.due:%Y-%m-%d %H:%M} UTC; the leak scan found nothing"
    )
    if not dry_run:
        console.print(f"  {released.folder}\n  {released.archive}", markup=False, soft_wrap=True)


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
    from autograder.misconceptions.gate import Size
    from autograder.misconceptions.gate import gate as hold
    from autograder.misconceptions.gate_screen import print_idle_tests, print_report
    from autograder.misconceptions.mutation import write_matrix

    if matrix is not None and size == SizeName.short:
        raise CourseError("--size short tries no mutants, so there is no matrix to write; leave one of the two out")
    here = _course(course)
    parts = [here.part(part)] if part else list(here.written_parts)
    passed, tried = [], {}
    for report in hold(here, parts, Size(size.value), every_test=matrix is not None):
        passed.append(print_report(report, console))
        if matrix is not None or size == SizeName.long:
            print_idle_tests(report, console)
        tried[report.part.id] = report.mutants
    if matrix is not None:
        write_matrix(matrix, tried)
        console.print(f"wrote: {matrix}", markup=False, soft_wrap=True)
    if not all(passed):
        raise typer.Exit(1)


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
    from autograder.judge import JudgeError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a student's words must not end the program
    try:
        app()
    except CourseError as error:
        sys.exit(_fail(str(error), 2))
    except JudgeError as error:
        sys.exit(_fail(str(error), 3))
    except BrokenPipeError:
        sys.exit(0)


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"micrograder: {message}\n")
    return code


if __name__ == "__main__":
    main()
