"""An Optimiser that is told which parameter is the time: what is best drifts, and is asked for as of now."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from orchestrator import Optimiser, Plan, minimise
from orchestrator.algorithms.mixture.beside_a_clock import BEST_NOW
from orchestrator.errors import SpecError, UsageError
from orchestrator.sensitivity import held_out

PARAMETERS: dict[str, Any] = {"hours": (0.0, 10.0), "heat": (0.0, 1.0)}


@pytest.fixture(autouse=True)
def uncorrected(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far deviations are off takes a fit without each result: seconds."""
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))


def drifting(**more: Any) -> Optimiser:
    return Optimiser(PARAMETERS, goal="minimise", clock="hours", **more)


def loss(parameters: dict[str, Any]) -> float:
    return float((parameters["heat"] - 0.2 - 0.05 * parameters["hours"]) ** 2)


def followed(trials: int, **more: Any) -> tuple[Optimiser, list[dict[str, Any]]]:
    """What was tried, half an hour after another."""
    optimiser, why = drifting(options={"start_points": 3}, **more), []
    for trial in range(trials):
        (one,) = optimiser.ask(held={"hours": 0.5 * trial})
        optimiser.tell(one.trial, loss(one.parameters))
        why.append(dict(one.why))
    return optimiser, why


def test_trials_are_of_the_time_that_is_said_and_most_of_what_is_believed_best_by_then() -> None:
    optimiser, why = followed(9, noise=0, plan=Plan(trials=9))
    assert [row["hours"] for row in optimiser.results()] == pytest.approx([0.5 * t for t in range(9)])
    assert BEST_NOW in [one.get("search") for one in why]
    assert optimiser.recommend(held={"hours": 5.0}).parameters["heat"] == pytest.approx(0.45, abs=0.05)


def test_no_result_is_the_best_as_its_value_may_be_another_by_now() -> None:
    optimiser, _ = followed(2, algorithm="gp-ei")
    assert "best" not in repr(optimiser)
    assert optimiser.front() == []
    assert optimiser.insight().believed_best is None
    with pytest.raises(UsageError, match=r"by the clock, `hours`, no result is the best.*recommend\(held="):
        optimiser.best()


def test_what_is_left_out_of_a_prediction_is_of_the_last_time_that_was_asked_for() -> None:
    optimiser, _ = followed(6, noise=0, algorithm="gp-ei")
    (now,) = optimiser.predict({"heat": 0.4})
    (then,) = optimiser.predict({"heat": 0.4, "hours": 1.0})
    assert (now.parameters["hours"], then.parameters["hours"]) == pytest.approx((2.5, 1.0))
    (best,) = pickle.loads(pickle.dumps(optimiser)).predict({})
    assert best.parameters["heat"] == pytest.approx(0.325, abs=0.05)
    assert optimiser.sensitivity().influences


def test_before_it_is_said_what_is_left_out_cannot_be_taken_from_anywhere() -> None:
    optimiser = drifting()
    for i in range(6):
        optimiser.learn({"hours": 0.1 * i, "heat": 0.15 * i}, 1.0)
    with pytest.raises(UsageError, match="parameter `hours`: expected a value, but it is missing"):
        optimiser.predict({"heat": 0.4})


def test_tolerances_are_of_trials_as_they_would_be_now() -> None:
    optimiser, _ = followed(6, noise=0, algorithm="gp-ei")
    found = optimiser.tolerance({"heat": 0.02})
    assert found.best.parameters["hours"] == pytest.approx(2.5)
    with pytest.raises(UsageError, match="a parameter other than `hours`, which is the clock"):
        optimiser.tolerance({"hours": 0.02})


@pytest.mark.parametrize("held", [None, {}, {"heat": 0.5}])
def test_who_asks_says_what_time_it_is(held: dict[str, float] | None) -> None:
    optimiser = drifting()
    for asked in (optimiser.ask, optimiser.recommend):
        with pytest.raises(UsageError, match=r'expected the time beside a clock, as held=\{"hours": 0\.0\}'):
            asked(held=held)
    assert optimiser.pending == ()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"clock": "hour"}, "expected the parameter that is the clock .*did you mean `hours`"),
        ({"clock": 3}, "expected the parameter that is the clock"),
        ({"parameters": {**PARAMETERS, "hours": {"type": "int", "bounds": (0, 9)}}}, "a float as the clock"),
        (
            {"parameters": {**PARAMETERS, "hours": {"type": "float", "bounds": (1, 9), "scale": "log"}}},
            "a clock that runs evenly",
        ),
        ({"parameters": {"hours": (0.0, 1.0)}}, "at least one parameter to choose beside the clock"),
        ({"objectives": {"lift": "maximise"}}, "no `clock` beside further objectives"),
        ({"constraints": ["hours <= 3"]}, "no constraint on the clock"),
        (
            {"parameters": {**PARAMETERS, "x": (0.0, 1.0)}, "constraints": ["hours + x == 4"]},
            "parameter `x`: expected as what it is computed from a parameter other than `hours`",
        ),
        (
            {"parameters": {**PARAMETERS, "late": {"type": "computed", "value": "2 * hours"}}},
            "parameter `late`: expected as what it is computed from a parameter other than `hours`",
        ),
        ({"fidelity": {"parameter": "hours", "cost": "1 + hours"}}, "fidelity .*other than `hours`"),
        ({"algorithm": "direct"}, "an algorithm that holds parameters"),
    ],
)
def test_what_there_can_be_no_clock_beside_is_refused_at_once(changed: dict[str, Any], words: str) -> None:
    told = {"parameters": PARAMETERS, "clock": "hours", **changed}
    with pytest.raises((UsageError, SpecError), match=words):
        Optimiser(told.pop("parameters"), **told)


def test_a_search_in_one_call_does_not_know_the_time() -> None:
    with pytest.raises(UsageError, match="`clock`; a loop of your own says the time"):
        minimise(loss, PARAMETERS, 3, clock="hours")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="an Optimiser without a clock"):
        minimise(loss, drifting(), 3)
