"""Evaluations that are over at once: what is scarce then is trials, if those are counted, and not time."""

import pytest
from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.commands import Ask
from orchestrator.scheduler.events import RefitFinished
from orchestrator.scheduler.pace import Pace

ENOUGH_FOR_A_REFIT_S = 2.0


def quick_lab(elapsed: float, **rules: object) -> Lab:
    """Four workers, a few of whose evaluations are done."""
    lab = Lab(policy_with(mode="asynchronous", **rules))  # type: ignore[arg-type]
    lab.start()
    for worker in ("w1", "w2", "w3", "w4"):
        lab.join(worker)
    for _ in range(8):
        for worker in ("w1", "w2", "w3", "w4"):
            if lab.state.optimiser.asking:
                lab.suggest()
            for lease in lab.leases(worker):
                lab.succeed(lease, worker=worker, elapsed=elapsed)
    while lab.state.optimiser.asking:
        lab.suggest()
    return lab


@pytest.mark.parametrize(
    ("elapsed", "rules", "waits"),
    [
        (0.001, {"trials": 100}, True),
        (0.05, {"trials": 100}, True),
        (0.2, {"trials": 100}, False),
        (0.001, {"time_s": 60.0}, False),
        (600.0, {"trials": 100}, True),
    ],
    ids=["at once", "soon", "they take time", "time is the budget", "a refit is nothing beside them"],
)
def test_an_ask_waits_for_a_refit_where_it_costs_less_than_a_trial(
    elapsed: float, rules: dict[str, object], waits: bool
) -> None:
    ask = only(Ask, quick_lab(elapsed, **rules).commands)[-1]
    assert ask.patience_s is not None
    assert (ask.patience_s >= ENOUGH_FOR_A_REFIT_S) == waits


@pytest.mark.parametrize(
    ("elapsed", "first", "later"), [(0.2, 0.01, 0.01), (2.0, 2.0, 0.1), (60.0, 60.0, 3.0)]
)
def test_the_first_model_is_worth_the_time_of_an_evaluation(
    elapsed: float, first: float, later: float
) -> None:
    lab = quick_lab(elapsed, trials=1000)
    assert only(Ask, lab.commands)[-1].patience_s == pytest.approx(first)
    lab.happen(RefitFinished(at=lab.tick(), number=1, observations=10, payload={}))
    lab.succeed(lab.leases("w1")[0], elapsed=elapsed)
    assert only(Ask, lab.commands)[-1].patience_s == pytest.approx(later)


@pytest.mark.parametrize(("trials", "ahead"), [(100, 2), (1_000, 20), (100_000, 64)])
def test_of_a_small_budget_no_more_than_a_little_is_chosen_before_its_turn(trials: int, ahead: int) -> None:
    lab = quick_lab(1e-5, trials=trials)
    assert max(ask.count for ask in only(Ask, lab.commands)) <= 4 + ahead
    assert len(lab.state.unsettled) == 4 + ahead


def test_where_evaluations_are_long_nothing_is_chosen_before_its_turn() -> None:
    lab = quick_lab(600.0, trials=100_000)
    assert len(lab.state.unsettled) == 4


def test_of_many_slots_each_has_a_point_ready() -> None:
    lab = Lab(policy_with(mode="asynchronous", trials=100_000))
    lab.start()
    lab.join("w1", slots=100)
    while lab.state.optimiser.asking:
        lab.suggest()
    lab.succeed("1.1", elapsed=0.1)
    while lab.state.optimiser.asking:
        lab.suggest()
    assert (lab.state.running, len(lab.state.waiting.queue)) == (100, 100)


def test_one_evaluation_or_ask_out_of_many_that_took_long_changes_little() -> None:
    pace = Pace()
    for _ in range(50):
        pace.evaluated(1.0)
        pace.asked(0.5, 1)
    pace.evaluated(11.0)
    pace.asked(10.5, 1)
    assert pace.evaluation_s == pytest.approx(2.0)
    assert pace.point_s == pytest.approx(3.5)


def test_what_is_known_is_waited_for_in_the_first_model_and_in_no_later_one() -> None:
    lab = Lab(policy_with(mode="asynchronous", trials=100))
    assert only(Ask, lab.start())[-1].patience_s == 30.0
    lab.suggest()
    lab.happen(RefitFinished(at=lab.tick(), number=1, observations=10, payload={}))
    assert only(Ask, lab.join("w1", slots=2))[-1].patience_s == 0.0
