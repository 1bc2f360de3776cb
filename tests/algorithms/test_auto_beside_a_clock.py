"""Auto beside a clock: it looks about as far as that is worth it, and else tries what is best at the time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evaluators.synthetic import synthetic
from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Noise, Observation, Prediction, Problem, Suggestion
from orchestrator.algorithms.mixture.beside_a_clock import FOLLOWING, is_worth_its_loss
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.proposal import Proposal
from orchestrator.unit_cube.domain import Domain

FUNCTION = synthetic("hartmann-3")
CLOCK, TRIALS = 3, 24
PLACE = np.array([0.5, 0.5, 0.5, 0.5])


def test_what_is_believed_best_now_is_tried_once_too_few_trials_follow_for_looking_about() -> None:
    domain = Domain.continuous(4)
    problem = Problem(domain, seed=0, noise=Noise("known", 0.0), start_points=10, trials=TRIALS, clock=CLOCK)
    auto, searched = Auto(problem, AutoOptions(refit_every=4)), []
    for trial in range(TRIALS):
        if (number := auto.refit_due()) is not None:
            auto.adopt(auto.compute_refit(number))
        now = domain.holding({CLOCK: trial / TRIALS})
        best = auto.recommend(now)
        (suggestion,) = auto.ask(1, [], AskKey(trial, trial, now))
        if suggestion.why.get("search") == "best now":
            assert best is not None
            assert suggestion.point.tolist() == best.point.tolist()
        searched.append(suggestion.why.get("search"))
        (beside,) = auto.ask(1, [suggestion.point], AskKey(trial + 1, trial + 1, now))
        assert beside.point.tolist() != suggestion.point.tolist()
        value = float(FUNCTION.evaluate(suggestion.point[None, :3])[0]) + trial / TRIALS
        auto.tell([Observation(trial, suggestion.point, value, held=True)])
    assert searched[10] == "global"
    assert searched[-2:] == ["best now", "best now"]


def proposal(mean: float, gain: float) -> Proposal:
    return Proposal(Suggestion(PLACE, Prediction(mean, 1.0)), math.log(gain))


@pytest.mark.parametrize(
    ("gain", "left", "worth"),
    [
        (0.3, None, True),
        (0.1, None, False),
        # Fewer trials follow than would make it worth while; none do.
        (0.3, 3, False),
        (1.0, 3, True),
        (1.0, 0, False),
        # However many follow: by then the best is elsewhere.
        (0.1, 1_000, False),
    ],
)
def test_a_trial_is_worth_what_it_is_expected_to_find_in_those_that_follow(
    gain: float, left: int | None, worth: bool
) -> None:
    best = Suggestion(PLACE, Prediction(2.0, 0.1))
    assert FOLLOWING * 0.1 < 2.0 < FOLLOWING * 0.3
    assert is_worth_its_loss(proposal(0.0, gain), best, left) is worth


def test_what_is_believed_no_worse_than_the_best_is_always_worth_it() -> None:
    assert is_worth_its_loss(proposal(2.0, 1e-12), Suggestion(PLACE, Prediction(2.0, 0.1)), 0)


def test_there_is_no_region_as_every_trial_is_of_a_time_that_is_held() -> None:
    problem = Problem(Domain.continuous(2), seed=0, start_points=5, clock=1)
    auto = Auto(problem, AutoOptions())
    points = problem.domain.sample(5, np.random.default_rng(0))
    auto.tell([Observation(i, x, float(x[0] - x[1]), held=True) for i, x in enumerate(points)])
    refit = auto.compute_refit(1)
    assert refit.payload["local"] is None
    auto.adopt(refit)
    assert not any("region" in note for note in auto.insight().notes)
