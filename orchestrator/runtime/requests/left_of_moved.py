"""What people left at the desk of trials that have another number once a journal is mended, or are lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.runtime.requests.desk import Desk, Waiting
from orchestrator.runtime.requests.kinds import Amend, Compare, Request, TakeBack, Verdict
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.trial_names import trial_names


def refuse_of_moved(desk: Desk, first: int, state: State) -> Iterator[tuple[Waiting, str]]:
    """Refuse what waits of a trial from the ``first`` on whose number is another's by now, or nobody's;
    each request with why. What ``state`` has taken up already is as it was.
    """
    taken = {name for name, _ in state.requests}
    for waiting in desk.waiting():
        if waiting.request is None or waiting.path.stem in taken:
            continue
        if moved := [trial for trial in _trials_of(waiting.request) if trial >= first]:
            has, lost = ("has another number", "is") if len(moved) == 1 else ("have other numbers", "are")
            why = f"{trial_names(moved)} {has} by now, or {lost} lost; say it again of what is meant"
            still_there = desk.answer(waiting.path, Verdict(False, why))
            yield waiting, ". ".join(filter(None, [why, still_there]))


def _trials_of(request: Request) -> Sequence[int]:
    """Those that it names."""
    match request:
        case Amend():
            return [*request.forget, *(one.trial for one in request.read)]
        case Compare() | TakeBack():
            return [request.trial, request.other]
        case _:
            return [request.trial]
