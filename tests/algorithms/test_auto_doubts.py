"""Where auto looks once its models see nothing left to gain: where they may be wrong."""

import functools
import math
from dataclasses import replace

import numpy as np
import pytest
from sequential_runs import build, fitted, optimise

from orchestrator.algorithms.base import AskKey
from orchestrator.algorithms.mixture.everywhere import is_doubted
from orchestrator.algorithms.mixture.ground import Ground
from orchestrator.algorithms.mixture.proposal import Proposal
from orchestrator.maximisers.climbs.multistart import anything
from orchestrator.unit_cube.domain import Domain


def broad_and_narrow(x):
    """A broad hill of height 1, and beyond what it says of the rest a narrower one of height 1.5."""
    broad, narrow = (np.sum((x - top) ** 2) for top in (0.3, 0.8))
    return float(np.exp(-broad / (2 * 0.25**2)) + 1.5 * np.exp(-narrow / (2 * 0.15**2)))


@functools.cache
def search(seed):
    return optimise(build("auto", dimension=3, seed=seed), broad_and_narrow, 45)


def test_only_what_promises_next_to_nothing_is_doubted_and_that_every_other_time():
    rng = np.random.default_rng(0)
    X = rng.random((20, 3))
    values = [1e6 * broad_and_narrow(x) for x in X]
    (suggestion,) = fitted(build("auto", dimension=3), X, values).ask(1, [], AskKey(20, 20))
    ground = Ground(Domain.continuous(3), X[:1], X[:0], anything, rng, noisy=False)

    def doubted(share, ground):
        """Of a hundred trials that promise this part of what the best value is above the median."""
        above = max(values) - float(np.median(values))
        found = Proposal(suggestion, math.log(share * above))
        return sum(is_doubted(found, ground, above, trial) for trial in range(100))

    assert 45 <= doubted(0.0001, ground) <= 55
    assert doubted(0.002, ground) == 0
    assert doubted(0.0001, replace(ground, noisy=True)) == 0
    assert not is_doubted(Proposal(suggestion, -800.0), ground, 5e-324, 0)
    assert doubted(0.0001, replace(ground, satisfied=False)) == 0


@pytest.mark.searches
def test_while_there_is_something_to_gain_no_trial_doubts_the_models_and_later_many_do():
    suggestions, _ = search(0)
    doubting = [trial for trial, s in enumerate(suggestions) if s.why.get("search") == "doubting"]
    assert max(broad_and_narrow(s.point) for s in suggestions[: doubting[0]]) > 0.99
    assert len(doubting) > (len(suggestions) - doubting[0]) / 4


@pytest.mark.searches
def test_what_doubts_looks_away_from_the_best_points_known_by_then():
    suggestions, _ = search(0)
    values = np.array([broad_and_narrow(s.point) for s in suggestions])

    def away(place):
        """How far the trials of a search are from the best point before them, on the whole."""
        trials = [trial for trial, s in enumerate(suggestions) if s.why.get("search") == place and trial > 25]
        bests = [suggestions[int(np.argmax(values[:trial]))].point for trial in trials]
        return np.median([np.abs(suggestions[t].point - b).max() for t, b in zip(trials, bests, strict=True)])

    assert away("doubting") > 2 * away("local")


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(6))
def test_a_higher_hill_is_found_where_all_models_expect_a_plain(seed):
    _, best = optimise(build("auto", dimension=3, seed=seed), broad_and_narrow, 80)
    assert best > 1.49
