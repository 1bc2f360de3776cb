"""How surely limits are held to be kept: noise counts, both sides count, and choices count once tried."""

from __future__ import annotations

import numpy as np

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.algorithms.base import Noise, Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.safe.believed_limits import BelievedLimits
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain


def believed(
    domain: Domain, points: np.ndarray, slacks: np.ndarray, kept: tuple[KeptLimit, ...], noise: Noise
) -> BelievedLimits:
    """By (n, D) points and (n, C) slacks."""
    count = slacks.shape[1]
    problem = Problem(domain, seed=2, noise=noise, outcome_constraints=count, kept=kept)
    history = History(domain, count)
    for trial, (point, own) in enumerate(zip(points, slacks, strict=True), start=1):
        history.tell(Observation(trial, point, 0.0, slacks=own))
    limits = BelievedLimits.of(problem, history)
    assert limits is not None
    return limits


EXACT = Noise("known", 0.0)


def test_a_trial_is_to_be_safe_as_it_comes_out_and_not_on_average() -> None:
    rng, points = np.random.default_rng(1), np.full((30, 1), 0.4)
    slacks = 0.5 + 0.4 * rng.standard_normal((30, 1))
    limits = believed(Domain.continuous(1), points, slacks, (KeptLimit((0,), 0.99),), Noise())
    # Of a normal distribution 0.89 lies above; of its mean nobody doubts that it does.
    assert 0.8 < limits.probabilities(points[:1])[0, 0] < 0.96
    assert not limits.keeps(points[:1])[0]


def test_a_limit_with_infinitely_much_to_spare_is_kept() -> None:
    points = np.array([[0.3], [0.5], [0.7]])
    slacks = np.array([[0.5], [np.inf], [0.6]])
    limits = believed(Domain.continuous(1), points, slacks, (KeptLimit((0,), 0.9),), EXACT)
    assert limits.keeps(points).all()


def test_of_a_limit_with_two_sides_both_may_be_broken() -> None:
    points = np.array([[0.3], [0.5]])
    slacks = np.array([[0.3, 0.7], [0.6, 0.4]])
    alone = (KeptLimit((0,), 0.9), KeptLimit((1,), 0.9))
    there = np.array([[0.2], [0.4], [0.7]])
    domain = Domain.continuous(1)
    each = believed(domain, points, slacks, alone, EXACT).probabilities(there)
    (both,) = believed(domain, points, slacks, (KeptLimit((0, 1), 0.9),), EXACT).probabilities(there)
    assert np.allclose(both, np.maximum(0.0, each.sum(axis=0) - 1.0))
    assert both[0] < each[:, 0].min() - 1e-3


def test_a_choice_that_was_never_tried_is_not_safe_however_sure_the_model_is() -> None:
    described = {"a": (0.0, 1.0), "kind": {"type": "choice", "values": ["one", "two"]}}
    space = Space.from_description(described)
    points = np.array([space.encode({"a": a, "kind": "one"}) for a in (0.2, 0.4, 0.6)])
    limits = believed(space.domain, points, np.full((3, 1), 2.0), (KeptLimit((0,), 0.55),), EXACT)
    other = space.encode({"a": 0.4, "kind": "two"})[None, :]
    assert limits.probabilities(other)[0, 0] > 0.55
    assert not limits.keeps(other)[0]
    assert limits.keeps(points).all()
