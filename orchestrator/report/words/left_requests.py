"""What people asked of a run and nobody has taken up yet, in words: for its status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orchestrator.report.words.wording import counted
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.added_points import points_words
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import (
    Amend,
    Approve,
    Budgets,
    CarryOut,
    Compare,
    Record,
    RecordFailure,
    Refuse,
    Request,
    TakeBack,
)
from orchestrator.scheduler.rules.added_candidates import more_words
from orchestrator.scheduler.rules.amended_constraints import constraint_words
from orchestrator.scheduler.rules.amended_values import values_words
from orchestrator.scheduler.rules.bounds import bounds_words
from orchestrator.scheduler.rules.budgets import budget_words
from orchestrator.scheduler.rules.places import held_words, place_words, written
from orchestrator.scheduler.words.trial_names import trial_names

SHOWN = 5
"""Of a plate's results, every one of which is a request."""


def left_requests(folder: RunFolder) -> tuple[str, ...]:
    """A line for each, oldest first. Whether it makes sense is decided when it is taken up."""
    return tuple(
        f"{waiting.path.name}: {waiting.complaint}"
        if waiting.request is None
        else request_words(waiting.request)
        for waiting in Desk(folder).waiting()
    )


def first_of(left: Sequence[str]) -> tuple[str, ...]:
    """The first of these lines, and how many more there are."""
    more = len(left) - SHOWN
    return (*left[:SHOWN], f"and {more:,} more") if more > 1 else tuple(left)


def request_words(request: Request) -> str:
    """What is to be done, and who says so."""
    match request:
        case Approve(trial, by):
            return f"trial {trial} is to be approved{_by(by)}"
        case Refuse(trial, reason, by, forget):
            refused = "refused, and that forgotten" if forget else "refused"
            return f"trial {trial} is to be {refused}{_by(by)}: {reason}"
        case Record(trial, value, by=by):
            what = "what came of it" if value is None else f"{value:g}"
            return f"trial {trial} is to be recorded with {what}{_by(by)}"
        case RecordFailure(trial, message, by):
            return f"trial {trial} is to be recorded as failed{_by(by)}: {message}"
        case CarryOut(trial, by):
            return f"trial {trial} is carried out{_by(by)}"
        case Compare(trial, other, alike, by):
            said = (
                f"trials {trial} and {other} are alike"
                if alike
                else f"trial {trial} is better than trial {other}"
            )
            return f"{said}{_by(by)}"
        case TakeBack(trial, other, by):
            return f"how trials {trial} and {other} compare is to be taken back{_by(by)}"
        case Amend():
            why = f" ({request.reason})" if request.reason else ""
            return f"to be amended{_by(request.by)}: {', '.join(_amendments(request))}{why}"


def _amendments(request: Amend) -> list[str]:
    said: list[str] = []
    if request.bounds:
        said.append(bounds_words(request.bounds))
    if request.held or request.free:
        said.append(held_words(request.held, request.free))
    if request.block:
        said.append(f"block {request.block} begins")
    if request.constraints or request.withdrawn:
        said.append(constraint_words(request.constraints, request.withdrawn))
    if request.candidates:
        said.append(f"with {more_words(request.rows)}")
    said += [f"{name} may travel {written(limit)}" for name, limit in request.travel.items()]
    said += [f"{name} may travel anywhere" for name in request.anywhere]
    if request.stands:
        said.append(f"the machine stands at {place_words(request.stands)}")
    said += [f"{name} takes {_taken(takes)}" for name, takes in request.changes.items()]
    said += [f"{name} changes at once" for name in request.at_once]
    if request.jobs is not None:
        said.append(f"{counted(request.jobs, 'job')} at a time")
    if request.values_trials:
        said.append(values_words(request.objective, request.output))
    if request.budgets != Budgets():
        said.append(budget_words(request.budgets, request.budgets.lifted))
    if request.results:
        said.append(f"{counted(len(request.results), 'known result')} added")
    if request.points:
        said.append(f"to be tried next: {points_words(request.points, request.times)}")
    if request.forget:
        said.append(f"what came of {trial_names(request.forget)} forgotten")
    if request.paused is not None:
        said.append("paused" if request.paused else "to go on")
    return said


def _taken(takes: float | Mapping[str, float]) -> str:
    """As it was told: whether it is for each factor hangs on the parameter's scale."""
    if isinstance(takes, Mapping):
        return f"{{{', '.join(f'{key}: {written(told)}' for key, told in takes.items())}}}"
    return f"{written(takes)} s"


def _by(name: str) -> str:
    return f", by {name}" if name else ""
