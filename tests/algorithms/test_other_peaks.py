"""Once nothing is left to gain at the best point told, the search goes on elsewhere."""

import numpy as np
import pytest
from additive_stories import built, told

from orchestrator.algorithms import dec_hbo
from orchestrator.algorithms.additive.other_peaks import OtherPeaks, conceivable_gain, reach_of
from orchestrator.algorithms.base import AskKey
from orchestrator.algorithms.dec_hbo import FAR, POLISHING, TURNS
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

HIGH, LOW = np.array([0.25, 0.3]), np.array([0.75, 0.7])
ON_THE_FLANK = np.array([0.82, 0.65])


def two_peaks(point) -> np.ndarray:
    """One of height 1, and one of height 0.8."""
    near, far = (np.exp(-((point - peak) ** 2).sum() / 0.03) for peak in (HIGH, LOW))
    return np.array([near + 0.8 * far])


def settled_on_the_higher(count=40):
    """Told a few points everywhere, one on the flank of the lower peak, and the rest on top of the higher."""
    rng = np.random.default_rng(7)
    grid = np.stack(np.meshgrid([0.05, 0.4, 0.6, 0.95], [0.05, 0.35, 0.6, 0.95]), axis=-1).reshape(-1, 2)
    closer = np.geomspace(0.1, 1e-4, count - len(grid) - 1)[:, None]
    on_top = HIGH + closer * rng.standard_normal((len(closer), 2))
    points = np.vstack([grid, ON_THE_FLANK, on_top])
    return told(built("dec-hbo", 2, factors=((0, 1),)), two_peaks, points)


def asked(algorithm, count):
    (suggestion,) = algorithm.ask(1, [], AskKey(count, count))
    return suggestion.point


def test_a_lower_peak_is_climbed_when_the_highest_known_is_exhausted():
    count = next(n for n in range(40, 50) if n % TURNS not in (POLISHING, FAR))
    algorithm = settled_on_the_higher(count)
    point = asked(algorithm, count)
    assert np.linalg.norm(point - LOW) < np.linalg.norm(ON_THE_FLANK - LOW)
    assert two_peaks(point).sum() > two_peaks(ON_THE_FLANK).sum()


def test_the_highest_peak_is_polished_in_its_turn():
    count = next(n for n in range(40, 50) if n % TURNS == POLISHING)
    assert np.linalg.norm(asked(settled_on_the_higher(count), count) - HIGH) < 1e-2


def test_steps_stay_within_reach():
    count = next(n for n in range(40, 50) if n % TURNS not in (POLISHING, FAR))
    algorithm = settled_on_the_higher(count)
    reach = reach_of(algorithm._belief)
    distances = np.abs(asked(algorithm, count) - algorithm._results.history.points) / reach
    assert distances.max(axis=1).min() < 1.5


def test_over_the_seam_of_an_angle_points_are_as_near_as_elsewhere():
    algorithm = settled_on_the_higher()
    round_one = Domain((Coordinate(periodic=True), Coordinate()))
    peaks = OtherPeaks(
        round_one, algorithm._belief, HIGH[None, :], lambda *_: pytest.fail("nothing is climbed")
    )
    peak, over, beside = (np.array([position, 0.3]) for position in (0.02, 0.98, 0.06))
    assert np.allclose(peaks._reaches(over[None, :], peak), peaks._reaches(beside[None, :], peak))
    assert peaks._leads_to(peak, over, peak)


def test_what_is_not_known_of_the_best_point_either_is_no_gain():
    algorithm = settled_on_the_higher()
    best = algorithm._results.history.best(1)
    assert conceivable_gain(algorithm._belief, best[0], best) == 0.0
    assert conceivable_gain(algorithm._belief, np.array([0.05, 0.95]), best) < 0.0


@pytest.mark.parametrize(
    ("gain", "turn", "weights"),
    [
        (1.0, FAR, [1.0]),
        (1e-5, POLISHING, [1.0]),
        (-1e-5, POLISHING, [1.0]),
        (1e-5, FAR, [1.0, 2.0, 4.0, 8.0, 16.0]),
        (-0.1, FAR, [1.0] * 5),
        (-0.1, FAR + 1, [1.0] * 5),
    ],
)
def test_where_there_is_no_gain_another_point_is_sought(monkeypatch, gain, turn, weights):
    count = next(n for n in range(40, 50) if n % TURNS == turn)
    algorithm = settled_on_the_higher(count)
    monkeypatch.setattr(dec_hbo, "conceivable_gain", lambda *_: gain)
    tried, maximise = [], algorithm._maximise

    def watched(acquisition, incumbents, rng):
        tried.append(acquisition.factors[0].weight)
        return maximise(acquisition, incumbents, rng)

    monkeypatch.setattr(algorithm, "_maximise", watched)
    asked(algorithm, count)
    assert np.array(tried) / tried[0] == pytest.approx(weights)
