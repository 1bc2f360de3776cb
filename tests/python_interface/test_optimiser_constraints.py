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
    for _ in range(6):
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
        known = {"a": tenths / 10, "b": 1 - tenths / 10, "n": 1}
        optimiser.learn(known, 1.0)
        assert optimiser.best().parameters == known


def test_so_it_is_where_an_outcome_has_its_limit_by_it() -> None:
    """As in a run, whose known results are what was written."""
    for tenths in range(1, 10):
        optimiser = Optimiser(
            {"x": (0.0, 1.0)}, algorithm="random", outcomes=["heat"], constraints=["heat <= x"]
        )
        optimiser.learn({"x": tenths / 10}, 1.0, outcomes={"heat": tenths / 10})
        assert optimiser.best().parameters == {"x": tenths / 10}


def test_a_known_result_stands_as_it_was_told_with_numbers_of_the_parameter_s_kind() -> None:
    described = {
        "rate": {"type": "float", "bounds": [1e-5, 1.0], "scale": "log"},
        "size": {"type": "choice", "values": [16, 32]},
        "depth": {"type": "int", "bounds": [1, 4]},
        "slope": {"type": "float", "bounds": [0.0, 1.0], "when": "depth >= 2", "otherwise": 0.3},
    }
    optimiser = Optimiser(described, algorithm="random")
    optimiser.learn({"rate": np.float32(0.1), "size": 16.0, "depth": 1.0, "slope": 0.7}, 1.0)
    assert str(optimiser.best().parameters) == str(
        {"rate": float(np.float32(0.1)), "size": 16, "depth": 1, "slope": 0.3}
    )


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
        (["a + b == 9"], "was found that satisfies `0 <= a <= 1`, where `a` is `9 - b`; loosen it, or widen"),
        (["a * b == 1"], "an equality that is linear in the parameters"),
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
