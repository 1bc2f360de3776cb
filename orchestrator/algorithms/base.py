"""The protocol every algorithm keeps, and the values that cross it.

All of it lives in the unit cube and maximises: the goal's sign is flipped once, at the edge, by whoever
speaks to a person. Notation: D parameters, F factors, n points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from orchestrator.algorithms.insight import BelievedBest as BelievedBest
from orchestrator.algorithms.insight import Crossing as Crossing
from orchestrator.algorithms.insight import Insight as Insight
from orchestrator.algorithms.insight import Prediction as Prediction
from orchestrator.algorithms.insight import Preferred as Preferred
from orchestrator.algorithms.insight import in_own_terms as in_own_terms
from orchestrator.algorithms.options import Options as Options
from orchestrator.algorithms.problem import Noise as Noise
from orchestrator.algorithms.problem import Problem as Problem
from orchestrator.algorithms.problem import RelatedResults as RelatedResults
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, slots=True)
class AskKey:
    """Identity of one ask: its number, the number of the first trial it will make, and the part of the
    problem's domain that it is for, where that is not the whole: see `Domain.holding`.

    With what was told, in order, and the pending points it determines the answer to the bit.
    """

    ask: int
    first_trial: int
    within: Domain | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """A value learned. ``value`` is in the sense of maximisation; None where the evaluation failed for good.

    ``point`` is (D,) in the unit cube; ``variance`` the noise variance of the value, when reported;
    ``factors`` the (F,) decomposed outputs, when the evaluator reports them; ``slacks`` (C,) by how much each
    constraint on outcomes is satisfied: below 0 where it is not, infinite with its sign
    where nobody can say by how much, NaN where it is not known whether it is; ``further`` (G,) the other
    objectives, in the sense of maximisation too, NaN where one is not known. ``foreseen``: the evaluation was
    stopped, the value is what it would probably have come to, and ``variance`` that of the forecast.
    ``held``: the point was asked for while parameters were held, so that it is as good as another only among
    those where they are; or as it leads to another, which a machine cannot go to at once. ``attached``: the
    point is a person's, and was not asked for. ``seconds`` > 0 is what the evaluation took, where that is
    known, and ``worker`` who made it: one may be quicker than another. ``cost`` is what it counted for,
    where costs are learned, in evaluations at full fidelity. ``block``: which one its value shares an offset
    with, where there are blocks. ``outcomes`` (m,) are those that the value was computed from, where it was.
    ``derivatives`` (D,) are the value's by the coordinates, in the sense of maximisation, NaN where one is
    not known; None: none is. ``continues`` is the trial that its evaluation was to go on from, if any, and
    ``began_anew`` whether what that left is known not to have been there, so that it began from nothing.
    """

    trial: int
    point: FloatArray
    value: float | None
    variance: float | None = None
    factors: FloatArray | None = None
    slacks: FloatArray | None = None
    further: FloatArray | None = None
    foreseen: bool = False
    held: bool = False
    seconds: float | None = None
    attached: bool = False
    worker: str = ""
    cost: float | None = None
    block: str | None = None
    outcomes: FloatArray | None = None
    derivatives: FloatArray | None = None
    continues: int = 0
    began_anew: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a person said of two trials that were told, by their numbers: one is ``better`` than the other, or
    they are ``alike``, as far as that person can tell.
    """

    better: int
    worse: int
    alike: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """What a ``factor``, a tuple of parameter numbers, is ``predicted`` to add to the objective at a point,
    in its units (to first order, where the model sees values through a warp), upon what all points have in
    common.
    """

    factor: tuple[int, ...]
    predicted: Prediction


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A point to evaluate, (D,) in the unit cube and feasible, with what the model believed of it.

    ``parts`` are those of the decomposition that the model believes in most, if it believes in one;
    ``further`` what it predicts of each objective beside the value, where there are some. ``why`` holds JSON
    values for `explain`: at least ``source`` ("start design", "model", "tree", "distribution" or "parents"
    for a search without a model, "training" of one that goes on as it is, "halving" of settings that are
    looked at more closely, "random"), and where one member of an ensemble chose its ``member``, the share of
    the score that was ``exploration``, ``drawn`` where it is the top of a function drawn from the model, and
    the deviation of an evaluation's ``noise`` as the model has it. ``continues`` is the trial that it goes on
    from, which looked less closely; 0: from none. That had the same settings, unless they are ``changed``.
    """

    point: FloatArray
    predicted: Prediction | None = None
    why: Mapping[str, Any] = field(default_factory=dict)
    parts: Sequence[Part] = ()
    further: Sequence[Prediction] = ()
    continues: int = 0
    changed: bool = False


def reasons(suggestion: Suggestion, sign: float, further: Sequence[float] = ()) -> dict[str, Any]:
    """``why`` with the ``parts`` and the ``further`` predictions, as JSON values, in the sense of the
    objectives: -1 of one to minimise.
    """
    told = dict(suggestion.why)
    if suggestion.parts:
        parts = [(list(part.factor), part.predicted) for part in suggestion.parts]
        told["parts"] = [{"factor": factor, **_told(one, sign)} for factor, one in parts]
    if suggestion.further:
        told["further"] = [_told(one, own) for one, own in zip(suggestion.further, further, strict=True)]
    return told


def _told(predicted: Prediction, sign: float) -> dict[str, float]:
    return {"mean": sign * predicted.mean, "deviation": predicted.deviation}


@dataclass(frozen=True, slots=True)
class Refit:
    """New hyperparameters (and whatever else a refit decides) as JSON values.

    ``number`` counts refits from 1; ``observations`` is how many values it was computed from. ``prepared``
    is what `Algorithm.adopt` would work out from the payload and those values, so that it need not: it is not
    journalled, and the same refit without it is adopted alike to the bit.
    """

    number: int
    observations: int
    payload: Mapping[str, Any]
    prepared: Mapping[str, bytes] = field(default_factory=dict)

    def require_told(self, told: int) -> None:
        """Raises ValueError if it has seen more results than the ``told`` ones."""
        if self.observations > told:
            raise ValueError(
                f"refit {self.number} was computed from {self.observations} results, but only "
                f"{told} have been told; tell them before it is adopted"
            )


@dataclass(frozen=True, slots=True)
class Gain:
    """What is left to gain over the best point known, as equally likely ``draws``, each at least 0, in the
    objective's units.

    ``observations`` is how many values it was estimated from.
    """

    draws: tuple[float, ...]
    observations: int

    @property
    def expected(self) -> float:
        """The mean of the draws."""
        return float(np.mean(self.draws))


class Algorithm(Protocol):
    """A sequential decision rule. State changes in `tell` and `adopt` only; `ask` is a pure function.

    Attributes:
        name: as the spec writes it.
        Options: its validated options.
    """

    name: ClassVar[str]
    Options: ClassVar[type[Options]]

    def __init__(self, problem: Problem, options: Any) -> None: ...

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """n feasible points, none of them told or pending before; fewer, or none, where the options say that
        it `may_wait`, and where the domain has rows that may be tried once, and no more of them are left.
        Pure: (told, pending, key) -> answer.
        """
        ...

    def tell(self, observations: Sequence[Observation]) -> None:
        """Learn values, in order. One by one or in batches, the same posterior to 1e-8."""
        ...

    def refit_due(self) -> int | None:
        """The number of the refit that ought to be computed now, or None."""
        ...

    def compute_refit(self, number: int) -> Refit:
        """The heavy part of a refit. Pure: it changes nothing, and may run in a forked copy."""
        ...

    def adopt(self, refit: Refit) -> None:
        """Take a refit over, and condition on everything told so far. An older one changes nothing."""
        ...

    def insight(self) -> Insight: ...


@runtime_checkable
class ForeseesGain(Protocol):
    """What an algorithm can do besides if `budget: {expected_gain: ...}` makes sense with it."""

    def remaining_gain(self) -> Gain | None:
        """What is left to gain by the model adopted last; None where it is too early to say.

        Pure: it changes nothing, and runs in a forked copy.
        """
        ...


@runtime_checkable
class Recommends(Protocol):
    """What an algorithm can do besides if somebody wants to use what is known by now."""

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """The point believed best of the problem's domain, or of a part of it, with what is believed of it;
        None before there is a model. Pure: it changes nothing.
        """
        ...


@runtime_checkable
class LearnsComparisons(Protocol):
    """What an algorithm can do besides if people compare trials, of which none has a value."""

    def compare(self, comparisons: Sequence[Comparison]) -> None:
        """Learn, in order, how trials that were told compare."""
        ...
