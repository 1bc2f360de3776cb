"""Constraints on outcomes in the Python interface: told beside the value, and kept by the best."""

import pickle

import numpy as np
import pytest

from orchestrator import Optimiser, Plan
from orchestrator.errors import SpecError, UsageError

WING = {"span": (0.0, 1.0), "sweep": (0.0, 1.0), "ribs": {"type": "int", "bounds": [1, 4]}}
HEAT = {"outcomes": ["heat"], "constraints": ["heat <= 50", "span + sweep <= 1.5"]}


def heated(parameters):
    return parameters["span"] + 0.5 * parameters["sweep"], {"heat": 100.0 * parameters["span"]}


def told(optimiser, trials, at_a_time=1):
    for _ in range(trials // at_a_time):
        for asked in optimiser.ask(at_a_time):
            value, outcomes = heated(asked.parameters)
            optimiser.tell(asked.trial, value, outcomes=outcomes)
    return optimiser


def test_the_best_is_the_best_of_what_satisfies_them() -> None:
    optimiser = told(
        Optimiser(WING, seed=1, plan=Plan(trials=18, parallel=2), options={"refit_every": 4}, **HEAT), 18, 2
    )
    assert optimiser.best().value == pytest.approx(1.0, abs=5e-3)
    assert optimiser.best().parameters["span"] <= 0.5


def test_a_pickled_one_goes_on_alike() -> None:
    optimiser = told(Optimiser(WING, seed=2, **HEAT), 11)
    again = pickle.loads(pickle.dumps(optimiser))
    assert [a.parameters for a in again.ask(2)] == [a.parameters for a in optimiser.ask(2)]
    assert again.best() == optimiser.best()


def test_a_value_without_its_outcome_is_refused_and_its_trial_still_to_be_told() -> None:
    optimiser = Optimiser(WING, algorithm="random", **HEAT)
    (asked,) = optimiser.ask()
    with pytest.raises(UsageError, match="expected the outcome `heat`, a finite number, beside the value"):
        optimiser.tell(asked.trial, 1.0)
    with pytest.raises(
        UsageError, match=r"expected the outcomes `heat`, got `heet` \(did you mean `heat`\?\)"
    ):
        optimiser.tell(asked.trial, 1.0, outcomes={"heet": 1.0})
    with pytest.raises(UsageError, match="outcomes: expected finite numbers, got nan for `heat`"):
        optimiser.tell(asked.trial, 1.0, outcomes={"heat": float("nan")})
    with pytest.raises(UsageError, match="expected outcomes as a mapping"):
        optimiser.tell(asked.trial, 1.0, outcomes=3.0)
    assert optimiser.pending == (asked.trial,)
    optimiser.tell(asked.trial, None)
    assert optimiser.pending == ()


def test_where_none_are_named_none_can_be_told() -> None:
    optimiser = Optimiser(WING, algorithm="random")
    (asked,) = optimiser.ask()
    with pytest.raises(UsageError, match="expected no outcomes, as none are named, got `heat`"):
        optimiser.tell(asked.trial, 1.0, outcomes={"heat": 1.0})


def test_what_is_known_from_elsewhere_may_lack_them_and_is_then_no_best() -> None:
    optimiser = Optimiser(WING, algorithm="random", **HEAT)
    point = {"span": 0.4, "sweep": 0.2, "ribs": 2}
    optimiser.learn(point, 9.0)
    optimiser.learn(point, 8.0, outcomes={"heat": 51.0})
    with pytest.raises(UsageError, match="no value has been told of what satisfies the constraints"):
        optimiser.best()
    optimiser.learn(point, 1.0, outcomes={"heat": 50})
    assert optimiser.best().value == 1.0


@pytest.mark.parametrize("span", [np.float32(0.25), np.float64(0.25), 0.25])
def test_numbers_of_numpy_are_judged_as_those_of_python(span) -> None:
    optimiser = Optimiser(
        WING, algorithm="random", outcomes=np.array(["heat"]), constraints=["heat <= 100 * span + ribs"]
    )
    optimiser.learn({"span": span, "sweep": 0.2, "ribs": np.int64(2)}, 1.0, outcomes={"heat": np.float32(26)})
    assert optimiser.best().value == 1.0
    optimiser.learn({"span": span, "sweep": 0.2, "ribs": 2}, 2.0, outcomes={"heat": True})
    assert optimiser.best().value == 2.0


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ({"heat": 1}, "expected outcomes as a list of names"),
        ([""], "expected outcomes as a list of names"),
        (3, "expected outcomes as a list of names"),
        (["heat", "heat"], "expected each outcome once, got `heat` 2 times"),
    ],
)
def test_names_that_are_none_are_refused(outcomes, said) -> None:
    with pytest.raises(SpecError, match=said):
        Optimiser(WING, outcomes=outcomes, constraints=["heat <= 50"])


def test_none_is_as_good_as_no_outcomes() -> None:
    assert Optimiser(WING, algorithm="random", outcomes=None).ask()


def test_a_name_that_is_neither_is_refused() -> None:
    with pytest.raises(SpecError, match=r"`heat`, got `haet` \(did you mean `heat`"):
        Optimiser(WING, outcomes=["heat"], constraints=["haet <= 50", "heat > 1"])
