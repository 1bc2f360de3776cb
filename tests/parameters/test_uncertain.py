"""Which parameters are uncertain, and how their values are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, qmc

from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.parameters.priors import prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.parameters.uncertain import Uncertain
from orchestrator.values.candidates import Candidates
from orchestrator.values.in_use import Evenly

TOLD: dict[str, Any] = {
    "load": {"type": "float", "bounds": [0, 20], "prior": {"mean": 12, "deviation": 1.5}, "unit": "kN"},
    "rate": {"type": "float", "bounds": [0.001, 1], "scale": "log", "prior": {"mean": 0.02, "factor": 1.5}},
    "shots": {"type": "int", "bounds": [1, 9]},
    "kind": {"type": "choice", "values": ["new", "old"], "prior": {"chances": [0.8, 0.2]}},
    "thick": {"type": "float", "bounds": [1, 9], "tolerance": 0.5},
    "span": (0.0, 4.0),
}
SPACE = Space.from_description(TOLD)
THERE = {"load": 3.0, "rate": 0.5, "shots": 4, "kind": "old", "thick": 1.25, "span": 2.0}


def drawn(uncertain: Uncertain) -> tuple[dict[str, FloatArray], FloatArray]:
    """Values by name, of many points."""
    about = uncertain.about(THERE)
    points = about.placed(qmc.Sobol(len(about.parts), seed=0).random(2048))
    told = [SPACE.decode(point) for point in points]
    return {name: np.array([one[name] for one in told]) for name in SPACE.names}, points


def test_what_is_known_or_is_not_met_exactly_is_uncertain_and_all_else_is_as_it_is_set() -> None:
    uncertain = Uncertain.of(SPACE, {})
    assert uncertain.names == ("load", "rate", "kind", "thick")
    values, _ = drawn(uncertain)
    assert (values["load"].mean(), values["load"].std()) == pytest.approx((12.0, 1.5), abs=0.02)
    assert np.quantile(np.log(values["rate"]), 0.84) == pytest.approx(
        np.log(0.02) + norm.ppf(0.84) * np.log(1.5), abs=0.02
    )
    assert (values["kind"] == "new").mean() == pytest.approx(0.8, abs=0.01)
    assert (values["thick"].min(), values["thick"].max()) == pytest.approx((1.0, 1.75), abs=0.01)
    assert set(values["shots"]) == {4}
    assert uncertain.in_words() == (
        "load 12 ± 1.5 kN, rate 0.02 within a factor of 1.5, kind chances 0.8, 0.2, thick off by up to 0.5"
    )


def test_what_is_asked_comes_in_the_place_of_that_and_what_is_set_is_exact() -> None:
    asked = {"load": "evenly", "kind": None, "shots": {"mean": 5, "deviation": 1}, "thick": None}
    uncertain = Uncertain.of(SPACE, asked, exact=["rate"])
    assert uncertain.names == ("load", "shots")
    assert uncertain.spread["load"] == Evenly()
    values, _ = drawn(uncertain)
    assert (values["load"].min(), values["load"].max()) == pytest.approx((0.0, 20.0), abs=0.05)
    assert values["shots"].mean() == pytest.approx(5.0, abs=0.02)
    assert set(uncertain.middle) == {"load", "shots"}
    assert uncertain.told() == {"load": "evenly", "shots": {"mean": 5.0, "deviation": 1.0}}


@pytest.mark.parametrize(
    "told",
    [
        {"type": "int", "bounds": [0, 9], "prior": {"mean": 0, "deviation": 1}},
        {"type": "int", "bounds": [1, 50], "scale": "log", "prior": {"mean": 2, "factor": 3}},
        {"type": "float", "bounds": [0, 1], "step": 0.25, "prior": {"mean": 0.9, "deviation": 0.3}},
    ],
)
def test_whole_numbers_and_steps_come_up_as_plausible_as_a_fit_takes_them_beforehand(
    told: dict[str, Any],
) -> None:
    space = Space.from_description({"n": told})
    (part,) = Uncertain.of(space, {}).about({"n": told["bounds"][0]}).parts
    grid = space.parameters[0].coordinate.grid
    came = (part.at((np.arange(4096) + 0.5) / 4096) == grid).mean(axis=0)
    prior = prior_of_points(space)
    assert prior is not None
    evenly = space.domain.spread(((np.arange(4096) + 0.5) / 4096)[:, None])
    weights = np.exp(prior.log(space.domain, evenly)) / 4096
    assert came == pytest.approx(weights @ (evenly == grid), abs=2e-3)


def test_what_varies_in_use_is_uncertain_and_what_was_recorded_together_stays_together() -> None:
    space = Space.from_description(
        {
            "wind": {"type": "float", "bounds": [0, 20], "in_use": {"recorded": [1, 5, 9]}},
            "wave": {"type": "float", "bounds": [0, 5], "in_use": {"recorded": [0, 1, 4]}},
            "heat": {"type": "float", "bounds": [0, 40], "in_use": {"mean": 15, "deviation": 5}},
        }
    )
    about = Uncertain.of(space, {}).about({"wind": 1.0, "wave": 0.0, "heat": 15.0})
    assert sorted(about.names) == ["heat", "wind with wave"]
    points = about.placed(np.random.default_rng(0).random((64, 2)))
    pairs = {(round(one["wind"]), round(one["wave"])) for one in map(space.decode, points)}
    assert pairs == {(1, 0), (5, 1), (9, 4)}


@pytest.mark.parametrize(
    ("asked", "exact", "said"),
    [
        ({"laod": "evenly"}, (), r"got `laod` \(did you mean `load`\?\)"),
        ({"load": {"mean": 12, "deviation": 0}}, (), "a number above 0 as its `deviation`"),
        ({"kind": {"mean": 1, "deviation": 1}}, (), "no `mean` of values that are listed"),
        ({"load": "evenly"}, ("load",), "either a setting of `load` or what is known of it, got both"),
        ({"span": "evenly"}, (), "may be uncertain, got `span`, which is how closely to look"),
    ],
)
def test_what_cannot_be_known_is_refused(asked: dict[str, Any], exact: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Uncertain.of(SPACE, asked, exact, never=["span"])


def test_what_does_not_vary_by_itself_is_refused() -> None:
    least = Space.from_description(
        {"salt": {"type": "float", "bounds": [0, 4], "least": 1}, "heat": (0.0, 9.0)}
    )
    with pytest.raises(UsageError, match="got `salt`, which may be left out"):
        Uncertain.of(least, {"salt": {"mean": 2, "deviation": 0.2}})
    rows = Candidates.of({"load": (1.0, 2.0)})
    listed = Space.from_description({"load": {"type": "ordered", "values": [1.0, 2.0]}}, candidates=rows)
    with pytest.raises(UsageError, match="got `load`, which has the values of the candidates alone"):
        Uncertain.of(listed, {"load": {"chances": [0.5, 0.5]}})


def test_what_is_known_by_draws_comes_up_row_by_row_and_is_told_with_its_unit() -> None:
    rates = np.linspace(0.2, 0.8, 100)
    told = {"type": "float", "bounds": [0, 1], "unit": "m"}
    space = Space.from_description(
        {
            "a": told | {"prior": {"draws": np.append(rates, 9.0)}},
            "b": told | {"prior": {"draws": np.append(1.0 - rates, 0.5)}},
            "c": (0.0, 1.0),
        }
    )
    uncertain = Uncertain.of(space, {})
    (part,) = uncertain.about({"a": 0.5, "b": 0.5, "c": 0.3}).parts
    drawn = part.at(np.random.default_rng(0).random(500))
    assert drawn.sum(axis=1) == pytest.approx(np.ones(500), abs=1e-9)
    assert drawn[:, 0].std() == pytest.approx(rates.std(), rel=0.1)
    assert uncertain.in_words() == "a 0.5 ± 0.17 m by 100 draws, b 0.5 ± 0.17 m by 100 draws"
    goes = "; what is known by draws goes together, without 1 draw that lies outside the bounds"
    assert uncertain.draws_in_words() == goes
    assert uncertain.told()["a"]["draws"] == 100
