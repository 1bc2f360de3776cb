"""Whether tails are drawn in is judged by how points lie, not by how often a value was met."""

import numpy as np
import pytest
from additive_stories import built

from orchestrator.algorithms.base import Observation
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp

WELLS = np.array([[0.4, 0.4, 0.4], [0.6, 0.2, 0.8], [0.2, 0.8, 0.3]])
DEPTHS = np.array([0.002, 0.008, 0.006])


def wells(X) -> np.ndarray:
    """Three narrow peaks over a wide, flat floor."""
    return (1 / (DEPTHS + ((np.atleast_2d(X)[:, None] - WELLS) ** 2).sum(axis=2))).sum(axis=1)


def gathered() -> np.ndarray:
    """Twenty points over the cube, then thirty ever closer to a peak that is not the highest."""
    rng = np.random.default_rng(3)
    close = WELLS[1] + rng.standard_normal((30, 3)) * np.geomspace(0.1, 0.003, 30)[:, None]
    return np.clip(np.vstack([rng.random((20, 3)), close]), 0, 1)


def refitted(values, points, **options):
    algorithm = built("dec-hbo", 3, {"start_points": 20, "evidences": 4, **options})
    algorithm.tell([Observation(i, x, float(y)) for i, (x, y) in enumerate(zip(points, values, strict=True))])
    algorithm.adopt(algorithm.compute_refit(1))
    return algorithm._belief


def ranks(values) -> np.ndarray:
    return np.argsort(np.argsort(values))


def test_points_gathered_on_one_peak_do_not_hide_that_peaks_are_a_tail():
    points = gathered()
    assert Warp.fitted(wells(points)) is None
    warp = refitted(wells(points), points).standardisation.warp
    assert warp is not None
    assert warp.upper == 0.0


def test_what_lies_far_from_the_points_gathered_is_foretold_the_better_for_it():
    points, elsewhere = gathered(), np.random.default_rng(9).random((300, 3))
    told = {}
    for outputs in ("plain", "learned"):
        mean, _ = refitted(wells(points), points, outputs=outputs).mean_and_variance(elsewhere)
        told[outputs] = np.corrcoef(ranks(mean), ranks(wells(elsewhere)))[0, 1]
    assert told["learned"] > 0.5
    assert told["learned"] > told["plain"] + 0.3


def test_what_is_expected_far_from_all_points_is_the_start_design_s_average_however_many_lie_on_a_peak():
    points = gathered()
    scale = refitted(wells(points), points).standardisation
    assert scale.apply(wells(points[:20])).mean() == pytest.approx(0.0, abs=1e-9)
    assert scale.apply(wells(points)).mean() > 0.3


def test_a_wave_is_not_warped():
    points = np.random.default_rng(4).random((50, 3))
    belief = refitted(np.sin(6 * points).sum(axis=1), points)
    assert belief.standardisation.warp is None


@pytest.mark.parametrize("factor", [1e-12, 1e12])
def test_units_change_nothing(factor):
    points = gathered()
    one, other = (refitted(times * wells(points), points).standardisation for times in (1.0, factor))
    assert np.allclose(one.apply(wells(points)), other.apply(factor * wells(points)), atol=1e-6)


def test_values_of_which_half_coincide_have_no_warp_about_them():
    assert Warp.about(np.array([]), 0.0, 1.0) is None
    assert Warp.about(np.array([1.0, 1, 1, 1, 5]), 0.0, 1.0) is None
    assert Standardisation.under(None, [1.0, 3.0]) == Standardisation.of([1.0, 3.0])
