"""A run in which nothing has ever succeeded: it stops before its budget is gone, and can be resumed."""

from lab import Lab, asked, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import RunPaused
from orchestrator.scheduler.commands import Command, FinishRun
from orchestrator.scheduler.events import LeaseExpired, TrialFoundHopeless
from orchestrator.scheduler.transitions import Phase


def broken_lab(**rules: object) -> Lab:
    usual = {"trials": 20, "attempts": 1, "give_up_after": 3, "mode": "sequential"}
    lab = Lab(policy_with(**{**usual, **rules}))  # type: ignore[arg-type]
    lab.start()
    lab.join("w1")
    return lab


def fail_next(lab: Lab) -> list[Command]:
    if lab.state.optimiser.asking:
        lab.suggest()
    return lab.fail(lab.leases("w1")[0])


def test_after_so_many_failures_the_run_stops_and_says_what_the_last_one_was() -> None:
    lab = broken_lab()
    assert only(FinishRun, [*fail_next(lab), *fail_next(lab)]) == []
    commands = fail_next(lab)
    assert only(FinishRun, commands) == [FinishRun(reason="no evaluation has succeeded", failed=True)]
    assert lab.state.end.message == "3 trials failed, the last with: error: broke"
    assert lab.state.resumable


def test_a_resumed_run_gets_as_many_failures_again_and_its_budget_is_what_was_left() -> None:
    lab = broken_lab()
    for _ in range(3):
        fail_next(lab)
    assert asked(lab.resume())
    lab.join("w1")
    assert only(FinishRun, [*fail_next(lab), *fail_next(lab)]) == []
    assert only(FinishRun, fail_next(lab))
    lab.resume()
    lab.join("w1")
    lab.suggest()
    lab.succeed(lab.leases("w1")[0])
    assert lab.state.phase is Phase.ACTIVE
    assert len(lab.state.trials) == 7


def test_one_success_and_failures_are_what_the_optimiser_has_to_learn_from() -> None:
    lab = broken_lab()
    lab.suggest()
    lab.succeed(lab.leases("w1")[0])
    for _ in range(10):
        assert only(FinishRun, fail_next(lab)) == []


def test_attempts_are_not_trials_and_only_trials_count() -> None:
    lab = broken_lab(attempts=4)
    for _ in range(11):
        assert only(FinishRun, fail_next(lab)) == []
    assert only(FinishRun, fail_next(lab))


def test_what_runs_may_finish_first() -> None:
    lab = broken_lab(mode="asynchronous")
    lab.suggest()
    lab.join("w2")
    lab.suggest()
    running = lab.leases("w2")[0]
    fail_next(lab)
    fail_next(lab)
    commands = fail_next(lab)
    assert lab.state.phase is Phase.DRAINING
    assert leased(commands) == asked(commands) == only(FinishRun, commands) == []
    assert only(FinishRun, lab.succeed(running, worker="w2"))


def test_what_was_stopped_as_hopeless_proves_no_evaluator_broken() -> None:
    lab = broken_lab()
    for _ in range(5):
        lab.suggest()
        stopped = TrialFoundHopeless(at=lab.tick(), lease=lab.leases("w1")[0], reason="stopped: loss was 9")
        assert only(FinishRun, lab.happen(stopped)) == []


def test_a_failure_without_a_reason_stops_it_too_and_another_trial_s_words_are_not_taken_for_it() -> None:
    lab = broken_lab(give_up_after=1)
    lab.suggest()
    lease = lab.leases("w1")[0]
    lab.happen(TrialFoundHopeless(at=lab.tick(), lease=lease, reason="stopped: loss was 9"))
    lab.suggest()
    assert only(FinishRun, lab.happen(LeaseExpired(at=lab.tick(), lease=lab.leases("w1")[0], reason="")))
    assert lab.state.end.message == "1 trial failed, the last with: no reason given"


def test_a_paused_run_stops_as_well() -> None:
    lab = broken_lab(mode="asynchronous", give_up_after=1)
    lab.suggest()
    lab.happen(RunPaused(at=lab.tick()))
    assert only(FinishRun, lab.fail(lab.leases("w1")[0]))


def test_where_the_budget_is_gone_anyway_that_is_how_the_run_ends() -> None:
    lab = broken_lab(trials=3)
    for _ in range(2):
        fail_next(lab)
    assert only(FinishRun, fail_next(lab)) == [FinishRun(reason="every trial of the budget is settled")]


def test_unless_told_to_a_scheduler_never_gives_up() -> None:
    lab = broken_lab(give_up_after=None)
    for _ in range(19):
        assert only(FinishRun, fail_next(lab)) == []
