"""Constraints between parameters in the Python interface: every trial satisfies them."""

import pickle

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.algorithms.base import Suggestion
from orchestrator.errors import OptimiserError, SpecError, UsageError

TIED = {"a": (0.0, 1.0), "b": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 9]}}
CONSTRAINTS = ["a < b", "n * b <= 4"]


def test_every_trial_satisfies_the_constraints_and_a_pickled_optimiser_keeps_to_them() -> None:
    optimiser = Optimiser(TIED, algorithm="gp-ei", seed=2, constraints=CONSTRAINTS)
    for _ in range(14):
        for asked in optimiser.ask(2):
            p = asked.parameters
            assert p["a"] < p["b"]
            assert p["n"] * p["b"] <= 4
            optimiser.tell(asked.trial, p["a"] + p["n"] / 9)
    again = pickle.loads(pickle.dumps(optimiser))
    assert [a.parameters for a in again.ask(3)] == [a.parameters for a in optimiser.ask(3)]


def test_what_lies_on_a_boundary_is_judged_as_it_is_and_not_as_it_is_rounded() -> None:
    for tenths in range(1, 10):
        optimiser = Optimiser(TIED, algorithm="random", constraints=["a + b <= 1"])
        optimiser.learn({"a": tenths / 10, "b": 1 - tenths / 10, "n": 1}, 1.0)
        assert optimiser.best().value == 1.0


def test_what_is_learned_from_outside_the_constraints_is_no_best() -> None:
    optimiser = Optimiser(TIED, algorithm="random", constraints=CONSTRAINTS)
    optimiser.learn({"a": 0.9, "b": 0.1, "n": 3}, 100.0)
    with pytest.raises(UsageError, match="no value has been told of what satisfies the constraints"):
        optimiser.best()
    optimiser.learn({"a": 0.1, "b": 0.9, "n": 3}, 1.0)
    assert optimiser.best().value == 1.0


@pytest.mark.parametrize(
    ("constraints", "said"),
    [
        ("a < b", r'expected constraints as a list of texts, as \["inner < outer"\], got \'a < b\''),
        ([3], "constraint `3`: expected a constraint as text"),
        (["a < c"], "constraint `a < c`: expected the parameters `a`, `b`, `n`, got `c`"),
        (["a + b < 0"], "no point within the bounds was found that satisfies `a \\+ b < 0`; loosen it"),
        (["a == b"], "have the evaluator compute it from the others"),
    ],
)
def test_constraints_that_cannot_be_are_refused_in_a_sentence(constraints, said) -> None:
    with pytest.raises(SpecError, match=said):
        Optimiser(TIED, constraints=constraints)
    with pytest.raises(SpecError, match="expected an algorithm that keeps to constraints"):
        Optimiser(TIED, algorithm="soo", constraints=["a < b"])


def test_an_own_algorithm_that_does_not_keep_its_word_evaluates_nothing(monkeypatch) -> None:
    optimiser = Optimiser(TIED, algorithm="random", constraints=CONSTRAINTS)
    outside = Suggestion(np.array([0.9, 0.1, 0.5]), why={"source": "random"})
    monkeypatch.setattr(optimiser._algorithm, "ask", lambda n, *_: [outside] * n)
    with pytest.raises(OptimiserError, match="the algorithm does not keep to the constraints"):
        optimiser.ask()
    assert optimiser.pending == ()
