"""From Python, an objective that is computed from outcomes: these alone are told, kept, and shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import SpecError, UsageError

SQUARE = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
FIT = {"lift": {"value": 0.5, "error": 0.1}, "drag": 1.2}
WORTH = {"outcomes": ["lift", "drag"], "value": "lift / (1 + drag) - 0.1 * a", "goal": "maximise"}


def simulated(parameters) -> dict[str, float]:
    a, b = parameters["a"], parameters["b"]
    return {"lift": a * b + 0.1 * a, "drag": 1.0 + a - b**2, "time": 0.3}


@pytest.fixture(scope="module")
def fitted() -> Optimiser:
    return minimise(simulated, SQUARE, 10, fit=FIT, noise=0, seed=1)


def test_a_function_that_returns_outcomes_is_fitted(fitted: Optimiser) -> None:
    best = fitted.best()
    assert best.value < 1e-4
    assert best.outcomes["lift"] == pytest.approx(0.5, abs=0.01)
    assert best.value == pytest.approx(
        ((best.outcomes["lift"] - 0.5) / 0.1) ** 2 + (best.outcomes["drag"] - 1.2) ** 2
    )


def test_results_of_it_are_learned_by_their_outcomes_whatever_stands_as_their_value(
    fitted: Optimiser,
) -> None:
    other = Optimiser(SQUARE, goal="minimise", fit={"lift": 0.2, "drag": 1.0})
    rows = [{**row, "value": 77.0} for row in fitted.results()]
    assert other.learn_all(rows) == 10
    first, own = rows[0], other.results()[0]
    assert own["value"] == pytest.approx((first["lift"] - 0.2) ** 2 + (first["drag"] - 1.0) ** 2)


def test_what_is_predicted_of_it_comes_of_what_is_expected_of_outcomes(fitted: Optimiser) -> None:
    best = fitted.best()
    (predicted,) = fitted.predict(best.parameters)
    assert predicted.value.mean == pytest.approx(best.value, abs=1e-3)
    assert predicted.value.low <= predicted.value.mean <= predicted.value.high
    for name in ("lift", "drag"):
        assert predicted.outcomes[name].mean == pytest.approx(best.outcomes[name], abs=1e-3)
    beside, _ = fitted.predict([best.parameters, {"a": 0.1, "b": 0.1}])
    assert beside == predicted


def test_outcomes_alone_are_told_and_nothing_of_what_failed() -> None:
    optimiser = Optimiser(SQUARE, **WORTH)
    one, two, three = optimiser.ask(3)
    optimiser.tell(one.trial, outcomes={"lift": 3.0, "drag": 1.0})
    optimiser.tell(two.trial)
    with pytest.raises(UsageError, match="expected outcomes alone, of which the value is computed"):
        optimiser.tell(three.trial, 1.5, outcomes={"lift": 3.0, "drag": 1.0})
    with pytest.raises(UsageError, match=r"expected the outcome `drag`, .* got none beside `lift`"):
        optimiser.tell(three.trial, outcomes={"lift": 3.0})
    with pytest.raises(UsageError, match="of which there is a finite value"):
        optimiser.tell(three.trial, outcomes={"lift": 3.0, "drag": -1.0})
    assert [row["state"] for row in optimiser.results()] == ["completed", "failed"]
    assert optimiser.best().value == pytest.approx(1.5 - 0.1 * one.parameters["a"])


def test_a_file_keeps_it_and_another_goes_on_there(tmp_path: Path) -> None:
    store = tmp_path / "search.jsonl"
    first = Optimiser(SQUARE, **WORTH, store=store)
    for one in first.ask(5):
        first.tell(one.trial, outcomes={k: v for k, v in simulated(one.parameters).items() if k != "time"})
    first.close()
    again = Optimiser(SQUARE, **WORTH, store=store)
    assert again.results() == first.results()
    straight = Optimiser(SQUARE, **WORTH)
    for one in straight.ask(5):
        straight.tell(one.trial, outcomes={k: v for k, v in simulated(one.parameters).items() if k != "time"})
    assert again.ask()[0].parameters == straight.ask()[0].parameters


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"fit": FIT, "value": "lift"}, "expected `value` or `fit`"),
        ({"fit": {}}, "expected the targets of 1 to 200 outcomes, got 0"),
        ({"fit": {"lift": "much"}}, "target of `lift`: expected a finite number"),
        ({"fit": {"lift": {"value": 1, "error": 0}}}, "expected an error above 0, got 0"),
        ({"fit": {"lift": {"value": 1, "eror": 2}}}, "got `eror`"),
        ({"value": "lift + 1"}, "expected the parameters `a`, `b`, got `lift`"),
        ({"outcomes": ["lift"], "value": "a + 1"}, "expected arithmetic of at least one outcome"),
        ({"fit": FIT, "goal": "maximise"}, "expected to minimise beside `fit`"),
        ({"fit": FIT, "noise": 0.3}, "expected no noise of an objective that is computed, got 0.3"),
        (
            {"fit": FIT, "objectives": {"mass": "minimise"}},
            "expected no further objectives beside an objective",
        ),
    ],
)
def test_what_is_wrong_is_said(said: dict, complaint: str) -> None:
    with pytest.raises((SpecError, UsageError), match=complaint):
        Optimiser(SQUARE, **{"goal": "minimise", **said})


def test_a_function_that_returns_something_else_is_told_what_to_return() -> None:
    with pytest.raises(UsageError, match="expected a mapping with `lift` and `drag`"):
        minimise(lambda _: 3.0, SQUARE, 2, fit=FIT)


def test_while_all_has_failed_nothing_is_said_of_constraints_that_are_none() -> None:
    optimiser = Optimiser(SQUARE, goal="minimise", algorithm="random", fit=FIT)
    optimiser.tell(optimiser.ask()[0].trial)
    with pytest.raises(UsageError, match="no value has been told; ask"):
        optimiser.best()
