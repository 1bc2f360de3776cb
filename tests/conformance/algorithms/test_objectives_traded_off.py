"""Every algorithm either trades several objectives off, however it is asked, or is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conforming import NAMES
from quick_options import quick_options

from orchestrator import Optimiser, Plan
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.errors import SpecError
from orchestrator.unit_cube.domain import Domain

TRADING = tuple(name for name in NAMES if registry.options(name).trades_off)
PARAMETERS = {
    "span": (0.0, 1.0),
    "ribs": {"type": "int", "bounds": [1, 4]},
    "skin": {"type": "choice", "values": ["cloth", "tin"]},
}
GOALS: dict[str, Any] = {"lift": "maximise", "price": "minimise"}


def flown(parameters: dict[str, Any]) -> tuple[float, dict[str, float]]:
    tin = 0.5 * (parameters["skin"] == "tin")
    drag = parameters["span"] ** 2 + 0.1 * parameters["ribs"]
    return drag, {"lift": parameters["span"] + tin, "price": parameters["ribs"] + 4.0 * tin}


def test_these_do() -> None:
    assert sorted(set(TRADING) & set(registry.BUILT_IN)) == ["auto", "explore", "nsga-ii", "random", "sobol"]


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(TRADING)))
def test_the_others_are_refused_and_those_that_can_are_named(name: str) -> None:
    with pytest.raises(SpecError, match=r"trades objectives off \(`auto`, `explore`, `nsga-ii`, `random`"):
        Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, algorithm=name, objectives={"lift": "maximise"})


@pytest.mark.parametrize("name", TRADING)
@pytest.mark.parametrize("at_a_time", [1, 4])
def test_a_front_comes_of_it_and_no_point_twice(name: str, at_a_time: int) -> None:
    optimiser = Optimiser(
        PARAMETERS,
        goal="minimise",
        algorithm=name,
        options=quick_options(name),
        seed=3,
        plan=Plan(12, at_a_time),
        noise=0.0,
        objectives=GOALS,
    )
    seen: list[tuple[Any, ...]] = []
    for _ in range(12 // at_a_time):
        for asked in optimiser.ask(at_a_time):
            value, outcomes = flown(dict(asked.parameters))
            seen.append(tuple(asked.parameters.values()))
            optimiser.tell(asked.trial, value, outcomes=outcomes)
    assert len(set(seen)) == 12
    front = optimiser.front()
    assert len(front) >= 3
    for one in front:
        others = [other for other in front if other is not one]
        assert not any(
            other.value <= one.value
            and other.outcomes["lift"] >= one.outcomes["lift"]
            and other.outcomes["price"] <= one.outcomes["price"]
            for other in others
        )


@pytest.mark.parametrize("name", TRADING)
def test_failures_and_results_of_which_not_all_is_known_are_among_them(name: str) -> None:
    algorithm = registry.build(name, Problem(Domain.continuous(1), further_objectives=2))
    rng = np.random.default_rng(0)
    for trial in range(16):
        further = rng.standard_normal(2)
        further[trial % 2] = np.nan if trial % 5 == 0 else further[trial % 2]
        value = None if trial % 7 == 0 else float(rng.standard_normal())
        algorithm.tell([Observation(trial, rng.random(1), value, further=None if trial == 3 else further)])
    bring_up_to_date(algorithm)
    key = AskKey(16, 16)
    pending = [np.array([0.5])]
    first = [s.point.tolist() for s in algorithm.ask(3, pending, key)]
    assert [s.point.tolist() for s in algorithm.ask(3, pending, key)] == first
    assert len({tuple(point) for point in first}) == 3
