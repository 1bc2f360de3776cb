"""What one search left plausible is known beforehand by the next, from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError, StoreError

RATES = np.random.default_rng(0).normal(1.2, 0.1, 400)
LEFT = 1.7 - RATES + np.random.default_rng(1).normal(0.0, 0.02, 400)
"""Of an earlier search, in which b was about what a left over."""
DRAWN = {"a": {"draws": RATES}, "b": {"draws": LEFT}}


def described(**priors: Any) -> dict[str, Any]:
    known = DRAWN | priors
    return {
        "a": {"type": "float", "bounds": [0, 2], "prior": known["a"]},
        "b": {"type": "float", "bounds": [0, 1], "prior": known["b"]},
    }


def searched(parameters: dict[str, Any], path: Path | None = None, trials: int = 8) -> Optimiser:
    fit = {"y": {"value": 1.3, "error": 0.05}}
    optimiser = Optimiser(parameters, fit=fit, goal="minimise", noise=0, algorithm="sobol", store=path)
    for _ in range(trials):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, outcomes={"y": asked.parameters["a"]})
    return optimiser


def test_draws_of_an_earlier_search_count_together_beside_what_is_measured_now() -> None:
    found = searched(described()).posterior(draws=500)
    rows = found.draws.rows()
    a, b = (np.array([row[name] for row in rows]) for name in ("a", "b"))
    precision = 0.1**-2 + 0.05**-2
    assert a.mean() == pytest.approx((1.2 * 0.1**-2 + 1.3 * 0.05**-2) / precision, abs=0.015)
    assert a.std() == pytest.approx(precision**-0.5, rel=0.2)
    assert (a + b).std() == pytest.approx(0.02, abs=0.006)
    assert found.priors["a"]["draws"] == 400


def test_a_search_that_is_kept_goes_on_with_the_draws_that_it_was_begun_with(tmp_path: Path) -> None:
    path = tmp_path / "fit.jsonl"
    searched(described(), path, trials=2).close()
    again = searched(described(), path, trials=1)
    assert again.told == 3
    again.close()
    others = np.append(RATES[:-1], 1.0)
    with pytest.raises(StoreError, match="parameter `a` has other draws as its `prior` there"):
        searched(described(a={"draws": others}), path, trials=0)
    with pytest.raises(StoreError) as refused:
        searched(described(a={"draws": RATES + 0.01}), path, trials=0)
    assert len(str(refused.value)) < 800


def test_draws_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(SpecError, match=r"expected as `prior` bounds .*, '...'\]}$"):
        searched(described(a={"draws": RATES + 5.0}), trials=0)
    with pytest.raises(SpecError, match="got 400 of `a` and 399 of `b`"):
        searched(described(b={"draws": RATES[:-1] / 2}), trials=0)


def test_what_is_uncertain_by_draws_is_spread_together() -> None:
    optimiser = Optimiser(described(), noise=0, algorithm="sobol")
    for _ in range(8):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, asked.parameters["a"] + asked.parameters["b"])
    found = optimiser.spread()
    assert found["value"]["mean"].expected == pytest.approx(1.7, abs=0.01)
    assert found["value"]["deviation"].expected == pytest.approx(0.02, abs=0.003)
    apart = optimiser.spread(prior={"b": {"mean": 0.5, "deviation": 0.1}})
    assert apart["value"]["deviation"].expected == pytest.approx(0.14, abs=0.02)
