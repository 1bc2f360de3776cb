"""A shell completes commands, options, their values, specs and runs by the script that is printed for it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command_lab import said

from orchestrator.command_line.arguments import command_parser

COMPLETED = """\
source ./script
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_shtab_orchestrator 2> errors
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shelf")
    for run in ("wing-1", "wing-2"):
        (folder / "logs" / run).mkdir(parents=True)
        (folder / "logs" / run / "journal.jsonl").touch()
    (folder / "logs" / "notes").mkdir()
    for name in ("wing.yaml", "plate.yml", "search.jsonl", "rows.csv"):
        (folder / name).touch()
    (folder / "script").write_text(said("completion", "bash", cwd=folder).stdout)
    return folder


def offered(shelf: Path, typed: str) -> set[str]:
    command = ["bash", "-c", COMPLETED, "bash", *typed.split(" ")]
    done = subprocess.run(command, cwd=shelf, capture_output=True, text=True, timeout=60, check=False)
    # What sets options of a completion says that there is none.
    strange = [line for line in (shelf / "errors").read_text().splitlines() if "compopt" not in line]
    assert not strange
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("typed", "among"),
    [
        ("orchestrator re", {"resume", "report", "refuse", "record"}),
        ("orchestrator run ", {"wing.yaml", "plate.yml", "logs"}),
        ("orchestrator run --plain w", {"wing.yaml"}),
        ("orchestrator resume ", {"wing-1", "wing-2", "logs"}),
        ("orchestrator best w", {"wing-1", "wing-2"}),
        ("orchestrator best ", {"wing-1", "wing-2", "search.jsonl", "logs"}),
        ("orchestrator report s", {"search.jsonl"}),
        ("orchestrator approve wing-2", {"wing-2"}),
        ("orchestrator best wing-1 --format ", {"table", "json", "csv"}),
        ("orchestrator amend wing-1 --kn", {"--known"}),
        ("orchestrator amend --known r", {"rows.csv"}),
        ("orchestrator worker --sl", {"--slots"}),
        ("orchestrator keys ", {"new", "list", "revoke"}),
        ("orchestrator run wing.yaml --logs ", {"logs"}),
    ],
)
def test_bash_offers_what_may_stand_there(shelf: Path, typed: str, among: set[str]) -> None:
    assert offered(shelf, typed) == among


def test_all_options_of_each_command_are_offered(shelf: Path) -> None:
    """Also of those that have them only where they are named."""
    lines = (shelf / "script").read_text().splitlines()
    for name in command_parser([])[1]:
        begins = f"_shtab_orchestrator_{name}_option_strings="
        (known,) = [line for line in lines if line.startswith(begins)]
        actions = command_parser([name])[1][name]._actions
        options = {option for action in actions for option in action.option_strings}
        assert set(known.removeprefix(begins).strip("()").split()) == options


def test_fish_offers_it_with_what_it_is(shelf: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    (shelf / "script.fish").write_text(said("completion", "fish", cwd=shelf).stdout)
    command = ["fish", "-c", "source script.fish; complete -C 'orchestrator best '"]
    done = subprocess.run(command, cwd=shelf, capture_output=True, text=True, timeout=60, check=True)
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} == {
        "wing-1",
        "wing-2",
        "search.jsonl",
        "logs/",
    }


def test_zsh_reads_its_own(shelf: Path) -> None:
    script = said("completion", "zsh", cwd=shelf).stdout
    assert script.startswith("#compdef orchestrator\n")
    assert "_files -g '*.jsonl'\n" in script
    if shutil.which("zsh") is not None:
        subprocess.run(["zsh", "-n"], input=script, text=True, check=True, timeout=60)


def test_another_shell_is_told_which_there_are(shelf: Path) -> None:
    refused = said("completion", "csh", cwd=shelf)
    assert refused.returncode == 2
    assert "expected `bash`, `zsh` or `fish`, got `csh`" in refused.stderr
