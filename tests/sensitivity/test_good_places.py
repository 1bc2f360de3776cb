"""Which results lie at places of their own, by what is known to lie between them: functions known by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
from scipy.stats import qmc

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.believed_together import BelievedTogether
from orchestrator.sensitivity.good_places import Landscape, Place, good_places
from orchestrator.sensitivity.results_model import LeftOut
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import Off, SettingsOff


@dataclass
class Known:
    """A model that knows a ``function`` of the unit cube but for a ``deviation``, at each point its own."""

    function: Callable[[FloatArray], FloatArray]
    domain: Domain
    deviation: float = 0.0
    hypotheses: Mapping[str, float] = field(default_factory=dict)
    modelled: int = 0
    measured: int = 0
    stretch: float = 1.0

    def expected(self, points: FloatArray) -> FloatArray:
        return self.function(points)

    def predicted(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.function(points), np.full(len(points), self.deviation)

    def together(self, points: FloatArray, off: SettingsOff | None = None) -> BelievedTogether:
        ways = points[:, None, :] if off is None else off.around(points).points
        means = self.function(ways.reshape(-1, points.shape[1]))
        own = self.deviation**2 * np.eye(len(means))
        return BelievedTogether(
            np.ones(1), (Standardisation(),), means[None, :], own[None, :, :], len(points)
        )

    def left_out(self) -> LeftOut:
        raise AssertionError("nothing is told of results")


def camel(points: FloatArray) -> FloatArray:
    """Two best valleys, two poorer ones, and two that are poorer still, far out."""
    x, y = 4.0 * points[:, 0] - 2.0, 2.0 * points[:, 1] - 1.0
    return np.asarray((4 - 2.1 * x**2 + x**4 / 3) * x**2 + x * y + 4 * (y**2 - 1) * y**2)


def shekel(points: FloatArray) -> FloatArray:
    """Five holes in four parameters, the deepest first."""
    holes = np.array([[4.0] * 4, [1.0] * 4, [8.0] * 4, [6.0] * 4, [3.0, 7.0, 3.0, 7.0]])
    wide = np.array([0.1, 0.2, 0.2, 0.4, 0.4])
    apart = np.square(10.0 * points[:, None, :] - holes).sum(axis=2)
    return np.asarray(-(1.0 / (apart + wide)).sum(axis=1))


def ridge(points: FloatArray) -> FloatArray:
    """Bent by a quarter of a circle, level but for a gentle rise, and steep on both sides."""
    radius, angle = np.hypot(points[:, 0], points[:, 1]), np.arctan2(points[:, 1], points[:, 0])
    return np.asarray(0.1 * angle - 40.0 * (radius - 0.8) ** 2)


def told(
    function: Callable[[FloatArray], FloatArray],
    points: FloatArray,
    count: int = 9,
    *,
    sign: float = -1.0,
    deviation: float = 0.0,
    domain: Domain | None = None,
    off: SettingsOff | None = None,
) -> list[Place]:
    landscape = Landscape(Known(function, domain or Domain.continuous(points.shape[1]), deviation), sign, off)
    order = np.argsort(-sign * landscape.expected(points), kind="stable")
    return good_places(landscape, points, order.tolist(), count)


def spread(count: int, dimension: int) -> FloatArray:
    return np.asarray(qmc.Sobol(dimension, seed=np.random.default_rng(0)).random(count))


@pytest.fixture(scope="module")
def valleys() -> list[Place]:
    return told(camel, spread(128, 2))


def test_each_valley_of_the_camel_is_a_place_once_the_best_first(valleys: list[Place]) -> None:
    points, places = spread(128, 2), valleys
    where = np.array([[4.0, 2.0] * points[place.row] - [2.0, 1.0] for place in places])
    known = np.array([[0.09, -0.71], [1.70, -0.80], [1.61, 0.57]])
    nearest = np.linalg.norm(where[:, None] - np.vstack([known, -known]), axis=2)
    assert sorted(nearest.argmin(axis=1).tolist()) == [0, 1, 2, 3, 4, 5]
    assert nearest.min(axis=1).max() < 0.25
    values = camel(points[[place.row for place in places]])
    assert (np.diff(values) >= 0.0).all()
    assert values[0] == camel(points).min()
    # The two best lie beside one another, and the pass between them is the origin, at 0.
    assert (places[0].between, places[1].between) == (None, pytest.approx(0.0, abs=0.15))


def test_no_more_are_sought_than_were_asked_for(valleys: list[Place]) -> None:
    assert told(camel, spread(128, 2), 2) == valleys[:2]


def test_of_high_values_hills_are_places_likewise(valleys: list[Place]) -> None:
    turned = told(lambda rows: -camel(rows), spread(128, 2), 4, sign=1.0)
    assert [place.row for place in turned] == [place.row for place in valleys[:4]]


def test_holes_of_four_parameters_are_found_by_a_result_in_each() -> None:
    holes = np.array([[4.0] * 4, [1.0] * 4, [8.0] * 4, [6.0] * 4, [3.0, 7.0, 3.0, 7.0]]) / 10.0
    beside = holes + 0.01 * np.random.default_rng(1).standard_normal(holes.shape)
    points = np.vstack([spread(64, 4), holes, beside])
    assert sorted(place.row for place in told(shekel, points)[:5]) == [64, 65, 66, 67, 68]


def test_one_hill_is_one_place_however_many_lie_on_it() -> None:
    points = spread(64, 3)
    assert len(told(lambda rows: np.square(rows - 0.4).sum(axis=1), points)) == 1


def test_along_a_bent_ridge_there_is_one_place_where_results_lie_along_it() -> None:
    angles = np.linspace(0.0, np.pi / 2.0, 9)
    along = 0.8 * np.column_stack([np.cos(angles), np.sin(angles)])
    assert len(told(ridge, along, sign=1.0)) == 1
    # Of its ends alone nobody knows of the way round.
    assert len(told(ridge, along[[0, -1]], sign=1.0)) == 2


def test_what_is_not_surely_a_valley_is_none() -> None:
    ends = np.array([[0.25], [0.75]])

    def waved(rows: FloatArray) -> FloatArray:
        return np.asarray(np.cos(4.0 * np.pi * (rows[:, 0] - 0.25)) + 0.1 * rows[:, 0])

    assert len(told(waved, ends, sign=1.0, deviation=0.5)) == 2
    assert len(told(waved, ends, sign=1.0, deviation=2.0)) == 1


def test_another_choice_is_another_place_and_nothing_lies_between() -> None:
    domain = Domain((Coordinate(), Coordinate("categorical", (0.0, 0.5, 1.0))))
    grid = domain.coordinates[1].positions
    points = np.array([[x, position] for position in grid for x in (0.4, 0.5, 0.6)])
    places = told(lambda rows: np.square(rows[:, 0] - 0.5) + rows[:, 1], points, domain=domain)
    assert [place.row for place in places] == [1, 4, 7]
    assert [place.between for place in places] == [None] * 3


def test_steps_that_follow_one_another_have_nothing_between_them() -> None:
    values = np.array([0.0, 3.0, 1.0, 1.5])
    domain = Domain((Coordinate("ordinal", (0.0, 1 / 3, 2 / 3, 1.0)),))
    points = np.array(domain.coordinates[0].positions)[:, None]

    def stepped(rows: FloatArray) -> FloatArray:
        return values[np.abs(rows - points.T).argmin(axis=1)]

    # The second step is poorer than the first and the third; the fourth lies beside the third.
    assert [place.row for place in told(stepped, points, domain=domain)] == [0, 2]
    assert told(stepped, points, domain=domain)[1].between == 3.0


def test_of_settings_that_are_off_it_is_averages_that_make_a_valley() -> None:
    ends = np.array([[0.3], [0.7]])

    def rough(rows: FloatArray) -> FloatArray:
        return np.asarray(np.cos(10.0 * np.pi * rows[:, 0]) + rows[:, 0])

    off = SettingsOff.of([Off(0, 0.4, np.array([0.0, 1.0]), np.array([0.0, 1.0]))])
    assert len(told(rough, ends)) == 2
    assert len(told(rough, ends, off=off)) == 1


def test_the_line_between_two_angles_goes_the_shorter_way_round() -> None:
    def one_hill(points: FloatArray) -> FloatArray:
        return np.asarray(np.cos(2.0 * np.pi * points[:, 0]))

    points = np.array([[0.02], [0.97], [0.94], [0.1]])
    domain = Domain((Coordinate(periodic=True),))
    assert [place.row for place in told(one_hill, points, sign=1.0, domain=domain)] == [0]
    assert [place.row for place in told(one_hill, points, sign=1.0)] == [0, 1]
