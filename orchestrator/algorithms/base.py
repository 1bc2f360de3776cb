"""The protocol every algorithm keeps, and the values that cross it.

All of it lives in the unit cube and maximises: the goal's sign is flipped once, at the edge, by whoever
speaks to a person. Notation: D parameters, F factors, n points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from pydantic import BaseModel, ValidationInfo, field_validator

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.algorithms.insight import BelievedBest as BelievedBest
from orchestrator.algorithms.insight import Crossing as Crossing
from orchestrator.algorithms.insight import Insight as Insight
from orchestrator.algorithms.insight import Prediction as Prediction
from orchestrator.algorithms.insight import Preferred as Preferred
from orchestrator.algorithms.insight import in_own_terms as in_own_terms
from orchestrator.algorithms.plain_options import refuse_what_is_taken_for_another
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels
from orchestrator.unit_cube.settings_off import SettingsOff
from orchestrator.unit_cube.sums import Sum


@dataclass(frozen=True, slots=True)
class Noise:
    """What is known of an evaluation's noise.

    ``unknown``: to be inferred. ``known``: ``standard_deviation`` holds, in the objective's units (0 for
    a deterministic objective). ``reported``: each observation brings its variance.
    """

    kind: Literal["unknown", "known", "reported"] = "unknown"
    standard_deviation: float = 0.0

    @property
    def is_none(self) -> bool:
        """Whether it is known that there is none."""
        return self.kind == "known" and self.standard_deviation == 0.0


@dataclass(frozen=True, eq=False, slots=True)
class RelatedResults:
    """Results of another experiment with the same coordinates, or most of them: values of another function,
    which may have its hills where this one has.

    ``points`` (N, D) in the unit cube, NaN in the columns of coordinates that it did not have; ``values``
    (N,) finite, in the sense of maximisation.
    """

    points: FloatArray
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Problem:
    """What an algorithm is told once, before anything else.

    ``factors`` is known additive structure: each factor a tuple of parameter numbers, which may overlap.
    ``start_points`` is how many points come from the start design (None: the algorithm's own default).
    ``trials`` is the budget, where there is one, and ``parallel`` the evaluations expected at a time;
    both are hints. ``outcome_constraints``: how many slacks each result brings (`Observation.slacks`), and
    ``further_objectives`` how many objectives beside its value (`Observation.further`). ``fidelity``: of one
    of the coordinates, which says how closely an evaluation looks, the levels to choose from. What is sought
    is best at full fidelity, and nothing else is suggested by algorithms that do not choose it. ``off``: what
    is built will be off by a little, as evaluations are not: best on average over that is what is sought.
    ``blocks``: values of a block, as of a plate or a day, share an offset that is no part of what is sought.
    ``clock``: the coordinate that is the time, which each ask holds where it is then; what is tried counts as
    well as what is found by it. ``compared``: no result has a value, but people compare trials
    (`LearnsComparisons`). ``sums``: what is computed from coordinates linearly, and may matter as they do.
    ``related``: what other experiments found, which are like this one or are not.
    ``kept``: limits on outcomes that no trial may break, as far as the model can tell. ``composite``: the
    value is a known function of outcomes that each result brings (`Observation.outcomes`). ``in_use``: of
    some of the coordinates, how they vary in use: a design of the others is sought that is best over these.
    ``threshold``: no best point is sought, but where the value is above this, in the sense of maximisation.
    ``derivatives``: the coordinates along which results may bring the derivative (`Observation.derivatives`).
    """

    domain: Domain
    seed: int = 0
    factors: tuple[tuple[int, ...], ...] | None = None
    noise: Noise = field(default_factory=Noise)
    start_points: int | None = None
    trials: int | None = None
    parallel: int = 1
    outcome_constraints: int = 0
    further_objectives: int = 0
    fidelity: Levels | None = None
    off: SettingsOff | None = None
    clock: int | None = None
    compared: bool = False
    blocks: bool = False
    sums: tuple[Sum, ...] = ()
    related: tuple[RelatedResults, ...] = ()
    kept: tuple[KeptLimit, ...] = ()
    composite: KnownFunction | None = None
    in_use: ConditionsInUse | None = None
    threshold: float | None = None
    derivatives: tuple[int, ...] = ()

    @property
    def sought(self) -> Domain:
        """Where the best point is sought: the part of the domain at full fidelity, if that is a choice."""
        if self.fidelity is None:
            return self.domain
        return self.domain.holding({self.fidelity.coordinate: self.fidelity.full})


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
    constraint on outcomes is satisfied: below 0 where it is not, minus infinity
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
    not known; None: none is.
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
    ``further`` what it predicts of each objective beside the value, where there are some. ``why``
    holds JSON values for `explain`: at least ``source`` ("start design", "model", "tree" for a search
    without a model, "random"), and where one member of an ensemble chose its ``member``, the share of the
    score that was ``exploration``, ``drawn`` where it is the top of a function drawn from the model, and the
    deviation of an evaluation's ``noise`` as the model has it.
    """

    point: FloatArray
    predicted: Prediction | None = None
    why: Mapping[str, Any] = field(default_factory=dict)
    parts: Sequence[Part] = ()
    further: Sequence[Prediction] = ()


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


class Options(BaseModel):
    """Options of an algorithm, validated when the spec is read: unknown keys are errors."""

    model_config = {"extra": "forbid", "frozen": True}

    @field_validator("*", mode="before")
    @classmethod
    def _of_its_kind(cls, told: Any, field: ValidationInfo) -> Any:
        refuse_what_is_taken_for_another(told, cls.model_fields[str(field.field_name)].annotation)
        return told

    takes_factors: ClassVar[bool] = False
    """Whether it matters to the algorithm that `Problem.factors` are known."""
    keeps_constraints: ClassVar[bool] = False
    """Whether the algorithm suggests feasible points where `Problem.domain` has ties."""
    takes_conditions: ClassVar[bool] = False
    """Whether the algorithm knows, where `Problem.domain` has an activity, that what does not count changes
    nothing."""
    learns_outcomes: ClassVar[bool] = False
    """Whether the algorithm makes use of `Observation.slacks`. Others are told that what does not satisfy
    constraints on outcomes has failed."""
    trades_off: ClassVar[bool] = False
    """Whether the algorithm makes use of `Observation.further`; others take one objective only."""
    holds_parameters: ClassVar[bool] = False
    """Whether the algorithm suggests points of `AskKey.within`, the best for there, where it is not None."""
    chooses_fidelity: ClassVar[bool] = False
    """Whether the algorithm chooses how closely an evaluation looks, by `Problem.fidelity`; others are
    refused where there is a choice."""
    seeks_averages: ClassVar[bool] = False
    """Whether the algorithm looks for what is best on average, by `Problem.off`; others are refused where
    parameters have a tolerance."""
    chooses_rows: ClassVar[bool] = False
    """Whether the algorithm suggests rows alone where `Problem.domain` has some, and none twice that may be
    tried once; others are refused there."""
    infers_offsets: ClassVar[bool] = False
    """Whether the algorithm takes off what values of a block share, by `Observation.block`; others are
    refused where there are blocks."""
    learns_from_related: ClassVar[bool] = False
    """Whether the algorithm learns from what other experiments found, by `Problem.related`; others are
    refused where there are some."""
    learns_comparisons: ClassVar[bool] = False
    """Whether there is a search by comparisons, for `Problem.compared`; others are refused where the
    objective is told so."""
    keeps_limits: ClassVar[bool] = False
    """Whether there is a safe search, for `Problem.kept`; others are refused where limits on outcomes are to
    be kept in every trial."""
    heeds_use: ClassVar[bool] = False
    """Whether there is a search for what is best over what varies in use, for `Problem.in_use`; others are
    refused where parameters do."""
    finds_crossings: ClassVar[bool] = False
    """Whether there is a search for where values cross a threshold, for `Problem.threshold`; others are
    refused where there is one."""
    learns_derivatives: ClassVar[bool] = False
    """Whether there is a search by values and derivatives, for `Problem.derivatives`; others are refused
    where evaluations return them."""
    may_wait: ClassVar[bool] = False
    """Whether `Algorithm.ask` may answer with fewer points than are asked for, where more have to be known
    first: what runs is then waited for."""

    def check(self, problem: Problem) -> list[str]:
        """Sentences on what makes no sense together with this problem; empty if all is well."""
        del problem
        return []

    def without_effect(self, problem: Problem) -> dict[str, str]:
        """The options given that change nothing with this problem, each with the reason."""
        del problem
        return {}


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
