"""Where auto looks closely, as a run sees it: points are written down, evaluated, and read again."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from sequential_runs import optimise

from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Suggestion
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

Values = Callable[[dict[str, float]], float | None]


def trials(auto: Auto, space: Space, values: Values, count: int) -> Iterator[tuple[Suggestion, float | None]]:
    """Each with what came of it, before it is told."""
    for trial in range(count):
        if (number := auto.refit_due()) is not None:
            auto.adopt(auto.compute_refit(number))
        (suggestion,) = auto.ask(1, [], AskKey(trial, trial))
        parameters = space.decode(suggestion.point)
        value = values(parameters)
        yield suggestion, value
        auto.tell([Observation(trial, space.encode(parameters), value)])


@pytest.mark.searches
def test_it_comes_to_the_edge_of_where_evaluations_fail_and_not_back_to_its_middle() -> None:
    # The best of all lies where evaluations fail, so that a model of successes alone points there for ever.
    space = Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0), "z": (0.0, 1.0)})

    def outside_of_the_hole(parameters: dict[str, float]) -> float | None:
        distance = float(np.linalg.norm(np.array(list(parameters.values())) - [0.55, 0.4, 0.6]))
        return None if distance < 0.25 else -(distance**2) - 0.3 * parameters["x"]

    auto = Auto(Problem(space.domain, seed=1), Auto.Options())
    told = [value for _, value in trials(auto, space, outside_of_the_hole, 45)]
    values = [value for value in told if value is not None]
    # On the edge itself one of two fails.
    assert len(values) >= 18
    # The nearest point of the hole's edge along x, or nearly.
    assert max(values) > -0.0625 - 0.3 * 0.3 - 5e-4


def test_what_the_region_asked_for_counts_as_being_in_it() -> None:
    # Its own best points often lie on its faces, from which what is written down and read again is off.
    space = Space.from_description({"x": (-3.0, 7.0), "y": (0.1, 0.7)})
    auto = Auto(Problem(space.domain, seed=0), AutoOptions(refit_every=4))
    inside = []
    slope: Values = lambda p: -((p["x"] - 6.9) ** 2) - 50.0 * (p["y"] - 0.69) ** 2  # noqa: E731
    for suggestion, _ in trials(auto, space, slope, 28):
        if suggestion.why.get("search") == "local" and auto._local.region is not None:
            inside.append(auto._local.region.contains(space.encode(space.decode(suggestion.point))))
    assert len(inside) > 5
    assert all(inside)


def cone(point: np.ndarray) -> float:
    return -float(np.linalg.norm(point - [0.31, 0.62, 0.47]))


@pytest.mark.searches
def test_beside_others_that_run_there_the_region_asks_for_where_its_top_may_be() -> None:
    # Improvement beside those that run is soon too little for a trial; draws differ while the top is unsure.
    auto = Auto(Problem(Domain.continuous(3), noise=Noise("known", 0.0), seed=1, parallel=8), Auto.Options())
    optimise(auto, cone, 22)
    running: list[np.ndarray] = []
    for trial in range(30, 46):
        (suggestion,) = auto.ask(1, running, AskKey(trial, trial))
        if suggestion.why.get("search") == "local":
            running.append(suggestion.point)
    assert len(running) >= 10
    assert len(np.unique(np.round(running, 6), axis=0)) == len(running)
    assert min(map(cone, running)) > -0.1


@pytest.mark.searches
def test_in_noise_the_region_asks_for_many_places_that_may_be_its_top() -> None:
    # Evaluated again and again, one place does not tell where the top lies, however well it is known itself.
    auto = Auto(Problem(Domain.continuous(3), noise=Noise("known", 0.1), seed=1), Auto.Options())
    rng = np.random.default_rng(5)
    optimise(auto, lambda x: cone(x) + 0.1 * rng.standard_normal(), 40)
    apart = [auto.ask(1, [], AskKey(trial, trial))[0] for trial in range(40, 70)]
    close = np.array([s.point for s in apart if s.why["search"] == "local"])
    assert len(close) >= 10
    assert all(s.why["drawn"] for s in apart if s.why["search"] == "local")
    deviation = np.sqrt(close.var(axis=0).sum())
    assert 0.005 < deviation < 0.1
    assert np.linalg.norm(close.mean(axis=0) - [0.31, 0.62, 0.47]) < 0.1
