"""From Python, what varies in use: what is asked, told, recommended, kept and refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import OrchestratorError, SpecError, UsageError

WIND = {"type": "float", "bounds": (0, 20), "in_use": {"mean": 8, "deviation": 3}}
PARAMETERS: dict[str, Any] = {"angle": (0.0, 30.0), "wind": WIND}


def drag(parameters: dict[str, Any]) -> float:
    """Least on average at twice the mean wind."""
    return float((parameters["angle"] - 2.0 * parameters["wind"]) ** 2)


def told(count: int, **settings: Any) -> Optimiser:
    optimiser = Optimiser(PARAMETERS, goal="minimise", noise=0, seed=3, **settings)
    for _ in range(count):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, drag(asked.parameters))
    return optimiser


@pytest.fixture(scope="module")
def searched() -> Optimiser:
    return told(13)


def test_the_design_is_recommended_alone_with_its_average(searched: Optimiser) -> None:
    found = searched.recommend()
    assert found.parameters.keys() == {"angle"}
    assert abs(found.parameters["angle"] - 16.0) < 1.8
    assert abs(found.predicted.mean - 36.0) < 8.0


def test_no_result_is_the_best(searched: Optimiser) -> None:
    with pytest.raises(UsageError, match=r"recommend\(\) has the design"):
        searched.best()
    with pytest.raises(UsageError, match="beside `in_use`: each result is in one condition"):
        searched.tolerance({"angle": 1.0})


def test_a_design_is_predicted_over_all_conditions(searched: Optimiser) -> None:
    recommended = searched.recommend()
    (at_best,) = searched.predict(recommended.parameters)
    assert at_best.parameters == recommended.parameters
    assert at_best.value.mean == pytest.approx(recommended.predicted.mean)
    assert at_best.value.low < 36.0 < at_best.value.high
    of_a_table = searched.predict({"angle": [4.0, recommended.parameters["angle"]]})
    assert of_a_table[0].value.mean > of_a_table[1].value.mean
    assert of_a_table[1].value == at_best.value


def test_in_which_unit_values_are_does_not_matter_even_where_their_squares_are_no_doubles() -> None:
    plain, tiny = (Optimiser(PARAMETERS, goal="minimise", noise=0, seed=3) for _ in range(2))
    unit = 2.0**-600
    for number in range(8):
        at = {"angle": 3.5 * number, "wind": (7.0 * number) % 20.0}
        plain.learn(at, drag(at))
        tiny.learn(at, unit * drag(at))
    (expected,), (found,) = (optimiser.predict({"angle": 9.0}) for optimiser in (plain, tiny))
    assert found.value.mean == pytest.approx(unit * expected.value.mean, rel=1e-6)
    assert found.value.high == pytest.approx(unit * expected.value.high, rel=1e-6)


def test_a_pickled_one_asks_as_it_would_have(searched: Optimiser) -> None:
    again = pickle.loads(pickle.dumps(searched))
    assert again.ask()[0].parameters == searched.ask()[0].parameters


def test_a_file_goes_on_where_it_was_and_knows_another_problem(tmp_path: Path) -> None:
    store = tmp_path / "search.jsonl"
    told(3, store=store, over={"worst": 0.2}).close()
    again = told(0, store=store, over={"worst": 0.2})
    assert again.told == 3
    again.close()
    with pytest.raises(OrchestratorError, match="over"):
        told(0, store=store)


def test_one_value_alone_is_refused_of_a_new_search_and_a_file_begun_with_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "search.jsonl"
    once = PARAMETERS | {"wind": WIND | {"in_use": {"recorded": [3, 3]}}}
    with pytest.raises(SpecError, match="as `in_use` recorded values that differ, and not 3 each time"):
        Optimiser(once, store=store)
    assert not store.exists()
    with monkeypatch.context() as before:
        before.setattr("orchestrator.python_interface.experiment.refuse_without_variation", lambda _: None)
        begun = Optimiser(once, store=store)
    (asked,) = begun.ask()
    begun.tell(asked.trial, drag(asked.parameters))
    begun.close()
    again = Optimiser(once, store=store)
    assert again.told == 1
    again.close()


def test_minimise_takes_them_too() -> None:
    found = minimise(drag, PARAMETERS, 5, noise=0, over={"quantile": 0.2})
    assert found.recommend().parameters.keys() == {"angle"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"over": "often"}, "expected as `over` `average`, `worst`"),
        ({"over": {"worst": 2}}, "between 0 and 1"),
        ({"algorithm": "random"}, "that looks for what is best over what varies in use"),
        ({"constraints": ["angle + wind < 30"]}, "expected no constraint of `wind`"),
        ({"clock": "angle"}, "`in_use`"),
        ({"factors": [["angle"], ["wind"]]}, "expected no `factors` beside `in_use`"),
        ({"options": {"start_points": 3}}, "start_points"),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(OrchestratorError) as refused:
        Optimiser(PARAMETERS, **settings)
    assert words in str(refused.value)


def test_over_needs_something_and_something_is_left_to_choose() -> None:
    with pytest.raises(UsageError, match="expected a parameter with `in_use`"):
        Optimiser({"angle": (0.0, 1.0)}, over="worst")
    with pytest.raises(OrchestratorError, match="at least one parameter to choose"):
        Optimiser({"wind": WIND})


def test_nothing_is_held_beside_it(searched: Optimiser) -> None:
    with pytest.raises(UsageError, match="expected no `held` beside `in_use`"):
        searched.ask(held={"wind": 3})
