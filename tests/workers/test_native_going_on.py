"""Evaluations of the worker in C++ that go on from what an earlier trial left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from native_lab import NEEDS_A_COMPILER, NativeLab
from worker_lab import evaluate_steps, eventually, result

from evaluators.trial_left import found_left
from orchestrator.wire.scripted import ScriptedOrchestrator

pytestmark = NEEDS_A_COMPILER


@pytest.fixture
def halving() -> Iterator[ScriptedOrchestrator]:
    with ScriptedOrchestrator("native:halving", heartbeat_s=1.0) as scripted:
        yield scripted


def halved(
    wire: ScriptedOrchestrator, trial: int, steps: int, continues: int = 0, x: float = 1.3, attempt: int = 1
) -> tuple[float | None, object, bool]:
    """To what it came, in how many steps, and whether it went on."""
    lease = evaluate_steps(wire, trial, {"x": x, "steps": steps}, continues, attempt)
    told = result(wire, lease)
    return told.value, told.extras["steps_done"], told.continued


def test_only_the_difference_is_done_and_what_is_not_there_is_begun_anew(
    native: NativeLab, halving: ScriptedOrchestrator
) -> None:
    native.start(halving.address)
    halving.greet()
    assert halved(halving, 1, 4) == (pytest.approx(0.5**8), 4, False)
    assert halved(halving, 2, 10, continues=1) == (pytest.approx(0.5**20), 6, True)
    # What was gone on from is as it was; other settings are not gone on from, nor what never was.
    assert halved(halving, 3, 6, continues=1) == (pytest.approx(0.5**12), 2, True)
    assert halved(halving, 4, 6, continues=1, x=1.25)[1:] == (6, False)
    assert halved(halving, 5, 6, continues=99)[1:] == (6, False)
    # But where it is said that others were begun with.
    lease = evaluate_steps(halving, 6, {"x": 1.25, "steps": 6}, 1, 1, begun={"x": 1.3, "steps": 4})
    assert result(halving, lease).continued
    eventually(lambda: "trial 5 begins from nothing: what trial 99" in native.said)


def test_what_a_killed_worker_left_is_gone_on_from_by_the_next_as_the_one_in_python_would(
    native: NativeLab, halving: ScriptedOrchestrator
) -> None:
    first = native.start(halving.address)
    halving.greet()
    assert halved(halving, 1, 4)[1:] == (4, False)
    # Else the next one sends the result once more.
    eventually(lambda: not list((native.directory / "w" / "outbox").glob("*.json")))
    first.kill()
    first.wait()
    trial = native.directory / "w" / "trials" / halving.run / "0001"
    assert found_left(trial, {"x": 1.3, "steps": 9}, "steps") == trial
    native.start(halving.address)
    halving.greet()
    assert halved(halving, 2, 10, continues=1)[1:] == (6, True)
    # Another attempt at the first may write over what it left: it counts once it has come to its end.
    assert halved(halving, 1, 6, attempt=2)[1:] == (6, False)
    assert halved(halving, 3, 10, continues=1)[1:] == (4, True)
