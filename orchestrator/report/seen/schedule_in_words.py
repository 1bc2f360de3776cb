"""How a training came to where it is, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.report.seen.schedule import Stretch, schedule_of
from orchestrator.report.words.wording import listed, number
from orchestrator.scheduler.state import State


def schedule_of_best(state: State, accumulates: str) -> list[str]:
    """Of the best trial of a run, if there is one."""
    if state.found.best is None:
        return []
    return list(schedule_words(schedule_of(state.found.best, state, accumulates), accumulates))


def schedule_words(stretches: Sequence[Stretch], accumulates: str) -> Iterator[str]:
    """A sentence for each stretch, without its end; none of none."""
    if stretches:
        yield "Its settings changed on the way, as trials went on from what others had left"
    for one in stretches:
        settings = ", ".join(f"{name} = {number(value)}" for name, value in one.parameters.items())
        trials = f"trial{'' if len(one.trials) == 1 else 's'} {listed(list(map(str, one.trials)))}"
        yield f"To {accumulates} = {number(one.until)} ({trials}): {settings}"
