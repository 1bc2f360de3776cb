"""What a result has to bring, whoever it comes from, and what it breaks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.errors import UsageError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.decisions import decide
from orchestrator.runtime.requests.kinds import Record, Verdict
from orchestrator.runtime.requests.left_decisions import refuse_in_vain
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.sections.evaluation import PERSON

SPEC = load_spec_text(
    """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [1, 9]}}
outcomes: [lift]
constraints: [lift >= 0.1 * span]
algorithm: random
budget: {trials: 5}
evaluation: {evaluator: person}
mode: sequential
""",
    "spec.yaml",
    None,
).spec
WANTED = WantedResults.of(SPEC)


def by_hand() -> Scheduler:
    """The first trial, of a span of 4, is a person's."""
    scheduler = Scheduler(policy_of(SPEC))
    point = ev.Suggested(parameters={"span": 4.0})
    for event in (
        ev.RunStarted(at=0.0, run="r", wall=""),
        ev.WorkerJoined(at=0.5, worker=PERSON, slots=1),
        ev.SuggestionsMade(at=1.0, ask=1, suggestions=(point,), seconds=0.1),
    ):
        scheduler.handle(event)
    return scheduler


def result(**extras: object) -> ev.ResultArrived:
    return ev.ResultArrived(at=1.0, worker="w", lease="1.1", value=2.0, extras=extras)


def test_a_worker_s_result_is_judged_by_the_parameters_that_it_is_of() -> None:
    for span, broken in ((4.0, ()), (6.0, ("lift >= 0.1 * span",))):
        judged = WANTED.judged(result(lift=0.5), {"span": span})
        assert isinstance(judged, ev.ResultArrived)
        assert judged.broken == broken


def test_a_worker_s_result_without_the_outcome_is_a_failure_of_the_same_lease() -> None:
    found = replace(result(lfit=0.5), elapsed=3.0, own={"bench": "north"})
    judged = WANTED.judged(found, {"span": 4.0})
    assert isinstance(judged, ev.FailureArrived)
    assert (judged.lease, judged.worker, judged.kind) == ("1.1", "w", "invalid")
    assert (judged.at, judged.elapsed, judged.own) == (1.0, 3.0, {"bench": "north"})
    assert "expected the outcome `lift`" in judged.message
    assert "got `lfit`; if that is it, have it called `lift`" in judged.message


@pytest.mark.parametrize("lift", [[0.5], [[0.5]]])
def test_an_array_of_one_element_is_that_outcome_and_of_other_names_stays_what_it_is(lift: object) -> None:
    """As `Optimiser.tell` has it, and as a worker takes it for the value."""
    judged = WANTED.judged(result(lift=lift, trace=[0.1]), {"span": 4.0})
    assert isinstance(judged, ev.ResultArrived)
    assert judged.extras == {"lift": 0.5, "trace": [0.1]}
    for wrong in ([], [0.5, 0.6], ["much"]):
        assert isinstance(WANTED.judged(result(lift=wrong), {"span": 4.0}), ev.FailureArrived)


def test_without_outcomes_results_are_as_they_come() -> None:
    came = result(lift=0.5)
    assert WantedResults().judged(came, {}) is came
    assert WantedResults().broken({}, {}, 1.0) == ()


def test_what_a_person_records_has_to_bring_it_and_is_judged_alike() -> None:
    scheduler = by_hand()
    lacking = decide(Record(1, 2.0), scheduler.state, 3.0, "", WANTED)
    assert isinstance(lacking, Verdict)
    assert not lacking.accepted
    assert lacking.sentence.endswith("got the value alone; say --extra NAME=VALUE for each")
    typed = decide(Record(1, 2.0, extras={"lift": "0,4"}), scheduler.state, 3.0, "", WANTED)
    assert isinstance(typed, Verdict)
    assert typed.sentence.endswith("got '0,4'; decimals come after a point, as in 3.2")
    low = decide(Record(1, 2.0, extras={"lift": 0.3}), scheduler.state, 3.0, "", WANTED)
    assert isinstance(low, ev.ResultArrived)
    assert low.broken == ("lift >= 0.1 * span",)
    enough = decide(Record(1, 2.0, extras={"lift": 0.4}), scheduler.state, 3.0, "", WANTED)
    assert isinstance(enough, ev.ResultArrived)
    assert enough.broken == ()


def test_what_is_left_without_it_while_nobody_works_on_the_run_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected the outcome `lift`"):
        refuse_in_vain([Record(1, 2.0)], RunFolder(tmp_path), SPEC, by_hand())
    refuse_in_vain([Record(1, 2.0, extras={"lift": 1.0})], RunFolder(tmp_path), SPEC, by_hand())
