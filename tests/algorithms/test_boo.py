"""BOO: the paper's loop step by step, its model, its partition, and what it refuses."""

import math

import numpy as np
import pytest
from sequential_runs import build, optimise, two_hills

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.boo import BooOptions
from orchestrator.errors import SpecError
from orchestrator.maximisers.trees.tree import LongestSides, Tree
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.domain import Domain


def paper_boo(algorithm, told, evaluations):
    """Algorithm 1 of Tran-The et al. 2021 as written, with the hyperparameters that were found."""
    fitted = algorithm._belief.fitted
    family = algorithm._belief._fitter.families[0]
    gp = ExactGP(fitted.hyperparameters[0].kernel(family, np.arange(2)), 0.0)
    gp.append(told, fitted.standardisation.apply([two_hills(x) for x in told]))
    tree, p, points = Tree(Domain.continuous(2)), 1, []
    while True:
        highest = -math.inf
        for h in range(min(tree.depth, math.floor(math.sqrt(p))) + 1):
            leaves = tree.leaves(h)
            if not leaves:
                continue
            centres = tree.centres(leaves)[:, np.argsort(algorithm._order)]
            mean, variance = gp.mean_and_variance(centres)
            beta = 2 * math.log(math.pi**2 * p**3 / (3 * 0.05))
            U = fitted.standardisation.undo(mean + np.sqrt(beta * variance))
            best = int(np.argmax(U))
            if U[best] >= highest:
                tree.expand(leaves[best], LongestSides(2, 2))
                points.append(centres[best])
                value = two_hills(points[-1])
                gp.append(points[-1][None, :], fitted.standardisation.apply([value]))
                highest = max(highest, value)
                p += 1
                if len(points) == evaluations:
                    return points


def test_boo_asks_for_what_the_papers_loop_evaluates_in_that_order():
    algorithm = build("boo", seed=3, start_points=6, refit_every=1000)
    suggestions, _ = optimise(algorithm, two_hills, 40)
    points = np.array([s.point for s in suggestions])
    np.testing.assert_allclose(points[6:], paper_boo(algorithm, points[:6], 34), atol=1e-12)


def test_boos_model_is_as_smooth_as_its_theory_asks():
    # Beyond what its kernel can calculate, it is as smooth as can be.
    for dimension, nu in ((3, 6.0), (4, 6.5), (991, 500.0), (992, math.inf)):
        algorithm = build("boo", dimension)
        assert algorithm._belief._fitter.families[0].nu == nu


def test_boos_partition_follows_the_dimension_the_budget_and_the_options():
    def partition(dimension, trials=None, **options):
        problem = Problem(Domain.continuous(dimension), trials=trials)
        return BooOptions(**options).partition(problem)

    assert partition(3, 200) == LongestSides(2, 3)
    assert partition(4, 800) == LongestSides(2, 4)
    assert partition(1, 200) == LongestSides(7, 1)
    assert [partition(3, 4 * 4**6 - k) for k in (0, 1)] == [LongestSides(4, 3), LongestSides(3, 3)]
    assert partition(20) == LongestSides(2, 6)
    assert partition(3, parts=4, sides=2) == LongestSides(4, 2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"sides": "all"},
            "with 40 parameters, a = 2 and b = 40 every cell would be cut into 2^40 children",
        ),
        ({"sides": 40}, "expected at most 1,024: set `sides` to 10 or less, or use dumbo or turbo"),
        ({"sides": 41}, "expected sides (b) from 1 to 40"),
        ({"sides": 0}, "expected sides (b) from 1 to 40"),
        ({"parts": 1}, "option `parts`"),
        ({"sides": "some"}, "option `sides`"),
    ],
)
def test_boo_refuses_what_makes_no_sense_in_a_sentence(options, sentence):
    with pytest.raises(SpecError) as refused:
        registry.build("boo", Problem(Domain.continuous(40)), options)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("dimension", "options", "sentence"),
    [
        (1100, {"sides": "all"}, "2^1100 children; expected at most 1,024: set `sides` to 10 or less"),
        (1100, {"sides": "all", "parts": 3}, "3^1100 children; expected at most 1,024: set `sides` to 6"),
        (60, {"sides": "all", "parts": 1_000_000}, "1000000^60 children; expected at most 1,024: set"),
    ],
)
def test_boo_refuses_more_children_than_a_float_can_count(dimension, options, sentence):
    with pytest.raises(SpecError) as refused:
        registry.build("boo", Problem(Domain.continuous(dimension)), options)
    assert sentence in str(refused.value)


def test_boo_takes_the_parts_and_sides_that_it_asked_for():
    problem = Problem(Domain.continuous(60))
    (refusal,) = BooOptions(parts=1_000_000, sides="all").check(problem)
    assert "set `parts` to 1,024 or less and `sides` to 1," in refusal
    assert BooOptions(parts=1024, sides=1).check(problem) == []
