"""How values are spread where parameters are uncertain: what the figures are, and how far to trust them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.parameters.drawn_priors import draws_in_words, within_bounds
from orchestrator.parameters.space import Space
from orchestrator.parameters.uncertain import Uncertain
from orchestrator.report.words.posterior import of_draws, of_factors
from orchestrator.report.words.prediction import BOUNDS, trust_sentences
from orchestrator.report.words.wording import counted, listed, number, settings_words, uncertain
from orchestrator.scheduler.words.trial_names import trial_name
from orchestrator.sensitivity.calibration import Calibration
from orchestrator.sensitivity.spread import FEWEST_BROKEN, Figure, Spread
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.sensitivity.variance_shares import VarianceShares
from orchestrator.values.drawn import Drawn
from orchestrator.values.named import Values
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable
from orchestrator.values.prior import prior_in_words

MUCH = 0.1
"""Of a variance that comes of what models do not know, for a word on it."""
LITTLE = 0.01
"""Of a share, that is not named."""
WITHIN_A_FACTOR = 0.5
"""Of a chance, how unsure models may be of it, for no word on it."""


@dataclass(frozen=True, eq=False, slots=True)
class WhereSpread:
    """Of a ``space``: what is ``uncertain``, or None where settings are those that are plausible by a fit;
    and one of all ``settings``, of which those ``left_out`` are as in the ``best`` trial, or without one as
    believed best.
    """

    space: Space
    uncertain: Uncertain | None
    settings: Values = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    best: int | None = None

    @property
    def exact(self) -> Values:
        """The settings without what is spread, and what is computed, which follows from that."""
        if self.uncertain is None:
            return {}
        others = {*self.uncertain.spread, *(one.name for one in self.space.computed)}
        names = [name for name in self.space.given_names if name not in others]
        return {name: self.settings[name] for name in names if name in self.settings}


@dataclass(frozen=True, eq=False, slots=True)
class RunSpread:
    """What was ``found`` ``where``, over so many settings ``drawn``; by quantity the ``shares`` of each of
    the ``reasons``, none over what is plausible by a ``calibration``. ``seen``: by limit, by how many results
    it is broken, and of how many. ``curves``: outcomes of which nothing is told. ``succeeds``: how likely an
    evaluation is to, of ``tried`` ones ``failed`` having failed.
    """

    where: WhereSpread
    found: Spread
    drawn: int
    reasons: Sequence[str]
    shares: Mapping[str, VarianceShares]
    models: Mapping[str, ValueModel]
    seen: Mapping[str, tuple[int, int]]
    units: Mapping[str, str]
    curves: Sequence[str]
    succeeds: float
    failed: int
    tried: int
    calibration: Calibration | None = None

    @property
    def independent(self) -> float:
        """How many settings those that were drawn are worth."""
        return float(self.drawn if self.calibration is None else min(self.drawn, self.calibration.effective))


def chance_words(figure: Figure, drawn: float) -> tuple[str, str]:
    """``5.1 ± 0.9 %``, and ``3.6 to 6.8 %``, by so many settings drawn that are independent."""
    least = FEWEST_BROKEN / drawn
    if figure.expected < least:
        return f"below {number(100.0 * least, 2)} %", ""
    if figure.expected > 1.0 - least:
        return f"above {number(100.0 - 100.0 * least, 5)} %", ""
    if figure.deviation < figure.luck / 10.0:
        return f"{uncertain(100.0 * figure.expected, 100.0 * figure.luck)} %", ""
    low, high = (number(100.0 * one, 3) for one in (figure.low, figure.high))
    return f"{uncertain(100.0 * figure.expected, 100.0 * figure.deviation)} %", f"{low} to {high} %"


def sentences(told: RunSpread) -> Iterator[str]:
    """Over what it is spread, what the figures are, and how far to trust them."""
    yield from _where(told.where)
    yield (
        f"below: what so much of all that comes up is less than; ±, and {BOUNDS}: by what models of results"
        " do not know, as far as these can tell. All of it is without noise"
    )
    yield from _spread_by(told)
    if told.calibration is not None:
        yield (
            "what models do not know of what is fitted makes more settings plausible: it is in all figures,"
            " and next to none of it in their ±"
        )
    yield from _by_models(told)
    yield from _of_limits(told)
    if told.failed:
        yield (
            f"an evaluation succeeds with {percentage(told.succeeds)}, {told.failed} of {told.tried} having"
            " failed; all else is of what it gives if it does"
        )
    if told.curves:
        yield f"of curves nothing is told: {printable(listed(list(told.curves)))}"
    yield _of_luck(told)
    if told.calibration is not None:
        yield from of_factors(told.calibration)
        yield f"plausible settings: {of_draws(told.calibration)}"
    yield from trust_sentences(told.models, told.where.space)


def _where(where: WhereSpread) -> Iterator[str]:
    space = where.space
    if where.uncertain is None:
        known = [
            f"{printable(name)} {prior_in_words(one)}"
            for name, one in within_bounds(space, space.priors).items()
        ]
        priors = f", with the priors {listed(known)}{draws_in_words(space, space.priors)}" if known else ""
        yield f"over all that is plausible by the fit{priors}"
        return
    together = where.uncertain.draws_in_words()
    apart = "each by itself but what is by draws" if together else "each apart from the others"
    yield f"uncertain, {apart}: {printable(where.uncertain.in_words())}{together}"
    if typed := [name for name in where.exact if name not in where.left_out]:
        yield f"at {_settings(space, where.exact, typed)}"
    drawn = [name for name in where.exact if isinstance(space.priors.get(name), Drawn)]
    if drawn and any(isinstance(one, Drawn) for one in where.uncertain.spread.values()):
        are, they = ("is", "it was") if len(drawn) == 1 else ("are", "they were")
        yield (
            f"draws of {printable(listed(drawn))}, which {are} exact here, are left alone: what else is by"
            f" draws comes up as it does whatever {they}"
        )
    if others := [name for name in where.exact if name in where.left_out]:
        there = "the point believed best now" if where.best is None else f"the best, {trial_name(where.best)}"
        yield f"as in {there}: {_settings(space, where.exact, others)}"


def _settings(space: Space, settings: Values, names: Sequence[str]) -> str:
    return settings_words({name: settings[name] for name in names}, space.units)


def _spread_by(told: RunSpread) -> Iterator[str]:
    """Each quantity, and those that are spread alike together."""
    alike = dict[str, list[str]]()
    for name, own in told.shares.items():
        if own.alone.any():
            alike.setdefault(_reasons(told.reasons, own), []).append(printable(name))
    for words, names in alike.items():
        are, their = ("is", "its") if len(names) == 1 else ("are", "their")
        yield f"{listed(names)} {are} spread by: {words} of {their} variance, which goes once that is known"


def _reasons(reasons: Sequence[str], shares: VarianceShares) -> str:
    """Parameters, with their shares."""
    order = sorted(range(len(reasons)), key=lambda i: -float(shares.alone[i]))
    named = [f"{reasons[i]} {percentage(float(shares.alone[i]))}" for i in order if shares.alone[i] >= LITTLE]
    together = 1.0 - float(shares.alone.sum())
    more = [f"several together {percentage(together)}"] if together >= LITTLE and len(reasons) > 1 else []
    return printable(", ".join([*named, *more]))


def _by_models(told: RunSpread) -> Iterator[str]:
    much = {name: own.by_models for name, own in told.found.quantities.items() if own.by_models >= MUCH}
    if much:
        each = listed([f"{printable(name)} {percentage(share)}" for name, share in much.items()])
        yield (
            f"by models: {each} of the variance of what may be comes of what models do not know, and more"
            " trials where settings are likely take it away"
        )


def _of_limits(told: RunSpread) -> Iterator[str]:
    least = FEWEST_BROKEN / told.independent
    for text, figure in told.found.broken.items():
        broken, of = told.seen[text]
        shown = printable(text)
        if of and not broken:
            yield (
                f"{shown}: no result of {of:,} breaks it, and what lies beyond is for the models to say; have"
                " some tried there before you rely on it"
            )
        elif of and broken == of:
            yield f"{shown}: every result of {of:,} breaks it, and where it holds is for the models to say"
        if figure.expected < least:
            yield f"{shown}: is broken so seldom that {told.drawn:,} settings do not tell how often"
        elif figure.deviation > WITHIN_A_FACTOR * figure.expected:
            yield (
                f"{shown}: models know how likely it is broken by no more than its order; more trials about"
                " where it is just met would tell"
            )


def _of_luck(told: RunSpread) -> str:
    figures = [own.figures for own in told.found.quantities.values()]
    means = [
        one["mean"].luck / one["deviation"].expected for one in figures if one["deviation"].expected > 0.0
    ]
    words = f"by {counted(told.drawn, 'setting')} drawn, whose luck adds as much as"
    parts = [f"{percentage(max(means, default=0.0))} of a deviation to a mean"]
    if chances := [one.luck for one in told.found.broken.values()]:
        parts.append(f"{number(100.0 * max(chances), 2)} % to a chance")
    return f"{words} {' and '.join(parts)}"
