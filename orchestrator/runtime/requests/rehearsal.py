"""What is found of a request beside the loop, before it is decided: imports, and whether points are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from orchestrator.errors import OrchestratorError
from orchestrator.runtime.requests.added_candidates import listed_by_now
from orchestrator.runtime.requests.amended_constraints import broken_by_trials
from orchestrator.runtime.requests.amended_values import valued_anew
from orchestrator.runtime.requests.amendment_checks import check_space
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.event_parts import ValuedAnew
from orchestrator.scheduler.rules.added_candidates import Columns, with_rows
from orchestrator.scheduler.rules.amended_constraints import AmendedConstraints
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues
from orchestrator.scheduler.rules.places import Places
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.begun.added_candidates import check_added, with_candidates
from orchestrator.spec.begun.amended import with_bounds, with_constraints, with_held
from orchestrator.spec.begun.amended_values import with_values
from orchestrator.spec.model import Spec


@dataclass(frozen=True, slots=True)
class TrialsSeen:
    """The trials of a run at a moment: those that were ``observed``, with known results, those ``unsettled``,
    and how many were ``made``.
    """

    observed: Sequence[Trial]
    unsettled: Sequence[Trial]
    made: int

    @classmethod
    def of(cls, state: State) -> TrialsSeen:
        """As they are now; what is observed stays as it is."""
        return cls(tuple(state.observed), tuple(state.unsettled.values()), len(state.trials))

    @property
    def all(self) -> Sequence[Trial]:
        """Those of which points may be asked."""
        return (*self.observed, *self.unsettled)

    def beyond(self, before: TrialsSeen) -> TrialsSeen:
        """What was observed since, and what was made."""
        made = [trial for trial in self.unsettled if trial.number > before.made]
        return TrialsSeen(self.observed[len(before.observed) :], made, self.made)


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of all amended bounds and constraints, of what is held, and of further candidates,
    together: ``complaint`` is why they cannot be, if so. ``candidates`` are the rows that were added before.
    ``broken`` has beside each new constraint those of the trials ``seen`` that do not satisfy it, as
    `broken_by_trials` has it, and of those ``listed`` are of a row only now, as `listed_by_now` has it.
    ``values`` is how values came of results before, and what they come to ``anew`` is of those, too.
    """

    bounds: Mapping[str, tuple[float, float]]
    held: Places
    constraints: AmendedConstraints
    candidates: Columns
    complaint: OrchestratorError | None
    seen: TrialsSeen
    broken: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    listed: tuple[int, ...] = ()
    values: AmendedValues = AS_GIVEN
    anew: tuple[ValuedAnew, ...] = ()

    def valued_anew(self) -> tuple[tuple[ValuedAnew, ...], int]:
        """What trials come to anew, of the first so many. Raises the complaint, if there is one."""
        if self.complaint is not None:
            raise self.complaint
        return self.anew, len(self.seen.observed)

    def answers(self, request: Amend, state: State) -> bool:
        """Whether these are the bounds, constraints and parameters held that a request would lead to, and
        the candidates that it would add to.
        """
        amended = state.amended
        bounds, held = {**amended.bounds, **request.bounds}, request.held_after(state.policy.where.held)
        constraints = amended.constraints.after(request.constraints, request.withdrawn)
        found = self.bounds, self.held, self.constraints, self.candidates, self.values
        return found == (bounds, held, constraints, amended.candidates, amended.values)


@dataclass(frozen=True, slots=True)
class Beforehand:
    """How a run stands before a request takes effect: the ``bounds`` and ``constraints`` that were amended so
    far, what is ``held``, the rows that were added to the ``candidates``, how ``values`` come of results, and
    the trials that were ``seen``.
    """

    bounds: Mapping[str, tuple[float, float]]
    held: Places
    constraints: AmendedConstraints
    candidates: Columns
    values: AmendedValues
    seen: TrialsSeen

    @classmethod
    def of(cls, state: State) -> Beforehand:
        """To be taken in the loop, and read beside it."""
        held, now, seen = state.policy.where.held, state.amended, TrialsSeen.of(state)
        return cls(now.bounds, held, now.constraints, now.candidates, now.values, seen)


def rehearse(request: Amend, spec: Spec, before: Beforehand) -> Judged | None:
    """Do what may take seconds of judging a request: import, hold its rows against those there are, look for
    a point within its bounds that satisfies its constraints, where parameters are held, and for the trials
    that do not satisfy them.

    To be called beside the loop, before.
    """
    gain = request.budgets.expected_gain is not None
    if gain or request.constraints or request.held or request.changes:
        # Imported here because it is numpy: whoever resumes a run must not wait for it.
        from orchestrator.algorithms import registry

        # Whether the algorithm is able to do so is asked of its options, which may come with all that it is.
        with suppress(OrchestratorError):
            registry.options(spec.algorithm.name)
    moves = request.moves_points or request.held or request.free or request.moves_machine
    if not (moves or request.results or request.points or request.values_trials):
        return None
    bounds, held = {**before.bounds, **request.bounds}, request.held_after(before.held)
    constraints, seen = before.constraints.after(request.constraints, request.withdrawn), before.seen
    rows, holding = before.candidates, before.constraints.among(spec.constraints)
    try:
        if request.candidates:
            # Whatever they are: a request is a file that anybody may write who may decide over the run.
            check_added(with_candidates(spec, rows), request.rows)
        table = with_candidates(spec, with_rows(rows, request.rows))
        then = with_bounds(with_constraints(with_held(table, held), constraints), bounds)
        check_space(then)
        new = [text for text in request.constraints if text not in holding]
        broken = broken_by_trials(new, then, seen.observed, seen.all)
        listed = listed_by_now(then, seen.observed) if request.candidates else ()
        anew = valued_anew(request, with_values(then, before.values), seen.observed)
    except OrchestratorError as complaint:
        return Judged(bounds, held, constraints, rows, complaint, seen, values=before.values)
    return Judged(bounds, held, constraints, rows, None, seen, broken, listed, before.values, anew)
