"""Which settings are plausible: what the figures are, and how far to trust them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from orchestrator.parameters.drawn_priors import draws_in_words, within_bounds
from orchestrator.parameters.space import Space
from orchestrator.report.words.prediction import trust_in_model
from orchestrator.report.words.sensitivity import stretched
from orchestrator.report.words.wording import counted, listed, number, where_words
from orchestrator.sensitivity.calibration import Calibration
from orchestrator.sensitivity.chains import LONG_ENOUGH
from orchestrator.sensitivity.composed import ComposedModel
from orchestrator.sensitivity.marginals import Marginal, Marginals, interval_of
from orchestrator.sensitivity.misfit_left import misfit_is
from orchestrator.values.distributions import ByChance
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable
from orchestrator.values.prior import Priors, prior_in_words

MUCH = 0.3
"""Of an interval that comes of what models do not know, for a word on it."""
AS_WIDE = 1.8
"""Deviations of a prior: what lies between in 68 % is 2 of it, where nothing else is known."""
AT_ODDS = 2.0
"""Deviations of a prior from its mean."""
MOST_NAMED = 6
"""Pairs of parameters, and values of one."""
AT_BOUND = {(): "", ("low",): "low", ("high",): "high", ("low", "high"): "both"}
"""Words for the bounds that plausible values are cut off at."""


@dataclass(frozen=True, slots=True)
class LeastMisfit:
    """That of all trials, and the ``trial`` that has it. ``limited``: whether there are constraints on
    outcomes.
    """

    trial: int
    misfit: float
    limited: bool


def sentences(
    space: Space, marginals: Marginals, calibration: Calibration, model: ComposedModel, least: LeastMisfit
) -> Iterator[str]:
    """What the columns are, what is plausible together only, and how far to trust all of it."""
    by = ", and by its prior; beforehand all else" if space.priors else "; beforehand all"
    taken = "as told" if calibration.factors is None else "to be larger than told by one factor"
    yield (
        "median, 68 %, 95 %: where the parameter lies by what was measured, whose errors are taken"
        f" {taken}{by} between the bounds is as plausible, on its scale"
    )
    yield from of_factors(calibration)
    priors = within_bounds(space, space.priors)
    if priors:
        known = [f"{printable(name)} {prior_in_words(one)}" for name, one in priors.items()]
        yield f"priors, what is known beforehand: {'; '.join(known)}{draws_in_words(space, space.priors)}"
    yield from _of_priors(priors, marginals)
    if any(one.of_models is not None for one in marginals.each):
        yield (
            "by models: how much of the 68 % would not be in it if outcomes were just what models expect: so"
            " much of it more evaluations may take away"
        )
    if unsure := [printable(one.name) for one in marginals.each if (one.of_models or 0.0) > MUCH]:
        yield (
            f"models say much of {listed(unsure)}: intervals may yet move by more than they are wide, and ask"
            " for more evaluations where settings are plausible, as --draws has them"
        )
    yield from _of_bounds(marginals)
    yield from (_of_choices(one) for one in marginals.each if one.interval is None)
    yield from _of_conditions(marginals)
    if strong := marginals.strong:
        pairs = [f"{printable(a)} and {printable(b)} ({share:+.2f})" for a, b, share in strong[:MOST_NAMED]]
        more = f", and {counted(len(strong) - MOST_NAMED, 'more pair')}" if len(strong) > MOST_NAMED else ""
        yield f"plausible together only, by the correlation of their ranks: {listed(pairs)}{more}"
    alone = "; it is that of the targets alone, and no prior counts in it" if space.priors else ""
    yield f"{_of_the_least(least, calibration, len(space.names))}{alone}"
    if failed := calibration.failed:
        of = calibration.evaluated
        yield f"where evaluations fail, as {failed} of {of} did, settings are less plausible by as much"
    if least.limited:
        yield "constraints on outcomes do not count: what was measured says which settings are plausible"
    yield f"the models: {trust_in_model(model, space)}{stretched(model.stretch)}"
    yield of_draws(calibration)


def _of_priors(priors: Priors, told: Marginals) -> Iterator[str]:
    """Of which parameters the targets say nothing more, and of which something else."""
    numbers = [(one.name, one.interval) for one in told.each if one.interval and one.name in priors]
    more, other = list[str](), list[str]()
    for name, interval in numbers:
        prior = priors[name]
        if isinstance(prior, ByChance):
            continue
        off = abs(prior.deviations_off(interval.median))
        if off > AT_ODDS:
            other.append(f"{printable(name)} ({off:.1f} deviations)")
        elif prior.deviations_off(interval.high) - prior.deviations_off(interval.low) > AS_WIDE:
            more.append(printable(name))
    if more:
        yield f"what was measured says next to nothing of {listed(more)} beyond the prior"
    if other:
        yield (
            f"at odds with what was measured is the prior of {listed(other)}: one of the two may be off, or"
            " its error told too small"
        )


def _of_bounds(told: Marginals) -> Iterator[str]:
    if cut_off := [printable(one.name) for one in told.each if one.bounds]:
        are = "is" if len(cut_off) == 1 else "are"
        yield f"at bounds: {listed(cut_off)} {are} plausible up to there, and perhaps beyond"


def _of_choices(one: Marginal) -> str:
    likeliest = list(one.chances.items())
    each = [f"{printable(value)} {percentage(chance)}" for value, chance in likeliest[:MOST_NAMED]]
    more = f", {counted(len(likeliest) - MOST_NAMED, 'more value')}" if len(likeliest) > MOST_NAMED else ""
    return f"how plausible each value of {printable(one.name)} is: {', '.join(each)}{more}"


def _of_conditions(told: Marginals) -> Iterator[str]:
    if some := [one for one in told.each if one.counts < 1.0]:
        each = [f"{printable(one.name)} with {percentage(one.counts)}" for one in some]
        yield f"where it counts, which is plausible of {listed(each)}"


def _of_the_least(least: LeastMisfit, calibration: Calibration, parameters: int) -> str:
    targets, expected = calibration.targets, calibration.least_expected
    misfit, over = least.misfit, counted(targets, "target")
    words = f"best: {where_words(least.trial)}, with the least misfit, {number(misfit, 4)} over {over}"
    told = misfit_is(misfit, expected, targets, parameters)
    if told == "too large":
        until = "intervals allow for errors that are larger, and not for where they are"
        if calibration.factors is None:
            until = "intervals are too narrow until then, and wider by --errors scaled"
        return (
            f"{words}: more than their errors explain, so that errors are larger than told, or the simulation"
            f" cannot do it, or better settings are to be found; {until}"
        )
    if told == "too small":
        return f"{words}: less than their errors let one expect, so that these may be told too large"
    if misfit_is(misfit, misfit, targets, parameters) == "too large":
        return f"{words}; models expect {number(expected, 3)} elsewhere, as errors of targets let one expect"
    return f"{words}, as their errors let one expect"


def of_factors(calibration: Calibration) -> Iterator[str]:
    """By how much errors are larger than told, where they are scaled."""
    if calibration.factors is not None:
        own = interval_of(calibration.factors)
        yield (
            f"errors are larger by a factor of {number(own.median, 3)}, in 68 % by one of"
            f" {number(own.low, 3)} to {number(own.high, 3)}: as much as the targets ask for; beforehand it"
            " is 1 or anything above"
        )


def of_draws(calibration: Calibration) -> str:
    """Where they come from, and how many they are worth."""
    chain = calibration.chain
    if chain is None:
        return "every candidate was weighed"
    words = (
        f"from walks of {counted(chain.positions.shape[1], 'walker')}, {len(chain.positions):,} steps long"
        f" ({percentage(chain.accepted)} taken), worth {calibration.effective:,.0f} independent draws"
    )
    if chain.is_long_enough:
        return words
    return (
        f"{words}: less long than {LONG_ENOUGH:.0f} times what they take to forget where they were, as where"
        " plausible settings lie in places that are far apart; how plausible these are beside one another is"
        " rough"
    )
