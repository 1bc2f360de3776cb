"""One point is evaluated and shown as it is read, and nothing is left but its files."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.one_evaluation import OneEvaluation
from evaluators.worker_process.slot_parts import Workload
from orchestrator import cli
from orchestrator.command_line.tried_point import point_to_try, try_point
from orchestrator.errors import UsageError
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.wire.messages import Evaluate, Progress

PROGRAM = """\
experiment: wing
objective: {name: drag, goal: minimise, unit: N}
outcomes: [heat]
constraints: [heat <= 60, span <= 8]
parameters:
  span: {type: float, bounds: [1, 9], unit: m}
  skin: {type: choice, values: [foam, carbon]}
budget: {trials: 3}
evaluation:
  command: [sh, -c, 'echo step 1 residual 0.5; echo "{skin}: drag = {span}, heat = 75, mesh = 12"']
  output: {pattern: 'drag = (?P<drag>[^,]+), heat = (?P<heat>[^,]+), mesh = (?P<mesh>\\S+)'}
  progress: 'step (?P<step>\\d+) residual (?P<residual>\\S+)'
  stop_when: {quantity: residual, above: 2}
"""


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where trials are tried, and nothing else lies; commands are given beside it."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (tmp_path / "lab").mkdir()
    monkeypatch.chdir(tmp_path / "lab")
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    return scratch


def spec_of(text: str = PROGRAM) -> Spec:
    return load_spec_text(text, "wing.yaml", Path()).spec


def tried(text: str, *settings: str) -> int:
    Path("wing.yaml").write_text(text)
    return cli.main(["try", "wing.yaml", *settings])


def test_what_a_run_would_discard_is_left_to_be_looked_at(scratch: Path) -> None:
    Path("x.template").write_text("{span} {skin}")
    how = "input: {templates: {wing.in: x.template}}\n  discard: '*.frd'\n  output"
    text = PROGRAM.replace("echo step 1", "echo 1 > a.frd; echo step 1").replace("output", how)
    assert tried(text, "span=3") == 0
    assert [path.read_text() for path in scratch.rglob("a.frd")] == ["1\n"]


def test_what_a_program_printed_is_shown_with_what_is_read_of_it(
    scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tried(PROGRAM, "span=3") == 0
    said = capsys.readouterr()
    *shown, took = said.out.splitlines()
    assert shown == [
        "printed, in attempt-1.stdout:",
        "  step 1 residual 0.5",
        "  foam: drag = 3.0, heat = 75, mesh = 12",
        "reported 1 time, at last at step 1: residual = 0.5",
        "drag = 3 N",
        "heat = 75",
        "kept with it: mesh = 12",
        "no best one, as it does not satisfy `heat <= 60`",
    ]
    assert took.startswith("in ")
    assert "trying span = 3 m, skin = foam\n" in said.err
    (files,) = scratch.glob("*/0001")
    assert f"its files are in {files}" in said.err
    assert os.listdir() == ["wing.yaml"], "no run began"


def test_what_is_relative_to_the_reference_nobody_knows_of_one_point(
    capsys: pytest.CaptureFixture[str],
) -> None:
    relative = "heat <= 1.05 * reference(heat)"
    text = PROGRAM.replace("heat <= 60, span", f"heat <= 60, {relative}, span")
    assert tried(f"{text}initial: {{reference: {{span: 3, skin: foam}}}}\n", "span=3") == 0
    assert capsys.readouterr().out.splitlines()[-3:-1] == [
        "no best one, as it does not satisfy `heat <= 60`",
        f"what the reference has tells whether it satisfies `{relative}`",
    ]


def test_a_number_amid_a_log_that_is_taken_for_the_value_is_said_to_be_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """CalculiX prints how many equations there are, on a line of its own."""
    text = PROGRAM.replace("outcomes: [heat]\n", "").replace("heat <= 60, ", "").split("  output:")[0]
    solver = "echo number of equations; echo 8578; echo {skin} {span}"
    text = text.replace(
        'echo step 1 residual 0.5; echo "{skin}: drag = {span}, heat = 75, mesh = 12"', solver
    )
    assert tried(text, "span=3") == 0
    said = capsys.readouterr().out
    assert "drag = 8578 N\n" in said
    assert "it is the last line that is a number alone, and others follow it" in said
    assert (
        tried(text.replace("echo 8578; echo {skin} {span}", "echo {skin} {span}; echo 8578"), "span=3") == 0
    )
    assert "a number alone" not in capsys.readouterr().out
    too_deep = "echo {skin} {span}; seq 3000 | tr -c [ ["
    assert tried(text.replace("echo {skin} {span}", too_deep), "span=3") == 0


def test_what_is_not_read_as_it_is_meant_is_said_and_is_a_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = PROGRAM.replace("heat = (", "warmth = (").replace("'step (", "'epoch (")
    assert tried(text, "span=9") == 1
    said = capsys.readouterr()
    assert "no value: invalid: expected `sh` to print what matches `drag = " in said.out
    assert "its last line is 'foam: drag = 9.0, heat = 75, mesh = 12'" in said.out
    assert "reported nothing: no line that it prints matches `progress`\n" in said.out
    assert "`stop_when` goes by `residual`, which was not reported\n" in said.out
    assert "it breaks `span <= 8`, and so would not be asked for" in said.err


def test_a_point_that_is_not_where_a_run_holds_parameters_is_tried_and_said_to_be_none_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert tried(f"{PROGRAM}held: {{skin: foam}}\n", "span=3", "skin=carbon") == 0
    said = capsys.readouterr().err
    assert "it lies elsewhere than what is held: skin = carbon and is held at foam, and so would not" in said
    assert tried(f"{PROGRAM}held: {{skin: foam}}\n", "span=3") == 0
    assert "elsewhere" not in capsys.readouterr().err


def test_an_outcome_that_does_not_come_is_a_failure_as_in_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    program = """command: [echo, '{"value": 1, "skin": "{skin}", "span": {span}}']\n"""
    assert tried(f"{PROGRAM.partition('  command')[0]}  {program}") == 1
    assert "no value: invalid: expected the outcome `heat`" in capsys.readouterr().out


def test_a_function_has_what_the_first_worker_has_of_its_own_and_ends_in_order(
    scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("wings_tried.py").write_text(
        "import atexit, os, pathlib\n"
        "atexit.register(lambda: pathlib.Path('closed').touch())\n"
        "def drag(parameters):\n"
        "    raise ValueError('port ' + os.environ['PORT'])\n"
    )
    text = PROGRAM.partition("  command")[0] + '  evaluator: "wings_tried:drag"\n'
    assert tried(f"{text}workers: {{local: 2, each: {{PORT: [a, b]}}}}\n") == 1
    assert "no value: error: ValueError: port a\nafter " in capsys.readouterr().out
    assert Path("closed").exists()


def test_who_interrupts_it_leaves_nothing_behind(scratch: Path) -> None:
    program = "command: [sh, -c, 'exec > open; echo begun; exec sleep 600', '{span}', '{skin}']\n"
    Path("wing.yaml").write_text(f"{PROGRAM.partition('  command')[0]}  {program}")
    os.mkfifo("open")
    held = os.open("open", os.O_RDONLY | os.O_NONBLOCK)
    command = [sys.executable, "-m", "orchestrator", "try", "wing.yaml"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as trying:
        assert select.select([held], [], [], 300)[0]
        assert os.read(held, 100) == b"begun\n"
        trying.send_signal(signal.SIGINT)
        _, said = trying.communicate(timeout=300)
    assert (trying.returncode, said.splitlines()[-1]) == (130, "interrupted")
    assert os.read(held, 100) == b"", "nobody holds it any more"
    os.close(held)
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_wish_that_it_ends_which_comes_twice_lets_it_end_in_order(
    number: signal.Signals, tmp_path: Path
) -> None:
    """As of `timeout 60 orchestrator try`: whatever moves is to be brought to rest."""
    Path("robots_tried.py").write_text(
        "import pathlib, signal, sys, time\n"
        "def park(*_):\n"
        "    pathlib.Path('parked').touch()\n"
        "    sys.exit()\n"
        "def throw(parameters, *, context):\n"
        "    signal.signal(signal.SIGTERM, park)\n"
        "    context.report(step=1, height=1.0)\n"
        "    while True: time.sleep(0.05)\n"
    )

    def wished_twice(_: Progress) -> None:
        signal.raise_signal(number)
        signal.raise_signal(number)

    workload = Workload("robots_tried:throw", {}, TrialFolders(tmp_path / "tried", one_run=True))
    task = Evaluate(run="arm", lease="1.1", trial=1, attempt=1, parameters={}, seed=0)
    with pytest.raises(KeyboardInterrupt):
        OneEvaluation(workload, {}, wished_twice, print).of(task)
    assert Path("parked").exists()


def test_what_is_left_out_is_as_in_the_first_point_of_the_spec_or_else_in_the_middle() -> None:
    assert point_to_try(spec_of(), []) == {"span": 5.0, "skin": "foam"}
    assert point_to_try(spec_of(), ["skin=carbon"]) == {"span": 5.0, "skin": "carbon"}
    own = spec_of(PROGRAM + "initial: {points: [{span: 2, skin: carbon}]}\n")
    assert point_to_try(own, ["span=3"]) == {"span": 3.0, "skin": "carbon"}
    parts = "{span: 2}, {skin: carbon}"
    assert point_to_try(spec_of(f"{PROGRAM}initial: {{points: [{parts}]}}\n"), []) == {
        "span": 2,
        "skin": "foam",
    }
    whole = spec_of(f"{PROGRAM}initial: {{points: [{parts}, {{span: 7, skin: carbon}}]}}\n")
    assert point_to_try(whole, []) == {"span": 7, "skin": "carbon"}
    held = spec_of(PROGRAM.replace("{trials: 3}", "{trials: 3}\nheld: {span: 7}"))
    assert point_to_try(held, []) == {"span": 7.0, "skin": "foam"}


def test_a_machine_whose_settings_may_travel_only_so_far_does_not_jump() -> None:
    limited = PROGRAM.replace("bounds: [1, 9], unit: m", "bounds: [1, 9], unit: m, travel: 0.5")
    spec = spec_of(limited + "mode: sequential\ninitial: {points: [{span: 2, skin: carbon}]}\n")
    assert point_to_try(spec, ["span=2.5"]) == {"span": 2.5, "skin": "carbon"}
    with pytest.raises(
        UsageError, match=r"where the machine stands, .* got one where span = 9 is too far from 2"
    ):
        point_to_try(spec, ["span=9"])


def test_parameters_that_count_there_alone_need_not_be_told() -> None:
    parent = "skin: {type: choice, values: [foam, carbon]}"
    plies = "\n  plies: {type: int, bounds: [2, 6], when: {skin: carbon}, otherwise: 0}"
    text = PROGRAM.replace(parent, parent + plies).replace("{skin}:", "{skin} {plies}:")
    assert point_to_try(spec_of(text), []) == {"span": 5.0, "skin": "foam"}
    assert point_to_try(spec_of(text), ["skin=carbon"]).keys() == {"span", "skin", "plies"}


def test_who_names_no_spec_is_told_that_it_is_missing_and_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["try"]) == 2
    assert "expected SPEC, got none\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("evaluation", "why"),
    [
        ("evaluator: person", "that a program or a function evaluates, got `evaluator: person`"),
        ('evaluator: "evaluators.command:run"', "with its `command`, got one whose workers bring it along"),
    ],
)
def test_what_nothing_here_can_evaluate_is_refused(evaluation: str, why: str, tmp_path: Path) -> None:
    text = f"{PROGRAM.partition('  command')[0]}  {evaluation}\nworkers: {{local: 0}}\n"
    spec = spec_of(text)
    with pytest.raises(UsageError, match=why):
        try_point(spec, point_to_try(spec, []), tmp_path, print)


def test_without_room_for_its_files_it_says_where_to_have_some(
    scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scratch.rmdir()
    assert tried(PROGRAM, "span=3") == 1
    assert "temporary files that can be written, got: No such file or directory; name one: TMPDIR=DIR" in (
        capsys.readouterr().err
    )


def test_a_point_of_a_run_is_tried_without_the_files_that_it_began_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As `explain` has one evaluated again by hand: the file of known results lies beside the spec given."""
    run = Path("logs/wing-1")
    run.mkdir(parents=True)
    (run / "spec.yaml").write_text(f"{PROGRAM}initial: {{results: known.csv}}\n")
    try_again = ["try", str(run / "spec.yaml"), "span=3", "skin=foam"]
    assert cli.main(try_again) == 2
    assert "expected a file at logs/wing-1/known.csv" in capsys.readouterr().err
    (run / "journal.jsonl").touch()
    assert cli.main(try_again) == 0
    assert "drag = 3 N" in capsys.readouterr().out
    program = (run / "spec.yaml").read_text().partition("  command:")[0].replace("outcomes: [heat]", "")
    (run / "spec.yaml").write_text(program.replace("heat <= 60, ", "") + "  evaluator: gone_by_now:drag\n")
    assert cli.main(try_again) == 1
    lacks = "it lacks the evaluator `gone_by_now:drag` (expected a module that can be imported, got"
    assert lacks in capsys.readouterr().err
