"""Auto with several evaluations at a time: when it has a model, and what is left of the start design."""

import numpy as np
import pytest
from sequential_runs import Workers, build

from orchestrator.algorithms.base import AskKey, Observation


def bowl(x):
    return -float(np.sum((x - 0.4) ** 2))


def start_design(suggestions):
    return [suggestion.why["source"] == "start design" for suggestion in suggestions]


@pytest.mark.parametrize(("workers", "results_told_before"), [(1, 10), (2, 9), (4, 7), (8, 5), (30, 5)])
def test_no_worker_waits_for_the_start_design_to_be_told_where_half_of_it_tells_something(
    workers, results_told_before
):
    crew = Workers(build("auto", 3, parallel=workers), workers)
    crew.ask()
    told = 0
    while crew.algorithm.refit_due() is None:
        crew.tell(bowl)
        told += 1
        if crew.algorithm.refit_due() is None:
            crew.ask()
    assert told == results_told_before
    assert not any(start_design(crew.ask()))


def test_a_batch_that_ends_before_the_start_design_does_is_followed_by_the_rest_of_it():
    auto = build("auto", 3, parallel=8)
    first = auto.ask(8, [], AskKey(0, 0))
    assert all(start_design(first))
    auto.tell([Observation(trial, s.point, bowl(s.point)) for trial, s in enumerate(first)])
    auto.adopt(auto.compute_refit(auto.refit_due()))
    assert start_design(auto.ask(8, [], AskKey(1, 8))) == [True] * 2 + [False] * 6


def test_results_known_from_elsewhere_count_among_the_start_design():
    auto = build("auto", 3, parallel=8)
    X = np.random.default_rng(0).random((8, 3))
    auto.tell([Observation(-1 - row, x, bowl(x)) for row, x in enumerate(X)])
    auto.adopt(auto.compute_refit(auto.refit_due()))
    assert start_design(auto.ask(4, [], AskKey(0, 0))) == [True, True, False, False]
