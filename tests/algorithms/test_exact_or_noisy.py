"""Auto, told nothing of noise: it finds out whether there is any."""

import functools
import json

import numpy as np
import pytest
from sequential_runs import build, fitted, optimise

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Noise, Observation, Problem
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.unit_cube.domain import Domain

DEVIATION = 0.05
UNTOLD, EXACT = Noise(), Noise("known", 0.0)


def smooth(x):
    """A hill upon a slope, with a valley beside it."""
    return float(np.exp(-8.0 * np.sum((x - 0.62) ** 2)) + 0.3 * x[0] - 0.4 * np.sin(3.0 * x[1]))


def rippled(x):
    """Where ripples are far finer than results lie apart, what they add is as good as luck."""
    return smooth(x) + DEVIATION * float(np.sin(1e4 * x).sum())


@functools.cache
def told(count, noise, deviation):
    """Auto with so many results, of some deviation from a smooth function."""
    rng = np.random.default_rng(4)
    X = rng.random((count, 2))
    values = [smooth(x) + deviation * rng.standard_normal() for x in X]
    return fitted(build("auto", noise=noise), X, values)


def inferred(algorithm):
    """The deviation of the noise that the leader believes in, in the values' units."""
    leader = algorithm._learned.belief.leader
    return leader.found.noise_variance**0.5 * leader.scale.scale


def test_of_a_function_without_noise_values_are_taken_for_exact():
    algorithm = told(25, UNTOLD, 0.0)
    assert algorithm._learned.standing.exact
    assert inferred(algorithm) == 0.0
    assert algorithm.insight().believed_best is None
    as_told = told(25, EXACT, 0.0)
    assert algorithm.insight().weights == as_told.insight().weights
    assert "values are taken for exact" in " ".join(algorithm.insight().notes)
    assert "taken for exact" not in " ".join(as_told.insight().notes)


def test_in_blocks_that_is_said_of_values_beside_the_offsets_of_these():
    algorithm = registry.build("auto", Problem(Domain.continuous(1), seed=1, start_points=5, blocks=True), {})
    for trial, x in enumerate(np.linspace(0.02, 0.98, 12)):
        value = float(np.sin(5.0 * x)) + 3.0 * (trial % 2)
        algorithm.tell([Observation(trial, np.array([x]), value, block="ab"[trial % 2])])
    algorithm.adopt(algorithm.compute_refit(1))
    assert "none is seen beside offsets of blocks: values are taken for exact but for these" in " ".join(
        algorithm.insight().notes
    )


def test_variances_that_came_with_values_are_not_called_nothing_told():
    algorithm, X = build("auto", noise=UNTOLD), np.random.default_rng(4).random((12, 2))
    algorithm.tell([Observation(number, x, smooth(x), 0.002) for number, x in enumerate(X, 1)])
    algorithm.adopt(algorithm.compute_refit(1))
    assert algorithm._learned.standing.exact
    (said,) = (note for note in algorithm.insight().notes if "noise" in note)
    assert said.startswith("no noise is seen beyond the variances that came with values")


def test_variances_that_came_with_values_count_in_the_region_too_though_no_more_noise_is_seen():
    rng = np.random.default_rng(4)
    X = rng.random((30, 2))
    values = [smooth(x) + DEVIATION * rng.standard_normal() for x in X]
    payloads = {}
    for noise in (UNTOLD, Noise("reported")):
        algorithm = build("auto", noise=noise)
        told_with = [
            Observation(i, x, y, DEVIATION**2) for i, (x, y) in enumerate(zip(X, values, strict=True))
        ]
        algorithm.tell(told_with)
        refit = algorithm.compute_refit(1)
        payloads[noise.kind] = refit.payload
        assert refit.payload["exact"] == (noise is UNTOLD)
    assert payloads["unknown"]["local"] == payloads["reported"]["local"]


def test_noise_is_noticed_though_nobody_tells_of_it():
    algorithm = told(40, UNTOLD, DEVIATION)
    assert not algorithm._learned.standing.exact
    assert inferred(algorithm) == pytest.approx(DEVIATION, rel=0.5)
    assert algorithm.insight().believed_best is not None
    assert "values are taken for noisy" in " ".join(algorithm.insight().notes)


@pytest.mark.searches
def test_what_looked_exact_is_found_to_be_noisy_as_more_is_told():
    rng = np.random.default_rng(4)
    algorithm = fitted(build("auto", noise=UNTOLD), (X := rng.random((12, 2))), [smooth(x) for x in X])
    assert algorithm._learned.standing.exact
    for trial in range(12, 36):
        x = rng.random(2)
        value = smooth(x) + 3.0 * DEVIATION * rng.standard_normal()
        algorithm.tell([Observation(trial, x, value)])
        if (number := algorithm.refit_due()) is not None:
            algorithm.adopt(algorithm.compute_refit(number))
    assert not algorithm._learned.standing.exact
    assert inferred(algorithm) > DEVIATION


def test_ripples_that_nothing_can_resolve_count_as_noise():
    X = np.random.default_rng(4).random((40, 2))
    assert not fitted(build("auto", noise=UNTOLD), X, [rippled(x) for x in X])._learned.standing.exact


def test_noise_that_is_told_of_is_not_doubted():
    algorithm = told(25, Noise("known", DEVIATION), 0.0)
    assert not algorithm._learned.standing.exact
    assert inferred(algorithm) == 0.0


def test_a_point_told_twice_with_two_values_is_no_failure():
    X = np.tile(np.random.default_rng(4).random((8, 2)), (2, 1))
    values = [smooth(x) + 0.1 * (i >= 8) for i, x in enumerate(X)]
    assert not fitted(build("auto", noise=UNTOLD), X, values)._learned.standing.exact


def test_it_is_written_down_and_read_again():
    algorithm = told(25, UNTOLD, 0.0)
    payload = json.loads(json.dumps(algorithm._learned.refit.payload))
    assert payload["exact"] is True
    assert Standing.of(payload).exact
    # Runs that began before the question was asked were not taken for exact.
    assert not Standing.of({name: told for name, told in payload.items() if name != "exact"}).exact


def test_who_says_nothing_of_noise_is_served_as_who_says_that_there_is_none():
    untold, exact = (
        [s.point.tolist() for s in optimise(build("auto", noise=noise), smooth, 12)[0]]
        for noise in (UNTOLD, EXACT)
    )
    assert untold == exact
