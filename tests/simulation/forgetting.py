"""Of some seeds: somebody who takes back that a trial failed, or what was foreseen of one that was stopped.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from apart_stream import apart

from orchestrator.runtime.requests.kinds import Amend

if TYPE_CHECKING:
    from laboratory import Laboratory


def stream(seed: int) -> Random | None:
    """Of a seed in which failures are forgotten; None of any other."""
    return apart("forgets", seed)


def what_gave_no_value_is_forgotten(lab: Laboratory) -> None:
    """One trial or two, if there are any; of some it was done before."""
    chance = lab.forgetful
    assert chance is not None
    valueless = [trial.number for trial in lab.witness.state.observed if trial.value is None]
    if valueless:
        forget = chance.sample(valueless, min(len(valueless), chance.choice([1, 1, 2])))
        lab.desk.leave(Amend(forget=forget, reason="the sensor was broken"))
