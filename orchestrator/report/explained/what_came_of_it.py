"""What became of a trial, in sentences, and how its value compares with what was predicted."""

from __future__ import annotations

import math
from collections.abc import Iterator

from orchestrator.report.explained.case import Case
from orchestrator.report.own_of_trials import own_of
from orchestrator.report.searches.problem_as_spec import FUNCTION
from orchestrator.report.seen.schedule_in_words import schedule_words
from orchestrator.report.seen.trade_offs import objective_words, objectives_of
from orchestrator.report.words.goals import goals_of, units_of
from orchestrator.report.words.going_on import why_anew
from orchestrator.report.words.wording import (
    counted,
    duration,
    finite_number,
    first_line,
    number,
    number_beside,
    plainly,
    where_words,
)
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial, is_refused
from orchestrator.values.block_name import BY_WORKER
from orchestrator.values.printable import printable


def what_came_of_it(case: Case) -> Iterator[str]:
    """A sentence for each thing that is known by now."""
    trial = case.trial
    if case.note:
        yield f"{case.note[:1].upper()}{case.note[1:]}."
    match trial.state:
        case TrialState.QUEUED:
            if case.spec.evaluation.evaluator == FUNCTION:
                yield "It is begun again where its program is run again."
                return
            waiting = "It waits for a worker" if not trial.attempts.failed else "It waits to be tried again"
            yield f"{waiting}{'.' if trial.approved else ', once it is approved.'}"
        case TrialState.RUNNING:
            where = f"on {_where(case)}, attempt {trial.attempts.begun}"
            gone = case.last_heard_of
            yield f"It ran {where}, when the run was last heard of." if gone else f"It runs {where}."
        case TrialState.COMPLETED if trial.value is None:
            yield "It was carried out, and has no value: people compare trials."
            yield from case.as_one
        case TrialState.COMPLETED:
            yield from _value(case)
        case TrialState.FAILED if trial.attempts.begun and is_refused(trial):
            yield f"After {counted(trial.attempts.begun, 'attempt')} it was {trial.message}."
        case TrialState.FAILED:
            if begun := trial.attempts.begun:
                yield f"It failed for good after {counted(begun, 'attempt')}, the last time so:"
            else:
                yield "It was never begun:"
            yield from (f"  {line}" for line in trial.message.splitlines())
        case TrialState.STOPPED:
            yield from _stopped(case)
        case TrialState.ABANDONED:
            yield f"It was abandoned: {trial.message or 'the run ended'}."
    yield from case.anew
    if trial.attempts.failed and trial.state is not TrialState.FAILED:
        # Once a trial is settled, its message is of that.
        told = trial.message if trial.state in (TrialState.QUEUED, TrialState.RUNNING) else ""
        last = f"; the last time: {first_line(told)}" if told else ""
        yield f"{counted(trial.attempts.failed, 'attempt')} failed before{last}."
    objectives = goals_of(case.spec) if trial.value is not None else {}
    for name, value in trial.extras.items():
        if name not in objectives and name != case.spec.blocks:
            yield f"{name}: {plainly(value)}"
    yield from _block(case)
    if case.ending:
        yield case.ending


def _block(case: Case) -> Iterator[str]:
    """Which one it is of, where that is not said with its worker."""
    blocks, trial = case.spec.blocks, case.trial
    if blocks is None:
        return
    beside = trial.worker if blocks == BY_WORKER else trial.own.get(blocks)
    if case.block and case.block != beside:
        yield f"{blocks}: {case.block}"


def _where(case: Case) -> str:
    """Its worker, with what that had of its own, and who said what came of it."""
    worker, by = case.trial.worker or "", case.trial.by
    own = [f"{name}={printable(value)}" for name, value in own_of(case.trial, case.spec).items()]
    told = ", ".join([*own, *([f"by the word of {by}"] if by else [])])
    return f"{worker} ({told})" if told else worker


def _stopped(case: Case) -> Iterator[str]:
    seen = case.trial.forecast
    assert seen is not None
    yield f"It was {case.trial.message}."
    name = case.spec.objective.name
    foreseen = (
        f"{name} = {number(seen.mean)} ± {number(seen.deviation, 2)} {units_of(case.spec).get(name, '')}"
    )
    foreseen = foreseen.rstrip()
    until = " until then" if case.trial.forgotten else ""
    yield f"By its curve it would have come to {foreseen}, which is what the model was told{until}."


def _value(case: Case) -> Iterator[str]:
    trial, objective = case.trial, case.spec.objective
    assert trial.value is not None
    noise = "" if trial.variance is None else f" ± {number(math.sqrt(trial.variance), 3)} by its own report"
    took = f", after {duration(trial.elapsed)} on {_where(case)}" if trial.elapsed else ""
    best = None if case.best_now is None else case.best_now.value
    beside_best = {} if best is None else {objective.name: best}
    units = units_of(case.spec)
    words = f"{objective_words({objective.name: trial.value}, beside_best, units, 6)}{noise}"
    if further := {one.name for one in case.spec.further_objectives}:
        told = objectives_of(case.spec, trial)
        beside = {name: value for name, value in told.items() if name in further}
        words = f"{words}, {objective_words(beside, {}, units, 6)}"
    yield f"{words}{took}."
    yield from _went_on(trial, case.unfounded)
    # What was predicted of another value says nothing of this one.
    if trial.suggested.mean is not None and case.values == case.values_now:
        yield _surprise(case, trial.value, trial.suggested.mean)
    if case.best_now is not None and case.best_now.number == trial.number:
        yield "It is the best so far."
    elif case.best_now is not None and best is not None:
        yield f"The best so far is {number_beside(best, trial.value, 6)}, {_whose(case.best_now.number)}."
    yield from case.as_one
    yield from (f"{words}." for words in schedule_words(case.schedule, case.spec.accumulates))
    if trial.factors:
        yield f"Its factors: {', '.join(number(value) for value in trial.factors)}."


def _went_on(trial: Trial, unfounded: bool) -> Iterator[str]:
    """Whether it went on from the trial that it was to go on from."""
    if trial.suggested.continues and trial.continued:
        forgotten = ", which is forgotten" if unfounded else ""
        yield f"It went on from what trial {trial.suggested.continues} left{forgotten}."
    elif trial.went_on is False:
        words = why_anew(trial, unfounded)
        yield f"{words[:1].upper()}{words[1:]}."


def _whose(number_of_trial: int) -> str:
    where = where_words(number_of_trial)
    return f"of {where}" if number_of_trial > 0 else where


def _surprise(case: Case, value: float, mean: float) -> str:
    """How the value compares with its prediction, the trial's own noise counted in."""
    deviation = case.trial.suggested.deviation
    known = case.spec.objective.noise
    inferred = finite_number(case.trial.suggested.why.get("noise")) or 0.0
    reported = math.sqrt(case.trial.variance or 0.0)
    noise = reported or (float(known) if isinstance(known, int | float) else inferred)
    it = f"Its {case.spec.objective.name}" if case.spec.further_objectives else "That"
    if case.spec.objective.threshold is not None:
        side = "higher" if value > mean else "lower"
    else:
        side = "better" if (value > mean) == (case.spec.objective.goal == "maximise") else "worse"
    # Of a large number there is no square.
    if deviation is None or (spread := math.hypot(deviation, noise)) <= 0.0:
        return f"{it} is {number(abs(value - mean), 3)} {side} than predicted."
    score = abs(value - mean) / spread
    if score < 1.0:
        return f"{it} is what was expected: within one standard deviation ({score:.1f} of one off)."
    strength = "somewhat " if score < 2.0 else "" if score < 4.0 else "far "
    # A penalty may be off by a number that fills a screen.
    by = f"{score:.1f}" if score < 1000.0 else "over 1,000"
    return f"{it} is {strength}{side} than expected, by {by} standard deviations."
