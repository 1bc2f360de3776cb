"""A function that was written as the evaluator of a run is searched from Python as it is."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

from evaluators.context import Context as ContextOfARun
from orchestrator import Optimiser, minimise
from orchestrator.errors import UsageError
from orchestrator.runtime.evaluations.seed import evaluation_seed

BOX = {"x": (0.0, 1.0)}


def noisy(parameters: dict[str, Any], context: Any) -> dict[str, Any]:
    value = parameters["x"] + random.Random(context.seed).gauss(0.0, 0.1)
    return {"value": value, "seed": context.seed, "attempt": context.attempt, "own": dict(context.own)}


def test_it_has_the_seed_that_the_same_trial_of_a_run_would_have() -> None:
    found = minimise(noisy, BOX, 3, algorithm="random", seed=5)
    assert [row["seed"] for row in found.results()] == [evaluation_seed(5, trial) for trial in (1, 2, 3)]
    assert found.best().extras == {**found.best().extras, "attempt": 1, "own": {}}


def test_in_a_loop_of_one_s_own_what_it_is_watched_by_has_it() -> None:
    optimiser = Optimiser(BOX, algorithm="random", seed=5)
    (asked,) = optimiser.ask()
    sent = pickle.loads(pickle.dumps(optimiser.watch(asked.trial)))
    assert sent.seed == evaluation_seed(5, 1)


def test_whatever_an_evaluator_of_a_run_may_ask_has_an_answer() -> None:
    asked = [name for name in ContextOfARun.__slots__ if not name.startswith("_")]
    found = minimise(
        lambda p, context: {"value": p["x"], **{name: getattr(context, name) for name in asked}},
        BOX,
        1,
        algorithm="random",
    )
    told = found.best().extras
    assert (told["slots"], told["continued_from"], told["options"]) == (1, None, {})


def test_a_folder_it_has_none_which_is_said() -> None:
    with pytest.raises(UsageError, match="as a search has no folder: make one"):
        minimise(lambda _, context: context.directory / "mesh", BOX, 2, algorithm="random")
