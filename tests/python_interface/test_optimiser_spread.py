"""How values are spread where parameters are uncertain, by all that an Optimiser was told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError
from orchestrator.sensitivity import held_out, spread

pytestmark = pytest.mark.usefixtures("fits_remembered", "drawn_briefly", "walked_briefly")

PARAMETERS: dict[str, Any] = {
    "load": {"type": "float", "bounds": [5, 20], "prior": {"mean": 12, "deviation": 1.5}},
    "width": (4.0, 9.0),
    "area": {"type": "computed", "value": "load * width"},
}


@pytest.fixture(scope="module")
def drawn_briefly() -> Iterator[None]:
    """Few settings, by models that are as unsure as they say: by how much they really are takes fits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "MOST_SETTINGS", spread.FEWEST_SETTINGS)
        patch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
        yield


@pytest.fixture(scope="module")
def optimiser() -> Optimiser:
    """Of a bar whose bend is 3 load - 10 width."""
    made = Optimiser(
        PARAMETERS,
        goal="minimise",
        noise=0,
        outcomes=["bend"],
        constraints=["bend <= 0"],
        algorithm="random",
    )
    for asked in made.ask(9):
        load, width = asked.parameters["load"], asked.parameters["width"]
        bend = 3.0 * load - 10.0 * width
        made.tell(asked.trial, {"value": load + width, "bend": bend, "note": 2.0 * load})
    return made


def test_what_has_a_prior_is_uncertain_and_all_else_is_as_it_is_set(optimiser: Optimiser) -> None:
    found = optimiser.spread({"width": 4.0}, limits=["value <= 17.5"])
    assert found.settings == {"width": 4.0}
    assert found.uncertain == {"load": {"mean": 12.0, "deviation": 1.5}}
    assert found["bend"]["mean"].expected == pytest.approx(-4.0, abs=0.05)
    assert found["bend"]["deviation"].expected == pytest.approx(4.5, rel=0.02)
    assert found["value"]["95 %"].expected == pytest.approx(16.0 + 1.645 * 1.5, abs=0.1)
    chances = {one.limit: one.broken for one in found.limits}
    assert chances == pytest.approx({"bend <= 0": 0.187, "value <= 17.5": 0.1587}, abs=0.01)
    assert found.any_broken == pytest.approx(0.187, abs=0.01)
    assert found.shares["bend"] == {"load": 1.0}
    assert max(found.by_models.values()) < 0.01
    with pytest.raises(KeyError):
        found["note"]


def test_it_shows_itself_and_goes_into_data_frames(optimiser: Optimiser) -> None:
    found = optimiser.spread({"width": 4.0})
    shown = repr(found)
    assert shown.splitlines()[0].split() == ["quantity", "figure", "expected", "within"]
    assert "bend <= 0" in shown
    assert "bend is spread by load 100 %" in shown
    assert set(found.figures.rows()[0]) == {
        "quantity",
        "figure",
        "expected",
        "deviation",
        "low",
        "high",
        "luck",
    }
    assert found.limits.rows()[0]["results"] == 9
    assert "so seldom" not in shown


def test_that_a_limit_is_broken_too_seldom_to_tell_is_said(optimiser: Optimiser) -> None:
    shown = repr(optimiser.spread({"width": 4.0}, limits=["value <= 99"]))
    assert "value <= 99 is broken so seldom that 1,024 settings do not tell how often" in shown


def test_what_is_known_may_be_said_as_it_is_asked_and_of_what_came_beside_values(
    optimiser: Optimiser,
) -> None:
    found = optimiser.spread(prior={"load": "evenly"}, outcomes=(name for name in ("note",)))
    assert [one.quantity for one in found.figures] == ["note"] * 7
    assert found["note"]["deviation"].expected == pytest.approx(30.0 / np.sqrt(12.0), rel=0.03)
    assert found.any_broken == 0.0
    assert not found.limits


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"prior": {"load": None}}, "expected something that is uncertain, got none"),
        ({"at": {"load": 3.0}, "prior": {"load": "evenly"}}, "either a setting of `load` or what is known"),
        ({"at": [3.0]}, "expected `at` as"),
        ({"prior": {"load": np.array([12.0, 1.5])}}, "as the prior of `load` expected what is known"),
        ({"limits": "bend <= 3"}, "expected limits as a list"),
        ({"limits": None}, "expected limits as a list"),
        ({"limits": ["bend <="]}, "limit `bend <=`"),
        ({"outcomes": ["bned"]}, r"got `bned` \(did you mean `bend`\?\)"),
        ({"outcomes": "bend"}, "expected outcomes as a list"),
        ({"outcomes": 3}, "expected outcomes as a list"),
        ({"outcomes": []}, "expected outcomes as a list"),
        ({"posterior": True}, "expected an objective that is fitted to what was measured"),
        ({"posterior": True, "at": {"width": 5.0}}, "no settings beside `posterior`"),
        ({"errors": "scaled"}, "expected `errors` beside `posterior`"),
        ({"posterior": True, "errors": "scald"}, r"got 'scald' \(did you mean `scaled`\?\)"),
    ],
)
def test_what_has_no_meaning_is_refused(optimiser: Optimiser, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        optimiser.spread(**asked)


def test_the_posterior_predictive_of_a_linear_fit_is_as_it_is_computed_by_hand() -> None:
    measured = {"low": {"value": 1.0, "error": 0.1}, "high": {"value": 3.0, "error": 0.2}}
    bounds = {"offset": (-4.0, 6.0), "slope": (-4.0, 8.0)}
    optimiser = Optimiser(bounds, fit=measured, goal="minimise", noise=0, algorithm="random")
    for asked in optimiser.ask(8):
        offset, slope = asked.parameters["offset"], asked.parameters["slope"]
        line = {"low": offset, "high": offset + slope, "beyond": offset + 2.0 * slope}
        optimiser.tell(asked.trial, line)
    found = optimiser.spread(limits=["beyond <= 5"], posterior=True)
    assert found["low"]["mean"].expected == pytest.approx(1.0, abs=0.03)
    assert found["low"]["deviation"].expected == pytest.approx(0.1, rel=0.15)
    assert found["high"]["deviation"].expected == pytest.approx(0.2, rel=0.15)
    # 2 high - low: 5, with a deviation of 0.41.
    chance = {one.limit: one.broken for one in found.limits}["beyond <= 5"]
    assert chance == pytest.approx(0.5, abs=0.1)
    assert found.shares == {}
    (beyond,) = {one.quantity for one in optimiser.spread(posterior=True, outcomes=["beyond"]).figures}
    assert beyond == "beyond"
