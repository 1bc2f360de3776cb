"""Heavy tails are drawn in beside offsets of blocks, which are added to values as they are told."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms.base import Observation, Problem, Refit
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Results, offset_unit
from orchestrator.algorithms.mixture.candidate_warps import of_low_values
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.refit import AutoRefit
from orchestrator.surrogates.covariances.block_offsets import BelievedOffsets, Blocks
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp
from orchestrator.unit_cube.domain import Domain

FUNCTION = np.array([-300.0, -40.0, -5.0, -1.0, -0.5, 0.0])
NUMBERS = np.array([0, 1, 0, 1, 2, 2])
OFFSETS = BelievedOffsets(0.09, (0.3, -0.2))


def told(offsets: BelievedOffsets = OFFSETS) -> Results:
    """Of the last block nothing is believed."""
    values = FUNCTION + OFFSETS.of(NUMBERS)
    blocks = Blocks(NUMBERS, 0.0)
    return Results(np.zeros((6, 1)), values, np.zeros(6), None, blocks).with_offsets(offsets)


def test_an_offset_adds_what_it_does_to_first_order_about_what_is_believed_of_it() -> None:
    scale = Standardisation.under(Warp.about(FUNCTION, 1.0, 0.0), FUNCTION)
    seen, slopes = told().standardised(scale)[0], scale.slopes(FUNCTION)
    np.testing.assert_allclose(seen, scale.apply(FUNCTION) + slopes * OFFSETS.of(NUMBERS))
    blocks = told().blocks_on(scale)
    assert blocks is not None
    np.testing.assert_allclose(blocks.variances, OFFSETS.variance * slopes**2)
    assert offset_unit(scale) == pytest.approx(1.0 / slopes.max(), rel=0.5)


def test_without_a_warp_it_adds_itself_whatever_is_believed_of_it() -> None:
    scale = Standardisation.of(FUNCTION)
    for offsets in (OFFSETS, BelievedOffsets(0.09)):
        np.testing.assert_array_equal(told(offsets).standardised(scale)[0], scale.apply(told().values))
        blocks = told(offsets).blocks_on(scale)
        assert blocks is not None
        assert blocks.loadings is None


def test_tails_of_good_values_are_left_as_they_are() -> None:
    both, good, poor = (Warp(0.0, 1.0, *exponents) for exponents in ((0.5, 0.2), (0.5, 1.0), (1.0, 0.2)))
    assert of_low_values([both, good, poor]) == [poor]


def test_what_an_older_refit_left_says_nothing_of_each_offset() -> None:
    assert BelievedOffsets.from_json({"offset_variance": 0.5}) == BelievedOffsets(0.5)
    assert BelievedOffsets.from_json(OFFSETS.to_json()) == OFFSETS
    assert BelievedOffsets.from_json({}).of(NUMBERS).tolist() == [0.0] * 6


def test_offsets_are_believed_as_they_are_where_the_function_is_seen_through_a_warp() -> None:
    problem = Problem(Domain.continuous(1), blocks=True)
    history, rng = History(problem.domain), np.random.default_rng(0)
    offsets = [0.0, 1.5, -1.0]
    for trial, x in enumerate(rng.permutation(np.linspace(0.0, 1.0, 24))):
        value = -np.expm1(7.0 * x) + offsets[trial // 8] + 0.1 * rng.standard_normal()
        history.tell(Observation(trial, np.array([x]), value, block=str(trial // 8)))
    payload = AutoRefit(problem, history, 1, 24).compute()
    learned = Learned.by(Refit(1, len(history), payload), problem, history)
    assert learned.belief.leader.scale.warp is not None
    believed = [one.mean for one in learned.insight([]).offsets.values()]
    np.testing.assert_allclose(believed, np.array(offsets) - np.mean(offsets), atol=0.3)
