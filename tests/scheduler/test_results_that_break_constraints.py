"""Results that break a constraint on outcomes: they complete their trials, are told, and are no best."""

from __future__ import annotations

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.commands import Tell
from orchestrator.scheduler.event_parts import KnownResult, Suggested
from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.scheduler.transitions import Phase, TrialState

HOT = ("heat <= 80",)


def begun(**rules: object) -> Lab:
    lab = Lab(policy_with(trials=9, mode="sequential", outcomes=("heat",), **rules))  # type: ignore[arg-type]
    lab.start()
    lab.join("w1")
    return lab


def comes(lab: Lab, value: float, heat: float, broken: tuple[str, ...] = ()) -> list[object]:
    """The next trial is made, and gives so much."""
    lab.suggest()
    (lease,) = lab.leases("w1")
    extras = {"heat": heat, "picture": "large"}
    return list(
        lab.happen(
            ResultArrived(at=lab.tick(), worker="w1", lease=lease, value=value, extras=extras, broken=broken)
        )
    )


def test_the_best_is_the_best_of_those_that_break_none() -> None:
    lab = begun()
    comes(lab, 9.0, 90.0, HOT)
    assert lab.state.found.best is None
    comes(lab, 1.0, 70.0)
    comes(lab, 8.0, 99.0, HOT)
    assert lab.state.found.best is lab.trial(2)
    assert [trial.state for trial in lab.state.trials.values()][:3] == [TrialState.COMPLETED] * 3


def test_the_optimiser_is_told_the_value_and_those_outcomes_that_constraints_are_about() -> None:
    (tell,) = only(Tell, comes(begun(), 9.0, 90.0, HOT))
    assert (tell.value, tell.outcomes) == (9.0, {"heat": 90.0})


def test_a_target_is_not_reached_by_what_breaks_one() -> None:
    lab = begun(target=5.0)
    comes(lab, 9.0, 90.0, HOT)
    assert lab.state.phase is Phase.ACTIVE
    comes(lab, 6.0, 70.0)
    assert lab.state.end.why == "the target was reached"


def test_patience_is_lost_where_nothing_satisfies_them() -> None:
    lab = begun(patience=3)
    comes(lab, 9.0, 90.0, HOT)
    comes(lab, 9.0, 90.0, HOT)
    assert lab.state.phase is Phase.ACTIVE
    comes(lab, 9.0, 90.0, HOT)
    assert lab.state.end.why == "nothing that satisfies the constraints in 3 trials"


def test_patience_is_lost_by_what_breaks_one() -> None:
    lab = begun(patience=2)
    comes(lab, 1.0, 70.0)
    comes(lab, 9.0, 90.0, HOT)
    comes(lab, 9.0, 90.0, HOT)
    assert lab.state.end.why == "no improvement in 2 trials"


def test_known_results_are_told_with_their_outcomes() -> None:
    lab = Lab(policy_with(trials=3, outcomes=("heat",)))
    known = (
        KnownResult(parameters={"x": 1}, value=9.0, outcomes={"heat": 90.0}, broken=HOT),
        KnownResult(parameters={"x": 2}, value=2.0, outcomes={"heat": 20.0}),
        KnownResult(parameters={"x": 3}, value=3.0, broken=HOT),
    )
    told = only(Tell, lab.start(known=known))
    assert [tell.outcomes for tell in told] == [{"heat": 90.0}, {"heat": 20.0}, {}]
    assert lab.state.found.best is not None
    assert lab.state.found.best.value == 2.0


def test_what_is_saved_from_a_damaged_journal_breaks_what_it_broke() -> None:
    lab = begun()
    lab.suggest()
    saved = SavedTrial(
        number=1, suggested=Suggested(parameters={"x": 0}), value=9.0, extras={"heat": 90.0}, broken=HOT
    )
    commands = lab.happen(JournalMended(at=lab.tick(), wall="", lost=1, asks=1, trials=(saved,)))
    assert lab.state.found.best is None
    assert lab.trial(1).broken == HOT
    assert [tell.outcomes for tell in only(Tell, commands)] == [{"heat": 90.0}]
