"""Several objectives in the Python interface: told as outcomes, and kept as a front."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError, UsageError

WING = {"span": (0.0, 1.0), "sweep": (0.0, 1.0)}


def flown(parameters):
    span, sweep = parameters["span"], parameters["sweep"]
    return span**2 + 0.2 * sweep, {"lift": span * (1 + sweep)}


def told(optimiser, trials):
    for _ in range(trials):
        for asked in optimiser.ask():
            value, outcomes = flown(asked.parameters)
            optimiser.tell(asked.trial, value, outcomes=outcomes)
    return optimiser


@pytest.fixture(scope="module")
def searched() -> Optimiser:
    # As Americans spell it.
    further = {"lift": "maximize"}
    return told(
        Optimiser(WING, goal="minimise", seed=1, noise=0.0, objectives=further, options={"refit_every": 3}),
        16,
    )


def test_the_front_is_what_none_beats_in_both(searched: Optimiser) -> None:
    front = sorted((best.value, best.outcomes["lift"]) for best in searched.front())
    assert len(front) > 5
    assert all(a[1] < b[1] for a, b in pairwise(front))
    with pytest.raises(UsageError, match=r"no best of several objectives; `front\(\)`"):
        searched.best()


def test_every_objective_is_predicted_in_its_own_sense(searched: Optimiser) -> None:
    (asked,) = searched.ask()
    value, outcomes = flown(asked.parameters)
    assert asked.predicted is not None
    assert asked.predicted.mean == pytest.approx(value, abs=0.05)
    (lift,) = asked.why["further"]
    assert lift["mean"] == pytest.approx(outcomes["lift"], abs=0.05)
    assert 0.0 < lift["deviation"] < 0.05


def test_of_one_objective_it_is_the_best() -> None:
    optimiser = Optimiser(WING, algorithm="random")
    assert optimiser.front() == []
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, 1.0)
    assert optimiser.front() == [optimiser.best()]


def test_what_breaks_a_constraint_is_no_trade_off() -> None:
    optimiser = Optimiser(
        WING,
        algorithm="random",
        objectives={"lift": "maximise"},
        outcomes=["heat"],
        constraints=["heat <= 80", "lift >= 1"],
    )
    point = {"span": 0.5, "sweep": 0.5}
    optimiser.learn(point, 9.0, outcomes={"lift": 9.0, "heat": 81})
    optimiser.learn(point, 9.0, outcomes={"lift": 0.5, "heat": 1})
    optimiser.learn(point, 9.0, outcomes={"heat": 1})
    assert optimiser.front() == []
    optimiser.learn(point, 2.0, outcomes={"lift": 1.0, "heat": 80})
    (only,) = optimiser.front()
    assert (only.trial, only.value, dict(only.outcomes)) == (None, 2.0, {"lift": 1.0, "heat": 80.0})


def test_of_equals_the_first_stands() -> None:
    optimiser = Optimiser(WING, algorithm="random", objectives={"lift": "minimise"})
    for _ in range(2):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, 1.0, outcomes={"lift": 1.0})
    assert [best.trial for best in optimiser.front()] == [1]


def test_a_value_without_the_other_objectives_is_refused() -> None:
    optimiser = Optimiser(WING, algorithm="random", objectives={"lift": "maximise"})
    (asked,) = optimiser.ask()
    for value in (1.0, (1.0, 0.5)):
        with pytest.raises(UsageError) as refused:
            optimiser.tell(asked.trial, value)
        assert str(refused.value) == (
            "expected the outcome `lift`, a finite number, beside the value, got the value alone;"
            " as in tell(trial, 1.5, outcomes={'lift': 0.5})"
        )
    optimiser.tell(asked.trial, None)


def test_a_pickled_one_goes_on_alike() -> None:
    optimiser = told(Optimiser(WING, seed=2, objectives={"lift": "maximise"}), 11)
    again = pickle.loads(pickle.dumps(optimiser))
    assert [a.parameters for a in again.ask(2)] == [a.parameters for a in optimiser.ask(2)]
    assert again.front() == optimiser.front()


@pytest.mark.parametrize(
    ("objectives", "said"),
    [
        (["lift"], "expected further objectives with their goals"),
        ({3: "maximise"}, "expected further objectives with their goals"),
        ({"lift": "most"}, "expected the goal maximise or minimise, got 'most'"),
        (dict.fromkeys("abcd", "maximise"), "expected at most 4 objectives, got 5"),
    ],
)
def test_what_is_no_objective_is_refused(objectives, said) -> None:
    with pytest.raises(UsageError, match=said):
        Optimiser(WING, objectives=objectives)


def test_an_objective_that_is_a_parameter_or_an_outcome_as_well_is_refused() -> None:
    with pytest.raises(SpecError, match="got `span`, which is one"):
        Optimiser(WING, objectives={"span": "minimise"})
    with pytest.raises(SpecError, match="expected each outcome once, got `lift` 2 times"):
        Optimiser(WING, objectives={"lift": "maximise"}, outcomes=["lift"])


def test_an_algorithm_that_has_one_objective_is_refused() -> None:
    with pytest.raises(SpecError, match=r"expected an algorithm that trades objectives off .* got `egp-ts`"):
        Optimiser(WING, algorithm="egp-ts", objectives={"lift": "maximise"})


def test_numbers_of_numpy_are_told_as_those_of_python() -> None:
    optimiser = Optimiser(WING, algorithm="random", objectives={"lift": "maximise"})
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, np.float32(0.5), outcomes={"lift": np.float64(2.0)})
    assert optimiser.front()[0].outcomes == {"lift": 2.0}


def test_how_likely_a_limit_of_the_value_holds_is_predicted():
    limited = Optimiser(
        {"x": (0.0, 1.0)}, objectives={"lift": "maximise"}, constraints=["value <= 0.5"], noise=0.0
    )
    limited.learn_all([{"x": x / 7, "value": (x / 7) ** 2, "lift": x / 7} for x in range(8)])
    within, beyond = limited.predict([{"x": 0.5}, {"x": 0.9}])
    assert (within.satisfied > 0.99, beyond.satisfied < 0.01) == (True, True)
    assert list(within.outcomes) == ["lift"]
    assert max(one.value for one in limited.front()) <= 0.5
