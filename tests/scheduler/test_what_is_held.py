"""Parameters that are not chosen, but are as they are: in all that a run does, and when they change."""

from __future__ import annotations

from collections.abc import Iterable

from lab import Lab, asked, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import HeldAmended, ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.commands import Ask, Rebuild, Tell
from orchestrator.scheduler.event_parts import KnownResult, Suggested
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.scheduler.transitions import Phase, TrialState

APRIL, MARCH, MAY = ({"batch": month} for month in ("april", "march", "may"))


def begun(known: Iterable[KnownResult] = (), **rules: object) -> Lab:
    """One worker, and April's batch."""
    lab = Lab(policy_with(**{"trials": 10, "held": APRIL, **rules}))  # type: ignore[arg-type]
    lab.start(known=tuple(known))
    lab.join("w1")
    return lab


def comes(lab: Lab, value: float, batch: dict[str, str]) -> list[object]:
    """The next point is chosen, and gives so much."""
    lab.suggest(beside=batch)
    (lease,) = lab.leases("w1")
    return list(lab.succeed(lease, value))


def held(lab: Lab, batch: dict[str, str]) -> list[object]:
    return list(lab.happen(HeldAmended(at=lab.tick(), held=batch)))


def known(value: float | None, batch: dict[str, str]) -> KnownResult:
    return KnownResult(parameters={"x": 1, **batch}, value=value)


def told(commands: Iterable[object]) -> list[int]:
    return [tell.trial for tell in only(Tell, commands)]


def test_every_ask_says_what_is_held_and_every_trial_keeps_it() -> None:
    lab = begun()
    (ask,) = only(Ask, lab.commands)
    assert ask.held == APRIL
    (tell,) = only(Tell, comes(lab, 1.0, APRIL))
    assert (tell.held, lab.trial(1).held) == (True, APRIL)


def test_what_is_known_of_other_values_is_learned_from_and_is_no_best() -> None:
    lab = begun([known(9.0, MARCH), known(1.0, APRIL)], target=5.0)
    assert sorted(told(lab.commands)) == [-1, 0]
    assert lab.state.found.best is not None
    assert (lab.state.found.best.value, lab.state.phase) == (1.0, Phase.ACTIVE)


def test_an_optimiser_that_knows_of_nothing_elsewhere_need_not_look_there() -> None:
    lab = begun([known(1.0, APRIL)])
    assert only(Rebuild, lab.commands) == []
    assert lab.state.optimiser.fixed == APRIL


def test_it_begins_anew_once_as_soon_as_something_else_is_known() -> None:
    lab = begun([known(1.0, APRIL)])
    comes(lab, 2.0, APRIL)
    commands = lab.happen(ResultsAdded(at=lab.tick(), results=(known(9.0, MARCH), known(3.0, MARCH))))
    assert only(Rebuild, commands) == [Rebuild(model=1, bounds={}, fixed={}, trials=10)]
    assert told(commands) == [0, 1, -1, -2]
    assert only(Rebuild, lab.happen(ResultsAdded(at=lab.tick(), results=(known(4.0, MAY),)))) == []


def test_what_failed_elsewhere_is_known_too_and_what_is_forgotten_is_not() -> None:
    lab = begun([known(None, MARCH)])
    assert lab.state.optimiser.fixed == {}
    lab = begun([known(9.0, MARCH)])
    (rebuild,) = only(Rebuild, lab.happen(ObservationsForgotten(at=lab.tick(), trials=(0,), reason="wet")))
    assert rebuild.fixed == APRIL


def test_where_it_is_held_now_is_where_the_best_one_is() -> None:
    lab = begun()
    comes(lab, 9.0, APRIL)
    commands = held(lab, MAY)
    assert only(Rebuild, commands) == [Rebuild(model=1, bounds={}, fixed={}, trials=10)]
    assert told(commands) == [1]
    assert lab.state.found.best is None
    comes(lab, 2.0, MAY)
    assert lab.state.found.best is lab.trial(2)
    held(lab, APRIL)
    assert lab.state.found.best is lab.trial(1)


def test_let_go_it_is_chosen_again_and_all_may_be_best() -> None:
    lab = begun()
    comes(lab, 9.0, APRIL)
    held(lab, MAY)
    comes(lab, 2.0, MAY)
    commands = lab.happen(HeldAmended(at=lab.tick(), freed=("batch",)))
    assert (lab.state.policy.where.held, lab.state.optimiser.fixed, lab.state.found.best) == (
        {},
        {},
        lab.trial(1),
    )
    assert [ask.held for ask in only(Ask, commands)] == [{}]
    (tell,) = only(Tell, comes(lab, 3.0, MARCH))
    assert not tell.held


def test_trials_that_wait_elsewhere_are_abandoned_and_cost_no_budget_and_running_ones_finish() -> None:
    lab = Lab(policy_with(trials=3, held=APRIL, mode="synchronous", batch=2, attempts=2))
    lab.start()
    lab.suggest(beside=APRIL)
    lab.join("w1")
    assert leased(lab.commands) == ["1.1"]
    commands = held(lab, MAY)
    assert lab.trial(2).state is TrialState.ABANDONED
    assert lab.trial(2).message == "elsewhere than what is held: batch = april and is held at may"
    assert (lab.state.budgeted, lab.state.tally.spent) == (1, 1.0)
    assert told(commands) == []
    lab.succeed("1.1", value=5.0)
    assert (lab.trial(1).value, lab.state.found.best) == (5.0, None)


def test_a_running_trial_elsewhere_is_not_tried_a_second_time() -> None:
    lab = begun()
    lab.suggest(beside=APRIL)
    held(lab, MAY)
    lab.fail("1.1")
    assert (lab.trial(1).state, lab.state.budgeted) == (TrialState.ABANDONED, 0)


def test_what_runs_elsewhere_is_among_the_points_that_an_ask_knows_of() -> None:
    lab = begun()
    lab.suggest(beside=APRIL)
    lab.join("w2")
    (ask,) = only(Ask, held(lab, MAY))
    assert (ask.held, [point["batch"] for point in ask.pending]) == (MAY, ["april"])
    assert lab.state.optimiser.fixed == {}


def test_patience_is_of_trials_where_it_is_held_now() -> None:
    lab = begun(patience=2)
    comes(lab, 9.0, APRIL)
    comes(lab, 1.0, APRIL)
    held(lab, MAY)
    assert (lab.state.found.since_best, lab.state.phase) == (0.0, Phase.ACTIVE)
    comes(lab, 5.0, MAY)
    comes(lab, 1.0, MAY)
    assert lab.state.phase is Phase.ACTIVE
    comes(lab, 1.0, MAY)
    assert lab.state.end.why == "no improvement in 2 trials"


def test_that_nothing_satisfies_the_constraints_there_is_not_known_before_a_value_came() -> None:
    lab = begun(patience=1, attempts=1, outcomes=("heat",))
    comes(lab, 9.0, APRIL)
    held(lab, MAY)
    lab.suggest(beside=MAY)
    lab.fail(lab.leases("w1")[0])
    assert (lab.state.found.since_best, lab.state.phase) == (1.0, Phase.ACTIVE)


def test_a_target_that_was_reached_elsewhere_is_to_be_reached_again() -> None:
    lab = begun(target=5.0)
    comes(lab, 6.0, APRIL)
    assert lab.state.end.why == "the target was reached"
    held(lab, MAY)
    lab.resume()
    lab.join("w1")
    assert (lab.state.phase, lab.state.optimiser.asking) == (Phase.ACTIVE, 1)


def test_of_several_objectives_the_front_is_of_where_it_is_held_now() -> None:
    lab = begun(further=(("lift", "maximise"),))
    for value, lift, batch in ((9.0, 9.0, APRIL), (1.0, 2.0, MAY), (2.0, 1.0, MAY)):
        if batch is MAY and lab.state.policy.where.held == APRIL:
            held(lab, MAY)
        lab.suggest(beside=batch)
        (lease,) = lab.leases("w1")
        lab.succeed(lease, value, extras={"lift": lift})
    assert [trial.number for trial in lab.state.found.front] == [2, 3]
    held(lab, APRIL)
    assert [trial.number for trial in lab.state.found.front] == [1]


def test_another_parameter_is_held_beside_the_first() -> None:
    lab = begun()
    lab.happen(HeldAmended(at=lab.tick(), held={"speed": 0.5}))
    assert lab.state.policy.where.held == {"batch": "april", "speed": 0.5}
    lab.happen(HeldAmended(at=lab.tick(), held={"speed": 0.7}, freed=("batch",)))
    assert lab.state.policy.where.held == {"speed": 0.7}


def test_a_number_is_where_it_is_held_but_for_the_rounding_of_a_grid() -> None:
    policy = policy_with(held={"temperature": 21.5})
    for value, there in ((21.5, True), (21.500000000001, True), (21.5001, False), ("21.5", False)):
        assert (policy.elsewhere({"temperature": value}) == ()) is there
    assert policy_with(held={"on": True}).elsewhere({"on": 1}) == ("on",)
    assert policy_with(held={"seed": 2**53}).elsewhere({"seed": 2**53 - 1}) == ("seed",)
    assert policy.elsewhere({}) == ("temperature",), "where it does not count, it is not held"


def test_what_is_saved_from_a_damaged_journal_waits_only_where_it_is_held() -> None:
    lab = begun()
    saved = [
        SavedTrial(number=1, suggested=Suggested(parameters={"x": 1, **MAY}), value=3.0),
        SavedTrial(number=2, suggested=Suggested(parameters={"x": 2, **MAY})),
        SavedTrial(number=3, suggested=Suggested(parameters={"x": 3, **APRIL})),
    ]
    lab.happen(JournalMended(at=lab.tick(), wall="", lost=1, asks=3, trials=tuple(saved)))
    states = [trial.state for trial in lab.state.trials.values()]
    assert states == [TrialState.COMPLETED, TrialState.ABANDONED, TrialState.QUEUED]
    assert (lab.state.found.best, lab.state.optimiser.fixed) == (None, {})


def test_the_same_amendment_is_taken_once() -> None:
    lab = begun()
    event = HeldAmended(at=lab.tick(), held=MAY, request="1-1")
    lab.happen(event)
    assert asked(lab.happen(event)) == []
    assert lab.state.optimiser.model == 1
