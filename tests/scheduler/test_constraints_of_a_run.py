"""Constraints that are added while a run goes on, and withdrawn: what waits, what runs, and what is best."""

from __future__ import annotations

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import ConstraintsAmended, ResultsAdded
from orchestrator.scheduler.commands import Ask, Rebuild, Tell
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.rules.amended_constraints import AmendedConstraints, constraint_words
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.words.story import story

DRY = "x <= 3"


def begun(slots: int = 1, **rules: object) -> Lab:
    lab = Lab(policy_with(**{"trials": 10, **rules}))  # type: ignore[arg-type]
    lab.start()
    lab.join("w1", slots=slots)
    return lab


def comes(lab: Lab, value: float) -> list[object]:
    lab.suggest()
    lease, *_ = lab.leases("w1")
    return list(lab.succeed(lease, value))


def added(lab: Lab, *broken: int, text: str = DRY) -> list[object]:
    return list(lab.happen(ConstraintsAmended(at=lab.tick(), added={text: broken})))


def withdrawn(lab: Lab, text: str = DRY) -> list[object]:
    return list(lab.happen(ConstraintsAmended(at=lab.tick(), withdrawn=(text,))))


def test_what_holds_is_what_the_spec_says_with_what_was_added_and_without_what_was_withdrawn() -> None:
    now = AmendedConstraints().after(["b"], ["a"])
    assert now.among(["a", "c"]) == ("c", "b")
    assert now.after(["a"], ["b"]).among(["a", "c"]) == ("a", "c")
    assert now.after(["a"], []).after([], ["a"]).among(["a", "c"]) == ("c", "b")
    assert constraint_words(["b"], ["a"]) == "with `b`, without `a`"


def test_values_that_break_it_are_learned_from_and_none_is_the_best() -> None:
    lab = begun()
    comes(lab, 9.0)
    comes(lab, 2.0)
    commands = added(lab, 1)
    (rebuild,) = only(Rebuild, commands)
    assert rebuild.constraints == AmendedConstraints(added=(DRY,))
    assert [tell.trial for tell in only(Tell, commands)] == [1, 2]
    assert lab.state.found.best is lab.trial(2)
    withdrawn(lab)
    assert (lab.state.found.best, lab.trial(1).broken) == (lab.trial(1), ())


def test_what_waits_is_abandoned_and_costs_nothing_and_what_runs_may_finish_but_is_no_best() -> None:
    lab = begun(slots=2)
    comes(lab, 1.0)
    lab.suggest()
    lab.suggest()
    lab.leave("w1", lost=False)
    lab.join("w2")
    waiting, running = lab.trial(2), lab.trial(3)
    assert (running.state, waiting.state) == (TrialState.RUNNING, TrialState.QUEUED)
    added(lab, 2, 3)
    assert (waiting.state, waiting.message) == (
        TrialState.ABANDONED,
        "where `x <= 3` does not hold, as it has to by now",
    )
    assert lab.state.budgeted == 2
    assert [ask.pending for ask in only(Ask, lab.join("w3"))] == [()]
    lab.succeed(str(running.lease), 9.0, worker="w2")
    assert (running.value, running.broken, lab.state.found.best) == (9.0, (DRY,), lab.trial(1))
    said = list(story(lab.policy, lab.events))
    assert any("the constraints were amended: with `x <= 3`" in line for line in said)


def test_what_runs_and_fails_is_not_tried_again() -> None:
    lab = begun()
    lab.suggest()
    added(lab, 1)
    lab.fail("1.1")
    assert lab.trial(1).state is TrialState.ABANDONED


def test_what_was_evaluated_before_it_uses_up_no_patience() -> None:
    lab = begun(patience=2)
    comes(lab, 9.0)
    comes(lab, 2.0)
    added(lab, 1, 2)
    assert (lab.state.found.since_best, lab.state.phase) == (0.0, Phase.ACTIVE)


def test_nothing_ends_as_all_that_was_found_breaks_it_where_outcomes_are_constrained() -> None:
    lab = begun(patience=2, outcomes=("heat",))
    for value in (1.0, 9.0, 2.0):
        comes(lab, value)
        if value == 9.0:
            added(lab, 1, 2)
    assert (lab.state.phase, lab.state.found.best) == (Phase.ACTIVE, lab.trial(3))


def test_a_known_result_says_by_itself_what_it_breaks_and_no_longer_once_that_is_withdrawn() -> None:
    lab = begun()
    added(lab)
    known = KnownResult(parameters={"x": 5}, value=7.0, broken=(DRY,))
    lab.happen(ResultsAdded(at=lab.tick(), results=(known,)))
    assert lab.state.found.best is None
    withdrawn(lab)
    assert lab.state.found.best is not None
