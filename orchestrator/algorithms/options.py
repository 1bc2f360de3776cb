"""The options of an algorithm, as a spec says them, and what of a problem the algorithm can make use of."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ValidationInfo, field_validator

from orchestrator.algorithms.plain_options import refuse_what_is_taken_for_another
from orchestrator.algorithms.problem import Problem


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
    heeds_hunches: ClassVar[bool] = False
    """Whether the algorithm begins where a person believes that good settings lie, by `Problem.hunch`; others
    are refused where one said so."""
    counts_designed: ClassVar[bool] = False
    """Whether `Problem.start_points` says how many points the algorithm begins with; to others it means
    nothing."""
    improves: ClassVar[bool] = True
    """Whether points are suggested for how much better than the best they may be."""
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
