"""A run of which no trial may break a limit, and whose optimiser has no point that is sure enough yet."""

from __future__ import annotations

import pytest
from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import ObservationsForgotten, ResultsAdded, ValuesAmended
from orchestrator.scheduler.commands import Ask, FinishRun
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import TrialApproved
from orchestrator.scheduler.transitions import Phase, TrialState

KEPT = "probability(heat <= 80) >= 0.99"


def begun(points: int = 1, workers: int = 2) -> Lab:
    lab = Lab(policy_with(trials=9, outcomes=("heat",), kept=(KEPT,)))
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


def test_the_optimiser_is_asked_again_where_what_was_waited_for_failed_in_the_end() -> None:
    lab = begun(workers=1)
    lab.suggest(count=0)
    asked = [only(Ask, lab.fail(f"1.{attempt}")) for attempt in (1, 2, 3)]
    assert lab.trial(1).state is TrialState.FAILED
    assert asked[-1]


def test_it_is_asked_again_where_a_person_adds_a_result_meanwhile() -> None:
    lab = begun()
    lab.suggest(count=0)
    known = KnownResult(parameters={"x": 0.9}, value=1.0, outcomes={"heat": 20.0})
    assert only(Ask, lab.happen(ResultsAdded(at=lab.tick(), results=(known,))))


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


def test_of_candidates_it_says_that_all_were_tried_that_are_sure_enough() -> None:
    lab = Lab(policy_with(trials=9, outcomes=("heat",), kept=(KEPT,), candidates=True))
    lab.start(points=({"x": 0.1},))
    lab.join("w1")
    lab.succeed("1.1")
    (finish,) = only(FinishRun, lab.suggest(count=0))
    sure = f"but for those that are not known to be sure enough to keep `{KEPT}`"
    assert finish.reason == f"every candidate was tried, {sure}"


def approved() -> Lab:
    """Trial 1 runs; 2, which a person wants, and what the optimiser asked for wait for approval."""
    lab = Lab(policy_with(trials=9, outcomes=("heat",), kept=(KEPT,), approval=True))
    lab.start(points=({"x": 0.1}, {"x": 0.2}))
    for name in ("w1", "w2", "w3", "w4"):
        lab.join(name)
    lab.happen(TrialApproved(at=lab.tick(), trial=1))
    while lab.state.optimiser.asking:
        lab.suggest()
    assert list(lab.state.waiting.queue) == [2, 3, 4]
    return lab


def test_what_waits_where_a_limit_is_broken_is_asked_for_anew_and_what_a_person_wants_stays() -> None:
    lab = approved()
    (ask,) = only(Ask, lab.succeed("1.1", broken=(KEPT,), extras={"heat": 99.0}))
    assert ask.count == 3
    assert list(lab.state.waiting.queue) == [2]
    assert lab.trial(3).state is TrialState.ABANDONED
    assert f"`{KEPT}` was broken since it was asked for" in lab.trial(3).message
    assert lab.state.budgeted == 2, "nothing is paid for what was never begun"


def test_what_waits_where_a_limit_was_kept_waits_on() -> None:
    lab = approved()
    lab.succeed("1.1", extras={"heat": 20.0})
    assert list(lab.state.waiting.queue) == [2, 3, 4]


@pytest.mark.parametrize(
    "said",
    [
        ObservationsForgotten(at=99.0, trials=(1,), reason="the sensor was unplugged"),
        ValuesAmended(at=99.0, output={"json": "loss"}),
    ],
    ids=["forgotten", "read otherwise"],
)
def test_what_waits_by_results_that_are_not_what_they_were_is_asked_for_anew(
    said: ObservationsForgotten | ValuesAmended,
) -> None:
    lab = approved()
    lab.succeed("1.1", extras={"heat": 20.0})
    lab.suggest()
    lab.happen(said)
    assert list(lab.state.waiting.queue) == [2]
    assert "by which it was held to be safe" in lab.trial(3).message


def test_an_answer_from_before_a_limit_was_broken_is_not_taken() -> None:
    lab = begun()
    lab.succeed("1.1", broken=(KEPT,), extras={"heat": 99.0})
    assert only(Ask, lab.suggest()), "the optimiser did not know of it"
    assert list(lab.state.trials) == [1]
    lab.suggest()
    assert len(lab.state.unsettled) == 2


def test_nothing_is_chosen_before_its_turn_however_quickly_evaluations_are_over() -> None:
    lab = Lab(policy_with(trials=1_000, outcomes=("heat",), kept=(KEPT,)))
    lab.start(points=({"x": 0.1},))
    lab.join("w1")
    for _ in range(8):
        lab.succeed(*lab.leases("w1"), elapsed=1e-5, extras={"heat": 20.0})
        lab.suggest()
        assert len(lab.state.unsettled) == 1


def test_without_such_limits_fewer_points_are_the_last() -> None:
    lab = Lab(policy_with(trials=9, outcomes=("heat",)))
    lab.start(points=({"x": 0.1},))
    lab.join("w1")
    lab.join("w2")
    lab.suggest(count=0)
    (finish,) = only(FinishRun, lab.succeed("1.1"))
    assert finish.reason == "the optimiser has no more points to suggest"
