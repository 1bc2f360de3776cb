"""The best of the results that lie at different places, by what a model believes to lie between them: two are
of one place where it is not surely worse anywhere on the straight line from one to the other.

Sources: the test of a line, Ursem 1999, "Multinational evolutionary algorithms"; which lines are tested,
Maree et al. 2018, "Real-valued evolutionary multi-modal optimization driven by hill-valley clustering".
Deviations: nothing is evaluated on the lines, a model says what lies there, and what it is not sure of is no
valley; several results of one place are tested, and the best of each beside the nearest better ones, so that
one beside a curved ridge is less often taken for a place of its own.

Notation: D parameters, n results, s points on a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray, IndexArray
from orchestrator.sensitivity.believed_together import even_normals
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.settings_off import SettingsOff

BETWEEN = 9
"""Points on a line, evenly between its ends."""
SURELY = 0.95
"""How likely one of them is to be worse than both ends, where a line crosses a valley."""
WAYS = 1024
"""In which values may come out together; a power of two."""


@dataclass(frozen=True, slots=True)
class Place:
    """The ``row`` of its best result; and what is expected ``between`` that and better places, where it is
    worst on the line on which that is least so: None of the first, and where nothing lies between.
    """

    row: int
    between: float | None


@dataclass(frozen=True, eq=False, slots=True)
class Landscape:
    """What a ``model`` believes of values, of averages over settings that are ``off``. ``sign``: -1 where low
    values are good.
    """

    model: ValueModel
    sign: float
    off: SettingsOff | None = None

    def expected(self, points: FloatArray) -> FloatArray:
        """(n,) values expected at (n, D) points, without noise, in their own units."""
        if self.off is None:
            return self.model.expected(points)
        around = self.off.around(points).points
        own = self.model.expected(around.reshape(-1, points.shape[1]))
        return np.asarray(own.reshape(len(points), -1).mean(axis=1))

    def valley(self, here: FloatArray, there: FloatArray) -> float | None:
        """What is expected where it is worst on the line between two (D,) points, if the line surely leads
        through a valley; else None.
        """
        domain = self.model.domain
        ahead = domain.towards(there, here)
        shares = np.linspace(0.0, 1.0, BETWEEN + 2)[1:-1, None]
        # Whatever ties say: of what may not be set, as between rows that are listed, models know as well.
        line = domain.rounded(here + shares * (ahead - here))
        points = np.vstack([line, here, there])
        goodness = self.sign * self.expected(points)
        lowest = int(np.argmin(goodness[:-2]))
        if goodness[lowest] >= goodness[-2:].min() or self._surely_worse(points) < SURELY:
            return None
        return float(self.sign * goodness[lowest])

    def _surely_worse(self, points: FloatArray) -> float:
        """How likely that of the (s + 2, D) points which is likeliest to be worse than the last two is so."""
        believed = self.model.together(points, self.off)
        drawn = believed.drawn(even_normals(WAYS, believed.places, "good places"))
        goodness = self.sign * drawn.values
        worse = (goodness[:, :, :-2] < goodness[:, :, -2:].min(axis=2, keepdims=True)).mean(axis=1)
        return float((drawn.weights @ worse).max() / drawn.weights.sum())


def best_first(rows: Iterable[int], goodness: FloatArray, first: int | None) -> list[int]:
    """The ``rows`` by their goodness (n,), but ``first`` that which is told to be the best, if one is: models
    of two kinds may differ on it.
    """
    return sorted(rows, key=lambda row: (row != first, -goodness[row]))


def good_places(landscape: Landscape, points: FloatArray, order: Sequence[int], count: int) -> list[Place]:
    """At most so many, of (n, D) points of results, whose rows are in ``order``, the best first.

    A result is of a place of its own where the line to each of the D + 1 nearest better ones, and to the best
    of each place, leads through a valley; those of another choice do not count: nothing lies between. The
    same model and results give the same answer to the bit. O(n) predictions where there are fewer places.
    """
    domain = landscape.model.domain
    choices = points[:, domain.is_categorical]
    found: list[Place] = []
    rows = np.array(order, dtype=int)
    for rank, row in enumerate(order):
        better = rows[:rank]
        alike = better[(choices[better] == choices[row]).all(axis=1)]
        lowest = None
        for other in _to_be_tested(domain, points, row, alike, found):
            lowest_there = landscape.valley(points[row], points[other])
            if lowest_there is None:
                break
            deeper = lowest is not None and landscape.sign * (lowest_there - lowest) <= 0.0
            lowest = lowest if deeper else lowest_there
        else:
            found.append(Place(row, lowest))
            if len(found) == count:
                break
    return found


def _to_be_tested(
    domain: Domain, points: FloatArray, row: int, better: IndexArray, found: Sequence[Place]
) -> Iterator[int]:
    """Rows of better results, those first that are likely to be of the same place."""
    apart = np.square(domain.towards(points[better], points[row]) - points[row]).sum(axis=1)
    nearest = better[np.argsort(apart, kind="stable")[: points.shape[1] + 1]].tolist()
    yield from nearest
    places = np.array([place.row for place in found if place.row not in nearest], dtype=int)
    yield from places[np.isin(places, better)].tolist()
