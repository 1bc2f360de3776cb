"""What the command line says of mistakes, and in trouble: a sentence, and never a traceback but of a bug."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tomllib
from contextlib import ExitStack
from pathlib import Path

import pytest
from command_lab import SPEC, orchestrator, python

from orchestrator import cli
from orchestrator.cli import main
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Request, Verdict


@pytest.fixture
def in_the_lab(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that are called here are as if typed there."""
    monkeypatch.chdir(lab)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rnu", "spec.yaml"], "did you mean `run`?"),
        (["run", "--quite", "wing.yaml"], "did you mean `--quiet`?"),
        (["run", "--", "wing.yaml", "--quiet"], "expected none of --quiet (options come before `--`)"),
        (["best", "--json"], "expected none of --json (did you mean `--format json`?)"),
        (["run"], "expected SPEC, got none"),
        (["run", "wing.yaml", "--json", "--quiet"], "not allowed with argument"),
        (["stop"], "got `stop`; a run is stopped by Ctrl-C"),
        (["list"], "got `list`; here that is `orchestrator runs`"),
        (["--hepl"], "expected the command before --hepl (did you mean `--help`?)"),
        (
            ["trials", "--format", "xml"],
            "--format: expected `table`, `json`, `csv` or `semicolons`, got `xml`",
        ),
        (["trials", "--state", "complete"], "got `complete` (did you mean `completed`?)"),
        (["trials", "--last", "0"], "whole number above 0"),
        (["trials", "--last", "9" * 5_000], "at most 18 digits, got 5000"),
        (["approve", "9" * 5_000], "a trial: expected a whole number of at most 18 digits, got 5000"),
        (["status", "wing-2"], "did you mean `wing-1`?"),
        (["status", "--logs", "nowhere"], "found none"),
        (["explain", "99"], "which has trials 1 to 2, got 99"),
        (["explain", "wing-1"], "expected the number of a trial, `best` or `reference`, got wing-1"),
        (["keys"], "expected new|list|revoke, got none"),
        (["run", "no.yaml"], "no.yaml"),
        (["worker"], "--connect"),
        (["worker", "--connect", "tcp://h:1", "--evalutor", "wing:drag"], "did you mean `--evaluator`?"),
        (["worker", "--connect", "tcp://h:1", "x", "--command", "./wing"], "expected none of x"),
        (["doctor", "--key", "arm.json"], "expected --key beside --connect"),
        (["amend", "--bounds", "span=1,5", "--bounds", "span=2,6"], "each parameter once, got `span` again"),
        (["amend", "--stands", "span=1,sweep=2"], "got span=1,sweep=2; say --stands span=1 --stands sweep=2"),
        (["--quiet", "run", "wing.yaml"], "expected the command before --quiet"),
        (["--quiet"], "expected the command before --quiet"),
        (["amend", "--forget", "x"], "argument --forget: expected the number of a trial, or of"),
        (["amend", "--forget", "9" * 5_000], "argument --forget: expected the number of a trial, or"),
        (["amend", "--forget", "0", "--reason", "r"], "expected a trial from 1 to 2, got 0"),
        (["amend", "--forget", "-1", "--reason", "r"], "expected a trial from 1 to 2, got -1"),
        (["worker", "--connect", "tcp://h:1", "--slots", "x"], "expected a whole number above 0, got x"),
        (["worker", "--connect", "tcp://h:1", "--grace", "2,5"], "expected a number, got 2,5; decimals come"),
        (["node", "--connect", "tcp://h:1", "--factors", "x"], "expected a whole number above 0, got x"),
        (["record", "1", "--value", "3,2"], "expected a number, got 3,2; decimals come after a point"),
        (["record", "1", "--value", "nan"], "expected a finite value, got nan; say --failed for no value"),
        (["record", "1", "--value", "1", "--variance", "-2"], "a variance of at least 0, got -2.0\n"),
    ],
)
@pytest.mark.usefixtures("in_the_lab")
def test_what_cannot_be_understood_is_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
):
    assert main(arguments) == 2
    words, sentence = capsys.readouterr()
    assert said in sentence
    assert "Traceback" not in sentence
    assert words == ""


@pytest.mark.usefixtures("in_the_lab")
def test_where_python_colours_help_the_sentence_is_plain_and_knows_what_was_meant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """As it does from 3.14 on, and wherever standard error goes."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["run", "--quite", "wing.yaml"]) == 2
    sentence = capsys.readouterr().err
    assert "did you mean `--quiet`?" in sentence
    assert "\033" not in sentence


def test_such_a_sentence_goes_to_standard_error_and_its_code_to_the_shell(lab: Path):
    done = orchestrator("rnu", "wing.yaml", cwd=lab)
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean `run`?" in done.stderr


@pytest.mark.usefixtures("in_the_lab")
def test_what_is_recorded_twice_under_a_name_is_refused(capsys: pytest.CaptureFixture[str]):
    assert main(["record", "1", "--value", "3", "--extra", "heat=1", "--extra", "heat=2"]) == 2
    assert "expected each --extra once, got `heat` again" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["--extra", "drag=3"], "trial 1 is completed already"),
        (["--value", "3", "--extra", "drag=3"], "trial 1 is completed already"),
        (
            ["--value", "3", "--extra", "drag=4"],
            "the value once, got --value 3.0 and --extra drag=4.0, which",
        ),
        (["--extra", "drag=much"], "expected a number as --extra drag, the objective, got much"),
        (["--extra", "heat=3"], "expected --value NUMBER, or --extra drag=NUMBER, or --failed WHY, got none"),
        ([], "expected --value NUMBER, or --extra drag=NUMBER, or --failed WHY, got none"),
    ],
)
@pytest.mark.usefixtures("in_the_lab")
def test_the_value_may_be_recorded_under_the_name_of_the_objective(
    told: list[str], said: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["record", "1", *told]) == 2
    assert said in capsys.readouterr().err


def test_a_wrong_spec_is_refused_at_its_place(lab: Path):
    (lab / "wrong.yaml").write_text(SPEC.replace("minimise", "minimse"))
    done = orchestrator("validate", "wrong.yaml", cwd=lab)
    assert done.returncode == 2
    assert "wrong.yaml:2:" in done.stderr
    assert orchestrator("run", "wrong.yaml", cwd=lab).stderr == done.stderr
    assert [path.name for path in (lab / "logs").iterdir()] == ["wing-1"]


def test_a_page_that_the_disk_does_not_take_leaves_the_last_one_as_it_was_and_may_go_elsewhere(
    lab: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(lab)
    folder = lab / "logs" / "wing-1"
    (folder / "report.html").symlink_to(lab / "shown.html")
    assert main(["report"]) == 0
    page = (lab / "shown.html").read_bytes()
    files = sorted(lab.rglob("*"))

    def halfway(path: Path, text: str, **how: str) -> None:
        path.write_bytes(text[: len(text) // 2].encode())
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", halfway)
    capsys.readouterr()
    assert main(["report"]) == 1
    said = capsys.readouterr().err
    full = "expected to write to {}, got: No space left on device{}\n"
    assert said == full.format(Path("logs/wing-1/report.html"), "; --output FILE writes it elsewhere")
    assert (lab / "shown.html").read_bytes() == page
    assert sorted(lab.rglob("*")) == files
    assert main(["report", "--output", "page.html"]) == 1
    assert capsys.readouterr().err == full.format("page.html", "")


def test_a_file_that_cannot_be_written_is_a_sentence(lab: Path):
    done = orchestrator("export", "--output", "no/such/folder.csv", cwd=lab)
    assert done.returncode == 1
    assert "expected to write to no/such/folder.csv" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        ImportError("It failed.\nOriginal error was: umath.so: failed to map segment from shared object"),
        ExceptionGroup("of a loop", [ExceptionGroup("", [RuntimeError("can't start new thread")])]),
    ],
)
def test_what_the_machine_does_not_give_is_no_bug(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def fails(_: object) -> int:
        raise error

    monkeypatch.setattr("orchestrator.command_line.looking.status", fails)
    assert main(["status"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "bug" not in said
    assert "orchestrator resume" in said


def test_a_damaged_journal_is_a_sentence(lab: Path):
    journal = lab / "logs" / "wing-1" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], b"nonsense\n", *lines[2:]]))
    done = orchestrator("trials", cwd=lab)
    assert done.returncode == 1
    assert "line 2 is damaged" in done.stderr


def test_a_reader_that_has_read_enough_is_no_error(lab: Path):
    command = f"{sys.executable} -m orchestrator trials --format csv | head -n 1; echo ${{PIPESTATUS[0]}}"
    closed = f"{sys.executable} -m orchestrator schema | true; echo ${{PIPESTATUS[0]}}"
    for line in (command, closed):
        done = subprocess.run(["bash", "-c", line], cwd=lab, capture_output=True, text=True, check=False)
        assert done.stdout.splitlines()[-1] == "0"
        assert done.stderr == ""


def test_a_terminal_of_another_encoding_shows_what_it_can(lab: Path):
    done = orchestrator("explain", "1", cwd=lab, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0


def test_what_is_for_programs_is_utf_8_whatever_the_locale_is(lab: Path):
    latin = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    table = orchestrator("export", "--format", "semicolons", cwd=lab, **latin).stdout
    assert table.startswith("\ufefftrial;state;")


def test_a_bug_is_called_a_bug(lab: Path):
    program = (
        "import sys\n"
        "from orchestrator.cli import main\n"
        "from orchestrator.command_line import looking\n"
        "def broken(parsed): raise KeyError('oops')\n"
        "looking.status = broken\n"
        "sys.exit(main(['status']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=lab, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "KeyError" in done.stderr
    assert "This is a bug" in done.stderr


def test_a_current_folder_that_is_gone_is_no_bug(lab: Path, tmp_path: Path):
    script = 'mkdir gone; cd gone; rmdir ../gone; exec "$@"'
    command = [sys.executable, "-m", "orchestrator", "run", str(lab / "wing.yaml")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        ["sh", "-c", script, "sh", *command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "expected a current folder, got: No such file or directory. It was deleted, or made anew: cd to it "
        "again, or to another\n"
    )


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("orchestrator.cli", signal.SIGINT),
        ("orchestrator.command_line.running", signal.SIGTERM),
        ("orchestrator.command_line.running", signal.SIGHUP),
    ],
)
def test_a_signal_before_the_command_is_there_is_an_interrupt(lab: Path, module: str, number: signal.Signals):
    """Both ways to start it: as a module, and as the script that is installed."""
    scripts = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["scripts"]
    entry, _, function = scripts["orchestrator"].partition(":")
    as_script = f"from {entry} import {function}; sys.argv[1:] = ['status']; sys.exit({function}())"
    as_module = "sys.argv[1:] = ['status']; runpy.run_module('orchestrator', run_name='__main__')"
    for started in (as_script, as_module):
        program = (
            "import os, runpy, signal, sys\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "class Impatient:\n"
            "    def find_spec(self, name, path=None, target=None):\n"
            f"        if name == {module!r}: os.kill(os.getpid(), {number:d})\n"
            "sys.meta_path.insert(0, Impatient())\n"
        )
        done = python(program + started, cwd=lab)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("orchestrator.runtime.run", ["run", "wing.yaml"]),
        (
            "evaluators.worker_process.loop",
            ["worker", "--connect", "tcp://127.0.0.1:1", "--evaluator", "math:sqrt"],
        ),
    ],
)
def test_a_command_that_is_ended_while_it_is_still_imported_was_interrupted(
    lab: Path, module: str, arguments: list[str]
):
    program = (
        "import os, runpy, signal, sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        f"sys.argv[1:] = {arguments!r}\n"
        "runpy.run_module('orchestrator', run_name='__main__')"
    )
    done = python(program, cwd=lab)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
    assert [folder.name for folder in (lab / "logs").iterdir()] == ["wing-1"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_of_its_own_that_is_ended_while_it_is_still_imported_says_nothing(
    lab: Path, number: signal.Signals
):
    program = (
        "import os, runpy, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Impatient:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'evaluators.worker_process.loop': os.kill(os.getpid(), {number:d})\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "runpy.run_module('evaluators.worker', run_name='__main__')"
    )
    done = python(program, cwd=lab)
    assert (done.returncode, done.stdout, done.stderr) == (-number, "", "")


def test_under_nohup_a_terminal_that_is_closed_early_is_of_no_concern(lab: Path):
    program = (
        "import os, runpy, signal, sys\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "class Closed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'orchestrator.cli': os.kill(os.getpid(), signal.SIGHUP)\n"
        "sys.meta_path.insert(0, Closed())\n"
        "sys.argv[1:] = ['--version']\n"
        "runpy.run_module('orchestrator', run_name='__main__')"
    )
    assert python(program, cwd=lab).returncode == 0


@pytest.mark.parametrize(
    ("module", "expected", "remedy"),
    [
        ("msgspec", "expected the package `msgspec`, which ", "`make run`"),
        # Windows has none, nor has pip.
        ("fcntl", "expected a Python whose standard library has `fcntl`, and ", "WSL"),
    ],
)
def test_a_python_without_what_is_needed_is_told_how_to_get_it(
    lab: Path, module: str, expected: str, remedy: str
):
    program = (
        "import sys\n"
        f"sys.modules[{module!r}] = None\n"
        "from orchestrator.cli import main\n"
        "sys.exit(main(['status']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=lab, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(expected)
    assert remedy in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_that_ends_while_an_amendment_waits_leaves_it_to_be_taken_up_when_it_is_resumed(
    lab: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(lab)
    held = RunFolder(lab / "logs" / "wing-1").lock()
    monkeypatch.setattr(Desk, "await_answer", lambda *_: held.close())
    assert cli.main(["amend", "--trials", "9"]) == 0
    said = "nobody works on wing-1 any more; this is taken up when it is resumed\n"
    assert capsys.readouterr().err.startswith(said)


def test_of_a_run_that_is_resumed_while_it_is_amended_nobody_is_told_to_resume_it(
    lab: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(lab)
    folder, leave = RunFolder(lab / "logs" / "wing-1"), Desk.leave
    with ExitStack() as held:

        def resumed(desk: Desk, request: Request) -> Path:
            held.enter_context(folder.lock())
            return leave(desk, request)

        monkeypatch.setattr(Desk, "leave", resumed)
        monkeypatch.setattr(Desk, "await_answer", lambda *_: Verdict(True, "the budget is amended: trials 9"))
        assert cli.main(["amend", "--trials", "9"]) == 0
        assert capsys.readouterr().err == "the budget is amended: trials 9\n"
