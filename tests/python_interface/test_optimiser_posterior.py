"""How well a fit determines its parameters, from Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError
from orchestrator.python_interface.posterior import Posterior

PARAMETERS: dict[str, Any] = {
    "rate": {"type": "float", "bounds": [0.1, 10.0], "scale": "log"},
    "count": {"type": "int", "bounds": [1, 9]},
    "kind": {"type": "choice", "values": ["new", "old"]},
    "twice": {"type": "computed", "value": "2 * rate"},
}
FIT = {"u": {"value": 1.3, "error": 0.2}, "v": {"value": 5, "error": 0.6}}


@pytest.fixture(autouse=True, scope="module")
def _few_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("orchestrator.sensitivity.calibration.MOST_STEPS", 100)
        patch.setattr("orchestrator.sensitivity.calibration.FEWER_STEPS", 100)
        yield


def told(**changed: Any) -> Optimiser:
    rates = np.geomspace(0.1, 10.0, 12)
    rows = [
        {"rate": rate, "count": 1 + 7 * k % 9, "kind": ("new", "old")[k % 2]} for k, rate in enumerate(rates)
    ]
    optimiser = Optimiser(
        PARAMETERS, **{"fit": FIT, "goal": "minimise", "noise": 0, "algorithm": "random", **changed}
    )
    optimiser.learn_all({**row, "u": row["rate"], "v": row["count"]} for row in rows)
    return optimiser


@pytest.fixture(scope="module")
def found() -> Posterior:
    return told().posterior(500)


def test_it_says_what_is_plausible_of_each_parameter_and_draws_all_together(found: Posterior) -> None:
    rate, count, kind, twice = found.parameters
    assert (rate.parameter, kind.parameter, twice.parameter) == ("rate", "kind", "twice")
    assert rate.median == pytest.approx(1.3, abs=0.15)
    assert rate.low_68 is not None
    assert rate.high_68 is not None
    assert rate.high_68 - rate.low_68 == pytest.approx(0.4, abs=0.12)
    assert twice.median == pytest.approx(2.0 * rate.median)
    assert count.median == 5
    assert kind.median is None
    assert sum(kind.chances.values()) == pytest.approx(1.0)
    assert len(found.draws) == 500
    assert set(found.draws[0]) == {"rate", "count", "kind", "twice"}
    assert abs(found.correlations["rate"]["count"]) < 0.3
    assert found.targets == 2
    assert found.independent_draws > 500


def test_it_shows_itself_as_a_table(found: Posterior) -> None:
    lines = repr(found).splitlines()
    assert lines[0].split()[:3] == ["parameter", "median", "68"]
    assert lines[1].startswith("rate")
    assert "new " in lines[3]
    assert "500 draws, worth" in lines[-1]
    assert found.parameters.rows()[0]["low_68"] == found.parameters[0].low_68


def test_where_nothing_is_fitted_or_errors_are_not_told_it_says_so() -> None:
    with pytest.raises(UsageError, match="expected an objective that is fitted to what was measured"):
        Optimiser({"a": (0.0, 1.0)}).posterior()
    with pytest.raises(UsageError, match="got none of `v`"):
        told(fit={**FIT, "v": 5}).posterior()
    with pytest.raises(UsageError, match="expected how many draws there are to be, 1 or more, got 0"):
        told().posterior(0)
    with pytest.raises(UsageError, match="expected 4 results"):
        Optimiser(PARAMETERS, fit=FIT, goal="minimise").posterior()


def test_a_page_has_it_if_it_is_asked_for(tmp_path: Path) -> None:
    optimiser = told()
    path = optimiser.report(tmp_path / "fit.html", posterior=True)
    assert "Which settings are plausible" in path.read_text()
    assert "Which settings are plausible" not in optimiser.report(tmp_path / "without.html").read_text()
