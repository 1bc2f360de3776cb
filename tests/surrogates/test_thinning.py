"""What a fit sees of many values: the best of them, and enough of the others to tell what they are like."""

from dataclasses import replace

import numpy as np
import pytest

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


def test_a_part_of_what_was_told_has_what_belongs_to_each_and_failures_have_no_density_and_come_last():
    y, noise, slopes = np.array([0.3, 0.0, -1.0, 0.9]), np.arange(4.0), np.array([0.5, np.nan, 1.5, np.nan])
    data = Data(np.arange(4.0)[:, None], y, np.zeros(1, dtype=np.intp), noise, slopes)
    part = data.take(np.array([2, 1]))
    assert (part.X[:, 0].tolist(), part.y.tolist(), part.extra_noise.tolist()) == ([2, 1], [-1, 0], [2, 1])
    assert (data.log_jacobian, part.log_jacobian, data.take(np.array([1])).log_jacobian) == (2.0, 1.5, 0.0)
    assert np.argsort(-data.ranked, kind="stable").tolist() == [0, 2, 1, 3]
    for wrong in ({"log_slopes": slopes[:3]}, {"embedded_parameter": np.zeros(2, dtype=np.intp)}):
        with pytest.raises(ValueError, match="expected 4 values and 1 column owners"):
            replace(data, **wrong)


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
