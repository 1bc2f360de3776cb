"""Leaving a hill along its coordinates."""

import numpy as np

from orchestrator.maximisers.climbs.coordinate_moves import Sweep, changed_in_a_few
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain.continuous(12)


def separate_peaks(X):
    """In each coordinate a low broad hill at 0.2 and a high narrow one at 0.8."""
    return (0.5 * np.exp(-30.0 * (X - 0.2) ** 2) + np.exp(-200.0 * (X - 0.8) ** 2)).sum(axis=1)


def test_coordinates_that_act_alone_are_all_set_right_in_one_round():
    start = np.full(12, 0.2)
    found = Sweep(positions=40, rounds=1).improve(separate_peaks, DOMAIN, start, np.random.default_rng(0))
    assert (np.abs(found - 0.8) < 0.05).all()


def test_coordinates_that_interact_are_changed_one_at_a_time_and_never_for_the_worse():
    def bent(X):
        return -np.abs(X.sum(axis=1) - 6.0)

    rng = np.random.default_rng(1)
    for _ in range(20):
        start = rng.random(12)
        found = Sweep(rounds=1).improve(bent, DOMAIN, start, rng)
        assert bent(found[None])[0] >= bent(start[None])[0]


def test_only_so_many_coordinates_are_tried():
    seen = []

    def counting(X):
        seen.append(len(X))
        return X.sum(axis=1)

    Sweep(positions=5, coordinates=3, rounds=1).improve(
        counting, DOMAIN, np.zeros(12), np.random.default_rng(0)
    )
    assert max(seen) == 1 + 3 * 5


def test_moves_stay_in_the_domain_and_near_an_incumbent():
    grid = Coordinate("ordinal", (0.0, 0.25, 0.5, 0.75, 1.0))
    mixed = Domain((Coordinate(), grid, Coordinate("categorical", (0.0, 1.0)), grid))
    rng = np.random.default_rng(2)
    incumbents = mixed.sample(3, rng)
    moved = changed_in_a_few(mixed, incumbents, 200, rng)
    assert np.array_equal(moved, mixed.snap(moved))
    changed = (moved[:, None, :] != incumbents[None, :, :]).sum(axis=2).min(axis=1)
    assert changed.max() <= 4
    assert np.median(changed) <= 2
