"""What silence means, on a clock that the test holds."""

from __future__ import annotations

import pytest
from policies import policy_with

from evaluators.worker_process.child_ending import LOAD_LIMIT_S
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import LeaseExpired, WorkerLeft
from orchestrator.scheduler.liveness import SENDING_S, Liveness, Patience
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.worker import Worker

PATIENCE = Patience(heartbeat_s=1.0, silence_s=5.0, unheld_s=3.0, overdue_s=10.0, return_s=20.0)


def liveness(timeout_s: float | None = None) -> Liveness:
    return Liveness(timeout_s=timeout_s, patience=PATIENCE)


def test_a_worker_is_lost_after_its_silence_and_only_once() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.beat("w", [], now=4.0)
    assert watch.expired(9.0) == []
    assert [type(event) for event in watch.expired(9.1)] == [WorkerLeft]
    assert watch.expired(50.0) == []


def test_any_word_of_a_worker_counts_as_life() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    for second in range(1, 30):
        watch.heard("w", now=float(second))
        assert watch.expired(float(second)) == []


def test_a_lease_that_its_worker_never_mentions_expires() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.granted("2.1", "w", now=0.0)
    found = []
    for second in range(1, 10):
        watch.beat("w", ["2.1"], now=float(second))
        found.extend(watch.expired(float(second)))
    assert [(event.lease, event.counts) for event in found if isinstance(event, LeaseExpired)] == [
        ("1.1", False)
    ]


def test_a_lease_that_its_worker_had_and_mentions_no_more_counts_as_a_failed_attempt() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.granted("2.1", "w", now=0.0)
    watch.beat("w", ["1.1"], now=1.0)
    watch.began("2.1", "w")
    found = []
    for second in range(2, 10):
        watch.beat("w", [], now=float(second))
        found.extend(watch.expired(float(second)))
    assert {event.lease: event.counts for event in found if isinstance(event, LeaseExpired)} == {
        "1.1": True,
        "2.1": True,
    }


def test_a_silent_worker_keeps_its_leases_until_it_is_lost() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.beat("w", ["1.1"], now=1.0)
    assert watch.expired(5.9) == []
    watch.beat("w", ["1.1"], now=5.9)
    assert watch.expired(6.5) == []


def test_a_lease_past_its_timeout_is_left_to_the_worker_for_a_while() -> None:
    watch = liveness(timeout_s=100.0)
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    expired_at = None
    for second in range(1, 200):
        watch.beat("w", ["1.1"], now=float(second))
        if watch.expired(float(second)):
            expired_at = second
            break
    assert expired_at == 111


def test_a_lease_that_waits_for_what_another_run_gave_its_worker_takes_none_of_its_time() -> None:
    watch = liveness(timeout_s=5.0)
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    for second in range(1, 100):
        watch.beat("w", ["1.1"], now=float(second), waiting=["1.1"])
        assert watch.expired(float(second)) == []
    expired_at = None
    for second in range(100, 200):
        watch.beat("w", ["1.1"], now=float(second))
        if watch.expired(float(second)):
            expired_at = second
            break
    assert expired_at == 115


def test_a_lease_that_ended_is_not_missed() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.ended("1.1", "w")
    for second in range(1, 30):
        watch.beat("w", [], now=float(second))
        assert watch.expired(float(second)) == []


def test_a_lease_is_watched_for_the_worker_it_was_given_to_whoever_else_claims_it() -> None:
    watch = liveness()
    watch.joined("honest", now=0.0)
    watch.granted("1.1", "honest", now=0.0)
    watch.joined("other", now=0.0)
    watch.believed("other", [], held=["1.1"], now=0.0)
    watch.ended("1.1", "other")
    found = []
    for second in range(1, 10):
        watch.beat("honest", [], now=float(second))
        watch.beat("other", ["1.1"], now=float(second))
        found.extend(watch.expired(float(second)))
    assert [event.lease for event in found if isinstance(event, LeaseExpired)] == ["1.1"]


def test_a_worker_that_comes_back_without_its_lease_has_until_its_first_heartbeat_to_deliver() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.believed("w", ["1.1", "2.1"], held=["2.1"], now=0.0)
    assert watch.expired(0.9) == []
    watch.beat("w", ["2.1"], now=1.0)
    assert [event.lease for event in watch.expired(1.0) if isinstance(event, LeaseExpired)] == ["1.1"]


def test_a_process_that_comes_back_without_a_lease_that_it_never_had_may_yet_get_it() -> None:
    watch = liveness()
    watch.joined("w", now=0.0, session="s")
    watch.granted("1.1", "w", now=0.0)
    watch.joined("w", now=2.0, session="s")
    watch.believed("w", ["1.1"], held=[], now=2.0)
    watch.beat("w", [], now=2.0)
    assert watch.expired(2.0) == []
    watch.beat("w", [], now=4.1)
    assert [
        (event.lease, event.counts) for event in watch.expired(4.1) if isinstance(event, LeaseExpired)
    ] == [("1.1", False)]


def test_a_process_that_comes_back_without_a_lease_that_it_had_has_lost_it() -> None:
    watch = liveness()
    watch.joined("w", now=0.0, session="s")
    watch.granted("1.1", "w", now=0.0)
    watch.beat("w", ["1.1"], now=1.0)
    watch.joined("w", now=2.0, session="s")
    watch.believed("w", ["1.1"], held=[], now=2.0)
    watch.beat("w", [], now=2.0)
    assert [
        (event.lease, event.counts) for event in watch.expired(2.0) if isinstance(event, LeaseExpired)
    ] == [("1.1", True)]


def test_nobody_knows_what_a_successor_s_predecessor_had_so_it_counts() -> None:
    watch = liveness()
    watch.joined("w", now=0.0, session="first")
    watch.granted("1.1", "w", now=0.0)
    watch.joined("w", now=1.0, session="second")
    watch.believed("w", ["1.1"], held=[], now=1.0)
    watch.joined("w", now=1.0, session="second")
    watch.believed("w", ["1.1"], held=[], now=1.0)
    watch.beat("w", [], now=1.0)
    assert [
        (event.lease, event.counts) for event in watch.expired(1.0) if isinstance(event, LeaseExpired)
    ] == [("1.1", True)]


def test_what_only_waited_at_a_worker_that_drains_is_given_back_at_once_and_costs_no_attempt() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    for lease in ("1.1", "2.1", "3.1"):
        watch.granted(lease, "w", now=0.0)
    watch.beat("w", ["1.1", "2.1"], now=0.5)
    watch.beat("w", ["1.1"], now=1.0, draining=True)
    found = [event for event in watch.expired(1.0) if isinstance(event, LeaseExpired)]
    assert {event.lease: event.counts for event in found} == {"2.1": False, "3.1": False}


def test_a_lease_that_crossed_a_worker_s_word_that_it_drains_is_given_back_with_the_next() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.beat("w", ["1.1"], now=1.0, draining=True)
    watch.granted("2.1", "w", now=1.0)
    watch.beat("w", ["1.1"], now=2.0, draining=True)
    assert [
        (event.lease, event.counts) for event in watch.expired(2.0) if isinstance(event, LeaseExpired)
    ] == [("2.1", False)]


def test_what_a_draining_worker_goes_on_with_and_loses_counts() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.beat("w", ["1.1"], now=1.0, draining=True)
    found = []
    for second in range(2, 10):
        watch.beat("w", [], now=float(second), draining=True)
        found.extend(watch.expired(float(second)))
    assert [(event.lease, event.counts) for event in found if isinstance(event, LeaseExpired)] == [
        ("1.1", True)
    ]


def test_a_process_that_comes_back_draining_without_a_lease_that_it_had_has_lost_it() -> None:
    watch = liveness()
    watch.joined("w", now=0.0, session="s", draining=True)
    watch.believed("w", ["1.1"], held=[], now=0.0)
    watch.beat("w", [], now=1.0, draining=True)
    assert [
        (event.lease, event.counts) for event in watch.expired(1.0) if isinstance(event, LeaseExpired)
    ] == [("1.1", True)]


def test_a_draining_worker_that_has_nothing_left_is_no_loss_when_it_is_gone() -> None:
    watch = liveness()
    watch.joined("idle", now=0.0)
    watch.joined("busy", now=0.0)
    watch.granted("1.1", "busy", now=0.0)
    watch.joined("another", now=6.0)
    watch.granted("2.1", "another", now=6.0)
    watch.beat("idle", [], now=1.0, draining=True)
    watch.beat("busy", ["1.1"], now=1.0, draining=True)
    found = [event for event in watch.expired(6.1) if isinstance(event, WorkerLeft)]
    assert {event.worker: event.lost for event in found} == {"idle": False, "busy": True}


def test_a_result_before_that_heartbeat_settles_it() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.believed("w", ["1.1"], held=[], now=0.0)
    watch.ended("1.1", "w")
    watch.beat("w", [], now=1.0)
    assert watch.expired(1.0) == []


def test_a_lease_is_left_to_its_worker_for_as_long_as_loading_may_take_which_no_timeout_counts() -> None:
    watch = Liveness(timeout_s=1.0)
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    found = []
    for second in range(int(LOAD_LIMIT_S)):
        watch.beat("w", ["1.1"], now=float(second))
        found += watch.expired(float(second))
    assert found == []


def left_by_an_earlier_life(*leases: str) -> State:
    """A run that was taken over while workers had these leases."""
    state = State(policy=policy_with())
    for lease in leases:
        number = int(lease.partition(".")[0])
        state.unsettled[number] = Trial(
            number, Suggested(parameters={}), queued_at=0.0, lease=lease, worker="w"
        )
    return state


def test_of_an_earlier_life_s_leases_only_those_that_nobody_came_back_for_are_given_up() -> None:
    watch = liveness()
    watch.await_return(left_by_an_earlier_life("1.1", "2.1"), now=0.0)
    watch.joined("w", now=1.0)
    watch.believed("w", ["1.1"], held=["1.1"], now=1.0)
    found = []
    for second in range(2, 40):
        watch.beat("w", ["1.1"], now=float(second))
        found.extend((second, event) for event in watch.expired(float(second)))
    assert [(second, event.lease) for second, event in found if isinstance(event, LeaseExpired)] == [
        (21, "2.1")
    ]


def test_a_lease_that_nobody_came_back_for_is_given_up_once_though_another_worker_is_lost_then() -> None:
    watch, left = liveness(), left_by_an_earlier_life("1.1")
    watch.await_return(left, now=0.0)
    assert [type(event) for event in watch.expired(21.0)] == [LeaseExpired]
    watch.await_return(left, now=21.0)
    assert watch.expired(99.0) == []


def test_a_lease_that_ended_without_its_worker_is_waited_for_no_longer() -> None:
    """A run of weeks loses workers every hour, and people settle what those had."""
    watch, left = liveness(), left_by_an_earlier_life("1.1", "2.1")
    watch.await_return(left, now=0.0)
    del left.unsettled[1]
    watch.await_return(left, now=10.0)
    assert [event.lease for event in watch.expired(21.0) if isinstance(event, LeaseExpired)] == ["2.1"]


def test_a_lease_that_left_just_after_a_heartbeat_has_the_next_one_to_show_up_in() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.beat("w", [], now=3.9)
    assert watch.expired(3.9) == []
    watch.beat("w", [], now=4.1)
    assert [event.lease for event in watch.expired(4.1) if isinstance(event, LeaseExpired)] == ["1.1"]


def test_heartbeats_that_waited_to_be_read_do_not_say_that_a_lease_given_before_them_is_missing() -> None:
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.granted("1.1", "w", now=0.0)
    watch.excuse(29.0)
    # It was sent before the lease had come, and is read half a minute later.
    watch.beat("w", [], now=30.0)
    assert watch.expired(30.0) == []
    watch.beat("w", [], now=36.0)
    assert [event.lease for event in watch.expired(36.0) if isinstance(event, LeaseExpired)] == ["1.1"]


def test_while_nobody_could_listen_neither_a_timeout_passes_nor_the_time_to_come_back() -> None:
    watch = liveness(timeout_s=5.0)
    watch.await_return(left_by_an_earlier_life("1.1"), now=0.0)
    watch.joined("v", now=0.0)
    watch.granted("2.1", "v", now=0.0)
    watch.excuse(100.0)
    watch.beat("v", ["2.1"], now=114.0)
    assert watch.expired(114.0) == []
    watch.beat("v", ["2.1"], now=116.0)
    assert [event.lease for event in watch.expired(116.0) if isinstance(event, LeaseExpired)] == ["2.1"]
    watch.beat("v", [], now=121.0)
    assert [event.lease for event in watch.expired(121.0) if isinstance(event, LeaseExpired)] == ["1.1"]


def test_a_worker_that_is_back_before_the_first_turn_is_over_is_not_waited_for() -> None:
    left = left_by_an_earlier_life("1.1")
    left.crew.workers["w"] = Worker("w", slots=1, local=False, joined_at=0.0)
    watch = liveness()
    watch.joined("w", now=0.0)
    watch.believed("w", ["1.1"], held=["1.1"], now=0.0)
    watch.await_return(left, now=0.0)
    for second in range(1, 60):
        watch.beat("w", ["1.1"], now=float(second))
        assert watch.expired(float(second)) == []


def test_what_the_life_before_may_never_have_sent_costs_no_attempt_where_nobody_has_it() -> None:
    left = left_by_an_earlier_life("1.1", "2.1")
    left.at = 10.0
    left.unsettled[1].started_at, left.unsettled[2].started_at = left.at - SENDING_S, 8.0
    watch = liveness()
    watch.inherited(left)
    watch.await_return(left, now=10.0)
    lost = [event for event in watch.expired(31.0) if isinstance(event, LeaseExpired)]
    assert {event.lease: event.counts for event in lost} == {"1.1": False, "2.1": True}


@pytest.mark.parametrize("word", ["its hello", "its beat", "progress"])
def test_a_lease_of_an_earlier_life_of_which_a_worker_had_a_word_had_been_sent(word: str) -> None:
    left = left_by_an_earlier_life("1.1")
    left.unsettled[1].started_at = left.at
    watch = liveness()
    watch.inherited(left)
    watch.await_return(left, now=0.0)
    watch.joined("w", now=1.0)
    watch.believed("w", ["1.1"], held=["1.1"] if word == "its hello" else [], now=1.0)
    if word == "its beat":
        watch.beat("w", ["1.1"], now=1.5)
    elif word == "progress":
        watch.began("1.1", "w")
    watch.joined("w", now=2.0, session="another process")
    watch.believed("w", ["1.1"], held=[], now=2.0)
    watch.beat("w", [], now=3.0)
    (expired,) = watch.expired(3.0)
    assert isinstance(expired, LeaseExpired)
    assert expired.counts
