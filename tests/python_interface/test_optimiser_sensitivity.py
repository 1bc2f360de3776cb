"""The Python interface, asked which parameters matter."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError

pytestmark = pytest.mark.usefixtures("fits_remembered")

PARAMETERS = {
    "span": (1.0, 9.0),
    "ribs": {"type": "int", "bounds": [2, 30]},
    "skin": {"type": "choice", "values": ["foam", "carbon"]},
}


def told(results: int) -> Optimiser:
    """So many results known from elsewhere: drag falls with the span, heat is the ribs' and the skin's."""
    optimiser = Optimiser(
        PARAMETERS, goal="minimise", noise=0.0, outcomes=["heat"], constraints=["heat <= 100"]
    )
    rng = np.random.default_rng(0)
    for _ in range(results):
        span, ribs = float(rng.uniform(1.0, 9.0)), int(rng.integers(2, 31))
        skin = str(rng.choice(["foam", "carbon"]))
        heat = ribs + 20.0 * (skin == "foam")
        optimiser.learn({"span": span, "ribs": ribs, "skin": skin}, 30.0 / span, outcomes={"heat": heat})
    return optimiser


def test_it_says_which_parameters_matter_and_how_far_to_believe_it() -> None:
    optimiser = told(25)
    found = optimiser.sensitivity()
    assert list(found.influences) == ["span", "ribs", "skin"]
    assert found.influences["span"].in_all > 0.9
    assert found.influences["ribs"].in_all < 0.05
    assert found.left_out.explained > 0.9
    along = found.influences["span"].profile
    assert along is not None
    assert along.range[1] == pytest.approx(30.0, rel=0.2)
    again = pickle.loads(pickle.dumps(optimiser)).sensitivity()
    assert again.influences["span"].in_all == found.influences["span"].in_all


def test_printed_it_is_a_short_table_and_not_its_curves() -> None:
    found = told(8).sensitivity()
    heading, *lines = str(found).splitlines()
    assert heading.split() == ["alone", "in", "all"]
    shares = [found.influences[line.split()[0]].in_all for line in lines]
    assert shares == sorted((one.in_all for one in found.influences.values()), reverse=True)
    assert repr(found) == str(found)


def test_of_an_outcome_too() -> None:
    found = told(25).sensitivity("heat")
    assert found.influences["span"].in_all < 0.05
    assert min(found.influences[name].in_all for name in ("ribs", "skin")) > 0.2


def test_what_cannot_be_said_is_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"expected an outcome, one of `?heat`?; got `heta`.*heat"):
        told(5).sensitivity("heta")
    with pytest.raises(UsageError, match="expected 4 results with a value or more, got 3"):
        told(3).sensitivity()
    with pytest.raises(UsageError, match="expected an outcome, none, as there are none; got `x`"):
        Optimiser({"x": (0.0, 1.0)}).sensitivity("x")


def test_failures_and_what_was_only_foreseen_are_left_out() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, noise=0.0)
    for i in range(6):
        optimiser.learn({"x": i / 5}, float(i) if i < 5 else None)
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, 99.0, 4.0, foreseen=True)
    assert optimiser.sensitivity().results == 5
