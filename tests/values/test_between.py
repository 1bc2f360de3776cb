"""Which bound a number from elsewhere was, that lies a little beyond."""

from __future__ import annotations

import pytest

from orchestrator.values.between import bound_meant, nearest


@pytest.mark.parametrize(
    ("bounds", "told", "logarithmic", "meant"),
    [
        ((0.0, 0.3), 3 * 0.1, False, 0.3),
        ((1e-6, 0.3), 3 * 0.1, True, 0.3),
        ((0.0, 1.0), 0.3 - 3 * 0.1, False, 0.0),
        ((0.7, 2.0), 0.7 - 1e-16, False, 0.7),
        ((1e-300, 1e300), 1e300 * (1 + 4e-16), True, 1e300),
        ((0.0, 1.0), 1.0 + 1e-11, False, None),
        ((1e-6, 0.3), 0.3 * (1 + 1e-14), True, None),
        ((1e-6, 0.3), 1e-6 * (1 - 1e-14), True, None),
        ((0.0, 3.14159), 3.142, False, 3.14159),
    ],
)
def test_it_is_one_that_arithmetic_left_off_or_that_was_written_in_fewer_digits(
    bounds: tuple[float, float], told: float, logarithmic: bool, meant: float | None
) -> None:
    assert not bounds[0] <= told <= bounds[1]
    assert bound_meant(bounds, repr(told), logarithmic=logarithmic) == meant


def test_by_its_logarithm_the_nearer_number_is_another_one() -> None:
    assert [nearest((1.0, 4.0, 16.0), one) for one in (1.9, 2.2, 3.0, 9.0)] == [1.0, 1.0, 4.0, 4.0]
    by_logarithm = [nearest((1.0, 4.0, 16.0), one, logarithmic=True) for one in (1.9, 2.2, 3.0, 9.0)]
    assert by_logarithm == [1.0, 4.0, 4.0, 16.0]
