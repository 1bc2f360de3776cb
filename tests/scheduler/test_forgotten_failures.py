"""What failed, or was stopped, and is not to be believed: the model is built anew without it."""

from __future__ import annotations

from lab import Lab, asked, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import BoundsAmended, ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.commands import Command, FinishRun, Rebuild, Tell
from orchestrator.scheduler.corrections import corrections
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import TrialRefused
from orchestrator.scheduler.transitions import Phase, TrialState

FAILS, IS_STOPPED = "fails", "is stopped"


def lab_of(*fates: float | str, **rules: object) -> Lab:
    """One worker, to whose trials this happened, in turn; the next is chosen."""
    lab = Lab(policy_with(**{"trials": 10, "attempts": 1, "mode": "sequential", **rules}))  # type: ignore[arg-type]
    lab.start()
    lab.suggest()
    lab.join("w1")
    for fate in fates:
        happens(lab, fate)
    return lab


def happens(lab: Lab, fate: float | str) -> list[Command]:
    (lease,) = lab.leases("w1")
    match fate:
        case "fails":
            commands = lab.fail(lease)
        case "is stopped":
            commands = lab.find_unlikely(lease)
        case _:
            commands = lab.succeed(lease, value=float(fate))
    if lab.state.optimiser.asking:
        lab.suggest()
    return commands


def forget(lab: Lab, *trials: int) -> list[Command]:
    return lab.happen(ObservationsForgotten(at=lab.tick(), trials=trials, reason="the sensor was unplugged"))


def told(commands: list[Command]) -> list[tuple[int, float | None]]:
    return [(tell.trial, tell.value) for tell in only(Tell, commands)]


def test_a_forgotten_failure_stays_recorded_and_the_model_is_built_anew_without_it() -> None:
    lab = lab_of(5.0, FAILS, FAILS, 2.0)
    commands = forget(lab, 2)
    assert only(Rebuild, commands) == [Rebuild(model=1, bounds={}, trials=10)]
    assert told(commands) == [(1, 5.0), (3, None), (4, 2.0)]
    assert (lab.trial(2).state, lab.trial(2).forgotten) == (TrialState.FAILED, "the sensor was unplugged")
    assert lab.trial(2).message == "error: broke"
    assert (lab.state.tally.failed, lab.state.budgeted) == (2, 5)


def test_what_waits_stays_where_no_limit_is_to_be_kept() -> None:
    lab = Lab(policy_with(trials=10, mode="synchronous", batch=3))
    lab.start()
    lab.suggest()
    lab.join("w1")
    lab.succeed("1.1")
    forget(lab, 1)
    assert (list(lab.state.waiting.queue), lab.leases("w1")) == ([3], ["2.1"])


def test_it_stays_forgotten_when_another_model_begins() -> None:
    lab = lab_of(5.0, FAILS, 2.0)
    forget(lab, 2)
    commands = lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (-9, 9)}))
    assert told(commands) == [(1, 5.0), (3, 2.0)]


def test_what_was_foreseen_of_a_stopped_trial_is_forgotten_likewise() -> None:
    lab = lab_of(5.0, IS_STOPPED, 2.0)
    assert told(lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (-9, 9)})))[1] == (2, 0.25)
    assert told(forget(lab, 2)) == [(1, 5.0), (3, 2.0)]
    assert lab.trial(2).state is TrialState.STOPPED
    assert lab.trial(2).forecast is not None


def test_a_known_failure_is_forgotten_by_its_number() -> None:
    lab = lab_of(5.0)
    failed = KnownResult(parameters={"x": 3}, value=None)
    lab.happen(ResultsAdded(at=lab.tick(), results=(failed,)))
    assert told(forget(lab, 0)) == [(1, 5.0)]


def test_what_was_known_when_the_run_began_stands_for_nothing_that_a_mended_journal_forgets() -> None:
    """Which is asked for by nobody."""
    lab = Lab(policy_with(trials=10))
    lab.start(known=(KnownResult(parameters={"x": 0}, value=3.0),), points=({"x": 0},))
    lab.join("w1")
    lab.succeed("1.1", value=5.0)
    forget(lab, 1)
    assert corrections(lab.state) == {}


def refuse(lab: Lab, trial: int) -> list[Command]:
    return lab.happen(TrialRefused(at=lab.tick(), trial=trial, reason="spilt", forgotten=True))


def test_what_is_refused_may_be_forgotten_at_once_and_was_never_told() -> None:
    lab = lab_of(5.0, 2.0, patience=2)
    commands = refuse(lab, 3)
    assert only(Rebuild, commands) == [Rebuild(model=1, bounds={}, trials=10)]
    assert told(commands) == [(1, 5.0), (2, 2.0)]
    assert (lab.trial(3).state, lab.trial(3).forgotten) == (TrialState.FAILED, "spilt")
    assert (lab.state.phase, lab.state.found.since_best) == (Phase.ACTIVE, 1.0), "no more patience is lost"


def test_who_refused_it_stays_known_where_whoever_forgets_it_gives_no_name() -> None:
    lab = lab_of(5.0)
    lab.happen(TrialRefused(at=lab.tick(), trial=2, reason="spilt", by="ada"))
    forget(lab, 2)
    assert (lab.trial(2).by, lab.trial(2).forgotten) == ("ada", "the sensor was unplugged")


def test_a_round_that_ends_by_it_is_told_to_the_model_that_begins_and_to_no_other() -> None:
    lab = Lab(policy_with(trials=10, mode="synchronous", batch=2))
    lab.start()
    lab.suggest()
    lab.join("w1", slots=2)
    assert told(lab.succeed("1.1", value=5.0)) == []
    assert told(refuse(lab, 2)) == [(1, 5.0)]


def test_whose_value_came_before_it_was_refused_is_not_forgotten() -> None:
    lab = lab_of(5.0, 2.0)
    refuse(lab, 2)
    assert (lab.trial(2).value, lab.trial(2).forgotten) == (2.0, "")


def test_what_is_not_settled_yet_is_not_forgotten_beforehand() -> None:
    lab = lab_of(5.0)
    forget(lab, 2)
    assert told(happens(lab, FAILS)) == [(2, None)]
    assert not lab.trial(2).forgotten


def test_forgotten_failures_cost_no_patience() -> None:
    lab = lab_of(5.0, FAILS, FAILS, FAILS, patience=4)
    forget(lab, 2, 3, 4)
    assert only(FinishRun, [command for _ in range(3) for command in happens(lab, 1.0)]) == []
    assert only(FinishRun, happens(lab, 1.0))


def test_a_run_does_not_give_up_for_failures_that_somebody_has_seen_to() -> None:
    lab = lab_of(FAILS, FAILS, give_up_after=3)
    forget(lab, 1, 2)
    happens(lab, FAILS)
    assert only(FinishRun, happens(lab, FAILS)) == []
    assert only(FinishRun, happens(lab, FAILS))
    assert lab.state.end.message == "3 trials failed, the last with: error: broke"


def test_a_run_that_gave_up_is_resumed_as_if_nothing_had_failed() -> None:
    lab = lab_of(FAILS, FAILS, give_up_after=2)
    assert lab.state.phase is Phase.FINISHED
    assert told(forget(lab, 1, 2)) == []
    assert asked(lab.resume()) == [1]
