"""Hundreds of laboratories keep their promises; what they went through was worth it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from each_event import LITTLE_LEFT
from faults import FAULTS
from laboratory import Laboratory, Outcome
from virtual_world import Broken

TRACED, SEARCHED, BLOCK = 200, 2_000, 45
"""Up to which seed `make test-searches` looks; `make simulate` looks further, as long as it is told to."""
IN_EVERY_SUITE = (425, 560, 650)
"""Among these and those that are traced is one that notices each fault of `test_broken_on_purpose`."""


def run(seed: int) -> Outcome:
    """A seed; if it breaks a promise, once more with everything written down."""
    try:
        return Laboratory(seed).run()
    except Broken:
        return Laboratory(seed, tracing=True).run()


@pytest.mark.parametrize(
    "first",
    [
        first if first in IN_EVERY_SUITE else pytest.param(first, marks=pytest.mark.searches)
        for first in range(TRACED, SEARCHED, BLOCK)
    ],
)
def test_every_laboratory_keeps_its_promises(first: int) -> None:
    for seed in range(first, first + BLOCK):
        run(seed)


def test_everything_that_can_go_wrong_does_and_no_promise_is_broken() -> None:
    happened: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    lives = 0
    for seed in range(TRACED):
        laboratory = Laboratory(seed, tracing=True)
        outcome = laboratory.run()
        lives += outcome.lives
        endings[outcome.ending] += 1
        happened.update(line.split("--- ")[1] for line in laboratory.world.trace if "--- " in line)
        happened.update(word for line in laboratory.world.trace for word in WORTH_SEEING if word in line)
    unseen = [name for name in (*FAULTS, *WORTH_SEEING) if not happened[name]]
    assert not unseen
    assert lives > 300
    assert len(endings) >= 4
    assert any(ending.startswith(LITTLE_LEFT) for ending in endings)


WORTH_SEEING = (
    "is killed in a system call",
    "the power fails",
    "gives up: expected to write",
    "could not start",
    "dies in ask",
    "dies in tell",
    "dies in refit",
    "dies in gain",
    "what is left to gain could not be estimated",
    "the orchestrator is silent",
    '"draining":true}',
    "results stay in memory meanwhile",
    "in use by another worker",
    '"counted":false',
    '"type":"cancel"',
    "finds its connection",
    "lost: ",
    "is back",
    "amended after its end",
    "the run is paused",
    "the run goes on",
    "is forgotten, and the model learns anew",
    "the failed trial",
    "the stopped trial",
    "the bounds are amended",
    "the budget is amended",
    "what is held is amended",
    "how values come of results is amended: value =",
    "what programs printed is read otherwise",
    "what had failed has a value",
    "what had a value has none",
    "to have what its programs print read otherwise",
    "to be tried next",
    "is not in hand",
    "running trials elsewhere, which may finish",
    "queued trials elsewhere, which are abandoned",
    "known result is added",
    "is approved",
    "is refused",
    "an amendment was refused",
    "is recorded with",
    "the failure of trial",
    "an amendment that an earlier life took is answered",
    "a decision that an earlier life took is answered",
)
"""Words of the trace for what no single fault causes."""


def test_a_seed_is_a_history() -> None:
    for seed in range(3):
        assert Laboratory(seed).run() == Laboratory(seed, tracing=True).run()


def test_a_seed_is_the_same_history_in_another_process() -> None:
    program = "from laboratory import Laboratory; print([Laboratory(seed).run() for seed in range(5)])"
    salt = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONHASHSEED": salt},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told == f"{[Laboratory(seed).run() for seed in range(5)]}\n"
    assert "trial" in told
