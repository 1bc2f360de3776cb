"""Points spread evenly where linear inequalities hold, whatever units these are in."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.unit_cube import polytope
from orchestrator.unit_cube.polytope import even_points_within, has_room

SHARES = 7


@pytest.mark.parametrize("size", [1e-250, 1e-12, 1e-9, 1.0, 1e16, 1e250])
def test_shares_fill_what_they_add_up_to(size: float) -> None:
    A, b = np.full((1, SHARES), size), np.array([size])
    points = even_points_within(A, b, 400, np.random.default_rng(0))
    assert (points.sum(axis=1) <= 1.0 + 1e-9).all()
    # Of a Dirichlet distribution, each of 7 and what is left.
    assert points.mean(axis=0) == pytest.approx(np.full(SHARES, 1 / (SHARES + 1)), abs=0.02)
    assert has_room(A, b)
    assert not has_room(np.vstack([A, -A]), np.append(b / 2.0, -b))


def test_nanomoles_that_add_up_are_found_as_moles_are() -> None:
    names = [f"x{i}" for i in range(SHARES + 1)]
    spaces = [
        Space.from_description(dict.fromkeys(names, (0.0, size)), [f"{' + '.join(names)} == {size!r}"])
        for size in (1.0, 1e-9)
    ]
    moles, nanomoles = (space.ties.known for space in spaces if space.ties is not None)
    assert nanomoles == pytest.approx(moles, abs=1e-3)
    for space, known in zip(spaces, (moles, nanomoles), strict=True):
        assert space.ties is not None
        assert len(known) == 512
        assert space.ties.hold(known).all()


def test_the_sides_of_the_cube_end_a_walk_as_any_inequality_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not multiplied out, as they were in the runs that there are."""
    drawn = np.random.default_rng(4)
    A = drawn.standard_normal((3, SHARES))
    b = A @ np.full(SHARES, 0.3) + 0.2
    found = even_points_within(A, b, 40, np.random.default_rng(5))
    sides = (
        np.vstack([A, np.eye(SHARES), -np.eye(SHARES)]),
        np.concatenate([b, np.ones(SHARES), np.zeros(SHARES)]),
    )

    def farther(points: FloatArray, _: FloatArray) -> tuple[FloatArray, FloatArray]:
        return np.full(len(points), np.inf), np.full(len(points), np.inf)

    monkeypatch.setattr(polytope, "_to_the_sides", farther)
    assert even_points_within(*sides, 40, np.random.default_rng(5)) == pytest.approx(found, abs=1e-9)
