"""Draws by walkers from densities that are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import qmc

from orchestrator.arrays import FloatArray
from orchestrator.sensitivity.chains import Beginning, Chain, Stream, chain_of
from orchestrator.unit_cube.about_places import AboutPlaces

CENTRE, WIDTH = np.array([0.3, 0.6, 0.95]), np.array([0.01, 0.002, 0.03])
CORRELATION = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])


def begun(dimension: int) -> Beginning:
    return Beginning(np.asarray(qmc.Sobol(dimension, seed=1).random(512)))


def narrow(X: FloatArray) -> FloatArray:
    z = (X - CENTRE) / WIDTH
    return np.asarray(-0.5 * np.einsum("ki,ij,kj->k", z, np.linalg.inv(CORRELATION), z))


@pytest.fixture(scope="module")
def chain() -> Chain:
    return chain_of(narrow, begun(3), Stream(0, "narrow"), 400)


def test_a_narrow_normal_density_is_drawn_from_as_it_is(chain: Chain) -> None:
    z = (chain.positions.reshape(-1, 3)[:, :2] - CENTRE[:2]) / WIDTH[:2]
    assert z.mean(axis=0) == pytest.approx(np.zeros(2), abs=0.1)
    assert np.cov(z.T) == pytest.approx(CORRELATION[:2, :2], abs=0.12)


def test_a_density_ends_where_the_cube_does(chain: Chain) -> None:
    # Of a normal belief that is cut off at 1.67 deviations above its middle.
    last = chain.positions[:, :, 2]
    assert last.max() <= 1.0
    assert ((last - CENTRE[2]) / WIDTH[2]).mean() == pytest.approx(-0.104, abs=0.07)


def test_a_chain_tells_how_many_draws_it_is_worth(chain: Chain) -> None:
    assert chain.is_long_enough
    assert 0.1 < chain.accepted < 0.7
    steps, walkers, _ = chain.positions.shape
    assert chain.effective == pytest.approx(steps * walkers / chain.forgetting.max())
    short = chain_of(narrow, begun(3), Stream(0, "narrow"), 20)
    assert len(short.positions) == 20
    assert not short.is_long_enough


def test_draws_are_taken_from_all_over_the_chain(chain: Chain) -> None:
    thinned = chain.thinned(1000)
    assert thinned.shape == (1000, 3)
    assert (thinned[0] == chain.positions[0, 0]).all()
    assert (thinned[-1] == chain.positions[-1, -1]).all()
    assert len(chain.thinned(10**9)) == chain.positions.shape[0] * chain.positions.shape[1]


def test_the_same_stream_draws_the_same_and_another_one_others(chain: Chain) -> None:
    again, other = (chain_of(narrow, begun(3), Stream(0, name), 20) for name in ("narrow", "else"))
    assert (again.positions == chain.positions[:20]).all()
    assert (other.positions != again.positions).any()


def test_two_modes_are_found_with_their_shares() -> None:
    def twice(X: FloatArray) -> FloatArray:
        apart = [-0.5 * np.square((X - at) / 0.02).sum(axis=1) for at in (0.2, 0.8)]
        return np.logaddexp(apart[0], np.log(3.0) + apart[1])

    found = chain_of(twice, begun(2), Stream(3, "twice"), 200)
    assert (found.positions[:, :, 0] > 0.5).mean() == pytest.approx(0.75, abs=0.08)


@pytest.mark.parametrize("height", [12.0, 20.0])
def test_a_mode_that_nothing_leads_to_is_found_where_it_is_known(height: float) -> None:
    at = np.array([0.4, 0.7, 0.2])

    def moated(X: FloatArray) -> FloatArray:
        apart = np.sqrt(np.square(X - at).sum(axis=1))
        return np.where(apart < 0.05, height - 0.5 * np.square(apart / 0.002), -30.0 * X[:, 0])

    evenly, known = begun(3), AboutPlaces(at[None, :] + 0.01)
    points = np.vstack([evenly.points, known.drawn(np.random.default_rng(0))])
    both = Beginning(points, lambda X: np.logaddexp(np.log(len(evenly.points)), known.log(X)))
    found = chain_of(moated, both, Stream(0, "moated"), 100).positions.reshape(-1, 3)
    # So much of all that is plausible is of the mode, and the rest where the first coordinate is low.
    mode, rest = np.exp(height) * (2.0 * np.pi) ** 1.5 * 0.002**3, 1.0 / 30.0
    share = np.mean(np.abs(found - at).max(axis=1) < 0.05)
    assert share == pytest.approx(mode / (mode + rest), abs=0.25)


def test_a_density_that_is_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a density above 0"):
        chain_of(lambda X: np.full(len(X), -np.inf), begun(2), Stream(0, "nowhere"), 20)
