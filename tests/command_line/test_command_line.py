"""The command line as a shell sees it: what it prints where, its exit codes, and what it does not load."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_lab import SPEC, orchestrator, python, said

from orchestrator.cli import main
from orchestrator.command_line.arguments import command_parser

HEAVY = {
    "numpy",
    "scipy",
    "sklearn",
    "shtab",
    "pydantic",
    "yaml",
    "zmq",
    "rich",
    "anyio",
    "asyncio",
    "msgspec",
}
QUICKSTART = Path(__file__).parents[2] / "configs" / "quickstart.yaml"
COMMANDS = ("run", "resume", "worker", "status", "watch", "trials", "best", "explain", "export", "validate")


@pytest.mark.parametrize(
    "arguments", ["--help", "--version", "run --help", "worker --help", "amend --help", ""]
)
def test_help_loads_nothing_heavy(arguments: str, tmp_path: Path):
    program = (
        "import sys\n"
        "from orchestrator.cli import main\n"
        f"try: main({arguments.split()!r})\n"
        "except SystemExit: pass\n"
        f"sys.exit(str({HEAVY!r} & set(sys.modules)) if {HEAVY!r} & set(sys.modules) else 0)"
    )
    done = python(program, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_reading_a_spec_of_the_default_algorithm_loads_nothing_that_it_computes_with(tmp_path: Path):
    program = (
        "import sys\n"
        "from orchestrator.cli import main\n"
        f"assert main(['validate', {str(QUICKSTART)!r}]) == 0\n"
        "sys.exit(str({'scipy', 'sklearn'} & set(sys.modules) or ''))"
    )
    done = python(program, cwd=tmp_path)
    assert done.stderr == "\n", done.stderr


def test_help_names_every_command_and_each_has_its_own(tmp_path: Path):
    text = orchestrator("--help", cwd=tmp_path).stdout
    for command in (*COMMANDS, "schema"):
        assert f"\n    {command} " in text
    assert "--slots" in orchestrator("worker", "--help", cwd=tmp_path).stdout


def test_looking_at_a_run_does_not_load_the_optimiser(lab: Path):
    program = (
        "import sys; from orchestrator.cli import main\n"
        "code = main(['status'])\n"
        "sys.exit(code or str({'numpy', 'scipy', 'zmq'} & set(sys.modules) or ''))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=lab, capture_output=True, text=True, check=False
    )
    assert done.stderr == "\n"
    assert "interrupted" in done.stdout


def test_what_is_no_file_is_written_to_as_it_is(lab: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(lab)
    assert main(["trials", "--output", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("value", ["-3", "-1e-9", "-2.E3", "-.5e+1"])
def test_a_negative_number_is_no_option_however_it_is_written(lab: Path, value: str):
    recorded = said("record", "1", "--value", value, cwd=lab)
    assert "trial 1 is completed already" in recorded.stderr
    amended = said("amend", "--target", value, cwd=lab)
    assert amended.returncode == 0, amended.stderr


def test_a_right_spec_is_said_in_a_sentence(lab: Path):
    done = orchestrator("validate", "wing.yaml", cwd=lab)
    assert done.returncode == 0
    assert "wing.yaml is valid: minimise drag over 1 parameter with random, for 3 trials" in done.stdout


def test_a_spec_may_come_through_a_pipe(lab: Path):
    """As one that a script makes; its known results lie where it is started."""
    (lab / "known.csv").write_text("span,drag\n2,1\n3,4\n")
    done = subprocess.run(
        [sys.executable, "-m", "orchestrator", "validate", "/dev/stdin"],
        cwd=lab,
        input=f"{SPEC}initial: {{results: known.csv}}\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.startswith("/dev/stdin is valid")
    assert "with 2 known results" in done.stdout


def test_who_evaluates_by_hand_is_no_worker(lab: Path):
    by_hand = re.sub(r"evaluation: .*", "evaluation: {evaluator: person}", SPEC)
    (lab / "hand.yaml").write_text(by_hand)
    assert "for 3 trials, by hand" in said("validate", "hand.yaml", cwd=lab).stdout


def test_what_of_a_spec_has_no_effect_is_said_beside_the_answer(lab: Path):
    (lab / "idle.yaml").write_text(SPEC + "factors: [[span]]\n")
    done = said("validate", "idle.yaml", cwd=lab)
    assert done.returncode == 0
    assert "idle.yaml is valid" in done.stdout
    assert done.stderr.startswith("note: idle.yaml:")
    assert "`factors` have no effect with `random`" in done.stderr


def test_the_latest_run_is_meant_where_none_is_named(lab: Path):
    for arguments in (["status"], ["status", "wing-1"], ["status", "logs/wing-1"]):
        done = said(*arguments, "--format", "json", cwd=lab)
        status = json.loads(done.stdout)
        assert (status["run"], status["completed"], status["best"]) == ("wing-1", 2, 4.25)
        assert status["state"] == "interrupted"


def test_trials_best_and_export_are_for_programs_too(lab: Path):
    rows = json.loads(said("trials", "--state", "completed", "--format", "json", cwd=lab).stdout)
    assert [row["drag"] for row in rows] == [4.25, 5.5]
    assert json.loads(said("best", "--format", "json", cwd=lab).stdout)["span"] == 1.5
    assert said("best", cwd=lab).stdout.splitlines()[-1].split() == ["span", "1.5", "m"]
    done = said("export", "wing-1", "--output", "all.csv", cwd=lab)
    assert done.stdout == ""
    table = list(csv.DictReader(io.StringIO((lab / "all.csv").read_text())))
    assert [row["drag"] for row in table] == ["4.25", "5.5"]


def test_a_plate_is_printed_for_a_spreadsheet_that_has_commas_in_its_numbers(lab: Path):
    done = said("trials", "--state", "completed", "--format", "semicolons", "--output", "plate.csv", cwd=lab)
    assert done.returncode == 0
    text = (lab / "plate.csv").read_text()
    assert text.startswith("\ufefftrial;state;")
    table = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))
    assert [row["drag"] for row in table] == ["4,25", "5,5"]


def test_explain_takes_the_latest_run_or_a_named_one(lab: Path):
    done = said("explain", "1", cwd=lab)
    assert done.returncode == 0
    assert "drawn at random" in done.stdout
    assert said("explain", "wing-1", "1", cwd=lab).stdout == done.stdout


def test_explain_takes_the_best_one_by_that_name(lab: Path):
    assert said("explain", "best", cwd=lab).stdout == said("explain", "1", cwd=lab).stdout
    done = said("explain", "wing-1", "reference", cwd=lab)
    assert done.returncode == 2
    assert "got `reference`, which its spec does not name" in done.stderr
    worst = said("explain", "worst", cwd=lab).stderr
    assert "expected the number of a trial, `best` or `reference`, got worst" in worst


def test_explain_says_where_what_a_trial_printed_lies(lab: Path):
    printed = lab / "logs" / "wing-1" / "trials" / "0002"
    printed.mkdir(parents=True)
    (printed / "attempt-1.stderr").write_text("no mesh\n")
    words = said("explain", "2", cwd=lab).stdout
    by_hand = "Evaluated again by hand: orchestrator try logs/wing-1/spec.yaml span=1.5"
    assert words.endswith(f"\nWhat it printed and wrote: logs/wing-1/trials/0002\n\n{by_hand}\n")
    assert "printed" not in said("explain", "1", cwd=lab).stdout


def test_watching_a_run_that_nobody_works_on_tells_it_and_ends(lab: Path):
    done = said("watch", cwd=lab)
    assert done.returncode == 0
    assert "trial 1: 4.25 from w" in done.stdout
    assert "orchestrator resume" in done.stdout.splitlines()[-1]
    lines = [json.loads(line) for line in said("watch", "--json", cwd=lab).stdout.splitlines()]
    assert [line["trial"] for line in lines if line["event"] == "TrialSettled"] == [1, 2]


def test_the_screen_can_be_drawn_as_a_picture_that_fetches_nothing(lab: Path):
    assert said("watch", "--svg", "screen.svg", cwd=lab).returncode == 0
    drawn = (lab / "screen.svg").read_text()
    assert "wing" in drawn
    assert "url(http" not in drawn


def test_the_schema_is_json(lab: Path):
    assert "$schema" in json.loads(said("schema", cwd=lab).stdout)


class TestAWholeRun:
    @pytest.fixture
    def wings(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
        (tmp_path / "wings.py").write_text("def drag(parameters):\n    return parameters['span'] ** 2\n")
        (tmp_path / "wing.yaml").write_text(SPEC.replace("math:sqrt", "wings:drag"))
        return tmp_path

    def test_words_to_the_person_and_nothing_to_the_program(self, wings: Path):
        done = orchestrator("run", "wing.yaml", cwd=wings)
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        (folder,) = (wings / "logs").iterdir()
        lines = done.stderr.splitlines()
        assert lines[0] == "wing begins: minimise drag with random"
        best = next(index for index, line in enumerate(lines) if line.startswith("Best: drag = "))
        assert lines[best + 1].startswith("  span = ")
        assert lines[best + 1].endswith(" m")
        assert lines[best + 2].startswith("3 trials completed, 0 failed, in ")
        assert lines[-2:] == [
            "Ended: every trial of the budget is settled.",
            f"The run lies in {folder.relative_to(wings)}",
        ]

    def test_in_silence_the_folder_is_all_that_is_said(self, wings: Path):
        done = orchestrator("run", "wing.yaml", "--quiet", "--logs", "here", cwd=wings)
        (folder,) = (wings / "here").iterdir()
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"{folder.relative_to(wings)}\n"
        again = orchestrator("resume", done.stdout.strip(), "--json", cwd=wings)
        assert (again.returncode, again.stdout) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["spread", "wing-1", "--limit", "drag <= 2", "span=3", "sweep=1"],
        ["spread", "wing-1", "span=3", "--limit", "drag <= 2", "sweep=1"],
        ["spread", "--limit", "drag <= 2", "wing-1", "span=3", "sweep=1"],
        ["spread", "wing-1", "span=3", "sweep=1", "--limit", "drag <= 2"],
    ],
)
def test_settings_stand_before_options_and_after_them(arguments: list[str]):
    parsed = command_parser(arguments)[0].parse_args(arguments)
    assert parsed.targets == ["wing-1", "span=3", "sweep=1"]
    assert parsed.limit == ["drag <= 2"]
