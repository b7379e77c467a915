"""The student files use nothing that only one system has, and nothing but pytest and Hypothesis beside Python's own."""

import ast
import sys
from pathlib import Path

import pytest
from conftest import SUPPORT

FILES = sorted(path for path in SUPPORT.rglob("*.py") if "__pycache__" not in path.parts)
TOOLS = {"pytest", "hypothesis", "kit", "kitlib"}
# Modules of Python's own that are missing, or empty, on at least one of Linux, macOS, Windows.
ONE_SYSTEM = set(
    "crypt curses fcntl grp msvcrt nis ossaudiodev posix pty pwd readline resource spwd syslog termios tty winreg "
    "winsound _winapi nt".split()
)
# Names of os, signal, socket, time and select that at least one of the three does not have.
ONE_SYSTEM_NAMES = set(
    "fork forkpty execv execve getuid geteuid getgid getegid setuid setgid setsid setpgid getpgid killpg chown chroot "
    "mkfifo mknod nice sched_setaffinity sched_getaffinity wait wait3 wait4 WNOHANG O_NOFOLLOW O_NONBLOCK startfile "
    "SIGKILL SIGALRM SIGHUP SIGUSR1 SIGUSR2 SIGCHLD SIGCONT SIGSTOP alarm setitimer AF_UNIX tzset epoll kqueue "
    "preexec_fn start_new_session symlink_to hardlink_to symlink link getloadavg uname sysconf statvfs".split()
)
# Part of what came after Python 3.10, by where it is looked for.
LATER = {"tomllib", "ExceptionGroup", "BaseExceptionGroup", "StrEnum", "batched", "TaskGroup", "override", "Self"}


@pytest.fixture(params=FILES, ids=lambda path: path.relative_to(SUPPORT).as_posix())
def tree(request) -> ast.Module:
    return ast.parse(request.param.read_text(encoding="utf-8"), feature_version=(3, 10))


def imports(tree: ast.Module) -> set[str]:
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0}
    return {name.partition(".")[0] for name in found}


def names(tree: ast.Module) -> set[str]:
    """Every attribute, imported name and keyword argument, and every plain name that is read."""
    found = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    found |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    found |= {node.arg or "" for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    return found | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_only_pythons_own_library_and_the_two_test_tools_are_imported(tree):
    assert imports(tree) <= set(sys.stdlib_module_names) | TOOLS


def test_no_module_and_no_name_of_one_system_is_used(tree):
    assert not imports(tree) & ONE_SYSTEM
    assert not names(tree) & ONE_SYSTEM_NAMES


def test_nothing_is_used_that_came_after_python_3_10(tree):
    assert not (imports(tree) | names(tree)) & LATER


def test_no_shell_and_no_path_of_one_system(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "shell":
            raise AssertionError(f"a shell is asked for in line {node.value.lineno}")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not node.value.startswith(("/tmp", "/dev", "/proc", "/usr", "/bin", "C:\\")), node.value
    assert not names(tree) & {"system", "popen"}


def calls_without(tree: ast.Module, wanted: dict[str, int]) -> list[int]:
    """The lines of calls of text functions that leave the encoding to the system; wanted: where else it may stand."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in wanted:
            named = {keyword.arg for keyword in node.keywords}
            if "encoding" not in named and len(node.args) <= wanted[node.func.attr]:
                found.append(node.lineno)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            found.append(node.lineno)
    return found


def test_texts_are_read_and_written_as_utf_8_wherever_it_is(tree):
    assert calls_without(tree, {"read_text": 0, "write_text": 1}) == []


@pytest.mark.parametrize(
    ("code", "check"),
    [
        ("import fcntl", test_no_module_and_no_name_of_one_system_is_used),
        ("from os import fork", test_no_module_and_no_name_of_one_system_is_used),
        ("import signal\nsignal.SIGALRM", test_no_module_and_no_name_of_one_system_is_used),
        ("import numpy", test_only_pythons_own_library_and_the_two_test_tools_are_imported),
        ("from tomllib import loads", test_nothing_is_used_that_came_after_python_3_10),
        ("run('ls', shell=True)", test_no_shell_and_no_path_of_one_system),
        ("x = '/tmp/a'", test_no_shell_and_no_path_of_one_system),
        ("p.write_text('ä')", test_texts_are_read_and_written_as_utf_8_wherever_it_is),
    ],
)
def test_the_scan_finds_what_it_is_there_for(code, check):
    with pytest.raises(AssertionError):
        check(ast.parse(code))


def test_every_student_file_is_scanned():
    assert {path.name for path in FILES} >= {"conftest.py", "kit.py", "run.py", "step.py", "submit.py", "carry.py"}
    assert Path(SUPPORT, "kitlib", "files.py") in FILES
