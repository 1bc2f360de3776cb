"""What workers tell of their leases: values, durations and reports that cannot be are cut to what can."""

from __future__ import annotations

import math

import pytest
from session_desk import FAILED_ON_AN_ARM, Desk, result

from orchestrator.scheduler.events import (
    FailureArrived,
    ResultArrived,
    WorkerJoined,
)
from orchestrator.wire.messages import (
    Failure,
    FromWorker,
    Progress,
)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", ["value", "variance", "factors"])
def test_what_is_not_finite_is_a_failed_attempt(place: str, value: float) -> None:
    desk = Desk()
    desk.hello()
    event = desk.take(b"p", result(**{place: [value, 1.0] if place == "factors" else value}))
    assert isinstance(event, FailureArrived)
    assert event.kind == "invalid"


@pytest.mark.parametrize("factors", [[], [1.0], [1.0, 2.0, 3.0]])
def test_the_wrong_number_of_factor_values_is_a_failed_attempt(factors: list[float]) -> None:
    desk = Desk(factors=2)
    desk.hello()
    event = desk.take(b"p", result(factors=factors))
    assert isinstance(event, FailureArrived)
    assert f"expected 2 factor values, as the spec has factors, got {len(factors)}" in event.message
    assert isinstance(desk.take(b"p", result(factors=[1.0, 2.0])), ResultArrived)
    assert isinstance(desk.take(b"p", result()), ResultArrived)


def test_a_negative_variance_is_a_failed_attempt() -> None:
    desk = Desk()
    desk.hello()
    assert isinstance(desk.take(b"p", result(variance=-1.0)), FailureArrived)


def test_progress_whose_quantities_are_not_finite_is_passed_on_where_it_says_so() -> None:
    desk = Desk()
    desk.hello()
    desk.take(b"p", Progress(lease="1.1", step=1, values={"loss": math.nan}))
    desk.take(b"p", Progress(lease="1.1", step=2, values={"loss": 0.5}, not_finite={"residual": "nan"}))
    desk.take(b"p", Progress(lease="1.1", step=3, values={}, not_finite={"r" * 201: "inf"}))
    desk.take(
        b"p", Progress(lease="1.1", step=4, values={}, not_finite=dict.fromkeys(map(str, range(101)), "nan"))
    )
    assert [progress.step for progress in desk.progress] == [2]


@pytest.mark.parametrize("step", [2**53 + 1, -(2**53) - 1, 10**400])
def test_progress_at_a_step_that_no_curve_can_hold_is_passed_over_and_that_is_said(step: int) -> None:
    desk = Desk()
    desk.hello()
    desk.take(b"p", Progress(lease="1.1", step=step, values={"loss": 0.5}))
    desk.take(b"p", Progress(lease="1.1", step=2**53, values={"loss": 0.5}))
    assert [progress.step for progress in desk.progress] == [2**53]
    (noted,) = desk.noted
    assert "a step of at most 9,007,199,254,740,992" in noted


def test_a_duration_that_cannot_be_and_a_message_without_end_are_cut_to_size() -> None:
    desk = Desk()
    desk.hello()
    event = desk.take(b"p", result(elapsed_s=-5.0))
    assert isinstance(event, ResultArrived)
    assert event.elapsed == 0.0
    failure = Failure(
        run="run-1", lease="1.1", trial=1, kind="error", message="x" * 10**5, elapsed_s=math.inf
    )
    event = desk.take(b"p", failure)
    assert isinstance(event, FailureArrived)
    assert (len(event.message), event.elapsed) == (4_000, 0.0)


def test_a_report_of_more_quantities_than_are_taken_is_passed_over_and_that_is_said() -> None:
    desk = Desk()
    desk.hello()
    for step in range(1, 12):
        desk.take(b"p", Progress(lease="1.1", step=step, values={f"q{i}": 1.0 for i in range(101)}))
    assert desk.progress == []
    assert len(desk.noted) == 2
    assert desk.noted[0] == (
        "what w reports is passed over (1 so far): expected at most 100 quantities, with names of at"
        " most 200 characters, at a step of at most 9,007,199,254,740,992; got 101"
    )


@pytest.mark.parametrize(
    "message", [result(own={"ARM": "left"}), FAILED_ON_AN_ARM], ids=["result", "failure"]
)
def test_what_an_evaluation_had_of_its_own_is_written_down_with_its_outcome(message: FromWorker) -> None:
    desk = Desk()
    joined = desk.hello(own={"ARM": "left"})
    assert isinstance(joined, WorkerJoined)
    assert joined.own == {"ARM": "left"}
    event = desk.take(b"p", message)
    assert isinstance(event, ResultArrived | FailureArrived)
    assert event.own == {"ARM": "left"}


def test_of_what_a_worker_says_it_has_of_its_own_only_what_can_be_so_is_believed() -> None:
    many = {f"A{number}": "x" for number in range(200)}
    joined = Desk().hello(own={"two words": "x", "LONG": "x" * 1_001, "ARM": "x" * 1_000, **many})
    assert isinstance(joined, WorkerJoined)
    assert len(joined.own) == 100
    assert len(joined.own["ARM"]) == 1_000
    assert not joined.own.keys() & {"two words", "LONG"}
