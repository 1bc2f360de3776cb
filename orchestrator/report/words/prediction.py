"""What models of a run's results expect at points, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.expressions.counts import in_words
from orchestrator.parameters.space import Space
from orchestrator.report.words.sensitivity import stretched, trust_in
from orchestrator.report.words.wording import listed, settings_words
from orchestrator.scheduler.words.trial_names import trial_name
from orchestrator.sensitivity.held_out import HIGH, LOW
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.values.named import Values
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

BOUNDS = f"{100 * LOW:.0f} to {percentage(HIGH)}"


@dataclass(frozen=True, slots=True)
class Where:
    """Points of a space that were asked about; what is ``left_out`` is as in the trial that they are to be
    ``like``, else as in the one that is ``best``, or without one as in the point believed best now, or as is
    usual of what varies in use. ``varying``: of designs, what varies in use, and ``over``, in words, what
    they are worth of it.
    """

    space: Space
    points: Sequence[Values]
    left_out: Sequence[str]
    best: int | None
    varying: Sequence[str] = ()
    over: str = ""
    like: int | None = None

    @property
    def trial_words(self) -> str:
        """What is left out is as in, which is a trial mostly."""
        if self.like is not None:
            return trial_name(self.like)
        return "the point believed best now" if self.best is None else f"the best, {trial_name(self.best)}"


@dataclass(frozen=True, slots=True)
class Chances:
    """Whether there is anything to be satisfied, how many evaluations ``failed`` of all ``tried``, and the
    ``threshold``, in words, that values may be above, if one is sought.
    """

    constrained: bool
    failed: int
    tried: int
    threshold: str = ""

    @property
    def sentences(self) -> Iterator[str]:
        """What the figures are."""
        if self.threshold:
            yield f"above: how likely the value is above {self.threshold}, without noise"
        if self.constrained:
            yield (
                "satisfied: how likely all constraints are to hold, what is not known of outcomes being left"
                " to chance"
            )
        if self.failed:
            yield (
                f"succeeds: how likely an evaluation is to give a value, {self.failed} of {self.tried}"
                " having failed; all else is of what it gives if it does"
            )


def sentences(asked: Where, models: Mapping[str, ValueModel], chances: Chances) -> Iterator[str]:
    """Where it is, what is told of it, and how far to trust the ``models``, by the names of quantities."""
    if len(asked.points) == 1:
        candidates = asked.space.candidates
        named = asked.space.names if candidates is None else (*asked.space.names, *candidates.given)
        typed = [name for name in named if name not in (*asked.left_out, *asked.varying)]
        if where := _settings(asked, typed):
            yield f"at {where}"
        usual = [name for name in asked.left_out if name in asked.space.in_use]
        if others := [name for name in asked.left_out if name not in usual]:
            yield f"as in {asked.trial_words}: {_settings(asked, others)}"
        if usual:
            yield f"as is usual in use: {_settings(asked, usual)}"
    if asked.varying:
        which = printable(listed(list(asked.varying)))
        yield (
            f"{asked.over}, by the models of the search; told {which} as well, it is what is expected there"
        )
    yield (
        f"±: the deviation of what is expected; {BOUNDS}: nine times out of ten it lies in there, as far as"
        " results can tell. All of it is without noise"
    )
    yield from chances.sentences
    for i, settings in enumerate(asked.points):
        several = len(asked.points) > 1
        if asked.space.no_row(settings):
            which = f"point {i + 1}" if several else "it"
            yield f"{which} is none of the candidates, and would not be asked for"
        elif broken := asked.space.broken_by(settings):
            where = f"point {i + 1} breaks" if several else "it breaks"
            texts = [printable(in_words(text)) for text in broken]
            yield f"{where} `{'`, `'.join(texts)}`, and so would not be asked for"
    yield from trust_sentences(models, asked.space)


def trust_sentences(models: Mapping[str, ValueModel], space: Space) -> Iterator[str]:
    """How far to trust models of a space, by the names of quantities."""
    for name, model in models.items():
        yield f"{printable(name)}: {trust_in_model(model, space)}{stretched(model.stretch)}"


def trust_in_model(model: ValueModel, space: Space) -> str:
    """The same of one, without how unsure it is."""
    by_logarithm = model.scales.by_end_of(space.names)
    return trust_in(model.hypotheses, model.left_out(), model.measured, by_logarithm)


def _settings(asked: Where, names: Sequence[str]) -> str:
    """Of the one point those of these parameters that count."""
    (point,) = asked.points
    return settings_words({name: point[name] for name in names if name in point}, asked.space.units)
