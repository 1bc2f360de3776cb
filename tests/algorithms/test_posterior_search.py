"""A search for how plausible parameters are: it looks wherever they are, and says how much is not known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from orchestrator.acquisition.likelihood_learned import LogLikelihoodLearned
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.posterior_search import PosteriorOptions, PosteriorSearch
from orchestrator.computed_objective import Misfit, of_formula
from orchestrator.errors import SpecError
from orchestrator.fit_targets import CurveTarget, Target
from orchestrator.parameters.priors import prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.report.explained.why_this_point import OF_THE_LIKELIHOOD
from orchestrator.unit_cube.domain import Domain

Outcomes = Callable[[np.ndarray], np.ndarray | None]


def twice(u: np.ndarray) -> np.ndarray:
    """Met where u is (0.2, 0.45) or (0.8, 0.45)."""
    return np.array([4.0 * (u[0] - 0.5) ** 2, np.sin(2.0 * u[1]) + 0.2 * u[0] * (1.0 - u[0])])


TARGETS = {
    name: Target(float(value), 0.03) for name, value in zip("yz", twice(np.array([0.2, 0.45])), strict=True)
}
TWO_MODES = Problem(
    Domain.continuous(2), seed=4, noise=Noise("known", 0.0), composite=Misfit(TARGETS, -1.0, 2)
)


def told(trial: int, point: np.ndarray, came: np.ndarray | None, problem: Problem) -> Observation:
    if came is None:
        return Observation(trial, point, None)
    assert problem.composite is not None
    value = float(problem.composite.values(came[None, None, :], point[None, :])[0, 0])
    return Observation(trial, point, value, outcomes=came)


def searched(
    problem: Problem, trials: int, outcomes: Outcomes = twice
) -> tuple[PosteriorSearch, list[Observation]]:
    search = registry.build("posterior", problem)
    assert isinstance(search, PosteriorSearch)
    results: list[Observation] = []
    for trial in range(1, trials + 1):
        (suggestion,) = search.ask(1, [], AskKey(trial, trial))
        results.append(told(trial, suggestion.point, outcomes(suggestion.point), problem))
        search.tell(results[-1:])
    return search, results


@pytest.fixture(scope="module")
def found() -> tuple[PosteriorSearch, list[Observation]]:
    return searched(TWO_MODES, 14)


def test_both_of_two_modes_are_tried_and_known(found: tuple[PosteriorSearch, list[Observation]]) -> None:
    search, results = found
    tried = np.array([one.point for one in results])
    for mode in ([0.2, 0.45], [0.8, 0.45]):
        assert np.abs(tried - mode).max(axis=1).min() < 0.06
    learned = search._believed()
    assert learned is not None
    places = search._surveyed(learned).points
    assert np.mean(places[:, 0] < 0.5) == pytest.approx(0.5, abs=0.2)
    assert places[:, 1].std() == pytest.approx(0.03 / (2.0 * np.cos(0.9)), rel=0.3)


def test_it_says_how_much_is_not_known_and_that_this_is_less_with_more_results(
    found: tuple[PosteriorSearch, list[Observation]],
) -> None:
    search, results = found
    earlier = registry.build("posterior", TWO_MODES)
    earlier.tell(results[:6])
    key = AskKey(15, 15)
    before, after = (one.ask(1, [], key)[0].why["posterior"] for one in (earlier, search))
    assert before["unknown"] > 3.0 * after["unknown"] > 0.0
    assert 0.0 < after["learned"] <= 1.0
    (note,) = search.insight().notes
    assert "the likelihood by the models may be off by ± " in note


def test_a_point_for_the_best_fit_has_how_much_is_not_known_and_nothing_that_it_tells(
    monkeypatch: pytest.MonkeyPatch, found: tuple[PosteriorSearch, list[Observation]]
) -> None:
    monkeypatch.setattr("orchestrator.algorithms.posterior_search.MOSTLY_UNKNOWN", 0.0)
    for_the_fit, for_the_posterior = (found[0].ask(1, [], AskKey(20, trial))[0].why for trial in (20, 21))
    assert set(for_the_fit["posterior"]) == {"unknown"}
    assert set(for_the_posterior["posterior"]) == {"unknown", "learned"}
    # By this `explain` knows what its own sentence has said.
    assert OF_THE_LIKELIHOOD[0] in found[0].insight().notes[0]


def test_while_points_are_of_the_start_design_nothing_is_said_of_what_models_do_not_know(
    found: tuple[PosteriorSearch, list[Observation]],
) -> None:
    search = registry.build("posterior", TWO_MODES)
    search.tell(found[1][:3])
    assert not search.insight().notes
    search.tell(found[1][3:4])
    assert len(search.insight().notes) == 1


def test_what_is_nearly_all_unknown_has_no_exponent(
    found: tuple[PosteriorSearch, list[Observation]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LogLikelihoodLearned, "unknown", 0.996)
    (note,) = found[0].insight().notes
    assert note.endswith("may be off by ± 100 %")


def test_told_one_by_one_or_together_it_asks_the_same(
    found: tuple[PosteriorSearch, list[Observation]],
) -> None:
    search, results = found
    resumed = registry.build("posterior", TWO_MODES)
    resumed.tell(results[:9])
    resumed.tell(results[9:])
    key, running = AskKey(15, 15), [np.array([0.21, 0.5])]
    once, again = search.ask(2, running, key), resumed.ask(2, running, key)
    assert [one.point.tolist() for one in once] == [one.point.tolist() for one in again]
    assert once[0].why == again[0].why


def test_points_of_a_batch_are_for_different_things(found: tuple[PosteriorSearch, list[Observation]]) -> None:
    _, results = found
    search = registry.build("posterior", TWO_MODES)
    search.tell(results[:7])
    alone, beside = search.ask(2, [], AskKey(8, 8))
    assert np.abs(alone.point - beside.point).max() > 0.05
    assert beside.why["posterior"]["unknown"] < alone.why["posterior"]["unknown"]
    (after_it,) = search.ask(1, [alone.point], AskKey(9, 9))
    assert np.abs(alone.point - after_it.point).max() > 0.05


@pytest.mark.parametrize(
    "prior", [{"mean": 0.3, "deviation": 0.1}, {"draws": np.random.default_rng(0).normal(0.3, 0.1, 200)}]
)
def test_what_is_known_beforehand_says_which_of_two_modes_is_looked_at(
    found: tuple[PosteriorSearch, list[Observation]], prior: dict[str, Any]
) -> None:
    known = {"a": {"type": "float", "bounds": [0, 1], "prior": prior}}
    beforehand = prior_of_points(Space.from_description({**known, "b": (0.0, 1.0)}))
    _, results = found
    search = registry.build("posterior", replace(TWO_MODES, beforehand=beforehand))
    assert isinstance(search, PosteriorSearch)
    search.tell(results)
    learned = search._believed()
    assert learned is not None
    assert (search._surveyed(learned).points[:, 0] < 0.5).all()


def test_where_evaluations_fail_it_keeps_away() -> None:
    _, results = searched(TWO_MODES, 9, lambda u: None if u[0] > 0.6 else twice(u))
    assert sum(one.value is None for one in results[4:]) <= 2


def test_what_is_asked_of_outcomes_makes_nothing_less_plausible(
    found: tuple[PosteriorSearch, list[Observation]],
) -> None:
    """Of two modes one breaks a limit, and is as plausible."""
    search = PosteriorSearch(replace(TWO_MODES, outcome_constraints=1), PosteriorOptions())
    search.tell([replace(one, slacks=np.array([0.5 - one.point[0]])) for one in found[1]])
    learned = search._believed()
    assert learned is not None
    places = search._surveyed(learned).points
    assert np.mean(places[:, 0] < 0.5) == pytest.approx(0.5, abs=0.2)


def test_noise_and_curves_are_taken_as_they_come() -> None:
    rng, times = np.random.default_rng(0), np.linspace(0.0, 1.0, 30)

    def curve(u: np.ndarray) -> np.ndarray:
        return np.exp(-3.0 * u[0] * times) * (1.0 + u[1]) + 0.01 * rng.standard_normal(30)

    target = CurveTarget(tuple(curve(np.array([0.4, 0.6]))), (0.02,) * 30)
    problem = replace(TWO_MODES, noise=Noise(), composite=Misfit({"light": target}, -1.0, 2))
    search, _ = searched(problem, 9, curve)
    learned = search._believed()
    assert learned is not None
    places = search._surveyed(learned).points
    assert np.abs(np.median(places, axis=0) - [0.4, 0.6]).max() < 0.06


def test_targets_without_errors_say_nothing_of_what_is_plausible() -> None:
    composite = Misfit({"y": Target(1.0, told=False), "z": Target(2.0, 0.1)}, -1.0, 2)
    with pytest.raises(SpecError, match="expected an error with each target, got none of `y`"):
        registry.build("posterior", replace(TWO_MODES, composite=composite))


@pytest.mark.parametrize("formula", [False, True])
def test_it_is_for_fits_alone_and_says_so(formula: bool) -> None:
    space = Space.from_description({"a": (0.0, 1.0), "b": (0.0, 1.0)})
    composite = of_formula("y + a", ["y"], space, 1.0) if formula else None
    with pytest.raises(SpecError, match="algorithm `posterior`: expected an objective that is a fit"):
        registry.build("posterior", replace(TWO_MODES, composite=composite))
