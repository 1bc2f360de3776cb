"""The worker in C++ before it dials: what its command line refuses, and what it is built from."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from native_lab import NEEDS_A_COMPILER, SERVED
from worker_lab import PATIENCE_S

from evaluators.compiled import built
from evaluators.native import launcher
from orchestrator.programs.placeholders import GIVEN
from orchestrator.programs.slot_variables import mistake_in_name

PROJECT = Path(__file__).resolve().parents[2]
pytestmark = NEEDS_A_COMPILER


def refused(folder: Path, *arguments: str) -> str:
    """What it says where its arguments are wrong, which ends it as a usage error."""
    given = ["--connect", "tcp://127.0.0.1:1", "--name", "w", "--directory", str(folder / "w"), *arguments]
    ended = subprocess.run(
        [built(SERVED), *given], capture_output=True, text=True, cwd=folder, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 2
    return ended.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--slots", "0"], "expected --slots of 1 to 1024, evaluations at a time, got '0'"),
        (["--slots", "1025"], "expected --slots of 1 to 1024, evaluations at a time, got '1025'"),
        (["--slots", "two"], "expected --slots of 1 to 1024, evaluations at a time, got 'two'"),
        (["--connect", ""], "expected --connect with an address, got none"),
        (["--key", "/no/such/key"], "expected a key file at /no/such/key"),
        (["--key", '{"secret": "x"}'], "got what looks like a key itself"),
        (["--name", ""], "expected --name with a name that is unique in a run, got ''"),
        (["--each", "ARM"], "expected --each NAME=VALUE, such as ARM_PORT=/dev/ttyUSB0, got 'ARM'"),
        (["--each", "ARM=a", "ARM=b"], "as many --each ARM=VALUE as there are --slots, 1, got 2"),
        (["--wait", "0"], "expected --wait of more than 0 seconds, got '0'"),
        (["--wait", "0.1"], "nobody has answered at tcp://127.0.0.1:1 for 0.1 s (--wait)"),
        (["--colour", "red"], "unknown argument --colour"),
        (["--connect", "nowhere"], "cannot connect to `nowhere`"),
    ],
)
def test_a_wrong_command_line_ends_in_a_sentence(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert words in refused(tmp_path, *arguments)


@pytest.mark.parametrize("name", ["2ND", "A-B", "", "ORCHESTRATOR_EVALUATION", "PATH", *GIVEN])
def test_a_name_that_no_variable_of_a_slot_has_is_refused_in_the_words_of_the_other_worker(
    tmp_path: Path, name: str
) -> None:
    assert f"--each: {mistake_in_name(name)}" in refused(tmp_path, "--each", f"{name}=0")


def test_the_makefile_builds_what_the_launcher_builds() -> None:
    makefile = (PROJECT / "evaluators" / "native" / "Makefile").read_text()
    sources = {word for line in re.findall(r"SOURCES [+:]= (.*)", makefile) for word in line.split()}
    libraries = {word for line in re.findall(r"LIBRARIES [+:]= (.*)", makefile) for word in line.split()}

    folder = PROJECT / "evaluators" / "native"
    assert {(folder / name).resolve() for name in sources} == set(launcher.PROGRAM.sources)
    linked = {f"-l{name}" for package in launcher.PROGRAM.packages for name in package.libraries}
    assert libraries == linked
