"""What a run begins with: results known from elsewhere, and points of the spec's own."""

from __future__ import annotations

from lab import Lab, asked, leased, only
from policies import policy_with

from orchestrator.scheduler.commands import Tell
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.transitions import Phase, TrialState


def test_known_results_are_told_first_and_cost_no_budget() -> None:
    lab = Lab(policy_with(trials=1))
    known = (KnownResult(parameters={"x": 1}, value=9.0), KnownResult(parameters={"x": 2}, value=8.0))
    commands = lab.start(known=known)
    assert [(tell.trial, tell.value) for tell in only(Tell, commands)] == [(0, 9.0), (-1, 8.0)]
    assert asked(commands) == [1]
    assert lab.state.found.best is not None
    assert lab.state.found.best.value == 9.0


def test_a_known_failure_is_told_as_one_and_is_no_trial_that_failed() -> None:
    lab = Lab(policy_with(trials=1))
    commands = lab.start(known=(KnownResult(parameters={"x": 1}, value=None),))
    assert [(tell.trial, tell.value) for tell in only(Tell, commands)] == [(0, None)]
    assert (lab.state.found.best, lab.state.tally.failed) == (None, 0)
    assert lab.state.observed[0].state is TrialState.FAILED


def test_points_of_the_spec_are_evaluated_before_any_other() -> None:
    lab = Lab(policy_with(trials=3))
    lab.start(points=({"x": 41}, {"x": 42}))
    assert leased(lab.join("w1", slots=2)) == ["1.1", "2.1"]
    assert lab.trial(1).parameters == {"x": 41}


def test_sequential_means_one_at_a_time_of_the_spec_s_own_points_too() -> None:
    lab = Lab(policy_with(trials=5, mode="sequential"))
    lab.start(points=tuple({"x": float(x)} for x in range(3)), in_turn=True)
    for number in (1, 2, 3):
        lab.join(f"w{number}")
    for number in (1, 2, 3):
        assert lab.state.running == 1
        lab.succeed(f"{number}.1", worker=str(lab.trial(number).worker))
    lab.suggest()
    assert lab.state.running == 1


def test_synchronous_runs_no_more_than_a_round_of_the_spec_s_own_points() -> None:
    lab = Lab(policy_with(trials=8, mode="synchronous", batch=2))
    lab.start(points=tuple({"x": float(x)} for x in range(5)), in_turn=True)
    for number in range(1, 5):
        lab.join(f"w{number}")
    assert lab.state.running == 2


def test_known_results_cost_no_patience() -> None:
    lab = Lab(policy_with(trials=10, patience=2))
    lab.start(known=tuple(KnownResult(parameters={"x": x}, value=-float(x)) for x in range(5)))
    assert (lab.state.phase, lab.state.found.since_best) == (Phase.ACTIVE, 0)
    lab.suggest()
    lab.join("w1")
    lab.succeed("1.1", value=-9.0)
    assert (lab.state.phase, lab.state.found.since_best) == (Phase.ACTIVE, 1)


def test_a_known_result_that_breaks_a_constraint_is_told_and_is_not_the_best_nor_the_target() -> None:
    lab = Lab(policy_with(trials=10, target=50.0))
    known = (
        KnownResult(parameters={"x": 1}, value=3.0),
        KnownResult(parameters={"x": 2}, value=99.0, broken=("x < 2",)),
    )
    commands = lab.start(known=known)
    assert [tell.value for tell in only(Tell, commands)] == [3.0, 99.0]
    assert lab.state.found.best is not None
    assert lab.state.found.best.value == 3.0
    assert lab.state.phase is Phase.ACTIVE
