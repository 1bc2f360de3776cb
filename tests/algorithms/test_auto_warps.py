"""Auto measures values as they are or drawn in: by which maps, and what becomes of what rests on one."""

from dataclasses import replace

import numpy as np
from sequential_runs import build, fitted, observations

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.candidate_warps import candidate_warps, of_magnitudes
from orchestrator.algorithms.mixture.refit import AutoRefit
from orchestrator.surrogates.scales.warp import Warp
from orchestrator.unit_cube.domain import Domain


def test_tails_are_told_by_the_start_design_and_not_by_what_the_search_gathered():
    rng = np.random.default_rng(9)

    def peak(x):
        return float(1.0 / (np.sum((x - 0.7) ** 2) + 0.002))

    spread, gathered = rng.random((25, 2)), 0.7 + 0.02 * rng.standard_normal((30, 2))
    X = np.clip(np.vstack([spread, gathered]), 0.0, 1.0)
    values = np.array([peak(x) for x in X])
    assert Warp.fitted(values) is None
    assert candidate_warps(values, 25, noisy=False)
    assert candidate_warps(values[:3], 25, noisy=False) == []
    algorithm = fitted(build("auto", start_points=25), X, values)
    assert all("warped" in name for name in algorithm.insight().weights)


def test_logarithms_below_the_best_are_for_what_falls_off_and_is_not_hidden_by_noise():
    values = -np.exp(3.0 * np.random.default_rng(4).standard_normal(30))

    def from_the_best(values, noisy=False):
        return [w for w in candidate_warps(values, 25, noisy=noisy) if w.centre == values.max()]

    assert len(from_the_best(values)) == 3
    assert from_the_best(values, noisy=True) == []
    hills_on_a_plain = -values
    assert from_the_best(hills_on_a_plain) == []


def test_a_higher_top_stays_possible_once_the_points_are_gathered_on_one():
    rng = np.random.default_rng(4)
    start = -np.exp(3.0 * rng.standard_normal(25))
    gathered = np.append(start, -1e-9 * rng.random(75))
    spreads = [w.spread for w in candidate_warps(gathered, 25, noisy=False) if w.centre == gathered.max()]
    assert len(spreads) == 1, "all count from the same part, and none is weighed twice"
    assert spreads[0] > 1e-3 * np.ptp(np.quantile(start, [0.5, 1.0]))


def test_magnitudes_are_for_values_that_are_all_below_zero_and_not_far_from_it():
    costs = -np.exp(3.0 * np.random.default_rng(4).standard_normal(30))

    (warp,) = of_magnitudes(costs, 25)
    assert (warp.centre, warp.upper, warp.lower, warp.spread) == (0.0, 1.0, 0.0, -costs.max())
    assert of_magnitudes(costs[:3], 25) == []
    assert of_magnitudes(costs - 100.0 * np.ptp(costs), 25) == [], "next to a line"
    assert of_magnitudes(-costs, 25) == [], "what is gained has no least"
    assert of_magnitudes(np.append(costs, 1e-3), 25) == [], "zero was not the best there is"
    (gathered,) = of_magnitudes(np.append(costs, -1e-9 * np.ones(5)), 25)
    assert gathered.spread == 0.01 * -costs[:25].max(), "another top stays possible"


def test_a_misfit_over_many_decades_is_seen_by_its_magnitude():
    X = np.random.default_rng(3).random((40, 3))
    misfits = -np.array([np.sum((10.0 ** (3.0 * (x - 0.4))) ** 2) for x in X])
    algorithm = fitted(build("auto", dimension=3, start_points=25), X, misfits)
    assert algorithm._learned.belief.leader.scale.warp == Warp.below_zero(misfits, 0.0)


def test_a_warp_that_is_gone_takes_its_hypotheses_along_and_no_refit_fails():
    X = np.random.default_rng(0).random((40, 2))
    heavy = [-float(np.exp(8.0 * np.sum((x - 0.4) ** 2))) for x in X]
    algorithm = fitted(build("auto"), X, heavy)
    assert all("warped" in name for name in algorithm.insight().weights)
    problem = Problem(Domain.continuous(2), noise=Noise("known", 0.0))
    flat = History(problem.domain)
    for observation in observations(X, [0.0] * 39 + [1.0]):
        flat.tell(observation)
    only_warped = [entry for entry in algorithm._learned.standing.considered if "warped" in entry[0]]
    standing = replace(algorithm._learned.standing, weighed=1, considered=tuple(only_warped))
    payload = AutoRefit(problem, flat, 2, 10, standing).compute()
    assert payload["warp"] is None
    assert len(payload["candidates"]) > 0
