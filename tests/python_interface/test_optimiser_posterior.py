"""How well a fit determines its parameters, from Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, Preferences
from orchestrator.errors import SpecError, UsageError
from orchestrator.python_interface.posterior import Posterior
from orchestrator.report.following.runs import read_run
from orchestrator.report.searches.kept_search import KeptSearch
from orchestrator.spec.build import build_space
from orchestrator.values.distributions import WithinFactor

pytestmark = pytest.mark.usefixtures("walked_briefly")
PARAMETERS: dict[str, Any] = {
    "rate": {"type": "float", "bounds": [0.1, 10.0], "scale": "log"},
    "count": {"type": "int", "bounds": [1, 9]},
    "kind": {"type": "choice", "values": ["new", "old"]},
    "twice": {"type": "computed", "value": "2 * rate"},
}
FIT = {"u": {"value": 1.3, "error": 0.2}, "v": {"value": 5, "error": 0.6}}


def told(parameters: dict[str, Any] = PARAMETERS, **changed: Any) -> Optimiser:
    rates = np.geomspace(0.1, 10.0, 12)
    rows = [
        {"rate": rate, "count": 1 + 7 * k % 9, "kind": ("new", "old")[k % 2]} for k, rate in enumerate(rates)
    ]
    optimiser = Optimiser(
        parameters, **{"fit": FIT, "goal": "minimise", "noise": 0, "algorithm": "random", **changed}
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


def test_it_says_where_the_least_misfit_is_not_what_errors_let_one_expect(found: Posterior) -> None:
    assert found.misfit_is == "as expected"
    assert f"least misfit {found.misfit:.5g} over 2 targets; 500 draws" in repr(found)
    large, small = replace(found, misfit_is="too large"), replace(found, misfit_is="too small")
    assert "over 2 targets, more than their errors explain: intervals say little" in repr(large)
    assert "over 2 targets, less than their errors let one expect: these may be told too large" in repr(small)
    unreachable = told(fit={"u": {"value": 1.3, "error": 0.2}, "v": {"value": 50, "error": 0.6}})
    assert unreachable.posterior(100).misfit_is == "too large"


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


def test_what_is_known_beforehand_is_a_parameters_or_is_asked() -> None:
    rate = {**PARAMETERS["rate"], "prior": {"mean": 1.0, "deviation": 0.05}}
    optimiser = told({**PARAMETERS, "rate": rate})
    own = optimiser.posterior(500)
    assert own.priors == {"rate": {"mean": 1.0, "deviation": 0.05}}
    assert own.parameters[0].median == pytest.approx(1.0 + 0.3 / 17.0, abs=0.02)
    assert "without the priors of rate" in repr(own)
    asked = optimiser.posterior(500, prior={"rate": None, "kind": {"chances": [0.9, 0.1]}})
    assert asked.parameters[0].median == pytest.approx(1.3, abs=0.15)
    assert asked.parameters[2].chances["new"] == pytest.approx(0.9, abs=0.08)
    assert asked.misfit == own.misfit
    with pytest.raises(UsageError, match="expected a prior of what is chosen"):
        optimiser.posterior(prior={"twice": {"mean": 1.0, "deviation": 0.1}})
    with pytest.raises(UsageError, match="expected `prior` as"):
        optimiser.posterior(prior=67.4)  # type: ignore[arg-type]


def test_a_file_keeps_what_is_known_beforehand(tmp_path: Path) -> None:
    rate = {**PARAMETERS["rate"], "prior": {"mean": 1.0, "factor": 1.2}}
    path = tmp_path / "fit.jsonl"
    told({**PARAMETERS, "rate": rate}, store=path).close()
    run = read_run(KeptSearch.open(path))
    assert build_space(run.spec).priors == {"rate": WithinFactor(1.0, 1.2)}


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        (
            {"type": "float", "bounds": [0, 9], "prior": {"mean": 5}},
            "as `prior` what is known of it beforehand",
        ),
        (
            {"type": "float", "bounds": [-1, 9], "prior": {"mean": 5, "factor": 2}},
            "as `prior` no bounds below",
        ),
        ({"type": "choice", "values": [1, 2], "prior": {"mean": 5, "deviation": 1}}, "as `prior` no `mean`"),
        (
            {"type": "float", "bounds": [0, 9], "in_use": "evenly", "prior": {"mean": 5, "deviation": 1}},
            "as `prior` no `prior` beside `in_use`",
        ),
    ],
)
def test_what_cannot_be_known_is_refused(parameter: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Optimiser({"a": parameter}, fit=FIT, goal="minimise")


def test_without_a_fit_it_changes_no_suggestion_and_beside_comparisons_there_is_no_use_for_it() -> None:
    known = {"a": {"type": "float", "bounds": [0, 9], "prior": {"mean": 5, "deviation": 1}}}
    assert Optimiser(known).ask(2)[1].parameters == Optimiser({"a": (0, 9)}).ask(2)[1].parameters
    with pytest.raises(UsageError, match="expected parameters without `prior`, which the search by compar"):
        Preferences(known)


def test_errors_may_be_larger_by_a_factor_which_it_tells() -> None:
    # Two outcomes that are the same, and cannot both be as they were measured.
    fit = {"u": {"value": 1.0, "error": 0.1}, "v": {"value": 3.0, "error": 0.1}}
    optimiser = Optimiser({"rate": (0.0, 4.0)}, fit=fit, goal="minimise", noise=0, algorithm="random")
    optimiser.learn_all({"rate": rate, "u": rate, "v": rate} for rate in np.linspace(0.1, 3.9, 6).tolist())
    told, scaled = optimiser.posterior(500), optimiser.posterior(500, errors="scaled")
    assert told.misfit_is == scaled.misfit_is == "too large"
    assert told.errors_factor is None
    assert scaled.errors_factor is not None
    assert scaled.errors_factor.median > 5.0
    assert f", which are {scaled.errors_factor.median:.3g} times as large (" in repr(scaled)
    (narrow,), (wide,) = told.parameters, scaled.parameters
    assert narrow.low_68 is not None
    assert narrow.high_68 is not None
    assert wide.low_68 is not None
    assert wide.high_68 is not None
    assert wide.high_68 - wide.low_68 > 4.0 * (narrow.high_68 - narrow.low_68)
    with pytest.raises(UsageError, match="expected `errors` as told or scaled, got 'scale' \\(did you mean"):
        optimiser.posterior(500, errors="scale")
