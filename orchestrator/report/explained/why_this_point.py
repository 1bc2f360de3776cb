"""Why the optimiser chose a point, in sentences: by which model, how much to learn, what it predicted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.algorithms.ask_and_tell.start_design import OF_DESIGN
from orchestrator.expressions.constraints import kept_among
from orchestrator.report.explained.case import Case
from orchestrator.report.explained.in_a_population import in_a_population
from orchestrator.report.explained.in_halving import in_halving
from orchestrator.report.explained.settled_beforehand import settled_beforehand
from orchestrator.report.explained.structure import structure_in_words
from orchestrator.report.explained.whence import whence
from orchestrator.report.searches.sources import CALLER
from orchestrator.report.words.broken_limits import how_surely
from orchestrator.report.words.change import why_changed
from orchestrator.report.words.goals import threshold_words
from orchestrator.report.words.scales import scales_words
from orchestrator.report.words.wording import (
    NAMED,
    counted,
    duration,
    finite_number,
    listed,
    number,
    number_beside,
    plainly,
)
from orchestrator.scheduler.event_parts import (
    ADDED,
    CHANGE,
    OF_REFERENCE,
    OF_SPEC,
    ON_THE_WAY,
    ROUND,
)
from orchestrator.scheduler.gain import expected
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.begun.amended_values import with_values
from orchestrator.spec.model import Spec
from orchestrator.values.percent import percent, percentage, plus_or_minus
from orchestrator.values.printable import printable

WRONGLY = "the share of the domain that it named the wrong side of"
SEARCHED = {
    "again": "A result there is far off what the others say of it: it is measured again.",
    "best now": "It was believed best at that time: another would have lost more than it was likely to find.",
    "local": "It was looked for in the region that is searched closely.",
    "global": "It was looked for everywhere.",
    "taken up": "Of what was begun it promised most for what is left to pay.",
    "doubting": "Little was expected anywhere: it was looked for where the models may be wrong.",
    "front": "It was looked for everywhere, for what the front of trade-offs gains by it.",
    "safe": "It was looked for where the model holds every limit to be kept, as surely as the spec wants.",
    "opening": "It is held as safe as the spec wants, and was to tell most of whether what lies beyond is.",
    "nearby": "It was looked for about one of the trade-offs, for what their front gains by it.",
}

OUTCOMES_SHOWN = 12

TOLD = frozenset(
    {
        *("source", "member", "drawn", "exploration", "noise", "parts", "succeeds", "feasible", "further"),
        *("outcomes", "learned", "unknown", "fidelity", "seconds", "off", "better_than", "chance", "held"),
        *("kept", "in_use", "for_each", "crossing", "posterior", "population", "gain", ROUND, CHANGE),
        "halving",
    }
)
"""What of the reasons is put into sentences, wherever the point comes from."""
OF_THE_LIKELIHOOD = (
    "the likelihood by the models may be off by",
    "of the likelihood of what was measured is not known",
)
"""In a note of posterior search, of this version and of earlier ones, of all results, as a trial has its own
sentence of what was known beside what ran.
"""
TOLD_OF = {
    ADDED: ("by", "reason"),
    ON_THE_WAY: ("towards", "for"),
    "tree": ("depth", "ahead"),
    "distribution": ("generation", "start"),
    "parents": ("front",),
}
"""And what besides, by their source."""


def why_this_point(case: Case) -> Iterator[str]:
    """A sentence for each thing that is known of the choice."""
    trial, why = case.trial, case.trial.suggested.why
    yield from _asked(case)
    source = str(why.get("source", ""))
    yield whence(case.spec, trial, source)
    yield from settled_beforehand(case)
    yield from why_changed(trial, case.changes)
    insight = case.answer.insight if case.answer is not None else {}
    yield from _member(why, insight)
    # The top of a draw has no share of it: the draw is mean and departure at once.
    if not why.get("drawn") and (exploration := finite_number(why.get("exploration"))) is not None:
        yield _exploration(exploration)
    yield from _learned(why)
    yield from _likelihood(why.get("posterior"))
    yield from _likely(why, case.valued)
    yield from how_surely(kept_among(case.spec.constraints), why)
    yield from _predicted(case)
    if case.trade_offs:
        yield case.trade_offs
    if case.gain is not None:
        left = number(expected(case.gain), 3)
        yield f"By then the model expected {left} to be {_of_what_is_left(case.spec)}."
    yield from in_halving(trial)
    if trial.suggested.continues:
        yield from in_a_population(trial)
        yield from _going_on(trial, otherwise=case.otherwise)
    else:
        yield from _fidelity(why.get("fidelity"))
    yield from _off(why.get("off"))
    yield from _preferred(why)
    yield from _over_use(why)
    yield from _beyond(case.spec, why)
    if source not in (OF_SPEC, OF_REFERENCE, ADDED, CALLER, ON_THE_WAY, OF_DESIGN, "random"):
        yield from structure_in_words(case.spec, why, insight)
    yield from _else(why, source)
    for scale in scales_words(case.spec, insight):
        yield f"As the results say, {scale}."
    for note in insight.get("notes") or ():
        if not ("posterior" in why and any(words in str(note) for words in OF_THE_LIKELIHOOD)):
            yield f"The optimiser noted: {note}."


def _of_what_is_left(spec: Spec) -> str:
    if spec.objective.threshold is not None:
        return WRONGLY
    over = ", on average over conditions" if spec.objective.over == "each" else " over the best point"
    return f"left to gain{over}"


def _beyond(spec: Spec, why: Mapping[str, Any]) -> Iterator[str]:
    """On which side of the threshold it was believed to lie, and how much of the doubt it was to take."""
    told = why.get("crossing")
    if not isinstance(told, Mapping) or (chance := finite_number(told.get("above"))) is None:
        return
    less = finite_number(told.get("doubt_less"))
    taken = "" if not less else f"; {percentage(less)} of the doubt over the domain was to go with its result"
    bound = threshold_words(spec)
    yield f"Its value was held to be above {bound} with a chance of {percentage(chance)}{taken}."


def _over_use(why: Mapping[str, Any]) -> Iterator[str]:
    """What was believed of its design, over the conditions."""
    in_use = why.get("in_use")
    if not isinstance(in_use, Mapping) or (chance := finite_number(in_use.get("better"))) is None:
        return
    yield (
        f"That design was held to be better than each tried before, {in_use.get('over')}, with a chance of"
        f" {percent(chance, 2)}; what is predicted is of its conditions alone."
    )


def _asked(case: Case) -> Iterator[str]:
    """When the optimiser chose it, if it did."""
    if case.answer is None or case.trial.suggested.why.get("source") in (CALLER, OF_REFERENCE):
        return
    beside = len(case.answer.suggestions) - 1
    others = f", together with {counted(beside, 'other point')}" if beside else ""
    taken = f", in {duration(case.answer.seconds)}" if case.answer.seconds else ""
    when = f"{duration(case.trial.queued_at)} into the run"
    yield f"{case.spec.algorithm.name} chose it {when}, in answer to ask {case.answer.ask}{others}{taken}."


def _likely(why: Mapping[str, object], valued: int) -> Iterator[str]:
    """What was held to be likely of its evaluation, beside its value, by so many values."""
    if (chance := finite_number(why.get("succeeds"))) is not None:
        yield f"That the evaluation would succeed was held to be {percentage(chance)} likely."
    if (chance := finite_number(why.get("feasible"))) is not None:
        # Models of few results are surer than these can make anybody.
        known = f", from {counted(valued, 'result')}" if valued else ""
        yield (
            f"That it would satisfy the constraints on outcomes was held to be {percentage(chance)} likely"
            f"{known}."
        )
    if (seconds := finite_number(why.get("seconds"))) is not None:
        yield f"Its evaluation was expected to take about {duration(seconds)}, which was weighed."


def _predicted(case: Case) -> Iterator[str]:
    """Its values, as they were expected, and what the best one was then."""
    suggested = case.trial.suggested
    if suggested.mean is None:
        if case.best_before is not None:
            yield f"The best value then was {number(case.best_before)}."
        return
    deviation = suggested.deviation
    spread = "" if deviation is None else f" ± {number(deviation, 3)} (one standard deviation)"
    before = ""
    if case.best_before is not None:
        before = f"; the best value then was {number_beside(case.best_before, suggested.mean)}"
    mean = number_beside(suggested.mean, case.best_before)
    others = "".join(_others_predicted(case.spec, suggested.why))
    value = f"{mean} {case.spec.objective.unit or ''}".rstrip()
    yield f"Predicted there: {case.spec.objective.name} = {value}{spread}{others}{before}."
    if outcomes := ", ".join(_outcomes_predicted(with_values(case.spec, case.values), suggested.why)):
        yield f"Of the outcomes it is computed from: {outcomes}."
    if (noise := finite_number(suggested.why.get("noise"))) is not None:
        yield f"An evaluation's noise was taken for ± {number(noise, 3)}."


def _else(why: Mapping[str, object], source: str) -> Iterator[str]:
    """Where it was looked for, and what an algorithm told that nothing is known of here, as it is."""
    if (place := str(why.get("search"))) in SEARCHED:
        yield SEARCHED[place]
    told = TOLD.union(TOLD_OF.get(source, ()), ("search",) if place in SEARCHED else ())
    for key, value in why.items():
        if key not in told:
            yield f"{key.replace('_', ' ')}: {plainly(value)}"


def _learned(why: Mapping[str, object]) -> Iterator[str]:
    """Of a trial by which the whole function is to be learned."""
    taken, unknown = finite_number(why.get("learned")), finite_number(why.get("unknown"))
    if taken is not None and unknown is not None:
        yield (
            f"Over the whole domain, values by the model might be off by {plus_or_minus(unknown, 2)} of their"
            f" standard deviation; the variance of that was to fall by {percentage(taken)} with this point."
        )


def _likelihood(told: object) -> Iterator[str]:
    """Of a trial that is for which parameters are plausible."""
    if not isinstance(told, Mapping):
        return
    unknown, taken = finite_number(told.get("unknown")), finite_number(told.get("learned"))
    if unknown is not None:
        fall = (
            ""
            if taken is None
            else f"; the variance of that was to fall by {percentage(taken)} with this point"
        )
        off = plus_or_minus(unknown, 2)
        yield f"Where parameters are plausible, the likelihood by the models might be off by {off}{fall}."


def _going_on(trial: Trial, *, otherwise: bool) -> Iterator[str]:
    """Of a trial that goes on from another; ``otherwise``: with other settings."""
    told = trial.suggested.why.get("fidelity")
    reckoned: Mapping[str, object] = told if isinstance(told, Mapping) else {}
    share = finite_number(reckoned.get("told"))
    unknown = "of what is not known of full fidelity there"
    tells = "" if share is None else f", and it tells {percentage(share)} {unknown}"
    # One that was abandoned has cost nothing.
    cost = trial.cost or finite_number(reckoned.get("cost")) or 0.0
    before = "with other settings" if otherwise else "which looked less closely at the same settings"
    yield (
        f"It goes on from trial {trial.suggested.continues}, {before}:"
        f" {percentage(cost)} of the cost at full fidelity is left to pay{tells}."
    )


def _fidelity(told: object) -> Iterator[str]:
    """Of a trial that was moved below full fidelity."""
    if not isinstance(told, Mapping):
        return
    share, cost = finite_number(told.get("told")), finite_number(told.get("cost"))
    learned = finite_number(told.get("evaluations"))
    known = "" if learned is None else f", as learned from {counted(int(learned), 'evaluation')}"
    if share is not None and cost is not None:
        yield (
            f"It looks less closely than the best has to: that tells {percentage(share)} of what is not known"
            f" of full fidelity there, for {percentage(cost)} of its cost{known}."
        )


def _off(told: object) -> Iterator[str]:
    """Of a trial for the sake of an average."""
    share = finite_number(told.get("told")) if isinstance(told, Mapping) else None
    if share is not None:
        yield f"A value there tells {percentage(share)} of what is not known of that average."


def _preferred(why: Mapping[str, Any]) -> Iterator[str]:
    """Of a trial that is to be compared with another."""
    chance = finite_number(why.get("chance"))
    if chance is not None and (other := why.get("better_than")) is not None:
        yield (
            f"It was to be compared with trial {other}, which was believed best then, and to be better with a"
            f" chance of {percentage(chance)}."
        )


def _others_predicted(spec: Spec, why: Mapping[str, Any]) -> Iterator[str]:
    for objective, one in zip(spec.further_objectives, why.get("further") or (), strict=False):
        mean, deviation = finite_number(one.get("mean")), finite_number(one.get("deviation"))
        if mean is not None and deviation is not None:
            yield f", {objective.name} = {number(mean)} ± {number(deviation, 3)}"


def _outcomes_predicted(spec: Spec, why: Mapping[str, Any]) -> Iterator[str]:
    """Those of an objective that is computed, the first of many."""
    if not (told := why.get("outcomes")):
        return
    # Imported here because it is numpy, and few objectives are computed.
    from orchestrator.spec.build import build_wanted_outcomes

    wanted = build_wanted_outcomes(spec)
    names = () if wanted is None else wanted.numbers
    for name, one in list(zip(names, told, strict=False))[:OUTCOMES_SHOWN]:
        mean, deviation = finite_number(one.get("mean")), finite_number(one.get("deviation"))
        if mean is not None and deviation is not None:
            yield printable(f"{name} = {number(mean)} ± {number(deviation, 3)}")
    if len(names) > OUTCOMES_SHOWN:
        yield f"and {len(names) - OUTCOMES_SHOWN} more"


def _member(why: Mapping[str, Any], insight: Mapping[str, Any]) -> Iterator[str]:
    weights = {str(name): float(weight) for name, weight in (insight.get("weights") or {}).items()}
    member = why.get("member")
    if member is not None and (not weights or list(weights) == [member]):
        # A member whose decomposition is the only one is named by it, further down.
        if not (weights and insight.get("decomposition")):
            yield f"Its model was `{member}`."
    elif member in weights:
        weight = percentage(weights[str(member)])
        yield f"Of the ensemble, the member `{member}` had the say, which had a weight of {weight} then."
    elif member is not None:
        yield f"A model beside the ensemble had the say: {member}."
    ranked = sorted(((w, n) for n, w in weights.items() if n != member), reverse=True)
    if ranked:
        named = [f"{name} {percentage(weight)}" for weight, name in ranked[:NAMED]]
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
    return f"{percentage(share)} of its score was exploration: it was chosen {leaning}."
