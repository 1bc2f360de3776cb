"""Auto beside a clock where evaluations may look less closely, or settings are off: what is tried as the best
of now is that, at full fidelity and as it is meant.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orchestrator.algorithms.auto import Auto
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem, Suggestion
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels
from orchestrator.unit_cube.settings_off import Off, SettingsOff

CLOCK, TRIALS = 1, 9
PLAIN = Problem(Domain.continuous(2), seed=2, noise=Noise("known", 0.0), start_points=6, clock=CLOCK)
WITH_LEVELS = replace(
    PLAIN, domain=Domain.continuous(3), fidelity=Levels(2, np.array([0.25, 1.0]), np.array([0.01, 1.0]))
)
PLACES = np.array([0.0, 1.0])
WITH_TOLERANCE = replace(PLAIN, off=SettingsOff.of([Off(0, 0.1, PLACES, PLACES)]))


def followed(problem: Problem) -> list[tuple[Suggestion, Suggestion | None]]:
    """What was tried of a wave that moves, and what was believed best at that time."""
    auto, tried = Auto(problem, AutoOptions()), list[tuple[Suggestion, Suggestion | None]]()
    for trial in range(TRIALS):
        if (number := auto.refit_due()) is not None:
            auto.adopt(auto.compute_refit(number))
        time = trial / TRIALS
        now = problem.domain.holding({CLOCK: time})
        (suggestion,) = auto.ask(1, [], AskKey(trial, trial, now))
        assert suggestion.point[CLOCK] == time
        tried.append((suggestion, auto.recommend(now)))
        x, missed = suggestion.point[0], float((1.0 - suggestion.point[2:]).sum())
        value = np.sin(9.0 * x - 4.0 * time) - 0.2 * missed
        auto.tell([Observation(trial, suggestion.point, float(value), held=True)])
    return tried


@pytest.mark.parametrize("problem", [WITH_LEVELS, WITH_TOLERANCE], ids=["fidelity", "tolerance"])
def test_what_is_tried_as_the_best_of_now_is_that(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orchestrator.algorithms.auto.is_worth_its_loss", lambda *_: False)
    for tried, best in followed(problem)[PLAIN.start_points :]:
        assert tried.why["search"] == "best now"
        assert best is not None
        assert tried.point.tolist() == best.point.tolist()
        assert problem.fidelity is None or tried.point[problem.fidelity.coordinate] == 1.0
        assert tried.predicted is not None
