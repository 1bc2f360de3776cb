"""What a fit sees of many values: the best of them, and enough of the others to tell what they are like."""

import numpy as np

from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.thinning import best_and_spread, evenly, subsample


def test_a_subsample_keeps_the_best_and_a_draw_of_the_rest():
    rng = np.random.default_rng(9)
    data = Data(rng.random((400, 1)), rng.standard_normal(400), np.zeros(1, dtype=np.intp))
    part = subsample(data, 40, np.random.default_rng(9))
    assert len(part.y) == 40
    assert set(np.sort(data.y)[-10:]) <= set(part.y)
    assert part.y.min() < np.median(data.y)
    assert len(np.unique(part.X, axis=0)) == 40
    assert subsample(data, 400, np.random.default_rng(9)) is data


def test_without_a_draw_the_best_are_kept_and_the_rest_is_spanned():
    y = np.sin(np.arange(1000.0))
    kept = best_and_spread(y, 100)
    assert len(kept) == 100
    assert set(np.argsort(-y, kind="stable")[:25]) <= set(kept)
    assert np.diff(kept).max() < 40
    assert len(best_and_spread(y, None)) == 1000
    assert best_and_spread(np.arange(12.0), 8).tolist() == [0, 2, 4, 5, 7, 9, 10, 11], "two best, six of ten"


def test_what_is_spread_evenly_reaches_both_ends_and_repeats_nothing():
    assert evenly(10, 4).tolist() == [0, 3, 6, 9]
    assert evenly(3, 10).tolist() == [0, 1, 2]
    assert evenly(5, 0).tolist() == [0]
