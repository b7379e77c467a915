"""How a student's run chooses tests, ends, and leaves the folder as it was, whatever stands around it."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from conftest import Folder, make_folder, student_environment

SWAPPED = ("self.grad += other.data * out.grad", "self.grad += self.data * out.grad")


@pytest.mark.parametrize("arguments", [("-k", "4.3"), ("--task", "4.3"), ("--task=4.3",)])
def test_one_task_can_be_run_by_its_id(folder, arguments):
    run = folder.engine("stub").run(*arguments)
    assert "  4.3  backward()  not started" in run.stdout
    assert "4.1" not in run.stdout
    assert "Only a selection ran." in run.stdout


def test_a_single_test_never_claims_that_its_task_is_done(folder):
    run = folder.run("-k", "any_point")
    assert "passed so far  0.6 of 1.2 points" in run.stdout
    assert run.returncode == 0


def test_one_task_alone_can_be_right_while_others_are_not(folder):
    run = folder.engine("right", SWAPPED).run("--task", "4.1")
    assert "Task 4.1 is right as far as these tests look." in run.stdout
    assert run.returncode == 0


def test_a_failure_on_top_of_tasks_that_did_not_run_says_so(folder):
    screen = folder.engine("right", SWAPPED).run("--task", "4.3").stdout
    assert "mind      this test also uses 4.1 and 4.2, not tested in this run" in screen


def test_an_unknown_task_is_answered_with_the_ids_there_are(folder):
    run = folder.run("--task", "4.9")
    assert run.stdout == "There is no task 4.9 in part 4. Its tasks are 4.1, 4.2, 4.3.\n"
    assert run.returncode == 4


def test_a_choice_that_matches_nothing_says_so(folder):
    run = folder.run("-k", "sigmoid")
    assert "No test was chosen by that." in run.stdout
    assert run.returncode == 5


def test_nothing_but_the_compiled_files_is_left_in_the_folder(folder):
    before = folder.names()
    folder.engine("right", SWAPPED).run()
    folder.run("-v")
    assert folder.names() == before


def test_an_edit_counts_at_once_even_with_an_old_compiled_file(folder):
    subprocess.run([sys.executable, "-c", "import value"], cwd=folder.path, env=student_environment(), check=True)
    assert folder.run("--task", "4.2").returncode == 0
    right = (folder.path / "value.py").stat()
    folder.engine("right", ("other.data * out.grad", "other.grad * out.data"))
    os.utime(folder.path / "value.py", ns=(right.st_atime_ns, right.st_mtime_ns))
    assert (folder.path / "value.py").stat().st_size == right.st_size
    assert folder.run("--task", "4.2").returncode == 1


def test_value_comes_from_this_folder_and_from_no_other(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "value.py").write_text("raise SystemExit('the wrong file')\n")
    assert folder.run(PYTHONPATH=str(other)).returncode == 0


PARENTS = {
    "pytest.ini": "[pytest]\naddopts = --no-such-option\nfilterwarnings = error\n",
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--no-such-option"\ntestpaths = ["elsewhere"]\n',
    "tox.ini": "[pytest]\nminversion = 99\n",
    "setup.cfg": "[tool:pytest]\npython_files = nothing.py\n",
}


@pytest.mark.parametrize("name", PARENTS)
def test_a_project_around_the_folder_changes_nothing(folder, name):
    plain = folder.run().stdout
    (folder.path.parent / name).write_text(PARENTS[name])
    (folder.path.parent / "conftest.py").write_text("raise RuntimeError('not mine')\n")
    assert folder.run().stdout == plain


def test_two_parts_from_the_folder_above_are_answered_with_where_to_go(folder, tmp_path):
    make_folder(tmp_path / "part3")
    run = folder.run(cwd=tmp_path)
    for part in ("part3", "part4"):
        assert f"{part} was left out. Its tests run from inside it:\n  cd {tmp_path / part}\n  pytest\n" in run.stdout
    assert "Traceback" not in run.stdout
    assert run.returncode != 0


def test_the_folder_named_from_above_is_run_like_from_inside(folder, tmp_path):
    assert folder.run("part4", cwd=tmp_path).stdout == folder.run().stdout


def test_a_part_unzipped_into_another_one_is_not_mixed_in(folder):
    plain = folder.run().stdout
    make_folder(folder.path / "part5").engine("stub")
    assert folder.run().stdout == plain


@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal as a POSIX terminal does")
def test_ctrl_c_in_an_endless_loop_tells_the_line(folder: Folder):
    loop = "        while True:\n            self.grad = 2.0"
    folder.engine("right", ("        visit(self)", loop))
    run = subprocess.Popen(
        [folder.python, "-m", "pytest"],
        cwd=folder.path,
        env=student_environment(MICROGRADER_PATIENCE="0.3"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        # A shell's background job ignores the signal, and would hand that on to the student's run.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert run.stdout is not None
    rescue = threading.Timer(60, run.kill)  # so that a missing word fails this test instead of hanging it
    rescue.start()
    # On a busy machine a slow but honest test is named first.
    word = next((line for line in run.stdout if line.startswith("4.3")), "") + run.stdout.readline()
    rescue.cancel()
    assert word.startswith("4.3 is still running at value.py:4")
    assert "Ctrl+C" in word
    run.send_signal(signal.SIGINT)
    screen, _ = run.communicate(timeout=60)
    assert "4.3  backward()    stopped" in screen
    assert "4.1  closure of +  done" in screen
    assert "Stopped with Ctrl+C during 4.3, at value.py:4" in screen
    assert "KeyboardInterrupt" not in screen
    assert run.returncode == 2
