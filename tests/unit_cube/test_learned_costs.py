"""What a look costs is learned from the seconds that evaluations took, whatever disturbs these."""

import numpy as np
import pytest

from orchestrator.unit_cube.fidelity_levels import Levels
from orchestrator.unit_cube.learned_costs import LEAST_COST, LearnedCosts

POSITIONS = np.linspace(0.0, 1.0, 12)
GRANTED = Levels(1, POSITIONS, 0.05 * 20.0**POSITIONS, learned=True)
CELLS = 400.0 * GRANTED.costs


def learned(cost, count, *, spread=0.0, workers=(1.0,), slept=0.0, seed=0):
    """From so many evaluations, of which the true cost is a function of the cells."""
    rng, costs = np.random.default_rng(seed), LearnedCosts(GRANTED)
    for _ in range(count):
        level, worker = rng.integers(len(CELLS)), rng.integers(len(workers))
        seconds = 60.0 * cost(CELLS[level] / 400.0) * workers[worker] * np.exp(spread * rng.standard_normal())
        seconds *= 1000.0 if rng.random() < slept else 1.0
        costs.tell(np.array([0.3, POSITIONS[level]]), seconds, f"w{worker}")
    return costs


def square(share):
    return share**2


def mostly_the_same(share):
    """Starting takes a third."""
    return 0.3 + 0.7 * share


def off(costs, cost):
    """By which factor what is believed is wrong at most."""
    true = np.maximum(cost(GRANTED.costs), LEAST_COST)
    return float(np.exp(np.abs(np.log(costs.levels.costs / true)).max()))


def test_before_anything_is_known_costs_are_as_granted():
    assert LearnedCosts(GRANTED).levels is GRANTED
    assert LearnedCosts(GRANTED).full_seconds is None


def test_one_evaluation_says_how_long_they_take_and_nothing_of_how_costs_compare():
    costs = LearnedCosts(GRANTED)
    costs.tell(np.array([0.3, 0.0]), 3.0)
    np.testing.assert_allclose(costs.levels.costs, GRANTED.costs, rtol=1e-6)
    assert costs.full_seconds == pytest.approx(60.0, rel=1e-6)


@pytest.mark.parametrize("cost", [square, mostly_the_same])
@pytest.mark.parametrize(
    ("disturbed", "wrong"),
    [
        ({"count": 12}, 1.3),
        ({"count": 40, "spread": 0.3}, 1.7),
        ({"count": 40, "spread": 0.1, "workers": (1.0, 5.0)}, 1.3),
        ({"count": 40, "spread": 0.1, "slept": 0.15}, 1.3),
    ],
    ids=["few", "places differ", "workers differ", "some slept"],
)
def test_costs_are_found_out(cost, disturbed, wrong):
    costs = learned(cost, **disturbed)
    assert off(costs, cost) < wrong
    assert off(costs, cost) < off(LearnedCosts(GRANTED), cost) / 1.5


def test_what_is_known_from_a_slower_machine_says_how_costs_compare_all_the_same():
    costs = LearnedCosts(GRANTED)
    for position in (0.0, 0.5, 1.0):
        costs.tell(np.array([0.3, position]), 6000.0 * square(0.05 * 20.0**position), "elsewhere")
        costs.tell(np.array([0.3, 1.0]), 60.0, "w0")
    assert off(costs, square) < 1.3


def test_none_costs_more_than_full_fidelity_and_none_next_to_nothing():
    costs = learned(lambda share: share**4, 30).levels.costs
    assert costs[0] == LEAST_COST
    rising = learned(lambda share: 1.0 / share, 30).levels.costs
    assert (rising == 1.0).all()


def test_machines_change_and_the_last_evaluations_count():
    costs = learned(square, 300)
    for _ in range(2):
        for level in np.random.default_rng(1).permutation(600) % 12:
            costs.tell(np.array([0.3, POSITIONS[level]]), float(mostly_the_same(GRANTED.costs[level])))
    assert off(costs, mostly_the_same) < 1.1


def test_what_was_told_in_the_same_order_is_believed_alike_to_the_bit_whoever_was_asked_in_between():
    rng, at_once, in_turn = np.random.default_rng(0), LearnedCosts(GRANTED), LearnedCosts(GRANTED)
    for level in rng.integers(12, size=20):
        seconds = float(np.exp(0.3 * rng.standard_normal()) * square(GRANTED.costs[level]))
        for costs in (at_once, in_turn):
            costs.tell(np.array([0.3, POSITIONS[level]]), seconds, "w0")
        assert len(in_turn.levels.costs) == 12
    assert at_once.levels.costs.tolist() == in_turn.levels.costs.tolist()
