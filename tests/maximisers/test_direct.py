"""DIRECT behind the same answer as the others."""

import numpy as np
import pytest

from orchestrator.maximisers.direct import Direct
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


class SixHumpCamel:
    """On [-3, 3] x [-2, 2], turned over: the maximum is 1.0316."""

    def __init__(self):
        self.evaluations = 0

    def values(self, X):
        self.evaluations += len(X)
        x, y = 6 * X[:, 0] - 3, 4 * X[:, 1] - 2
        return -((4 - 2.1 * x**2 + x**4 / 3) * x**2 + x * y + (-4 + 4 * y**2) * y**2)

    def values_and_gradients(self, X):
        raise NotImplementedError


def test_it_finds_the_camels_two_humps():
    camel = SixHumpCamel()
    found = Direct(1000).maximise(camel, Domain.continuous(2))
    assert found.value == pytest.approx(1.0316285, abs=1e-4)
    assert camel.evaluations <= 1100
    assert found.value == SixHumpCamel().values(found.point[None, :])[0]


def test_on_a_mixed_domain_its_point_is_feasible_and_the_best():
    domain = Domain((Coordinate(), Coordinate("ordinal", (0.0, 0.3, 0.6, 1.0))))
    found = Direct(600).maximise(SixHumpCamel(), domain)
    np.testing.assert_array_equal(domain.snap(found.point), found.point)
    line = np.linspace(0, 1, 2001)
    best = max(
        SixHumpCamel().values(np.column_stack([line, np.full(2001, y)])).max() for y in (0.0, 0.3, 0.6, 1.0)
    )
    assert found.value == pytest.approx(best, abs=1e-3)
