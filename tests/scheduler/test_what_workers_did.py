"""What is kept of a worker: how long it worked, since when it is there, and whose turn it is next."""

from __future__ import annotations

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.commands import Evaluate, Tell
from orchestrator.scheduler.events import FailureArrived, LeaseExpired, ResultArrived, WorkerLeft


def lab_of(*workers: str) -> Lab:
    """As many points as workers, each of which has one in hand."""
    lab = Lab(policy_with(trials=50))
    lab.start()
    for worker in workers:
        lab.join(worker)
        lab.suggest()
    return lab


def test_it_was_busy_from_each_lease_to_its_end() -> None:
    lab = lab_of("w1")
    begun = lab.trial(1).started_at
    assert begun is not None
    lab.fail("1.1")
    lab.succeed("1.2")
    # The second attempt began as the first one ended.
    assert lab.state.crew.workers["w1"].busy_s == lab.now - begun == 2.0


def test_one_that_says_hello_again_has_been_there_all_the_while() -> None:
    lab = lab_of("w1")
    lab.succeed("1.1")
    known = lab.state.crew.workers["w1"]
    lab.join("w1")
    again = lab.state.crew.workers["w1"]
    assert again is not known
    assert (again.joined_at, again.busy_s, again.completed) == (known.joined_at, known.busy_s, 1)


def test_one_that_was_given_up_and_comes_back_goes_on_counting() -> None:
    lab = lab_of("w1")
    lab.succeed("1.1")
    lab.suggest()
    lab.fail("2.1")
    lab.happen(WorkerLeft(at=lab.tick(), worker="w1", reason="lost", lost=True))
    lab.join("w1")
    again = lab.state.crew.workers["w1"]
    assert (again.completed, again.failed) == (1, 1)
    # How busy it is, is told of the time since it is there again.
    assert (again.joined_at, again.busy_s) == (lab.now, 0.0)
    assert not lab.state.crew.parted


def test_whoever_has_waited_longest_is_the_next_to_be_served() -> None:
    lab = Lab(policy_with(trials=50))
    lab.start()
    for worker in ("w1", "w2"):
        lab.join(worker, slots=2)
    served = [command.worker for command in only(Evaluate, [*lab.suggest(), *lab.suggest()])]
    assert served == ["w1", "w2", "w1", "w2"]


def test_a_value_is_of_whoever_sent_it_though_another_works_on_its_trial_by_then() -> None:
    lab = lab_of("w1", "w2")
    lab.happen(WorkerLeft(at=lab.tick(), worker="w1", reason="lost", lost=True))
    lab.succeed("2.1", worker="w2")
    assert lab.trial(1).worker == "w2"
    told = only(Tell, lab.succeed("1.1", worker="w1"))
    assert [one.worker for one in told] == ["w1"]


def test_what_an_earlier_attempt_sends_late_is_repeated_once_it_was_heard_and_no_sooner() -> None:
    lab = lab_of("w1", "w2")
    lab.happen(WorkerLeft(at=lab.tick(), worker="w1", reason="lost", lost=True))
    lab.succeed("2.1", worker="w2")
    lab.succeed("1.2", worker="w2")
    late = ResultArrived(at=lab.tick(), worker="w1", lease="1.1", value=7.0)
    assert lab.trial(1).settled
    assert not lab.scheduler.is_repeated(late)
    lab.happen(late)
    assert lab.scheduler.is_repeated(late)


def test_what_ended_a_trial_without_a_person_s_word_is_of_nobody() -> None:
    """Though a person said of an earlier attempt that it failed."""
    lab = Lab(policy_with(trials=50, attempts=2))
    lab.start()
    lab.join("person", local=True)
    lab.suggest()
    at = lab.tick()
    lab.happen(FailureArrived(at=at, worker="person", lease="1.1", kind="error", message="spilt", by="Ada"))
    assert lab.trial(1).by == "Ada"
    lab.happen(LeaseExpired(at=lab.tick(), lease="1.2", reason="late"))
    assert (lab.trial(1).message, lab.trial(1).by) == ("late", "")
