"""Ask and tell where parameters do not always count."""

import pickle

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.python_interface.optimiser import Optimiser, Plan

SOLVERS = {
    "solver": {"type": "choice", "values": ["direct", "gmres"]},
    "restart": {"type": "int", "bounds": [5, 100], "when": {"solver": "gmres"}, "otherwise": 0},
    "fill": {"type": "float", "bounds": [0.0, 1.0], "when": "restart >= 20"},
}


def cost(solver: str, restart: int, fill: float = 0.5) -> float:
    """As a function of a user's, called by name: with what counts, and what the rest is otherwise."""
    assert (restart == 0) == (solver == "direct")
    return 1.0 if solver == "direct" else abs(restart - 40) / 50 + (fill - 0.3) ** 2


def test_what_is_asked_for_has_what_counts_and_what_the_rest_is_otherwise() -> None:
    optimiser = Optimiser(SOLVERS, goal="minimise", plan=Plan(trials=19), options={"refit_every": 3}, seed=0)
    for _ in range(19):
        (asked,) = optimiser.ask()
        assert ("fill" in asked.parameters) == (asked.parameters["restart"] >= 20)
        optimiser.tell(asked.trial, cost(**asked.parameters))
    best = optimiser.best()
    assert best.value < 0.02
    assert cost(**best.parameters) == best.value


def test_a_pickled_optimiser_goes_on_as_this_one_would() -> None:
    optimiser = Optimiser(SOLVERS, goal="minimise", seed=3)
    for _ in range(11):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, cost(**asked.parameters))
    again = pickle.loads(pickle.dumps(optimiser))
    assert [a.parameters for a in again.ask(2)] == [a.parameters for a in optimiser.ask(2)]


def test_what_is_known_may_bring_anything_for_what_does_not_count() -> None:
    optimiser = Optimiser(SOLVERS, goal="minimise")
    optimiser.learn({"solver": "direct", "restart": 33, "fill": np.nan}, 0.5)
    assert dict(optimiser.best().parameters) == {"solver": "direct", "restart": 0}
    with pytest.raises(SpecError, match="`fill`: expected a value, but it is missing; it counts where"):
        optimiser.learn({"solver": "gmres", "restart": 33}, 0.5)


@pytest.mark.parametrize("anything", ["none", None, -7])
def test_so_it_may_where_a_constraint_names_what_does_not_count(anything: object) -> None:
    optimiser = Optimiser(SOLVERS, goal="minimise", constraints=["restart + 90 * fill <= 100"])
    optimiser.learn({"solver": "direct", "restart": anything, "fill": anything}, 0.5)
    assert optimiser.best().value == 0.5


@pytest.mark.parametrize(
    "when",
    [
        {"levels": np.int64(2)},
        {"levels": [np.int64(2)]},
        {"levels": np.array([2])},
        [{"levels": np.int64(2)}],
    ],
)
def test_numbers_of_numpy_say_when_a_parameter_counts_too(when: object) -> None:
    space = {
        "levels": {"type": "int", "bounds": [1, 2]},
        "x": {"type": "float", "bounds": [0, 1], "when": when},
    }
    optimiser = Optimiser(space, goal="minimise", seed=0)
    for _ in range(6):
        (asked,) = optimiser.ask()
        assert ("x" in asked.parameters) == (asked.parameters["levels"] == 2)
        optimiser.tell(asked.trial, 1.0)


def test_a_constraint_on_an_outcome_names_what_always_counts() -> None:
    with pytest.raises(
        SpecError, match="expected parameters that always count beside an outcome, got `fill`"
    ):
        Optimiser(SOLVERS, outcomes=["heat"], constraints=["heat <= fill"])


def test_an_algorithm_that_knows_nothing_of_it_is_refused() -> None:
    with pytest.raises(SpecError, match="expected an algorithm for parameters that do not always count"):
        Optimiser(SOLVERS, algorithm="dumbo")
