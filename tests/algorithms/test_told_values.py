"""How models see what was told: failures, and whose word counts about noise."""

import numpy as np

from orchestrator.algorithms.ask_and_tell.told_values import ToldValues
from orchestrator.algorithms.base import Noise, Observation, Problem
from orchestrator.algorithms.history import History
from orchestrator.parameters.space import FloatParameter, Space
from orchestrator.surrogates.scales.standardise import Standardisation

SPACE = Space((FloatParameter("x", 0.0, 1.0),))
SCALE = Standardisation(shift=10.0, scale=2.0)


def told(noise: Noise, *, stopped: bool = False) -> ToldValues:
    problem = Problem(domain=SPACE.domain, seed=0, noise=noise)
    history = History(SPACE.domain)
    history.tell(Observation(0, np.array([0.1]), 14.0, variance=1.0))
    history.tell(Observation(1, np.array([0.2]), None))
    history.tell(Observation(2, np.array([0.3]), 8.0))
    for foreseen in (6.0, 4.0) if stopped else ():
        history.tell(Observation(3, np.array([0.4]), foreseen, variance=36.0, foreseen=True))
    assert history.best_rows(9).tolist() == [0, 2], "what was foreseen leads nobody"
    return ToldValues.of(problem, history, slice(None))


def test_a_failure_is_an_average_result_without_noise_unless_it_is_given_some() -> None:
    values, variances = told(Noise("reported")).standardised(SCALE)
    np.testing.assert_array_equal(values, [2.0, 0.0, -1.0])
    np.testing.assert_array_equal(variances, [0.25, 0.0, 0.0])
    _, variances = told(Noise("reported")).standardised(SCALE, noise_of_a_failure=0.5)
    np.testing.assert_array_equal(variances, [0.25, 0.5, 0.0])


def test_what_noise_is_typical_the_values_say_and_not_the_failures() -> None:
    assert told(Noise("reported")).typical_noise(SCALE) == 0.125
    assert told(Noise("known", 4.0)).typical_noise(SCALE) == 4.0
    failed = ToldValues(np.array([np.nan]), np.array([1.0]))
    assert failed.typical_noise(SCALE) == 0.0


def test_noise_that_the_problem_knows_counts_instead_of_what_came_with_values() -> None:
    _, variances = told(Noise("known", 4.0)).standardised(SCALE)
    np.testing.assert_array_equal(variances, [4.0, 0.0, 4.0])


def test_a_forecast_is_known_as_well_as_it_says_and_not_better_than_a_value() -> None:
    for noise, expected in (
        (Noise("unknown"), [0.25, 0.0, 0.0, 9.0, 9.0]),
        (Noise("known", 4.0), [4.0, 0.0, 4.0, 9.0, 9.0]),
        (Noise("known", 20.0), [100.0, 0.0, 100.0, 100.0, 100.0]),
    ):
        values, variances = told(noise, stopped=True).standardised(SCALE)
        np.testing.assert_array_equal(values, [2.0, 0.0, -1.0, -2.0, -3.0])
        np.testing.assert_array_equal(variances, expected)


def test_how_well_forecasts_are_known_is_typical_of_no_value() -> None:
    assert told(Noise("reported"), stopped=True).typical_noise(SCALE) == 0.125
    assert told(Noise("known", 4.0), stopped=True).typical_noise(SCALE) == 4.0
