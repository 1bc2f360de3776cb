"""Who decides over the run from another terminal, evaluates by hand, amends, and sometimes talks nonsense."""

from __future__ import annotations

import typing
from random import Random
from typing import TYPE_CHECKING, Any

import formulas
import holding
from virtual_child import WAVE, objective

from orchestrator.runtime.requests.kinds import Amend, Approve, Budgets, Record, RecordFailure, Refuse
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.rules.budgets import BudgetName
from orchestrator.scheduler.state import State

if TYPE_CHECKING:
    from laboratory import Laboratory


def a_person_decides(lab: Laboratory) -> None:
    """Approves what waits, or refuses some trial."""
    state = lab.witness.state
    if lab.chance.random() < 0.2:
        if state.unsettled:
            trial = lab.chance.choice(list(state.unsettled))
            lab.desk.leave(Refuse(trial, "ugly", forget=trial % 2 == 0))
    else:
        approves(lab)


def approves(lab: Laboratory) -> None:
    """The first trial that waits for it, unless a request about it lies there already."""
    state = lab.witness.state
    asked = [request.trial for request in lab.desk.requests.values() if isinstance(request, Approve)]
    waiting = [n for n in state.waiting.queue if not state.trials[n].approved and n not in asked]
    if waiting:
        lab.desk.leave(Approve(waiting[0]))


def evaluates(lab: Laboratory) -> None:
    """A trial that is theirs, or what they take for one; nothing while they wait for an answer about it."""
    chance, state, handed_out = lab.chance, lab.witness.state, lab.witness.handed_out
    asked = {getattr(request, "trial", None) for request in lab.desk.requests.values()}
    theirs = [n for n in handed_out if n in state.unsettled and n not in asked]
    if chance.random() < 0.1:
        theirs = list(handed_out)
    if not theirs:
        return
    trial = chance.choice(theirs)
    if chance.random() < 0.2:
        lab.desk.leave(RecordFailure(trial, "it fell off"))
    else:
        found = objective(handed_out[trial])
        computed = lab.spec.objective.is_computed
        lab.desk.leave(Record(trial, None, extras={WAVE: found}) if computed else Record(trial, found))


def a_person_amends(lab: Laboratory) -> None:
    """One thing or several, as the run stands, or as it stood when they last looked."""
    chance, state = lab.chance, lab.witness.state
    kinds = ["bounds", "budgets", "results", "forget", "paused"]
    parts: dict[str, Any] = {}
    for kind in chance.sample(kinds, chance.choice([1, 1, 1, 2, 3])):
        parts[kind] = _PARTS[kind](chance, state)
    if lab.holder is not None:
        _amends_the_second_too(lab.holder, state, parts)
    parts |= {"results": [formulas.known(lab.spec, one) for one in parts.get("results", ())]}
    lab.desk.leave(Amend(**parts, reason="" if chance.random() < 0.1 else "a spider sat in it"))


def _amends_the_second_too(chance: Random, state: State, parts: dict[str, Any]) -> None:
    """Of a run with two parameters."""
    if "bounds" in parts and chance.random() < 0.5:
        parts["bounds"]["y"] = (0.4 * chance.random(), 1.0 - 0.4 * chance.random())
    if "results" in parts:
        parts["results"] = [_also_at(chance.choice(holding.PLACES), known) for known in parts["results"]]
    if chance.random() < 0.6:
        if chance.random() < 0.5:
            parts.clear()
        parts.update(holding.amends(chance, state.policy))
    if "y" in parts.get("held", ()) and chance.random() < 0.3:
        # Around it: what is held so far may lie outside.
        place = parts["held"]["y"]
        parts["bounds"] = {**parts.get("bounds", {}), "y": (place - 0.1, place + 0.1)}


def _also_at(y: float, known: KnownResult) -> KnownResult:
    point = {**known.parameters, "y": y}
    return KnownResult(parameters=point, value=objective(point))


def wants_an_end(lab: Laboratory) -> None:
    """When all is calm: a run that is paused goes on, and one without an end is given one."""
    state = lab.witness.state
    if any(isinstance(request, Amend) for request in lab.desk.requests.values()):
        return
    if state.paused:
        lab.desk.leave(Amend(paused=False))
    elif state.policy.budget.trials is None:
        lab.desk.leave(Amend(budgets=Budgets(trials=max(1, state.budgeted))))


def _bounds(chance: Random, state: State) -> dict[str, tuple[float, float]]:
    del state
    if chance.random() < 0.5:
        return {"x": (0.6 * chance.random(), 1.0 - 0.4 * chance.random())}
    return {"x": (-chance.random(), 1.0 + chance.random())}


def _budgets(chance: Random, state: State) -> Budgets:
    if chance.random() < 0.6:
        return Budgets(trials=max(0, state.budgeted + chance.randint(-1, 3)))
    return Budgets(
        time_s=chance.choice([None, state.at + 60.0 * chance.random()]),
        patience=chance.choice([None, 2]),
        target=chance.choice([None, 1.2]),
        expected_gain=chance.choice([None, 0.2, 0.7]),
        lifted=tuple(chance.sample(typing.get_args(BudgetName), chance.randint(0, 2))),
    )


def _results(chance: Random, state: State) -> list[KnownResult]:
    low, high = state.amended.bounds.get("x", (0.0, 1.0))
    points = [{"x": low + (high - low) * 1.1 * chance.random()} for _ in range(chance.randint(1, 2))]
    return [KnownResult(parameters=point, value=objective(point)) for point in points]


def _forget(chance: Random, state: State) -> list[int]:
    if not state.observed or chance.random() < 0.1:
        return [chance.randint(-2, 9)]
    return [trial.number for trial in chance.sample(state.observed, min(len(state.observed), 2))]


def _paused(chance: Random, state: State) -> bool:
    return not state.paused if chance.random() < 0.8 else state.paused


_PARTS = {"bounds": _bounds, "budgets": _budgets, "results": _results, "forget": _forget, "paused": _paused}
