"""What an amendment of where points may lie leaves out, as whoever asks for it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from orchestrator.expressions.constraints import unsettled
from orchestrator.scheduler.amended_policy import amended_held
from orchestrator.scheduler.amendment_events import BoundsAmended, ConstraintsAmended, HeldAmended
from orchestrator.scheduler.comparisons import weighs
from orchestrator.scheduler.rules.amended_constraints import constraint_words
from orchestrator.scheduler.rules.bounds import Bounds, bounds_words, outside
from orchestrator.scheduler.rules.places import away, held_words
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.named import Values


def held_sentence(event: HeldAmended, state: State) -> str:
    """Of parameters that are held, or let go."""
    after = amended_held(state, event).where.held
    is_away = _at(partial(away, after))
    said = [f"what is held is amended: {held_words(event.held, event.freed)}"]
    if elsewhere := sum(map(is_away, _counting(state))):
        said.append(f"values elsewhere, which are still learned from, and no best: {elsewhere}")
    return "; ".join([*said, *_unsettled(state, "elsewhere", is_away)])


def bounds_sentence(event: BoundsAmended, state: State) -> str:
    """Of bounds."""
    is_outside = _at(partial(outside, {**state.amended.bounds, **event.bounds}))
    said = [f"the bounds are amended: {bounds_words(event.bounds)}"]
    if left_out := sum(map(is_outside, _believed(state))):
        stay = "which stay in the journal and are left out of the model"
        said.append(f"{_those(state)} outside, {stay}: {left_out}")
    return "; ".join([*said, *_unsettled(state, "outside", is_outside)])


def constraints_sentence(event: ConstraintsAmended, state: State, bounds: Bounds) -> str:
    """Of constraints that are added, or withdrawn, beside ``bounds`` that are amended with them."""
    relative = unsettled(event.added, state.amended.constraints.known_levels)
    broken = {number for text, numbers in event.added.items() if text not in relative for number in numbers}
    said = [f"the constraints are amended: {constraint_words(event.added, event.withdrawn)}"]
    is_outside = _at(partial(outside, {**state.amended.bounds, **bounds}))
    if breaking := sum(trial.number in broken and not is_outside(trial) for trial in _believed(state)):
        learned = "which are still learned from, and no best"
        said.append(f"{_those(state)} that break them, {learned}: {breaking}")
    if relative:
        said.append(f"what the reference has tells which {_those(state)} satisfy `{'`, `'.join(relative)}`")
    return "; ".join([*said, *_unsettled(state, "that break them", lambda trial: trial.number in broken)])


def _believed(state: State) -> list[Trial]:
    return [trial for trial in state.observed if weighs(state, trial) and not trial.forgotten]


def _counting(state: State) -> list[Trial]:
    return [trial for trial in _believed(state) if state.inside(trial.parameters)]


def _those(state: State) -> str:
    return "trials" if state.policy.results.compared else "values"


def _at(left_out_by: Callable[[Values], tuple[str, ...]]) -> Callable[[Trial], bool]:
    """Whether a trial's parameters are what leaves it out."""
    return lambda trial: bool(left_out_by(trial.parameters))


def _unsettled(state: State, where: str, is_left_out: Callable[[Trial], bool]) -> Iterator[str]:
    """How many trials that wait, or run, an amendment leaves out."""
    left_out = [trial for trial in state.unsettled.values() if is_left_out(trial)]
    running = sum(trial.lease is not None for trial in left_out)
    if queued := len(left_out) - running:
        yield f"queued trials {where}, which are abandoned: {queued}"
    if running:
        yield f"running trials {where}, which may finish: {running}"
