"""Runs in real processes of evaluations that return derivatives: what they teach, and killed."""

from __future__ import annotations

from typing import Any

import pytest
from run_lab import RunLab, checked, spec, suggestions

from orchestrator.sensitivity import held_out

PARTS = [f"part_{i}" for i in range(1, 4)]
ROD: dict[str, Any] = {
    "parameters": None,
    "objective": {"name": "misfit", "goal": "minimise", "derivatives": True, "noise": 0},
    "algorithm": {"name": "auto"},
    "mode": "sequential",
    "evaluation": {"evaluator": "evaluators.rod:misfit", "options": {"measured": [0.03, 0.05, 0.04, 0.02]}},
}


def rod(trials: int) -> dict[str, Any]:
    parameters = {name: {"type": "float", "bounds": [0.1, 10], "scale": "log"} for name in PARTS}
    return {**spec(budget={"trials": trials}, **ROD), "parameters": parameters}


def test_models_that_answer_questions_believe_them(lab: RunLab, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = lab.run_to_its_end(rod(5))
    told = [trial.extras["derivatives"] for trial in checked(folder).observed]
    assert all(isinstance(one, dict) and {*one} == {*PARTS} for one in told)
    # By how much bounds are stretched is tested elsewhere, and takes fits.
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
    assert "with derivatives`" in lab.says("predict", str(folder.path), "part_1=0.5")


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    killed, undisturbed = lab.run_killed(rod(12), asks=7), lab.run_to_its_end(rod(12))
    assert suggestions(killed) == suggestions(undisturbed)
    found = [[trial.value for trial in checked(folder).observed] for folder in (killed, undisturbed)]
    assert found[0] == found[1]
