"""What was amended of a run, in words: for its status, and beside the trials that it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from orchestrator.report.words.no_best import note_of_lacking
from orchestrator.report.words.wording import counted, duration, listed, number
from orchestrator.scheduler.comparisons import weighs
from orchestrator.scheduler.corrections import corrections
from orchestrator.scheduler.rules.added_candidates import more_words
from orchestrator.scheduler.rules.amended_constraints import constraint_words
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, values_words
from orchestrator.scheduler.rules.bounds import bounds_words
from orchestrator.scheduler.rules.budgets import BudgetName, by_name, words_of
from orchestrator.scheduler.rules.places import Places, place_words, written
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial, is_added, is_refused
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import changes_of, travels_of
from orchestrator.values.block_name import BY_DAY
from orchestrator.values.change import Changes
from orchestrator.values.change import words_of as words_of_change
from orchestrator.values.printable import printable
from orchestrator.values.travel import Travels


def amendment_words(spec: Spec, state: State) -> tuple[str, ...]:
    """How a run differs from its spec, a line a kind; none where nothing was amended."""
    lines: list[str] = []
    if state.amended.bounds:
        lines.append(bounds_words(state.amended.bounds))
    lines += map(printable, _held(spec.held, state.policy.where.held))
    # Nobody amends which day it is.
    if state.block and spec.blocks != BY_DAY:
        lines.append(f"{printable(spec.blocks or '')} {printable(state.block)} lies there now")
    lines += _constraints(spec.constraints, state)
    if state.amended.candidates:
        lines.append(f"{more_words(state.amended.candidates)} than the spec lists")
    if state.amended.values != AS_GIVEN:
        lines.append(printable(values_words(state.amended.values.objective, state.amended.values.output)))
    lines += _travels(travels_of(spec.parameters), state.policy.where.travel)
    lines += _changes(changes_of(spec.parameters), state.policy.where.changes)
    if state.apparatus.put_at:
        lines.append(f"the machine was put at {place_words(state.apparatus.put_at)}")
    given, now = by_name(spec.budget), by_name(state.policy.budget)
    budgets = [
        f"{words_of(name)} {_said(name, now[name])} instead of {_said(name, given[name])}"
        for name in given
        if given[name] != now[name]
    ]
    if budgets:
        lines.append(", ".join(budgets))
    jobs, at_most = spec.workers.jobs, state.jobs.at_most
    if jobs is not None and at_most is not None and at_most != jobs.at_most:
        lines.append(f"{counted(at_most, 'job')} at a time instead of {jobs.at_most}")
    if state.optimiser.model:
        anew = corrections(state)
        if corrected := _by_kind(state.trials[number] for number in anew):
            lines.append(f"{corrected} corrected")
        # What a trial was corrected to counts with it.
        own = (trial for trial in state.observed if trial.forgotten and not trial.stands_for)
        if forgotten := _by_kind(trial for trial in own if trial.number not in anew):
            lines.append(f"{forgotten} forgotten")
        believed = [trial for trial in state.observed if weighs(state, trial) and not trial.forgotten]
        if outside := sum(not state.counts(trial) for trial in believed):
            lines.append(f"{counted(outside, _one(state))} outside the bounds, left out of the model")
    if state.tally.added and (
        added := state.tally.added - sum(trial.stands_for > 0 for trial in state.observed)
    ):
        lines.append(f"{counted(added, 'known result')} added")
    if state.tally.points_added:
        lines.append(f"{counted(state.tally.points_added, 'point')} added to be tried")
    return tuple(lines)


def _constraints(given: Sequence[str], state: State) -> Iterator[str]:
    """What holds that the spec does not say, or no longer, and how many values do not satisfy it."""
    now = state.amended.constraints.among(given)
    added = [text for text in now if text not in given]
    withdrawn = [text for text in given if text not in now]
    if added or withdrawn:
        yield printable(constraint_words(added, withdrawn))
    if not (amended := set(state.amended.constraints.added)):
        # All results are gone through for the rest, and there are several views a second.
        return
    weighed = [trial for trial in state.observed if weighs(state, trial) and state.counts(trial)]
    if broken := sum(not amended.isdisjoint(trial.broken) for trial in weighed):
        yield f"{counted(broken, _one(state))} beyond what was added, learned from, and no best"


def _one(state: State) -> str:
    return "trial" if state.policy.results.compared else "value"


def _travels(given: Travels, now: Travels) -> Iterator[str]:
    """Each parameter that may travel otherwise than the spec says."""
    for name in {**given, **now}:
        if given.get(name) != now.get(name):
            before = f" instead of {given[name].words}" if name in given else ""
            yield printable(f"{name} may travel {now[name].words if name in now else 'anywhere'}{before}")


def _changes(given: Changes, now: Changes) -> Iterator[str]:
    """Each parameter that takes other times to change than the spec says."""
    for name in {**given, **now}:
        if given.get(name) != now.get(name):
            takes = f"takes {words_of_change(now[name])} to change" if name in now else "changes at once"
            before = f" instead of {words_of_change(given[name])}" if name in given else ""
            yield printable(f"{name} {takes}{before}")


def _held(given: Places, now: Places) -> Iterator[str]:
    """Each parameter that is held elsewhere than the spec says, or that one of them alone holds."""
    for name in {**given, **now}:
        if name not in now:
            yield f"{name} is chosen, no longer held at {written(given[name])}"
        elif name not in given:
            yield f"{name} is held at {written(now[name])}"
        elif now[name] != given[name]:
            yield f"{name} is held at {written(now[name])} instead of {written(given[name])}"


def _by_kind(trials: Iterable[Trial]) -> str:
    """``2 values and 1 failure``, or nothing; ``1 trial`` where none has a value."""
    kinds = Counter(map(_kind, trials))
    order = ("value", "trial", "failure", "forecast")
    return listed([counted(kinds[kind], kind) for kind in order if kinds[kind]])


def _kind(trial: Trial) -> str:
    """What came of a trial of which anything did."""
    if trial.forecast is not None:
        return "forecast"
    if trial.value is not None:
        return "value"
    return "trial" if trial.state is TrialState.COMPLETED else "failure"


def _said(name: BudgetName, value: float | None) -> str:
    if value is None:
        return "none"
    return duration(value) if name == "time" else number(value)


def trial_note(trial: Trial, state: State, anew: Trial | None) -> str:
    """Why nothing follows from what came of a trial, or no best; or nothing. ``anew``: what it was corrected
    to, if it was.
    """
    if trial.forgotten:
        was = {"failure": "failed", "forecast": "was stopped", "trial": "was carried out"}.get(_kind(trial))
        if is_refused(trial):
            was = "was refused"
        said = "forgotten"
        if anew is not None:
            said = "corrected" + ("" if anew.value is None else f" to {number(anew.value, 8)}")
        note = f"{said} (it {was or f'was {number(trial.value, 8)}'}): {trial.forgotten}"
        lacking = "" if anew is None else _no_best(anew, state)
        return f"{note}; {lacking}" if lacking else note
    return _no_best(trial, state)


def _no_best(trial: Trial, state: State) -> str:
    if weighs(state, trial) and not state.inside(trial.parameters):
        return "outside the amended bounds, left out of the model"
    # By the clock none may be the best, which is nothing of this one's own.
    lacking = note_of_lacking(state, trial) if weighs(state, trial) else ""
    return f"{lacking}, still learned from" if lacking else ""


def added_words(trial: Trial) -> str:
    """``tried at the word of Ada: REASON``, of what a person added; else nothing."""
    if not is_added(trial):
        return ""
    by, reason = trial.suggested.why.get("by"), trial.suggested.why.get("reason")
    whose = f"the word of {by}" if by else "a person's word"
    return f"tried at {whose}: {reason}" if reason else f"tried at {whose}"
