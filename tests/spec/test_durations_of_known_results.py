"""How long the evaluation of a known result took: read where durations are weighed, told as a trial's is."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import Suggestion
from orchestrator.errors import SpecError
from orchestrator.runtime.optimiser.own_terms import OwnTerms
from orchestrator.runtime.results.known_events import known_events
from orchestrator.scheduler.commands import Tell
from orchestrator.scheduler.events import RunStarted
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.build import build_fidelity, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [0, 1]}}
algorithm: {name: auto, options: {weigh_duration: true}}
budget: {trials: 9}
evaluation: {evaluator: "math:sqrt"}
initial: {results: known.csv}
"""
GOES_ON = "{parameter: grid, continues: true}"
TABLE = "span,drag,state,seconds\n0.2,3,,40\n0.3,,failed,2.5\n0.4,1,,\n"


def read(folder: Path, text: str = SPEC, table: str = TABLE) -> Spec:
    (folder / "known.csv").write_text(table)
    return load_spec_text(text, "spec.yaml", folder).spec


def test_the_model_is_told_what_each_took_where_that_is_known(tmp_path: Path) -> None:
    spec = read(tmp_path)
    known = known_events(spec.initial.results, spec)
    commands = Scheduler(policy_of(spec)).handle(RunStarted(at=0.0, run="r", wall="", known=known))
    told = [command.seconds for command in commands if isinstance(command, Tell)]
    assert told == [40.0, 2.5, None]


def test_results_that_are_added_or_written_inline_say_it_too(tmp_path: Path) -> None:
    text = SPEC.replace("known.csv", "[{span: 0.2, drag: 3, seconds: 40}]")
    spec = read(tmp_path, text)
    (added,), _ = read_added_results(spec, [], ["span=0.3,value=2,seconds=7"])
    assert ([one.seconds for one in spec.initial.results], added.seconds) == ([40.0], 7.0)


def test_where_durations_are_not_weighed_a_column_called_so_is_left_alone(tmp_path: Path) -> None:
    spec = read(tmp_path, SPEC.replace("{name: auto, options: {weigh_duration: true}}", "auto"), TABLE)
    assert [one.seconds for one in spec.initial.results] == [None] * 3


@pytest.mark.parametrize(
    ("fidelity", "told"),
    [("{parameter: grid}", 3), ("{parameter: grid, cost: grid}", 0), (GOES_ON, 0)],
)
def test_what_evaluations_cost_is_learned_from_them_where_that_is_not_said(
    tmp_path: Path, fidelity: str, told: int
) -> None:
    text = SPEC.replace("{name: auto, options: {weigh_duration: true}}", "auto").replace(
        "parameters: {", f"fidelity: {fidelity}\nparameters: {{grid: {{type: int, bounds: [1, 9]}}, "
    )
    spec = read(tmp_path, text, "grid,span,drag,seconds\n1,0.2,3,4\n9,0.2,2,400\n1,0.3,3,5\n")
    assert sum(one.seconds is not None for one in spec.initial.results) == told
    if not told:
        return
    fidelity_of_run = build_fidelity(spec)
    assert fidelity_of_run is not None
    terms = OwnTerms(build_space(spec), -1.0, None, fidelity_of_run, (), 0)
    commands = Scheduler(policy_of(spec)).handle(
        RunStarted(at=0.0, run="r", wall="", known=known_events(spec.initial.results, spec))
    )
    for command in commands:
        if isinstance(command, Tell):
            terms.observation(command, Auto)
    (suggested,) = terms.suggested([Suggestion(build_space(spec).encode({"grid": 1, "span": 0.5}))], {})
    # By how many values there are it would be a ninth.
    assert suggested.cost < 0.05


def test_what_no_evaluation_can_take_is_refused_at_its_place(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"known.csv:2:"):
        read(tmp_path, table=TABLE.replace("40", "-40"))
