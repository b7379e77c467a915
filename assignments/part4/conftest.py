"""Makes plain `pytest` in this folder speak about the part's tasks. It belongs to the course: leave it as it is.

Only what pytest must find here: the options, the fixtures, and the choice between the short screen (kitlib/run.py) and
pytest's own output. Its syntax is old on purpose, so that an old Python gets a sentence instead of an error.
"""

import importlib.util
import os
import random
import sys
import tempfile
import textwrap
import types
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
OLDEST = (3, 10)

sys.path.insert(0, str(HERE))  # whatever import mode a project around this folder asks for


def pytest_addoption(parser):
    group = parser.getgroup("course")
    try:
        group.addoption("--task", action="append", metavar="4.1", help="run the tests of this task only")
        group.addoption("--hint", metavar="4.1", help="show a hint for this task; again for the next one, up to three")
    except ValueError:
        pass  # the folders of two parts in one run: the first one has added them, and neither is at home


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Answer --hint and everything that makes a run impossible with a sentence; None lets the run go on."""
    if not _at_home(config) or config.option.help or config.option.version:
        return None
    executable = sys.executable or "python"
    if sys.version_info < OLDEST:
        found = "%d.%d" % sys.version_info[:2]
        return _say("This course needs Python 3.10 or newer, and this is %s (%s)." % (found, executable))
    from kitlib.files import Stumble, read_part

    try:
        part = read_part(HERE)
        for task_id in config.option.task or []:
            part.task(task_id)
        if not (HERE / "test_public.py").is_file():
            raise Stumble("test_public.py is missing. Take it from the part's archive again.")
        if config.option.hint:
            import kit  # only here: its pictures take a tenth of a run's time to load

            kit.hint(config.option.hint)
            return 0
        if importlib.util.find_spec("hypothesis") is None:
            raise Stumble("The tests need Hypothesis. Install it with:\n  %s -m pip install hypothesis" % executable)
    except Stumble as stumble:
        return _say(str(stumble))
    return None


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "task(id, needs=(), forward=()): the task a test belongs to, and others it stands on"
    )
    if not _at_home(config):
        globals()["collect_ignore_glob"] = ["*"]
        config.pluginmanager.register(_Elsewhere())
        return
    from kitlib.files import read_part
    from kitlib.run import StudentRun

    _prepare_hypothesis()
    part = read_part(HERE)
    config.pluginmanager.register(_module_fixtures(part), "course-fixtures")
    wants_all = ("collectonly", "showfixtures", "show_fixtures_per_test", "markers", "usepdb", "trace")
    if config.option.verbose <= 0 and not any(getattr(config.option, name, False) for name in wants_all):
        config.pluginmanager.register(StudentRun(config, part), "course-screen")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Let -k find a task by its id, and keep only what --task asks for."""
    wanted = getattr(config.option, "task", None) or []
    kept, left_out = [], []
    for item in items:
        marker = item.get_closest_marker("task")
        task_id = marker.args[0] if marker and marker.args else ""
        (kept if not wanted or task_id in wanted else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def pytest_itemcollected(item):
    marker = item.get_closest_marker("task")
    if marker and marker.args:
        item.extra_keyword_matches.add(marker.args[0])


def pytest_runtest_setup(item):
    from kitlib.observe import forget_comparison

    forget_comparison(item.config)


def pytest_assertrepr_compare(config, op, left, right):
    from kitlib.observe import remember_comparison

    remember_comparison(config, op, left, right)


@pytest.fixture(scope="session")
def text():
    """The text of one of the student's objects."""
    return repr


@pytest.fixture(scope="session")
def seed_random():
    """Sets the random numbers that the student's code will see."""
    return random.seed


def _module_fixtures(part):
    """A session fixture per file of the part, named after it (`graph` gives the module graph.py), and Value."""
    from kitlib.files import Modules

    modules = Modules(part)

    def fixture(name, get):
        return pytest.fixture(scope="session", name=name)(get)

    fixtures = types.ModuleType("course_fixtures")
    setattr(fixtures, "Value", fixture("Value", lambda: modules.get("value.py").Value))  # noqa: B010
    for file in modules.files:
        name = file[: -len(".py")]
        setattr(fixtures, name, fixture(name, lambda file=file: modules.get(file)))
    return fixtures


class _Elsewhere:
    """Says, at the end of a run that was started outside this folder, that its tests are run from inside."""

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.write_line("%s was left out. Its tests run from inside it:" % HERE.name)
        terminalreporter.write_line("  cd %s" % HERE)
        terminalreporter.write_line("  pytest")


def _at_home(config):
    return HERE in (Path(str(config.rootpath)).resolve(), Path(str(config.invocation_params.dir)).resolve())


def _say(text):
    for line in text.splitlines():  # an indented line is a command and stays whole
        print(line if line.startswith(" ") else textwrap.fill(line, 80, break_long_words=False, break_on_hyphens=False))
    return 4  # pytest's own code for a run that could not start


def _prepare_hypothesis():
    """The same examples on every run, no time limits, and nothing left behind in the folder."""
    global _scratch
    _scratch = tempfile.TemporaryDirectory(prefix="micrograder-")
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = _scratch.name
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "course",
        database=None,
        deadline=None,
        derandomize=True,
        max_examples=50,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=(HealthCheck.too_slow,),
    )
    settings.load_profile("course")
