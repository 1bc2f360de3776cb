"""Evaluations that succeeded, and then all fail in the same words: the run stops in time."""

import numpy as np
import pytest
from lab import Lab, asked, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.commands import Command, FinishRun
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import FailureArrived
from orchestrator.scheduler.failing_alike import failed_alike, is_no_chance
from orchestrator.scheduler.transitions import Phase

NO_LICENCE = "exit code 3: no seat (-5,357), asked for 0.{} s"


def lab_of(values: int = 9, *, gives_up: bool = True, **rules: object) -> Lab:
    """A run in which so many evaluations have succeeded."""
    usual = {"trials": 200, "attempts": 1, "give_up_after": 10, "mode": "sequential"}
    lab = Lab(policy_with(**{**usual, **rules}))  # type: ignore[arg-type]
    lab.start(gives_up_alike=gives_up)
    lab.join("w1")
    for _ in range(values):
        succeed_next(lab)
    return lab


def next_lease(lab: Lab) -> str:
    if lab.state.optimiser.asking:
        lab.suggest()
    return lab.leases("w1")[0]


def succeed_next(lab: Lab) -> list[Command]:
    return lab.succeed(next_lease(lab))


def fail_next(lab: Lab, message: str = NO_LICENCE) -> list[Command]:
    return fail_as(lab, next_lease(lab), message)


def fail_as(lab: Lab, lease: str, message: str, worker: str = "w1") -> list[Command]:
    words = message.format(lab.trial(int(lease.partition(".")[0])).number)
    return lab.happen(
        FailureArrived(at=lab.tick(), worker=worker, lease=lease, kind="error", message=f"{words}\nin line 7")
    )


def fail(lab: Lab, times: int, message: str = NO_LICENCE) -> list[FinishRun]:
    return [finish for _ in range(times) for finish in only(FinishRun, fail_next(lab, message))]


def test_after_twenty_in_a_row_in_the_same_words_but_for_numbers_it_stops_and_may_be_resumed() -> None:
    lab = lab_of(8)
    assert fail(lab, 1, "diverged") == []
    assert fail(lab, 19) == []
    assert fail(lab, 1) == [
        FinishRun(reason="evaluations fail one after the other, all in the same way", failed=True)
    ]
    last = "error: exit code 3: no seat (-5,357), asked for 0.29 s"
    assert lab.state.end.message == f"20 trials failed one after the other, all with: {last}"
    assert lab.state.resumable
    assert failed_alike(lab.state) == list(range(10, 30))


def test_resumed_it_has_as_many_again_and_a_value_shows_that_points_were_to_blame() -> None:
    lab = lab_of()
    fail(lab, 20)
    assert asked(lab.resume())
    lab.join("w1")
    assert fail(lab, 19) == []
    assert fail(lab, 1) != []
    assert asked(lab.resume())
    lab.join("w1")
    succeed_next(lab)
    assert fail(lab, 60) == []
    assert lab.state.phase is Phase.ACTIVE


def test_failures_in_different_words_are_what_the_optimiser_has_to_learn_from() -> None:
    lab = lab_of()
    for _ in range(30):
        assert fail(lab, 1, "diverged") == fail(lab, 1, "no mesh") == []


def test_where_most_evaluations_fail_more_in_a_row_are_nothing_new() -> None:
    lab = lab_of(1)
    for _ in range(8):
        fail(lab, 9, "diverged")
        succeed_next(lab)
    assert fail(lab, 40) == []


def test_what_failed_so_before_others_succeeded_is_where_their_points_lie() -> None:
    """A search whose best lies beside where evaluations fail looks there to its end."""
    lab = lab_of(8)
    fail(lab, 1, "diverged at step 0.{}")
    for _ in range(8):
        succeed_next(lab)
    assert fail(lab, 60, "diverged at step 0.{}") == []


@pytest.mark.parametrize(("share", "of_a_thousand"), [(0.6, 0), (0.8, 2), (0.95, 16)])
def test_a_search_where_points_fail_at_random_is_hardly_ever_stopped(
    share: float, of_a_thousand: int
) -> None:
    rng, stopped = np.random.default_rng(7), 0
    for _ in range(1_000):
        failed, before, row = 0, 0, 0
        for fails in rng.random(150) < share:
            if not fails:
                failed, before, row = failed + row, before + row + 1, 0
                continue
            row += 1
            if row >= 20 and before and is_no_chance(row, failed, before):
                stopped += 1
                break
    assert stopped == of_a_thousand


def test_it_takes_the_more_in_a_row_the_more_failed_before() -> None:
    rows = [next(row for row in range(20, 100) if is_no_chance(row, failed, 100)) for failed in (0, 50, 80)]
    assert rows == [20, 20, 55]


def test_after_few_values_more_in_a_row_are_needed_to_tell() -> None:
    lab = lab_of(1)
    assert fail(lab, 43) == []
    assert fail(lab, 1) != []


def test_points_that_a_person_gave_may_fail_one_after_the_other_as_those_of_a_sweep() -> None:
    lab = Lab(policy_with(trials=200, attempts=1, give_up_after=10, mode="sequential"))
    lab.start(gives_up_alike=True, points=tuple({"x": float(x)} for x in range(60)))
    lab.join("w1")
    for _ in range(20):
        succeed_next(lab)
    assert fail(lab, 40) == []
    assert fail(lab, 19) == []
    assert fail(lab, 1) != []
    assert failed_alike(lab.state) == list(range(21, 81))


def test_what_somebody_has_seen_to_does_not_count() -> None:
    lab = lab_of()
    fail(lab, 19)
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=tuple(range(10, 25)), reason="no licence"))
    assert fail(lab, 19) == []
    assert fail(lab, 1) != []


def test_a_result_that_somebody_adds_or_forgets_meanwhile_is_no_evaluation_that_succeeded() -> None:
    lab = lab_of()
    assert fail(lab, 10) == []
    succeed_next(lab)
    assert fail(lab, 5) == []
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(20,), reason="of another sample"))
    lab.happen(ResultsAdded(at=lab.tick(), results=(KnownResult(parameters={"x": 3}, value=1.0),)))
    assert fail(lab, 4) == []
    assert fail(lab, 1) != []


def test_of_what_runs_while_it_stops_those_belong_to_it_that_fail_as_the_others() -> None:
    lab = lab_of(mode="asynchronous")
    for worker in ("w2", "w3"):
        lab.join(worker)
    while lab.state.optimiser.asking:
        lab.suggest()
    (likewise,), (otherwise,) = lab.leases("w2"), lab.leases("w3")
    assert fail(lab, 20) == []
    alike = lab.state.tally.failing_alike
    assert len(alike) == 20
    fail_as(lab, otherwise, "diverged", "w3")
    fail_as(lab, likewise, NO_LICENCE, "w2")
    assert lab.state.phase is Phase.FINISHED
    assert set(failed_alike(lab.state)) == alike | {int(likewise.partition(".")[0])}


def test_an_older_run_goes_on_as_it_did() -> None:
    assert fail(lab_of(gives_up=False), 60) == []


def test_a_run_that_never_gives_up_does_not() -> None:
    assert fail(lab_of(give_up_after=None), 60) == []


def test_where_the_budget_is_gone_that_is_how_it_ends() -> None:
    lab = lab_of(trials=29)
    assert fail(lab, 20) == [FinishRun(reason="every trial of the budget is settled")]
