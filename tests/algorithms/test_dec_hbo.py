"""DEC-HBO as a whole: overlapping factors found and maximised by max-sum, wherever its nodes live."""

import numpy as np
import pytest
from additive_stories import CHAIN, built, optimise, told, two_bowls

from orchestrator.algorithms import dec_hbo, registry
from orchestrator.algorithms.base import AskKey, Problem
from orchestrator.errors import SpecError
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


def chain_of_waves(point) -> np.ndarray:
    return np.array([np.sin(9 * point[0] * point[1]), np.sin(9 * point[1] * point[2]), 0.3 * point[3]])


def test_overlapping_factors_are_found():
    points = np.random.default_rng(1).random((70, 4))
    algorithm = told(built("dec-hbo", 4, {"maximum_factor_size": 2, "evidences": 30}), chain_of_waves, points)
    insight = algorithm.insight()
    assert insight.decomposition == [[0, 1], [1, 2], [3]]
    assert insight.probability > 0.5
    assert "1-2|2-3|4" in insight.weights


def test_known_factors_that_overlap_lead_to_the_top():
    best, suggestion = optimise(built("dec-hbo", 3, factors=CHAIN), two_bowls, 30)
    assert best > -1e-3
    assert suggestion.why["member"] == "1-2|2-3"
    assert suggestion.why["max-sum rounds"] > 0


def test_how_far_messages_are_from_settling_is_not_said_as_nobody_measures_it():
    algorithm = told(built("dec-hbo", 3, factors=CHAIN), two_bowls, np.random.default_rng(2).random((12, 3)))
    (suggestion,) = algorithm.ask(1, [], AskKey(12, 12))
    assert {name for name in suggestion.why if "max-sum" in name} == {"max-sum rounds"}


def test_its_choice_is_as_high_as_gradients_find(monkeypatch):
    monkeypatch.setattr(dec_hbo, "SECOND_THOUGHTS", 0)
    algorithm = told(built("dec-hbo", 3, factors=CHAIN), two_bowls, np.random.default_rng(2).random((25, 3)))
    (suggestion,) = algorithm.ask(1, [], AskKey(25, 25))
    acquisition = algorithm._judged(algorithm._belief, np.empty((0, 3))).objective
    random = acquisition.values(np.random.default_rng(3).random((20_000, 3)))
    assert acquisition.values(suggestion.point[None])[0] > random.max() - 1e-3 * np.ptp(random)


def test_nodes_in_processes_of_their_own_choose_the_same_point():
    asked = {}
    for nodes in ("in-process", "processes"):
        algorithm = built("dec-hbo", 3, {"nodes": nodes}, factors=CHAIN)
        told(algorithm, two_bowls, np.random.default_rng(2).random((20, 3)))
        try:
            asked[nodes] = algorithm.ask(2, [], AskKey(20, 20))
        finally:
            algorithm.close()
    for here, there in zip(*asked.values(), strict=True):
        assert np.array_equal(here.point, there.point)
        assert here.why == there.why


def test_more_factors_than_processes_are_no_reason_to_refuse():
    built("dec-hbo", 40, {"nodes": "processes"}, factors=tuple((j,) for j in range(40)))


def choices(*options) -> Domain:
    """A parameter for each number of options."""
    return Domain(tuple(Coordinate("categorical", tuple((np.arange(k) + 0.5) / k)) for k in options))


NUMBERS = Domain.continuous(9)
WHOLE_NUMBERS = Domain((Coordinate("ordinal", tuple(np.linspace(0, 1, 50))),) * 8)


@pytest.mark.parametrize(
    ("domain", "factor", "entries"),
    [
        (NUMBERS, tuple(range(9)), "19,683"),
        (WHOLE_NUMBERS, tuple(range(8)), "390,625"),
        (choices(60, 60, 60), (0, 1, 2), "216,000"),
        (choices(*[10] * 8), tuple(range(8)), "100,000,000"),
        (choices(*[10] * 40), tuple(range(40)), r"about 10\^40"),
        (choices(60, 60, 60, 300_000), (0, 1, 2), "216,000"),
    ],
)
def test_a_known_factor_too_large_to_tabulate_is_named_and_refused(domain, factor, entries):
    others = tuple((p,) for p in range(domain.dimension) if p not in factor)
    named = rf"factor {len(others)} \[0, 1, 2.*\] has {entries},.*: split it, .* or use dumbo"
    with pytest.raises(SpecError, match=named):
        registry.build("dec-hbo", Problem(domain, factors=(*others, factor)))


@pytest.mark.parametrize(
    ("domain", "factors"),
    [
        (NUMBERS, (tuple(range(8)), (8,))),
        (choices(25, 25, 25), ((0, 1, 2),)),
        (choices(20_000, 3), ((0,), (1,))),
    ],
)
def test_known_factors_that_fit_a_table_are_taken_and_so_is_any_parameter_on_its_own(domain, factors):
    registry.build("dec-hbo", Problem(domain, factors=factors))


def test_factors_too_large_to_tabulate_are_not_learned_either():
    domain = choices(60, 60, 60, 4)
    algorithm = registry.build("dec-hbo", Problem(domain), {"evidences": 12})
    rng = np.random.default_rng(0)
    points = domain.sample(60, rng)
    told(algorithm, lambda x: np.array([np.sin(9 * x[0] * x[1] * x[2])]), points)
    assert isinstance(algorithm, dec_hbo.DecHbo)
    structures = algorithm._structures
    assert structures.log_prior(((0, 1, 2), (3,))) == -np.inf
    assert np.isfinite(structures.log_prior(((0, 1, 3), (1, 2))))
    found = algorithm._belief.refit.payload
    weighed = [member["hyperparameters"]["factors"] for member in found["members"]]
    assert not any({0, 1, 2} <= set(factor) for factors in [*weighed, found["last"]] for factor in factors)
