"""Evaluations that go on from what an earlier trial left: real workers, and programs that count on."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import pytest
from worker_lab import Lab, evaluate_steps, failure, result

from orchestrator.wire.messages import Result
from orchestrator.wire.scripted import ScriptedOrchestrator

COMMAND = "evaluators.command:run"
COUNTS = """\
import os, pathlib, sys
steps, before = int(sys.argv[1]), sys.argv[2]
assert before == os.environ["ORCHESTRATOR_CONTINUED_FROM"]
counted = int(pathlib.Path(before, "counter").read_text()) if before else 0
done = 0
while counted < steps:
    counted, done = counted + 1, done + 1
    pathlib.Path(sys.argv[3], "counter").write_text(str(counted))
    if len(sys.argv) > 4 and sys.argv[4] == str(counted):
        sys.exit("out of memory")
print('{"value": %d, "done": %d}' % (counted, done))
"""
"""Counts to a number of steps, from where the one before came to; may fail at one of them."""


def counting(lab: Lab, *, own: bool, name: str = "w") -> ScriptedOrchestrator:
    """A worker whose programs count in the trial's folder, or each in one of its own."""
    (lab.directory / "counts.py").write_text(COUNTS)
    command = [sys.executable, "{started_in}/counts.py", "{steps}", "{continued_from}", "{directory}", "{at}"]
    options: dict[str, Any] = {"command": command}
    if own:
        (lab.directory / "steps.template").write_text("{steps} from {continued_from}\n")
        options["input"] = {"templates": {"steps.in": "steps.template"}}
    wire = lab.orchestrator(COMMAND, options=options, parameters=["rate", "steps", "at"])
    lab.start(wire.address, "--evaluator", COMMAND, name=name)
    wire.greet()
    return wire


def ask(
    wire: ScriptedOrchestrator, trial: int, steps: int, continues: int = 0, attempt: int = 1, **other: float
) -> str:
    """Have so many steps evaluated; the lease."""
    parameters = {"rate": 0.1, "at": 0, **other, "steps": steps}
    return evaluate_steps(wire, trial, parameters, continues, attempt)


def counted(wire: ScriptedOrchestrator, lease: str) -> tuple[float | None, object, bool]:
    """To what it came, in how many steps, and whether it went on."""
    told = result(wire, lease)
    return told.value, told.extras["done"], told.continued


@pytest.mark.parametrize("own", [False, True])
def test_only_the_difference_is_done(lab: Lab, own: bool) -> None:
    wire = counting(lab, own=own)
    assert counted(wire, ask(wire, 1, 10)) == (10, 10, False)
    assert counted(wire, ask(wire, 2, 25, continues=1)) == (25, 15, True)
    assert counted(wire, ask(wire, 3, 40, continues=2)) == (40, 15, True)
    # What was gone on from is as it was.
    assert counted(wire, ask(wire, 4, 30, continues=1)) == (30, 20, True)
    if own:
        left = lab.trial_file(2, "attempt-1/steps.in").read_text()
        assert left == f"25 from {lab.trial_file(1, 'attempt-1').resolve()}\n"


def test_where_what_was_left_is_gone_it_says_so_and_begins_from_nothing(lab: Lab) -> None:
    wire = counting(lab, own=True)
    assert counted(wire, ask(wire, 1, 10)) == (10, 10, False)
    shutil.rmtree(lab.trial_file(1, "attempt-1"))
    assert counted(wire, ask(wire, 2, 25, continues=1)) == (25, 25, False)
    said = lab.trial_file(2, "attempt-1.out").read_text()
    assert "it begins from nothing: what trial 1, from which it was to go on, left is not in" in said


def test_another_worker_without_the_folder_begins_from_nothing(lab: Lab) -> None:
    first = counting(lab, own=False, name="here")
    assert counted(first, ask(first, 1, 10)) == (10, 10, False)
    second = counting(lab, own=False, name="there")
    assert counted(second, ask(second, 2, 25, continues=1)) == (25, 25, False)


def test_what_was_left_by_other_settings_under_that_number_is_not_gone_on_from(lab: Lab) -> None:
    wire = counting(lab, own=True)
    assert counted(wire, ask(wire, 1, 10, rate=0.2)) == (10, 10, False)
    assert counted(wire, ask(wire, 2, 25, continues=1)) == (25, 25, False)


def test_what_was_left_by_the_settings_that_were_begun_with_is_gone_on_from_with_others(lab: Lab) -> None:
    wire = counting(lab, own=True)
    first = {"rate": 0.1, "at": 0, "steps": 10}
    assert counted(wire, ask(wire, 1, 10)) == (10, 10, False)
    others = {"rate": 0.2, "at": 0, "steps": 25}
    assert counted(wire, evaluate_steps(wire, 2, others, 1, 1, begun=first)) == (25, 15, True)
    # Which were not these.
    assert counted(wire, evaluate_steps(wire, 3, others, 1, 1, begun={**first, "rate": 0.3})) == (
        25,
        25,
        False,
    )


@pytest.mark.parametrize("own", [False, True])
def test_what_an_attempt_left_that_failed_in_the_middle_is_not_gone_on_from(lab: Lab, own: bool) -> None:
    wire = counting(lab, own=own)
    assert counted(wire, ask(wire, 1, 10)) == (10, 10, False)
    # As one of which the first value came late: it is begun once more, and that ends in the middle.
    (lab.directory / "counts.py").write_text(COUNTS.replace("sys.argv[4] == str(counted)", "counted == 4"))
    assert "out of memory" in failure(wire, ask(wire, 1, 10, attempt=2)).message
    (lab.directory / "counts.py").write_text(COUNTS)
    went_on = counted(wire, ask(wire, 2, 25, continues=1))
    # In a folder of its own the first attempt lies as it was.
    assert went_on == ((25, 15, True) if own else (25, 25, False))


def test_nothing_is_noted_of_evaluations_that_others_do_not_go_on_from(lab: Lab) -> None:
    wire = counting(lab, own=False)
    (lab.directory / "counts.py").write_text("print(1.0)")
    wire.evaluate("L1", {"rate": 0.1, "at": 0, "steps": 10}, trial=1)
    told: Result = result(wire, "L1")
    assert not told.continued
    assert [path.name for path in lab.trial_file(1, "").iterdir()] == ["attempt-1.stdout"]


def test_a_function_of_python_has_the_folder_in_its_context(lab: Lab) -> None:
    (lab.directory / "counting.py").write_text(
        "def steps(parameters, *, context):\n"
        "    before = context.continued_from\n"
        "    counted = 0 if before is None else int((before / 'counter').read_text())\n"
        "    (context.directory / 'counter').write_text(str(parameters['steps']))\n"
        "    return {'value': parameters['steps'], 'done': parameters['steps'] - counted}\n"
    )
    wire = lab.orchestrator("counting:steps", parameters=["steps"])
    lab.start(wire.address, "--evaluator", "counting:steps")
    wire.greet()
    assert counted(wire, ask(wire, 1, 10)) == (10, 10, False)
    assert counted(wire, ask(wire, 2, 25, continues=1)) == (25, 15, True)
