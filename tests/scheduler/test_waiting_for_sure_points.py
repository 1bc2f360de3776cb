"""A run of which no trial may break a limit, and whose optimiser has no point that is sure enough yet."""

from __future__ import annotations

from lab import Lab, only

from orchestrator.scheduler.commands import Ask, FinishRun
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.transitions import Phase

KEPT = "probability(heat <= 80) >= 0.99"


def begun(points: int = 1, workers: int = 2) -> Lab:
    lab = Lab(Policy(trials=9, outcomes=("heat",), kept=(KEPT,)))
    lab.start(points=tuple({"x": 0.1 * i} for i in range(points)))
    for number in range(workers):
        lab.join(f"w{number + 1}")
    return lab


def test_what_runs_is_waited_for_and_then_the_optimiser_is_asked_again() -> None:
    lab = begun()
    assert not only(Ask, lab.suggest(count=0)), "nothing more is known yet"
    (again,) = only(Ask, lab.succeed("1.1"))
    assert again.count >= 2
    lab.suggest()
    assert lab.state.phase is Phase.ACTIVE


def test_of_fewer_points_than_were_wanted_those_are_tried() -> None:
    lab = begun()
    lab.suggest(count=1)
    assert len(lab.state.unsettled) == 2
    assert only(Ask, lab.succeed("1.1"))


def test_an_answer_from_before_a_result_came_is_no_last_word() -> None:
    lab = begun()
    lab.succeed("1.1")
    assert only(Ask, lab.suggest(count=0)), "the optimiser may not have known of it"
    lab.suggest()
    assert lab.state.phase is Phase.ACTIVE


def test_where_nothing_runs_from_which_more_could_be_known_the_run_ends_and_says_why() -> None:
    lab = begun()
    lab.succeed("1.1")
    lab.suggest(count=0)
    (finish,) = only(FinishRun, lab.suggest(count=0))
    assert finish.reason == f"no other point is known to be sure enough to keep `{KEPT}`"
    assert not finish.failed


def test_without_such_limits_fewer_points_are_the_last() -> None:
    lab = Lab(Policy(trials=9, outcomes=("heat",)))
    lab.start(points=({"x": 0.1},))
    lab.join("w1")
    lab.join("w2")
    lab.suggest(count=0)
    (finish,) = only(FinishRun, lab.succeed("1.1"))
    assert finish.reason == "the optimiser has no more points to suggest"
