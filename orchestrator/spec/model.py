"""A spec: everything that decides a run, as frozen values.

`load.py` makes one from YAML, where short forms and American spellings (``maximize``, ``optimizer``) are
read as well. Durations are in seconds here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from unicodedata import category, normalize

from pydantic import Field, PrivateAttr, field_validator, model_validator

from orchestrator.objectives import MOST_OBJECTIVES
from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.candidates import CandidateTable
from orchestrator.spec.sections.durations import Duration
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spec.sections.fidelity import FidelityChoice
from orchestrator.spec.sections.initial import Initial
from orchestrator.spec.sections.objective import FurtherObjective, Objective
from orchestrator.spec.sections.parameter_keys import Scalar
from orchestrator.spec.sections.parameters import Parameter, differentiable_among, varies
from orchestrator.spec.sections.workers import Workers
from orchestrator.values.counts import MOST

_NAME = re.compile(r"[^\s{},\"'](?:[^{},\"'\n\r\t]{0,98}[^\s{},\"'])?")
_EXPERIMENT = re.compile(r"\w(?:[\w .+-]{0,98}[\w+-])?")
LONGEST_NAME = 100


class AlgorithmChoice(Section):
    """Which algorithm chooses the points. Its options are validated by the algorithm itself."""

    name: str = "auto"
    options: dict[str, Any] = Field(default_factory=dict)


class Budget(Section):
    """When the run ends: at the first of these that is reached. At least one is given."""

    trials: Annotated[int, Field(ge=1, le=MOST)] | None = None
    """Points to evaluate."""
    cost: Annotated[float, Field(gt=0, le=MOST)] | None = None
    """What the trials may cost together, in evaluations at full fidelity, beside `fidelity`. The trial that
    reaches it is the last."""
    time_s: Annotated[Duration | None, Field(alias="time")] = None
    """Time the run may take, across its resumptions, such as `2 h`."""
    target: float | None = None
    """A value of the objective that is good enough."""
    patience: Annotated[int, Field(ge=1, le=MOST)] | None = None
    """Trials in a row without improvement. Of those below full fidelity each counts for what it costs."""
    expected_gain: Annotated[float, Field(gt=0)] | None = None
    """Less than this is left to gain, as the model expects, in the objective's units. Not every algorithm can
    tell."""

    @model_validator(mode="after")
    def _one_at_least(self) -> Budget:
        if all(getattr(self, name) is None for name in type(self).model_fields):
            raise refuse(
                "expected at least one of `trials`, `cost`, `time`, `target`, `patience` and `expected_gain`,"
                " got none"
            )
        return self


ROUND = "as in `mode: {synchronous: 4, sharing: [temperature]}`"


class Mode(Section):
    """How many evaluations are under way at a time, and whether points wait for each other.

    ``batch`` is given where synchronous, None where asynchronous, and has no effect where sequential.
    """

    kind: Literal["asynchronous", "synchronous", "sequential"] = "asynchronous"
    batch: Annotated[int, Field(ge=1, le=10_000)] | None = None
    sharing: list[str] = Field(default_factory=list)
    """The parameters that all of a round have in common, as samples that are in one oven have its
    temperature."""

    @model_validator(mode="after")
    def _batch_where_synchronous(self) -> Mode:
        if self.kind == "synchronous" and self.batch is None:
            raise refuse("expected the size of a batch, as in `mode: {synchronous: 4}`, got none")
        if self.kind == "asynchronous" and self.batch is not None:
            raise refuse("expected no batch with `asynchronous`, where no point waits for another")
        if self.kind != "synchronous" and self.sharing:
            raise refuse(f"expected rounds beside `sharing`, {ROUND}, got `{self.kind}`")
        return self


class Spec(Section):
    """One experiment."""

    experiment: str
    """Its name, which the run's folder is named for."""
    objective: Objective
    """What is optimised; of several `objectives`, the first."""
    further_objectives: Annotated[
        list[FurtherObjective], Field(alias="objectives", max_length=MOST_OBJECTIVES - 1)
    ] = Field(default_factory=list)
    """The rest of them. They are `outcomes` too."""
    parameters: Annotated[dict[str, Parameter], Field(min_length=1)]
    """What is varied, by name."""
    candidates: CandidateTable | None = None
    """The only combinations that may be tried, as a CSV file beside the spec: its columns are parameters."""
    columns: dict[str, str] = Field(default_factory=dict)
    """What columns of CSV files are called that other programs wrote, and which names of the spec they stand
    for."""
    outcomes: list[str] = Field(default_factory=list)
    """What every evaluation returns beside the value, as numbers, that constraints may be about."""
    constraints: list[str] = Field(default_factory=list)
    """What every point satisfies: inequalities between parameters, such as `inner < outer`; what adds up to a
    whole, such as `oil + zinc + ester == 100`; and how many of some are used, that is not 0, such as
    `count(zinc, ester, amine) <= 2`. And what the best one satisfies: inequalities of outcomes, such as
    `lift >= 0.4`."""
    fidelity: FidelityChoice | None = None
    """Which parameter says how closely an evaluation looks, where looking less closely costs less. What is
    learned so is learned from, and is never the best."""
    held: dict[str, Scalar] = Field(default_factory=dict)
    """Parameters that are not chosen, but are as they are, such as the batch of material that lies there: the
    value of each. What is learned elsewhere is learned from, and is never the best. `amend --held` changes
    them."""
    clock: str | None = None
    """The parameter whose value is the time since the run began, in its unit, where what is best drifts: each
    trial has that at which it is handed out, and what was learned earlier counts as far as it is alike."""
    blocks: str | None = None
    """What results differ by an offset by that nobody can choose, such as the plate that they are of, as each
    says; or `worker`, who evaluated them, or `day`, on which their evaluation began. What is sought is best
    without the offset."""
    factors: list[list[str]] | None = None
    """Known additive structure: groups of parameters, which may overlap."""
    algorithm: AlgorithmChoice = AlgorithmChoice()
    budget: Budget
    evaluation: Evaluation
    workers: Workers = Workers()
    mode: Mode = Mode()
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Everything random follows from it."""
    initial: Initial = Initial()
    _levels: Mapping[str, float] = PrivateAttr(default_factory=dict)

    @property
    def levels(self) -> Mapping[str, float]:
        """What was measured of outcomes at the reference, as far as constraints are relative to it: nobody
        writes it in a spec, but a run that goes on finds it.
        """
        return self._levels

    def relative_to(self, levels: Mapping[str, float]) -> Spec:
        """The spec by what was measured at the reference."""
        known = self.model_copy()
        known._levels = levels
        return known

    @property
    def accumulates(self) -> str:
        """The parameter by which evaluations go on from others; empty if they do not."""
        return "" if self.fidelity is None else self.fidelity.accumulates

    @property
    def limited(self) -> tuple[str, ...]:
        """What an evaluation tells that constraints may be about: its outcomes and, last, the first of
        several objectives, which is its value.
        """
        name = self.objective.name
        own = bool(self.further_objectives) and name not in (*self.parameters, *self.outcomes)
        return (*self.outcomes, name) if own else tuple(self.outcomes)

    @property
    def derivatives_by(self) -> tuple[str, ...]:
        """The parameters by which evaluations may return derivatives."""
        told, able = self.objective.derivatives, differentiable_among(self.parameters)
        if isinstance(told, bool):
            return able if told else ()
        return tuple(name for name in able if name in told)

    @field_validator("experiment")
    @classmethod
    def _names_a_folder(cls, experiment: str) -> str:
        # Some programs, macOS's among them, write é as an e and an accent; some marks are in no letter.
        experiment = normalize("NFC", experiment)
        letters = "".join(c for c in experiment if not category(c).startswith("M"))
        if (
            not _EXPERIMENT.fullmatch(letters)
            or len(experiment) > LONGEST_NAME
            or letters[0] != experiment[0]
        ):
            raise refuse(
                "expected a name of at most 100 letters, digits, spaces and . _ + - that begins with a letter"
                f" or a digit, got {shown(experiment)}"
            )
        return experiment

    @field_validator("blocks")
    @classmethod
    def _blocks_that_can_be_written(cls, blocks: str | None) -> str | None:
        if blocks is not None and not _NAME.fullmatch(blocks):
            raise refuse(
                "expected what results say which block they are of by, as `plate`, a name of at most 100"
                " characters without braces, commas and quotation marks; or `worker` or `day`; got"
                f" {shown(blocks)}"
            )
        return blocks

    @field_validator("outcomes")
    @classmethod
    def _outcomes_that_can_be_written(cls, outcomes: list[str]) -> list[str]:
        for name in outcomes:
            if not _NAME.fullmatch(name) or "`" in name:
                raise refuse(
                    "expected names of outcomes of at most 100 characters without braces, commas, quotation"
                    f" marks and backquotes, got {shown(name)}"
                )
        return outcomes

    @field_validator("parameters")
    @classmethod
    def _names_that_can_be_written(cls, parameters: dict[str, Parameter]) -> dict[str, Parameter]:
        for name in parameters:
            if not _NAME.fullmatch(name):
                raise refuse(
                    "expected names of parameters of at most 100 characters without braces, commas and"
                    f" quotation marks, got {shown(name)}"
                )
        if not any(map(varies, parameters.values())):
            raise refuse("expected at least one parameter that is not fixed, got none")
        return parameters
