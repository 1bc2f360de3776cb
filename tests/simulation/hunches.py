"""Of some seeds that have a second parameter: points to begin with of which a part is said, and what the rest
is to be chosen beside.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holding import PLACES
from virtual_world import Broken

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec

SHARE = 0.4
WITHDRAWN = TrialState.ABANDONED


def stream(seed: int) -> Random | None:
    """Of a seed that begins with parts of points; None of any other."""
    chance = Random(f"half a point {seed}")
    return chance if chance.random() < SHARE else None


def begun_with_parts(spec: Spec, chance: Random) -> Spec:
    """The same with one to three of them, behind its own points; where something is held there are none."""
    parts = [
        {chance.choice(["x", "y"]): chance.choice([*PLACES, 0.05])} for _ in range(chance.choice([1, 2, 3]))
    ]
    points = [*spec.initial.points, *([] if spec.held else parts)]
    return spec.model_copy(update={"initial": spec.initial.model_copy(update={"points": points})})


def check_part(event: ev.Event, trial: Trial, state: State) -> None:
    """A trial that was made has the part that it was to have, and what nobody said any of comes behind them,
    but in the place of one that is left out. Raises `Broken`.
    """
    part = trial.suggested.part
    if any(trial.parameters[name] != value for name, value in part.items()):
        raise Broken(f"trial {trial.number} was to have {part}, and is made at {trial.parameters}")
    in_its_place = isinstance(event, ev.SuggestionsMade) and event.left_out
    if trial.ask is not None and not part and state.waiting.parts and not in_its_place:
        raise Broken(f"trial {trial.number} is made, and {state.waiting.parts} are to be tried first")


def check_none_is_lost(events: Sequence[ev.Event], state: State) -> None:
    """Each part that a run began with became a trial, or is said to be left out, or is still to come. Raises
    `Broken`.
    """
    begun = next((one for one in events if isinstance(one, ev.RunStarted)), None)
    wanted: list[Mapping[str, Any]] = [] if begun is None else [*begun.parts]
    answers = [one for one in events if isinstance(one, ev.SuggestionsMade)]
    left_out = [left.part for answer in answers for left in answer.left_out]
    with_part = [trial for trial in state.trials.values() if trial.suggested.part]
    made = [trial.suggested.part for trial in with_part]
    if lost := [part for part in wanted if part not in (*made, *state.waiting.parts, *left_out)]:
        raise Broken(f"the run ended, and nothing is known of {lost}, which were to be tried")
    # Of one that was withdrawn the rest is chosen anew.
    tried = [trial.suggested.part for trial in with_part if trial.state is not WITHDRAWN]
    if Counter(map(repr, tried)) - Counter(map(repr, wanted)):
        raise Broken(f"the parts {wanted} were to be tried once each, and trials have {tried}")
