"""What people amend, hold and decide, broken on purpose: each puts one thing wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from orchestrator.errors import OrchestratorError
from orchestrator.runtime import conductor
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.runtime.requests.amendments import Amended
from orchestrator.runtime.requests.decisions import sentence_for
from orchestrator.runtime.requests.desk import Waiting
from orchestrator.runtime.requests.front_desk import FrontDesk
from orchestrator.runtime.requests.kinds import Verdict
from orchestrator.runtime.turn import Turn
from orchestrator.scheduler import machine
from orchestrator.scheduler.amendment_events import (
    Amendment,
    ObservationsForgotten,
    PointsAdded,
    ValuesAmended,
)
from orchestrator.scheduler.commands import OptimiserCommand, Rebuild
from orchestrator.scheduler.events import Decision, RunResumed
from orchestrator.scheduler.handling import amending, asking, crew, trials, verdicts
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase


def handled_by(patch: pytest.MonkeyPatch, kind: type, handler: Callable[[Step, Any], None]) -> None:
    patch.setattr(Scheduler, "handlers", {**Scheduler.handlers, kind: handler})


# -- what people amend ------------------------------------------------------------------------------------


def a_pause_is_lost_at_recovery(patch: pytest.MonkeyPatch) -> None:
    """Whoever takes a paused run over goes on with it."""
    resumed = Scheduler.handlers[RunResumed]

    def run_resumed(step: Step, event: RunResumed) -> None:
        resumed(step, event)
        if step.state.phase is Phase.PAUSED:
            step.state.paused, step.state.phase = False, Phase.ACTIVE

    handled_by(patch, RunResumed, run_resumed)


def a_new_process_is_told_what_was_forgotten(patch: pytest.MonkeyPatch) -> None:
    """The optimiser that lives begins anew; the next one is told the history as it was."""
    note = OptimiserHistory.note

    def note_all_but_rebuilds(self: OptimiserHistory, commands: Iterable[object]) -> None:
        note(self, [command for command in commands if not isinstance(command, Rebuild)])

    patch.setattr(OptimiserHistory, "note", note_all_but_rebuilds)


def what_gave_no_value_stays_with_the_model(patch: pytest.MonkeyPatch) -> None:
    """Values alone are forgotten: failures are not, nor what was foreseen."""

    def values_forgotten(step: Step, event: ObservationsForgotten) -> None:
        valued = {trial.number for trial in step.state.observed if trial.value is not None}
        amending.amended(step, replace(event, trials=tuple(valued.intersection(event.trials))))

    handled_by(patch, ObservationsForgotten, values_forgotten)


def an_amendment_is_taken_again(patch: pytest.MonkeyPatch) -> None:
    """Nobody remembers which request an amendment was made for."""
    amended = amending.amended

    def amended_and_forgotten(step: Step, event: Amendment) -> None:
        amended(step, event)
        step.state.requests.clear()

    for kind in get_args(Amendment):
        handled_by(patch, kind, amended_and_forgotten)


def an_amendment_is_accepted_before_it_is_safe(patch: pytest.MonkeyPatch) -> None:
    """A person is told that it is done when it is about to be."""
    amend = FrontDesk._amend

    def amend_and_answer(self: FrontDesk, waiting: Waiting, decided: Amended | OrchestratorError) -> None:
        amend(self, waiting, decided)
        if isinstance(decided, Amended):
            self.committed(decided.events)

    patch.setattr(FrontDesk, "_amend", amend_and_answer)


def points_of_an_earlier_model_count(patch: pytest.MonkeyPatch) -> None:
    """An ask that was under way when the bounds were amended is still waited for."""
    rebuild = amending.rebuild

    def rebuild_and_wait(step: Step) -> None:
        awaited = step.state.optimiser.asking
        rebuild(step)
        step.state.optimiser.asking = awaited

    patch.setattr(amending, "rebuild", rebuild_and_wait)


def what_was_asked_before_points_were_added_counts(patch: pytest.MonkeyPatch) -> None:
    """An answer that knows nothing of them is still waited for, and its trials get other numbers."""

    def added(step: Step, event: PointsAdded) -> None:
        awaited = step.state.optimiser.asking
        amending.amended(step, event)
        step.state.optimiser.asking = awaited

    handled_by(patch, PointsAdded, added)


# -- what people hold ----------------------------------------------------------------------------------------


def what_is_held_is_lost_at_recovery(patch: pytest.MonkeyPatch) -> None:
    """Whoever takes a run over chooses all parameters again."""
    resumed = Scheduler.handlers[RunResumed]

    def run_resumed(step: Step, event: RunResumed) -> None:
        resumed(step, event)
        step.state.policy = replace(step.state.policy, where=replace(step.state.policy.where, held={}))

    handled_by(patch, RunResumed, run_resumed)


def what_waits_elsewhere_is_evaluated(patch: pytest.MonkeyPatch) -> None:
    """The queue goes on as it was when something is held."""
    patch.setattr(State, "may_wait", lambda self, trial: self.inside(trial.parameters))


def the_best_is_anywhere(patch: pytest.MonkeyPatch) -> None:
    """A value counts as the best wherever it is from."""
    patch.setattr(Policy, "elsewhere", lambda _self, _parameters: ())


def what_was_fixed_is_told_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """A model that took what is held for fixed hears of other values, and does not begin anew."""
    patch.setattr(trials, "away", lambda _places, _parameters: ())


def something_is_asked_between_parts_of_an_amendment(patch: pytest.MonkeyPatch) -> None:
    """The optimiser is asked where parameters are held as soon as they are, before the bounds follow."""

    def all_of_them(turn: Turn) -> list[OptimiserCommand]:
        return [command for command in turn.commands if isinstance(command, OptimiserCommand)]

    patch.setattr(Turn, "for_optimiser", property(all_of_them))


# -- what rounds share, and parts of points -----------------------------------------------------------------


def rounds_run_beside_each_other(patch: pytest.MonkeyPatch) -> None:
    """Whatever waits goes to whoever is idle, as where trials share nothing."""
    patch.setattr(State, "shared_now", property(lambda _self: {}))


def parts_of_points_are_lost_with_an_ask_that_is_not_waited_for(patch: pytest.MonkeyPatch) -> None:
    """That they were asked for is taken for their being tried."""
    ask = asking.ask_if_short

    def ask_and_forget(step: Step) -> None:
        before = step.state.optimiser.asking
        ask(step)
        if before is None and step.state.optimiser.asking is not None:
            step.state.waiting.parts = step.state.waiting.parts[step.state.optimiser.asking :]

    patch.setattr(machine, "ask_if_short", ask_and_forget)


# -- how values come of results ------------------------------------------------------------------------------


def what_came_keeps_its_value(patch: pytest.MonkeyPatch) -> None:
    """Another formula holds for what comes from then on."""

    def values_amended(step: Step, event: ValuesAmended) -> None:
        amending.amended(step, replace(event, anew=()))

    handled_by(patch, ValuesAmended, values_amended)


def what_was_read_otherwise_counts(patch: pytest.MonkeyPatch) -> None:
    """A worker that was told of another output is believed."""
    for asker in (verdicts, crew):
        patch.setattr(asker, "is_read_otherwise", lambda _state, _lease: False)


def what_comes_beside_another_formula_is_of_the_one_before(patch: pytest.MonkeyPatch) -> None:
    """A result is judged when it comes, whatever came before it in the same turn."""
    patch.setattr(conductor, "by_now", lambda event, _before, _spec, _state: event)


# -- what people decide -----------------------------------------------------------------------------------


def a_decision_is_taken_again(patch: pytest.MonkeyPatch) -> None:
    """Nobody remembers which request a decision was made for."""
    takes = State.takes

    def takes_and_forgets(self: State, event: Amendment | Decision) -> bool:
        taken = takes(self, event)
        if isinstance(event, Decision):
            self.requests.discard((event.request, type(event).__name__))
        return taken

    patch.setattr(State, "takes", takes_and_forgets)


def a_decision_is_said_to_be_done_before_it_is_safe(patch: pytest.MonkeyPatch) -> None:
    """A person is told so when it is about to be."""
    decide = FrontDesk._decide

    def decide_and_answer(self: FrontDesk, path: Path, request: Any, *, new: bool = False) -> None:
        decide(self, path, request, new=new)
        if path not in self._answered:
            self._answer(path, Verdict(True, sentence_for(request, self._scheduler.state)))

    patch.setattr(FrontDesk, "_decide", decide_and_answer)
