"""From Python, a curve as one outcome: told as a list or an array, kept, and read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import SpecError, UsageError

TIMES = np.linspace(0.0, 1.0, 50)
SQUARE = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
FIT = {"decay": {"value": np.exp(-0.4 * TIMES) * 0.7, "error": 0.01, "at": TIMES.tolist()}, "rate": 0.4}


def simulated(parameters) -> dict[str, object]:
    return {"decay": np.exp(-parameters["a"] * TIMES) * parameters["b"], "rate": parameters["a"]}


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Optimiser, Path]:
    store = tmp_path_factory.mktemp("searches") / "decay.jsonl"
    return minimise(simulated, SQUARE, 9, fit=FIT, noise=0, seed=1, store=store), store


def test_a_function_that_returns_an_array_is_fitted(fitted: tuple[Optimiser, Path]) -> None:
    best = fitted[0].best()
    assert best.value < 1e-2
    assert best.outcomes["decay"] == pytest.approx(FIT["decay"]["value"], abs=0.01)


def test_a_file_keeps_it_and_its_table_is_learned_elsewhere(fitted: tuple[Optimiser, Path]) -> None:
    search, store = fitted
    search.close()
    again = Optimiser(SQUARE, goal="minimise", fit=FIT, noise=0, seed=1, store=store)
    assert again.results() == search.results()
    other = Optimiser(SQUARE, goal="minimise", fit={"decay": FIT["decay"]}, seed=2)
    texts = [{**row, "decay": str(row["decay"])} for row in again.results()]
    assert other.learn_all(texts) == 9
    again.close()


def test_what_is_predicted_is_the_value_each_number_and_each_point_of_a_curve(
    fitted: tuple[Optimiser, Path],
) -> None:
    best = fitted[0].best()
    (predicted,) = fitted[0].predict(best.parameters)
    assert predicted.value.mean == pytest.approx(best.value, abs=0.1)
    assert list(predicted.outcomes) == ["rate"]
    assert predicted.curves["decay"].mean == pytest.approx(best.outcomes["decay"], abs=0.01)
    assert len(predicted.row()["decay_high"]) == len(predicted.curves["decay"]) == 50
    assert predicted.row()["decay_at"] == list(predicted.curves["decay"].at) == FIT["decay"]["at"]
    assert "decay 50 points from 0.4" in repr(predicted)
    with pytest.raises(UsageError, match="got `decay`, which is a curve"):
        fitted[0].predict(best.parameters, outcome="decay")


def test_what_else_is_asked_of_the_value_is_answered_by_models_of_the_outcomes(
    fitted: tuple[Optimiser, Path],
) -> None:
    search, best = fitted[0], fitted[0].best()
    assert search.sensitivity().hypotheses == {}
    assert search.sensitivity("rate").hypotheses
    (apart,) = search.compare({"a": 0.9, "b": 0.2}, best.parameters)
    assert apart.value.mean == pytest.approx(misfit({"a": 0.9, "b": 0.2}), rel=0.05)
    assert apart.value.better is not None
    assert apart.value.better < 0.01
    told = search.tolerance({"a": 0.1}).best
    off = [misfit({**best.parameters, "a": best.parameters["a"] + by}) for by in np.linspace(-0.1, 0.1, 101)]
    assert told.average == pytest.approx(np.mean(off), rel=0.1)


def misfit(parameters) -> float:
    came = simulated(parameters)
    off = (np.asarray(came["decay"]) - FIT["decay"]["value"]) / 0.01
    return float(np.square(off).sum() + (parameters["a"] - 0.4) ** 2)


def test_what_is_wrong_is_said() -> None:
    optimiser = Optimiser(SQUARE, goal="minimise", fit=FIT)
    (one,) = optimiser.ask(1)
    with pytest.raises(UsageError, match="`decay` as a list of 50 finite numbers, got 3 of them"):
        optimiser.tell(one.trial, outcomes={"decay": [1, 2, 3], "rate": 0.3})
    with pytest.raises(UsageError, match="got nan as point 1"):
        optimiser.tell(one.trial, outcomes={"decay": np.full(50, np.nan), "rate": 0.3})
    with pytest.raises(UsageError, match="expected no variance of a value that is computed"):
        optimiser.tell(one.trial, variance=0.1, outcomes={"decay": list(TIMES), "rate": 0.3})
    with pytest.raises(SpecError, match="as many errors as the curve has points, 2, got 1"):
        Optimiser(SQUARE, goal="minimise", fit={"decay": {"value": [1, 2], "error": [1]}})
    with pytest.raises(SpecError, match="got `decay`, which is a curve"):
        Optimiser(SQUARE, goal="minimise", fit=FIT, constraints=["decay <= 1"])
