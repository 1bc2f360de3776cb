"""`orchestrator explain RUN TRIAL`: why this point, and what became of it, in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.errors import UsageError
from orchestrator.report.amendment_words import trial_note
from orchestrator.report.believed import where_words
from orchestrator.report.explained_trade_off import OnTheFront, trade_off_words
from orchestrator.report.hyperparameter_words import hyperparameters_in_words
from orchestrator.report.trade_offs import (
    goals_of,
    objective_words,
    objectives_of,
    ranges_words,
    trade_offs_of,
)
from orchestrator.report.uncounted import uncounted_words
from orchestrator.report.wording import (
    NAMED,
    counted,
    duration,
    finite_number,
    first_line,
    listed,
    number,
    number_beside,
    parameter_words,
    plainly,
    printable,
    varied_parameters,
)
from orchestrator.scheduler.events import Event, RemainingGainEstimated, RunStarted, SuggestionsMade
from orchestrator.scheduler.gain import expected
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.policy import Policy
from orchestrator.scheduler.state import Trial
from orchestrator.scheduler.story import story
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.spec.model import Spec

PROMISED = "It is where the model, given every result so far, promised most."
DRAWN = (
    "It is the top of a function drawn from the model: given every result so far, it may be the best point "
    "there is."
)

SEARCHED = {
    "local": "It was looked for in the region that is searched closely.",
    "global": "It was looked for everywhere.",
    "doubting": "Little was expected anywhere: it was looked for where the models may be wrong.",
    "front": "It was looked for everywhere, for what the front of trade-offs gains by it.",
    "nearby": "It was looked for about one of the trade-offs, for what their front gains by it.",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A trial, with what was known when it was chosen.

    ``answer`` is the optimiser's answer that it was part of; ``best_before`` the best value at that time,
    and ``gain`` what the model had last said of what was left to gain over it; ``note`` why nothing follows
    from its value; ``ending`` that the run is over, and why, if it is. ``trade_offs`` says of several
    objectives what was traded off then, and ``as_one`` how the trial stands among the trade-offs now.
    """

    spec: Spec
    trial: Trial
    answer: SuggestionsMade | None
    best_before: float | None
    best_now: Trial | None
    steps: Sequence[str]
    note: str = ""
    gain: RemainingGainEstimated | None = None
    ending: str = ""
    trade_offs: str = ""
    as_one: Sequence[str] = ()


def explain(spec: Spec, policy: Policy, events: Sequence[Event], number_of_trial: int) -> str:
    """The words. Raises `UsageError` if there is no such trial."""
    return "\n".join(_paragraphs(_case(spec, policy, events, number_of_trial))) + "\n"


def _case(spec: Spec, policy: Policy, events: Sequence[Event], wanted: int) -> Case:
    scheduler = Scheduler(policy)
    answer: SuggestionsMade | None = None
    best_before: float | None = None
    gain: RemainingGainEstimated | None = None
    front, followed = scheduler.state.front, OnTheFront(wanted)
    for event in events:
        was_there = wanted in scheduler.state.trials
        best, front_before = scheduler.state.best, scheduler.state.front
        scheduler.handle(event)
        followed.take(scheduler.state)
        if not was_there and wanted in scheduler.state.trials:
            front = front_before
            best_before = None if best is None or isinstance(event, RunStarted) else best.value
            answer = event if isinstance(event, SuggestionsMade) else None
            gain = scheduler.state.gains[-1] if answer is not None and scheduler.state.gains else None
    state = scheduler.state
    trial = state.trials.get(wanted)
    if trial is None:
        have = f"trials 1 to {len(state.trials)}" if state.trials else "no trials yet"
        raise UsageError(f"expected the number of a trial of this run, which has {have}, got {wanted}")
    steps = list(_steps(story(policy, events, wanted), trial))
    ending = ""
    if state.phase is Phase.FINISHED:
        ending = f"The run {'has stopped' if scheduler.state.resumable else 'is over'}: {state.ending}."
    note = trial_note(trial, state)
    then = ""
    if front:
        ranges = ranges_words(trade_offs_of(spec, policy, front))
        there = "There was" if len(front) == 1 else "There were"
        then = f"{there} {counted(len(front), 'trade-off')} then: {ranges}."
    as_one = tuple(trade_off_words(state, trial, followed)) if policy.further else ()
    return Case(spec, trial, answer, best_before, state.best, steps, note, gain, ending, then, as_one)


def _steps(lines: Iterator[str], trial: Trial) -> Iterator[str]:
    """The lines of the story that are about the trial, or happened to it while it was unsettled."""
    about = re.compile(rf"\b(trial {trial.number}\b|(lease |stop ){trial.number}\.\d)")
    given = re.compile(rf" s  trial {trial.number} goes to (.*) as lease ")
    holder = ""
    for entry in lines:
        line = entry.splitlines()[0]
        at = float(line.split(" s ", 1)[0])
        in_its_time = trial.queued_at <= at and (trial.settled_at is None or at <= trial.settled_at)
        if found := given.search(line):
            holder = found[1]
        told = line.split(" s  ", 1)[1]
        # Why a lease came to nothing, where it did.
        gone = holder and told.startswith((f"{holder} was lost: ", f"{holder} left: "))
        if about.search(line) or (in_its_time and (gone or "resumed at" in line)):
            # The parameters were said before.
            yield printable(re.sub(r"( is made): .*", r"\1", line))


def _paragraphs(case: Case) -> Iterator[str]:
    trial = case.trial
    yield f"Trial {trial.number} of {case.spec.experiment}"
    for name, text in parameter_words(case.spec, trial.parameters, 6):
        yield f"  {name} = {text}"
    for words in uncounted_words(case.spec, trial.parameters):
        yield f"  {words}"
    yield ""
    yield "Why this point"
    yield from _indented(_why(case))
    yield ""
    yield "What came of it"
    yield from _indented(_outcome(case))
    yield ""
    yield "Its story"
    yield from case.steps


def _indented(sentences: Iterator[str]) -> Iterator[str]:
    for sentence in sentences:
        yield f"  {printable(sentence)}"


# -- why ------------------------------------------------------------------------------------------------


def _why(case: Case) -> Iterator[str]:
    trial, why = case.trial, case.trial.why
    if case.answer is not None:
        beside = len(case.answer.suggestions) - 1
        others = f", together with {counted(beside, 'other point')}" if beside else ""
        taken = f", in {duration(case.answer.seconds)}" if case.answer.seconds else ""
        yield (
            f"{case.spec.algorithm.name} chose it {duration(trial.queued_at)} into the run, in answer to ask "
            f"{case.answer.ask}{others}{taken}."
        )
    source = str(why.get("source", ""))
    yield {
        "spec": "The spec lists it among the points to start from.",
        "start design": "It belongs to the start design, which spreads points until there is a model.",
        "random": "It was drawn at random: no model had a say in it.",
        "model": DRAWN if why.get("drawn") else PROMISED,
    }.get(source, f"Its source: {source}." if source else "The optimiser gave no reason for it.")
    insight = case.answer.insight if case.answer is not None else {}
    yield from _member(why, insight)
    # The top of a draw has no share of it: the draw is mean and departure at once.
    if not why.get("drawn") and (exploration := finite_number(why.get("exploration"))) is not None:
        yield _exploration(exploration)
    if (chance := finite_number(why.get("feasible"))) is not None:
        yield f"That it would satisfy the constraints on outcomes was held to be {_percent(chance)} likely."
    if trial.mean is not None:
        spread = (
            "" if trial.deviation is None else f" ± {number(trial.deviation, 3)} (one standard deviation)"
        )
        before = ""
        if case.best_before is not None:
            before = f"; the best value then was {number_beside(case.best_before, trial.mean)}"
        mean = number_beside(trial.mean, case.best_before)
        others = "".join(_others_predicted(case.spec, why))
        yield f"Predicted there: {case.spec.objective.name} = {mean}{spread}{others}{before}."
        if (noise := finite_number(why.get("noise"))) is not None:
            yield f"An evaluation's noise was taken for ± {number(noise, 3)}."
    elif case.best_before is not None:
        yield f"The best value then was {number(case.best_before)}."
    if case.trade_offs:
        yield case.trade_offs
    if case.gain is not None:
        yield f"By then the model expected {number(expected(case.gain), 3)} to be left to gain over that."
    if source not in ("spec", "start design", "random"):
        yield from _structure(case.spec, why, insight)
    if (place := str(why.get("search"))) in SEARCHED:
        yield SEARCHED[place]
    told = {"source", "member", "drawn", "exploration", "noise", "parts", "feasible", "further"}
    told |= {"search"} if place in SEARCHED else set()
    for key, value in why.items():
        if key not in told:
            yield f"{key.replace('_', ' ')}: {plainly(value)}"
    for note in insight.get("notes") or ():
        yield f"The optimiser noted: {note}."


def _others_predicted(spec: Spec, why: Mapping[str, Any]) -> Iterator[str]:
    for objective, one in zip(spec.further_objectives, why.get("further") or (), strict=False):
        mean, deviation = finite_number(one.get("mean")), finite_number(one.get("deviation"))
        if mean is not None and deviation is not None:
            yield f", {objective.name} = {number(mean)} ± {number(deviation, 3)}"


def _member(why: Mapping[str, Any], insight: Mapping[str, Any]) -> Iterator[str]:
    weights = {str(name): float(weight) for name, weight in (insight.get("weights") or {}).items()}
    member = why.get("member")
    if member is not None and (not weights or list(weights) == [member]):
        # A member whose decomposition is the only one is named by it, further down.
        if not (weights and insight.get("decomposition")):
            yield f"Its model was `{member}`."
    elif member in weights:
        weight = _percent(weights[str(member)])
        yield f"Of the ensemble, the member `{member}` had the say, which had a weight of {weight} then."
    elif member is not None:
        yield f"A model beside the ensemble had the say: {member}."
    ranked = sorted(((w, n) for n, w in weights.items() if n != member), reverse=True)
    if ranked:
        named = [f"{name} {_percent(weight)}" for weight, name in ranked[:NAMED]]
        if len(ranked) > NAMED:
            named.append(f"{len(ranked) - NAMED:,} more")
        whose = "The ensemble's members"
        if member in weights:
            whose = "The other members"
        elif member is None and len(ranked) > 1:
            whose = "It averages over the ensemble's members, which"
        yield f"{whose} were believed in with {listed(named)}."


def _exploration(share: float) -> str:
    if not 0.0 <= share <= 1.0:
        return f"Exploration in its score: {number(share, 3)}."
    leaning = (
        "mostly to learn"
        if share > 0.6
        else "mostly to gain"
        if share < 0.4
        else "to learn and to gain alike"
    )
    said = _percent(share)
    return f"{said[0].upper()}{said[1:]} of its score was exploration: it was chosen {leaning}."


def _percent(share: float) -> str:
    """A share in [0, 1] that is neither none nor all is not said to be."""
    if 0.0 < share < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= share < 1.0 else f"{share:.0%}"


def _structure(spec: Spec, why: Mapping[str, Any], insight: Mapping[str, Any]) -> Iterator[str]:
    names = varied_parameters(spec)
    member, weights = why.get("member"), insight.get("weights") or {}
    # A model beside the ensemble believes what it likes.
    beside = member is not None and bool(weights) and member not in weights
    decomposition = insight.get("decomposition")
    if decomposition and not beside:
        parts = [" × ".join(_name(names, i) for i in factor) for factor in decomposition]
        shown = parts[:NAMED] + ([f"{len(parts) - NAMED:,} more"] if len(parts) > NAMED else [])
        probability = finite_number(insight.get("probability"))
        likely = "" if probability is None or probability > 0.995 else f" (probability {probability:.2g})"
        yield f"It took the objective for a sum of {counted(len(parts), 'part')}{likely}: {listed(shown)}."
    yield from _parts(names, why.get("parts") or ())
    hyperparameters = insight.get("hyperparameters") or {}
    chosen = hyperparameters.get(member)
    if member is None and len(weights) > 1:
        likeliest = max(weights, key=weights.__getitem__)
        if chosen := hyperparameters.get(likeliest):
            yield f"The likeliest member, `{likeliest}`, believes:"
    elif member is None and len(hyperparameters) == 1:
        chosen = next(iter(hyperparameters.values()))
    if chosen:
        yield from hyperparameters_in_words(names, chosen)


def _parts(names: Sequence[str], told: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What each factor is believed to add at the point, those that matter most first."""
    if not told:
        return
    ranked = sorted(told, key=lambda part: -abs(float(part["mean"])))
    shown = [
        f"{' × '.join(_name(names, i) for i in part['factor'])} {float(part['mean']):+.3g}"
        f" ± {number(float(part['deviation']), 2)}"
        for part in ranked[:NAMED]
    ]
    shown += [f"{len(ranked) - NAMED:,} more"] if len(ranked) > NAMED else []
    yield f"What the parts add there, each known up to a constant: {listed(shown)}."


def _name(names: Sequence[str], index: Any) -> str:
    return names[index] if isinstance(index, int) and 0 <= index < len(names) else f"#{index}"


# -- what came ------------------------------------------------------------------------------------------


def _outcome(case: Case) -> Iterator[str]:
    trial = case.trial
    match trial.state:
        case TrialState.QUEUED:
            waiting = "It waits for a worker." if not trial.failures else "It waits to be tried again."
            yield waiting
        case TrialState.RUNNING:
            yield f"It runs on {trial.worker}, attempt {trial.attempts}."
        case TrialState.COMPLETED:
            yield from _value(case)
        case TrialState.FAILED:
            if trial.attempts:
                yield f"It failed for good after {counted(trial.attempts, 'attempt')}, the last time so:"
            else:
                yield "It was never begun:"
            yield from (f"  {line}" for line in trial.message.splitlines())
        case TrialState.STOPPED:
            yield from _stopped(case)
        case TrialState.ABANDONED:
            yield f"It was abandoned: {trial.message or 'the run ended'}."
    if trial.failures and trial.state is not TrialState.FAILED:
        last = f"; the last time: {first_line(trial.message)}" if trial.message else ""
        yield f"{counted(trial.failures, 'attempt')} failed before{last}."
    objectives = goals_of(case.spec) if trial.value is not None else {}
    for name, value in trial.extras.items():
        if name not in objectives:
            yield f"{name}: {plainly(value)}"
    if case.ending:
        yield case.ending


def _stopped(case: Case) -> Iterator[str]:
    seen = case.trial.forecast
    assert seen is not None
    yield f"It was {case.trial.message}."
    foreseen = f"{case.spec.objective.name} = {number(seen.mean)} ± {number(seen.deviation, 2)}"
    yield f"By its curve it would have come to {foreseen}, which is what the model was told."


def _value(case: Case) -> Iterator[str]:
    trial, objective = case.trial, case.spec.objective
    assert trial.value is not None
    if case.note:
        yield f"{case.note[:1].upper()}{case.note[1:]}."
    noise = "" if trial.variance is None else f" ± {number(math.sqrt(trial.variance), 3)} by its own report"
    took = f", after {duration(trial.elapsed)} on {trial.worker}" if trial.elapsed else ""
    best = None if case.best_now is None else case.best_now.value
    words = f"{objective.name} = {number_beside(trial.value, best, 6)}{noise}"
    if further := {one.name for one in case.spec.further_objectives}:
        told = objectives_of(case.spec, trial)
        beside = {name: value for name, value in told.items() if name in further}
        words = f"{words}, {objective_words(beside, {}, 6)}"
    yield f"{words}{took}."
    if trial.mean is not None:
        yield _surprise(case, trial.value, trial.mean)
    if case.best_now is trial:
        yield "It is the best so far."
    elif case.best_now is not None and best is not None:
        yield f"The best so far is {number_beside(best, trial.value, 6)}, {_whose(case.best_now.number)}."
    yield from case.as_one
    if trial.factors:
        yield f"Its factors: {', '.join(number(value) for value in trial.factors)}."


def _whose(number_of_trial: int) -> str:
    where = where_words(number_of_trial)
    return f"of {where}" if number_of_trial > 0 else where


def _surprise(case: Case, value: float, mean: float) -> str:
    """How the value compares with its prediction, the trial's own noise counted in."""
    deviation = case.trial.deviation
    known = case.spec.objective.noise
    inferred = finite_number(case.trial.why.get("noise")) or 0.0
    reported = math.sqrt(case.trial.variance or 0.0)
    noise = reported or (float(known) if isinstance(known, int | float) else inferred)
    it = f"Its {case.spec.objective.name}" if case.spec.further_objectives else "That"
    better = (value > mean) == (case.spec.objective.goal == "maximise")
    side = "better" if better else "worse"
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
