"""Values that are computed anew in a run that has begun, by another formula or other targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from amended_lives import Run
from valued_runs import SPEC, SPEC_, TRADED_OFF, begun, returned

from orchestrator.errors import UsageError
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.left_requests import request_words
from orchestrator.report.words.values_anew import best_before_and_after
from orchestrator.runtime.folder.journal import decode_line, encode_line
from orchestrator.runtime.optimiser.beginnings import first_beginning, rebuilder
from orchestrator.runtime.recovery.salvaged_decisions import StillMeant
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.decided_before import by_now
from orchestrator.runtime.requests.kinds import Amend, ReadOutput
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Rebuild, Tell
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.load import load_spec_text

FIT_ = load_spec_text(
    SPEC.replace('{name: total, goal: minimise, value: "2 * cost + mass"}', "{fit: {cost: 1, mass: 2}}"),
    "spec.yaml",
    None,
).spec
TARGETS: dict[str, Any] = {"fit": {"cost": {"value": 1.0}, "mass": {"value": 2.0}}}
HEAVY = Amend(objective={"value": "cost + 10 * mass"}, reason="mass weighs more", by="Ada")


def values(run: Run) -> list[float | None]:
    return [trial.value for trial in run.state.trials.values() if trial.settled]


def test_by_another_formula_all_trials_have_the_values_that_they_had_come_to() -> None:
    run = begun()
    assert (values(run), run.state.found.best.number) == ([5.0, 6.0, 11.0], 1)
    run.drained()
    sentence = run.amend(HEAVY)
    assert "3 of 3 values are another" in sentence
    assert (values(run), run.state.found.best.number) == ([31.0, 22.0, 15.0], 3)
    assert [trial.values_before for trial in run.state.observed] == [(5.0,), (6.0,), (11.0,)]
    told = run.drained()
    assert isinstance(told[0], Rebuild)
    assert [command.value for command in told if isinstance(command, Tell)] == [31.0, 22.0, 15.0]
    returned(run, 5.0, cost=1.0, mass=0.5)
    assert values(run)[-1] == 6.0
    assert amendment_words(SPEC_, run.state) == ("value = cost + 10 * mass",)
    assert request_words(HEAVY) == "to be amended, by Ada: value = cost + 10 * mass (mass weighs more)"
    assert violations(run.state) == []


def test_the_optimiser_that_begins_anew_knows_the_formula_as_one_that_began_with_it() -> None:
    run = begun()
    run.amend(HEAVY)
    (command,) = [one for one in run.drained() if isinstance(one, Rebuild)]
    assert command.values.objective == HEAVY.objective
    first = first_beginning(SPEC_)
    terms, _ = rebuilder(SPEC_)(replace(first, values=command.values))
    right = load_spec_text(SPEC.replace("2 * cost + mass", "cost + 10 * mass"), "spec.yaml", None).spec
    of_right, _ = rebuilder(right)(first)
    assert terms._outcomes is not None
    assert of_right._outcomes is not None
    assert terms._outcomes.computed.expression == of_right._outcomes.computed.expression  # type: ignore[union-attr]


def test_what_is_on_disk_leads_to_the_same_values() -> None:
    run, again = begun(), begun()
    decided = decide_amendment(HEAVY, SPEC_, run.state, 20.0, "a")
    run.happen(*decided.events)
    read = [decode_line(encode_line(7, event).rstrip(b"\n"), 7) for event in decided.events]
    assert read == decided.events
    again.happen(*read)  # type: ignore[arg-type]
    assert again.state == run.state


def test_of_several_objectives_any_may_be_another_and_the_trade_offs_are_shown_before_and_then() -> None:
    spec = load_spec_text(TRADED_OFF, "spec.yaml", None).spec
    run = Run(spec)
    for number, (drag, mass) in enumerate([(1.0, 9.0), (2.0, 1.0), (3.0, 8.0)], start=1):
        run.trial({"span": 1.0 + number}, None)
        came = ev.ResultArrived(
            at=run.state.at, worker="w", lease=f"{number}.1", value=drag, extras={"mass": mass}
        )
        run.happen(came)
    run.happen(ev.StopRequested(at=run.state.at, now=False, reason="Ctrl-C"))
    read = [
        ReadOutput(trial=3, value=3.0, extras={"mass": 0.5}),
        ReadOutput(trial=1, value=9.0, extras={"mass": 9.0}),
    ]
    amend = Amend(output={"patterns": {"drag": "(.)", "mass": "m(.)"}}, read=read, observed=3)
    events = decide_amendment(amend, spec, run.state, 20.0, "a").events
    assert best_before_and_after(spec, run.scheduler, events) == (
        "trade-offs before: trial 1, trial 2\ntrade-offs then: trial 2, trial 3\n"
    )
    assert "2 of 3 trials have another value" in run.amend(amend)
    assert [trial.number for trial in run.state.found.front] == [2, 3]


def test_said_twice_it_is_so_already() -> None:
    run = begun()
    run.amend(HEAVY)
    assert run.amend(HEAVY, "b") == "that is so already: value = cost + 10 * mass"
    back = run.amend(Amend(objective={"value": "2 * cost + mass"}), "c")
    assert "3 of 3" in back
    assert values(run) == [5.0, 6.0, 11.0]


def test_what_was_no_number_may_become_one_and_the_other_way_round() -> None:
    run = begun()
    run.amend(Amend(objective={"value": "log(cost - 1) + mass"}), "a")
    first = run.state.trials[1]
    assert (first.state, first.value, run.state.tally.failed) == (TrialState.FAILED, None, 1)
    assert first.message == "invalid: expected a finite value, got nan of cost = 1.0, mass = 3.0"
    returned(run, 6.0, cost=1.0, mass=7.0)
    sentence = run.amend(Amend(objective={"value": "cost + mass"}), "b")
    assert "what had failed has a value: trial 1, trial 4" in sentence
    assert values(run) == [4.0, 4.0, 6.0, 8.0]
    assert (run.state.tally.completed, run.state.tally.failed, run.state.tally.out_of_attempts) == (4, 0, 0)
    assert run.state.trials[4].values_before == (None,)
    assert violations(run.state) == []


def test_a_known_result_without_the_outcomes_is_named_and_may_be_forgotten() -> None:
    run = begun()
    known = ev.KnownResult(parameters={"span": 7.0}, value=0.1)
    run.happen(ev.ResultsAdded(at=run.state.at, results=(known,)))
    with pytest.raises(UsageError, match=r"known result 0 does not: .*`cost`.*--forget 0 --reason TEXT"):
        run.amend(HEAVY)
    run.amend(Amend(objective=HEAVY.objective, forget=[0], reason="of another wing"), "b")
    assert run.state.found.best.number == 3


def test_results_that_become_known_with_it_or_were_read_before_it_have_the_new_values() -> None:
    run = begun()
    read = ev.KnownResult(parameters={"span": 7.0}, value=2.1, outcomes={"cost": 1.0, "mass": 0.1})
    with_it = Amend(objective=HEAVY.objective, results=[read])
    events = decide_amendment(with_it, SPEC_, run.state, 20.0, "a").events
    told = best_before_and_after(SPEC_, run.scheduler, events)
    assert told.endswith("best then: known result 0: 2, trial 3: 15 (before: 11), trial 2: 22 (before: 6)\n")
    run.amend(with_it, "a")
    run.amend(Amend(results=[replace(read, parameters={"span": 8.0})]), "b")
    assert [trial.value for trial in run.state.observed[3:]] == [2.0, 2.0]
    with pytest.raises(UsageError, match=r"known result 1: expected a finite value, got nan of cost = 1\.0"):
        run.amend(Amend(objective={"value": "log(-cost) + mass"}, results=[read]), "c")


def test_targets_and_their_errors_may_be_told_otherwise() -> None:
    run = Run(FIT_)
    returned(run, 2.0, cost=1.0, mass=4.0)
    returned(run, 3.0, cost=3.0, mass=2.0)
    assert values(run) == [4.0, 4.0]
    run.amend(Amend(objective={"fit": {"cost": {"value": 1.0}, "mass": {"value": 2.0, "error": 0.5}}}))
    assert values(run) == [16.0, 4.0]
    assert run.state.found.best.number == 2
    assert amendment_words(FIT_, run.state) == ("fit of cost, mass",)


def test_how_errors_of_targets_hang_together_may_be_told_and_that_they_do_not_after_all() -> None:
    run = Run(FIT_)
    returned(run, 2.0, cost=1.0, mass=4.0)
    returned(run, 3.0, cost=3.0, mass=4.0)
    assert values(run) == [4.0, 8.0]
    together = {**TARGETS, "covariance": [[1.0, 0.5], [0.5, 1.0]]}
    run.amend(Amend(objective=together))
    assert values(run) == pytest.approx([16.0 / 3.0, 16.0 / 3.0])
    assert amendment_words(FIT_, run.state) == ("fit of cost, mass, whose errors have a covariance",)
    run.amend(Amend(objective=TARGETS), "b")
    assert values(run) == [4.0, 8.0]


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (Amend(objective={**TARGETS, "covariance": [[1.0]]}), "covariance: expected as many rows, .* got 1"),
        (Amend(objective={"value": "cost + 2 * mas"}), "did you mean `mass`"),
        (Amend(objective={"fit": {"lift": {"value": 1.0}}}), "got `lift`"),
        (Amend(output={"pattern": "(x)"}), "whose evaluations are a `command`"),
        (Amend(objective={"goal": "maximise"}), "with a `value` or a `fit`, got `goal`"),
        (Amend(objective={"fit": {}}), "outcomes that are fitted, each with its `value`, got {}"),
        (Amend(objective={"fit": {"cost": 1.0}}), "target of `cost`: "),
        (Amend(objective={"fit": {"cost": {"error": 1.0}}}), "target of `cost`: .*`value`"),
        (Amend(objective={**TARGETS, "covariance": 3.0}), "covariance: "),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_wrong(request_: Amend, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        begun().amend(request_)


def test_an_objective_that_is_returned_stays_so() -> None:
    plain = load_spec_text(SPEC.replace(', value: "2 * cost + mass"', ""), "spec.yaml", None).spec
    with pytest.raises(UsageError, match=r"whose evaluations return it: .*results: found\.csv"):
        Run(plain).amend(HEAVY)


def test_results_that_come_in_the_same_moment_have_the_new_values_too() -> None:
    run = begun()
    run.trial({"span": 8.0}, None)
    (event,) = decide_amendment(HEAVY, SPEC_, run.state, 20.0, "a").events
    wanted = WantedResults.of(SPEC_)
    came = wanted.judged(
        ev.ResultArrived(at=20.0, worker="w", lease="4.1", extras={"cost": 1.0, "mass": 0.1}), {"span": 8.0}
    )
    run.happen(came)
    now = by_now(event, [came], SPEC_, run.state)
    assert isinstance(now, ev.ValuesAmended)
    assert now.anew[-1] == ValuedAnew(trial=4, value=2.0)
    assert by_now(now, [came], SPEC_, run.state) == now

    of_none = begun()
    of_none.amend(Amend(objective={"value": "log(cost - 3) + mass"}), "a")
    (again,) = decide_amendment(HEAVY, SPEC_, of_none.state, 20.0, "b").events
    returned(of_none, 8.0, cost=1.0, mass=0.1)
    failed = ev.FailureArrived(at=20.0, worker="w", lease="4.1", kind="invalid", message="")
    now = by_now(again, [failed], SPEC_, of_none.state)
    assert isinstance(now, ev.ValuesAmended)
    assert (now.anew[-1].trial, now.anew[-1].value) == (4, 2.0)

    late = begun()
    late.trial({"span": 8.0}, None)
    late.happen(event)
    after = by_now(came, [event], SPEC_, late.state)
    assert isinstance(after, ev.ResultArrived)
    assert after.value == 2.0


def test_what_had_no_value_by_the_formula_of_before_has_one_where_it_comes_behind_the_new_one() -> None:
    run = begun()
    run.amend(Amend(objective={"value": "log(cost - 3) + mass"}), "a")
    run.trial({"span": 8.0}, None)
    (event,) = decide_amendment(HEAVY, SPEC_, run.state, 20.0, "b").events
    of_before = WantedResults.of(SPEC_, run.state.amended.constraints, run.state.amended.values)
    came = ev.ResultArrived(at=20.0, worker="w", lease="4.1", extras={"cost": 1.0, "mass": 0.1}, elapsed=3.0)
    failed = of_before.judged(came, {"span": 8.0})
    assert isinstance(failed, ev.FailureArrived)
    run.happen(event)
    now = by_now(failed, [event], SPEC_, run.state)
    assert now == replace(came, value=2.0)
    run.happen(now)
    assert run.state.trials[4].value == 2.0
    # What failed of itself failed, whatever it told beside.
    own = replace(failed, kind="error")
    assert by_now(own, [event], SPEC_, run.state) == own
    lacks = replace(failed, extras={"cost": 1.0})
    assert by_now(lacks, [event], SPEC_, run.state) == lacks


def test_what_takes_long_is_found_beside_the_loop_and_what_came_since_is_judged() -> None:
    run = begun()
    judged = rehearse(HEAVY, SPEC_, Beforehand.of(run.state))
    assert judged is not None
    assert [one.value for one in judged.anew] == [31.0, 22.0, 15.0]
    returned(run, 8.0, cost=1.0, mass=0.1)
    (event,) = decide_amendment(HEAVY, SPEC_, run.state, 20.0, "a", judged).events
    assert isinstance(event, ev.ValuesAmended)
    assert [one.value for one in event.anew] == [31.0, 22.0, 15.0, 2.0]


def test_what_is_wrong_with_it_is_said_where_it_was_found_beside_the_loop() -> None:
    run = begun()
    run.happen(ev.ResultsAdded(at=9.0, results=(ev.KnownResult(parameters={"span": 7.0}, value=0.1),)))
    judged = rehearse(HEAVY, SPEC_, Beforehand.of(run.state))
    with pytest.raises(UsageError, match="known result 0 does not"):
        decide_amendment(HEAVY, SPEC_, run.state, 20.0, "a", judged)


def test_behind_the_damage_of_a_journal_it_holds_for_the_trials_that_are_left() -> None:
    run, dropped = begun(), list[str]()
    run.happen(ev.ResultsAdded(at=9.0, results=(ev.KnownResult(parameters={"span": 7.0}, value=0.1),)))
    anew = tuple(ValuedAnew(trial=number, value=0.5) for number in (0, 1, 2, 3))
    meant = StillMeant(run.state, {1: 1, 3: 2}, unsettled={1}, failed=set(), dropped=dropped)
    kept = meant.kept(ev.ValuesAmended(at=1.0, objective=HEAVY.objective, anew=anew))
    assert isinstance(kept, ev.ValuesAmended)
    assert [one.trial for one in kept.anew] == [0, 2]


def test_behind_the_damage_of_a_journal_no_known_result_has_the_value_of_another() -> None:
    run = begun()
    known = ev.KnownResult(parameters={"span": 7.0}, value=3.0, outcomes={"cost": 1.0, "mass": 1.0})
    run.happen(ev.ResultsAdded(at=run.state.at, results=(known,)))
    # What was known result -2 may be -1 by what is left, as a line before it may have brought another.
    anew = tuple(ValuedAnew(trial=number, value=0.5) for number in (0, -1, -2))
    meant = StillMeant(run.state, {}, unsettled=set(), failed=set(), dropped=[])
    kept = meant.kept(ev.ValuesAmended(at=1.0, objective=HEAVY.objective, anew=anew))
    assert isinstance(kept, ev.ValuesAmended)
    assert [one.trial for one in kept.anew] == [0]
