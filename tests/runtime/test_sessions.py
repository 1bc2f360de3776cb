"""Who may speak, and what of what they say becomes an event; only the socket is not real."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from msgspec.structs import replace
from policies import policy_with
from session_desk import HEARTBEAT_S, Desk, result

from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.report.words.happenings import Taken, happenings
from orchestrator.runtime.connections.broker import Received
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    LeaseExpired,
    ResultArrived,
    RunStarted,
    WorkerBeganDraining,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.words.story import story
from orchestrator.wire.messages import (
    Failure,
    FromWorker,
    Goodbye,
    Heartbeat,
    Progress,
    Reject,
    Welcome,
)


def test_a_worker_is_welcomed_to_the_run_and_joins_with_the_leases_it_holds() -> None:
    desk = Desk()
    event = desk.hello(slots=3, leases=["1.1", "nonsense"])
    assert event == WorkerJoined(at=0.0, worker="w", slots=3, held=("1.1",))
    assert said_of(event) == "w joined, still working on 1 trial"
    welcome = desk.last(Welcome)
    assert (welcome.run, welcome.evaluator, welcome.options) == ("run-1", "wing:drag", {"mesh": 3})
    assert welcome.heartbeat_s == HEARTBEAT_S


def said_of(event: Event | None) -> str:
    assert event is not None
    (happening,) = happenings(event, Taken(settled=(), improved=False, best_before=None))
    return happening.sentence


def test_a_worker_that_still_works_for_another_run_is_not_said_to_do_so_for_this_one() -> None:
    """Every run begins with 1.1: it tells the leases that it has, and not of which runs they are."""
    desk = Desk(given=set())
    event = desk.hello(leases=["1.1"])
    assert event == WorkerJoined(at=0.0, worker="w", slots=1, held=("1.1",), foreign=("1.1",))
    assert said_of(event) == "w joined, still working on 1 trial of another run"
    told = "\n".join(story(policy_with(trials=1), [RunStarted(at=0.0, run="r", wall="noon"), event]))
    assert "w joined with 1 slots, still working on 1.1 of another run\n" in told
    desk.given.add("2.1")
    event = desk.hello(leases=["2.1", "1.1", "3.1"])
    assert said_of(event) == "w joined, still working on 1 trial and on 2 of another run"


def test_where_a_worker_says_of_which_run_its_leases_are_a_name_given_here_too_misleads_nobody() -> None:
    desk = Desk()
    assert desk.hello(leases=["1.1"], run="run-1") == WorkerJoined(at=0.0, worker="w", slots=1, held=("1.1",))
    event = desk.hello(leases=["1.1"], run="run-0")
    assert event == WorkerJoined(at=0.0, worker="w", slots=1, held=("1.1",), foreign=("1.1",))


def test_a_worker_that_says_in_its_heartbeats_that_it_drains_has_said_so_once() -> None:
    desk = Desk()
    desk.hello()
    assert desk.take(b"p", Heartbeat()) is None
    assert desk.take(b"p", Heartbeat(draining=True)) == WorkerBeganDraining(at=0.0, worker="w")
    desk.last(Heartbeat)
    assert desk.take(b"p", Heartbeat(draining=True)) is None
    assert desk.take(b"p", Heartbeat()) is None
    desk.hello(b"q")
    assert desk.take(b"q", Heartbeat(draining=True)) == WorkerBeganDraining(at=0.0, worker="w")


def test_a_worker_that_says_in_its_hello_that_it_drains_need_not_say_it_again() -> None:
    desk = Desk()
    event = desk.hello(leases=["1.1"], draining=True)
    assert event == WorkerJoined(at=0.0, worker="w", slots=1, held=("1.1",), draining=True)
    assert desk.take(b"p", Heartbeat(leases=["1.1"], draining=True)) is None


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"protocol": 2}, "protocol", "expected protocol 1, got 2"),
        ({"evaluators": ["wing:lift"]}, "evaluator", "offers wing:drag, got one that offers wing:lift"),
        ({"evaluators": []}, "evaluator", "got one that offers none"),
        ({"worker": ""}, "malformed", "expected a name"),
        ({"worker": "w" * 201}, "malformed", "expected a name"),
        ({"slots": 0}, "malformed", "1 to 1024 slots"),
        ({"slots": 10**9}, "malformed", "1 to 1024 slots"),
    ],
)
def test_a_worker_that_cannot_work_here_is_told_why(changes: dict[str, Any], code: str, words: str) -> None:
    desk = Desk()
    assert desk.hello(**changes) is None
    assert desk.last(Reject).code == code
    assert words in desk.last(Reject).reason
    assert desk.take(b"p", Heartbeat()) is None
    assert desk.last(Reject).code == "hello"


@pytest.mark.parametrize("command_form", [4, 5])
def test_a_worker_of_before_is_refused_templates_that_may_name_what_is_gone_on_from(
    command_form: int,
) -> None:
    desk = Desk()
    options = {"command": ["./wing"], "input": {"templates": {"wing.in": "wing.in.template"}}}
    desk.sessions.welcome = replace(desk.sessions.welcome, evaluator=COMMAND_EVALUATOR, options=options)
    desk.sessions.continues = True
    joined = desk.hello(evaluators=[COMMAND_EVALUATOR], command_form=command_form)
    assert (joined is not None) == (command_form == 5), "it would leave the braces in what the program reads"


@pytest.mark.parametrize(
    ("options", "command_form", "joins"),
    [
        ({"command": ["mpirun", "-n", "{slots}", "./wing"]}, 6, False),
        ({"command": ["mpirun", "-n", "{slots}", "./wing"]}, 7, True),
        ({"command": ["./wing"], "input": {"templates": {"wing.in": "wing.in.template"}}}, 6, False),
        ({"command": ["./wing", "{ranks}"]}, 1, True),
    ],
)
def test_a_worker_of_before_may_join_where_no_program_is_told_how_many_slots_it_has(
    options: dict[str, Any], command_form: int, joins: bool
) -> None:
    desk = Desk()
    desk.sessions.welcome = replace(desk.sessions.welcome, evaluator=COMMAND_EVALUATOR, options=options)
    desk.sessions.several_slots = True
    joined = desk.hello(evaluators=[COMMAND_EVALUATOR], command_form=command_form)
    assert (joined is not None) == joins


def test_a_worker_of_before_is_refused_what_it_cannot_read_of_a_command() -> None:
    desk = Desk()
    table = {"patterns": {"value": {"column": "drag", "file": "wing.csv"}}, "fails": "NaN"}
    below = {"patterns": {"value": {"pattern": "(.)", "below": "DRAG"}}}
    templates = {"templates": {"wing.in": "wing.in.template"}}
    for options, command_form, understood in (
        ({"output": table}, 1, False),
        ({"output": {"key": "wing.drag"}}, 1, False),
        ({"output": table}, 2, True),
        ({"output": {"pattern": "(.)"}, "input": {"file": "in.json"}}, 1, True),
        ({"output": below}, 2, False),
        ({"output": below}, 3, True),
        ({"output": {"key": "drag", "file": "wing.json"}}, 2, True),
        ({"output": {"key": "drag", "file": "wing.h5"}, "input": templates}, 3, False),
        ({"output": {"patterns": {"value": {"key": "wings.*.drag"}}}}, 3, False),
        ({"output": {"patterns": {"value": {"key": "wings.*.drag"}}}}, 4, True),
        ({"output": {"patterns": {"value": {"column": 1, "otherwise": 0}}}}, 5, False),
        ({"output": {"pattern": "(.)", "below": "DRAG", "above": "LIFT"}}, 5, False),
        ({"output": {"pattern": "(.)", "below": "DRAG", "above": "LIFT"}}, 6, True),
        ({"output": {"fails": {"file": "wing.err", "pattern": "Severe"}}}, 5, False),
        ({"output": {"patterns": {"value": {"pattern": "(.)", "in": "min"}}}}, 6, False),
        ({"output": {"patterns": {"value": {"pattern": "(.)", "in": "min"}}}}, 7, True),
        ({"output": "json", "input": templates}, 2, False),
        ({"output": "json", "input": templates}, 3, True),
        ({"command": ["./wing", "{continued_from}"], "input": templates}, 4, False),
        ({"command": ["./wing", "{continued_from}"], "input": templates}, 5, True),
    ):
        desk.sessions.welcome = replace(desk.sessions.welcome, evaluator=COMMAND_EVALUATOR, options=options)
        joined = desk.hello(evaluators=[COMMAND_EVALUATOR], command_form=command_form)
        assert (joined is not None) == understood
        if not understood:
            assert desk.last(Reject).code == "evaluator"
            assert "got one of an earlier version: update the project" in desk.last(Reject).reason


@pytest.mark.parametrize(
    "message",
    [
        Heartbeat(),
        result(),
        Failure(run="run-1", lease="1.1", trial=1, kind="error", message=""),
        Progress(lease="1.1", step=1, values={}),
        Goodbye(),
    ],
    ids=lambda message: type(message).__name__,
)
def test_nobody_speaks_before_hello(message: FromWorker) -> None:
    desk = Desk()
    assert desk.take(b"p", message) is None
    assert desk.last(Reject).code == "hello"
    assert desk.last(Reject).lease == getattr(message, "lease", "")
    assert desk.progress == []


def test_a_result_of_another_run_is_refused_and_its_worker_stays_welcome() -> None:
    desk = Desk()
    desk.hello()
    assert desk.take(b"p", result(run="run-0")) is None
    assert (desk.last(Reject).code, desk.last(Reject).lease) == ("run", "1.1")
    assert isinstance(desk.take(b"p", result()), ResultArrived)


@pytest.mark.parametrize(
    "outcome",
    [
        result(lease="1.1", trial=2),
        Failure(run="run-1", lease="1.1", trial=2, kind="error", message=""),
    ],
    ids=["result", "failure"],
)
def test_an_outcome_that_contradicts_its_lease_is_refused(outcome: FromWorker) -> None:
    desk = Desk()
    desk.hello()
    assert desk.take(b"p", outcome) is None
    assert (desk.last(Reject).code, desk.last(Reject).lease) == ("malformed", "1.1")
    assert "expected trial 1, of which lease '1.1' is, got trial 2" in desk.last(Reject).reason


def test_a_message_that_makes_no_sense_costs_its_sender_a_reply_and_a_count() -> None:
    desk = Desk()
    desk.hello()
    assert desk.take(b"p", None, "expected an object") is None
    assert desk.last(Reject) == Reject("malformed", "expected an object")
    assert desk.sessions.refused == {"malformed": 1}
    assert isinstance(desk.take(b"p", result()), ResultArrived)


def test_an_outcome_that_cannot_be_read_is_refused_by_its_lease() -> None:
    desk = Desk()
    desk.hello()
    assert desk.sessions.take(Received(b"p", None, "expected a number", "1.1"), desk.now) is None
    assert desk.last(Reject) == Reject("malformed", "expected a number", "1.1")


def test_a_lease_whose_outcome_was_refused_is_taken_back_with_the_reason() -> None:
    """Who writes a worker looks at the run, which else says only that it beats without the lease."""
    desk = Desk()
    desk.hello()
    desk.liveness.granted("1.1", "w", now=0.0)
    desk.sessions.take(Received(b"p", None, "expected a number", "1.1"), desk.now)
    assert desk.noted == ["refused a message of w (1 so far): expected a number"]
    for desk.now in range(1, 12):
        desk.take(b"p", Heartbeat())
    expired = LeaseExpired(at=11.0, lease="1.1", reason="what w sent of it was refused: expected a number")
    assert desk.liveness.expired(11.0) == [expired]


def test_a_refused_outcome_says_nothing_of_what_somebody_else_works_on() -> None:
    desk = Desk()
    desk.hello()
    desk.hello(b"q", worker="other", session="t")
    desk.liveness.granted("1.1", "other", now=0.0)
    desk.sessions.take(Received(b"p", None, "expected a number", "1.1"), desk.now)
    desk.sessions.take(Received(b"r", None, "expected a number", "1.1"), desk.now)
    for desk.now in range(1, 12):
        desk.take(b"q", Heartbeat())
    assert [event.reason for event in desk.liveness.expired(11.0) if isinstance(event, LeaseExpired)] == [
        "other beats but never had it"
    ]


def test_who_is_refused_is_named_where_that_is_known() -> None:
    desk = Desk()
    desk.take(b"p", None, "no")
    desk.hello(protocol=2)
    desk.hello(worker="w" * 201, slots=0)
    assert [note.partition(" (")[0] for note in desk.noted] == [
        "refused a message",
        "refused a message of w",
    ]


def test_a_peer_that_keeps_on_is_counted_and_seldom_mentioned() -> None:
    desk = Desk()
    for _ in range(150):
        desk.take(b"p", None, "no")
    assert desk.sessions.refused == {"malformed": 150}
    assert len(desk.noted) == 3


def test_a_goodbye_ends_the_session() -> None:
    desk = Desk()
    desk.hello()
    assert desk.take(b"p", Goodbye(reason="home")) == WorkerLeft(
        at=0.0, worker="w", lost=False, reason="home"
    )
    assert desk.take(b"p", Heartbeat()) is None
    assert desk.last(Reject).code == "hello"


def test_a_worker_whose_connection_is_new_goes_on_with_its_session() -> None:
    desk = Desk()
    desk.hello()
    assert isinstance(desk.hello(b"q", leases=["1.1"]), WorkerJoined)
    assert desk.sessions.peer_of("w") == b"q"
    assert desk.sessions.everyone(desk.now) == [b"q"]
    desk.take(b"p", Heartbeat())
    assert desk.last(Reject).code == "hello"


def test_a_name_in_use_is_refused_until_its_owner_has_been_silent() -> None:
    desk = Desk()
    desk.hello()
    desk.now = 1.0 * HEARTBEAT_S
    assert desk.hello(b"q", session="other") is None
    refusal = desk.last(Reject, b"q")
    assert refusal.code == "name"
    desk.now = 2.0 * HEARTBEAT_S
    assert desk.hello(b"q", session="other") is None
    assert desk.last(Reject, b"q") == refusal, "a worker that asks each second says it once"
    assert desk.sessions.peer_of("w") == b"p"
    desk.now = 3.0 * HEARTBEAT_S
    assert isinstance(desk.hello(b"q", session="other"), WorkerJoined)
    assert desk.sessions.peer_of("w") == b"q"


def test_who_waits_for_a_name_hears_of_the_end_as_others_do_and_who_has_gone_does_not() -> None:
    desk = Desk()
    desk.hello()
    desk.hello(b"gone", session="another")
    desk.now = 6.0
    desk.take(b"p", Heartbeat())
    desk.hello(b"q", session="other")
    assert desk.sessions.everyone(desk.now) == [b"p", b"q"]
    desk.now = 12.0
    assert isinstance(desk.hello(b"q", session="other"), WorkerJoined)
    assert desk.sessions.everyone(desk.now).count(b"q") == 1


def test_a_worker_of_our_own_that_was_started_anew_need_not_wait_for_its_name() -> None:
    desk = Desk(local={42})
    host = socket.gethostname()
    assert desk.hello(host=host, pid=42) == WorkerJoined(at=0.0, worker="w", slots=1, local=True)
    desk.local = {43}
    assert isinstance(desk.hello(b"q", session="other", host=host, pid=43), WorkerJoined)
    assert desk.sessions.peer_of("w") == b"q"


def test_a_worker_elsewhere_with_the_number_of_one_of_ours_is_not_ours() -> None:
    desk = Desk(local={42})
    event = desk.hello(host="another-host", pid=42)
    assert isinstance(event, WorkerJoined)
    assert not event.local


def test_a_connection_has_one_name() -> None:
    desk = Desk()
    desk.hello()
    assert desk.hello(worker="another") is None
    assert desk.last(Reject).code == "name"
    assert isinstance(desk.take(b"p", result()), ResultArrived)
    assert desk.sessions.peer_of("another") is None


def test_a_lost_worker_must_say_hello_again() -> None:
    desk = Desk()
    desk.hello()
    desk.sessions.lost("w")
    desk.take(b"p", result())
    assert desk.last(Reject).code == "hello"
    assert isinstance(desk.hello(), WorkerJoined)


def test_no_name_of_a_lease_is_repeated_at_length_to_whoever_says_it_before_hello() -> None:
    desk = Desk()
    desk.take(b"p", result(lease="9" * 100_000))
    reject = desk.last(Reject)
    assert reject.code == "hello"
    assert len(reject.lease) <= 40


@pytest.mark.parametrize("value", [None, 3.0])
def test_where_people_compare_trials_a_result_needs_no_value_and_none_is_taken(value: float | None) -> None:
    desk = Desk(compared=True)
    desk.hello()
    event = desk.take(b"p", result(value=value, extras={"speed": 1.5}))
    assert isinstance(event, ResultArrived)
    assert (event.value, event.extras) == (None, {"speed": 1.5})


def test_elsewhere_a_result_without_a_value_is_an_evaluation_that_failed() -> None:
    desk = Desk()
    desk.hello()
    event = desk.take(b"p", result(value=None))
    assert isinstance(event, FailureArrived)
    assert (event.kind, event.message) == ("invalid", "expected a value, got none")
