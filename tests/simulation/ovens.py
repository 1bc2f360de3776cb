"""Of some seeds that have a second parameter: rounds whose trials share it, as samples in one oven.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from virtual_world import Broken

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.event_parts import ROUND
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec

SHARE = 0.4


def stream(seed: int) -> Random | None:
    """Of a seed whose rounds share a parameter; None of any other."""
    chance = Random(f"ovens {seed}")
    return chance if chance.random() < SHARE else None


def in_ovens(spec: Spec, chance: Random) -> Spec:
    """The same in rounds, whose trials share the second parameter."""
    rounds = {"kind": "synchronous", "batch": chance.choice([2, 2, 3]), "sharing": ["y"]}
    return spec.model_copy(update={"mode": spec.mode.model_copy(update=rounds)})


def of_a_round(trial: int, first: int, point: Mapping[str, Any]) -> dict[str, Any]:
    """Why a trial is where it is, if another one settled it."""
    return {} if trial == first else {ROUND: {"of": first, "shares": {"y": point["y"]}}}


def check_alike(event: ev.Event, state: State, before: Mapping[int, Mapping[str, Any]]) -> None:
    """Whoever begins anything sees to it that all that run are alike; a worker that was lost may come back
    with one that is not. ``before``: the points that ran. Raises `Broken`.
    """
    now = {number: trial.parameters for number, trial in state.unsettled.items() if trial.lease}
    for name in state.policy.mode.sharing:
        came_back = isinstance(event, ev.WorkerJoined) and event.held
        if _differ(name, now) and not (_differ(name, before) or came_back):
            raise Broken(f"after {event} trials run that differ in `{name}`: {now}")


def _differ(name: str, points: Mapping[int, Mapping[str, Any]]) -> bool:
    return len({point[name] for point in points.values()}) > 1
