"""A spec: everything that decides a run, as frozen values.

`load.py` makes one from YAML, where short forms and American spellings (``maximize``, ``optimizer``) are
read as well. Durations are in seconds here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal
from unicodedata import category, normalize

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from orchestrator.errors import SpecError
from orchestrator.fit_targets import MOST_TARGETS, AnyTarget, target_of
from orchestrator.objectives import MOST_OBJECTIVES, OF_THE_VALUE, Goal
from orchestrator.spec.document.section import Section, no_number_hint, refuse, shown
from orchestrator.spec.sections.candidates import CandidateTable
from orchestrator.spec.sections.durations import Duration
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spec.sections.fidelity import FidelityChoice
from orchestrator.spec.sections.parameter_keys import Scalar
from orchestrator.spec.sections.parameters import Parameter, differentiable_among
from orchestrator.spec.sections.workers import Workers
from orchestrator.values.block_name import OF_NO_BLOCK, block_name
from orchestrator.values.counts import MOST_DIGITS
from orchestrator.values.curve import written_curve
from orchestrator.values.finite import is_number
from orchestrator.values.over import over_of

_NAME = re.compile(r"[^\s{},\"'](?:[^{},\"'\n\r\t]{0,98}[^\s{},\"'])?")
_EXPERIMENT = re.compile(r"\w(?:[\w .+-]{0,98}[\w+-])?")
LONGEST_NAME = 100
BY_COMPARISON: Literal["by comparison"] = "by comparison"
"""How an objective is told that nobody can measure: people say which of two trials is better."""
_MOST = 10**MOST_DIGITS - 1
MOST_RELATED = 4
FEWEST_RELATED = 2
"""Results of a related experiment of which a model can be made."""


def _noise(value: Any) -> Any:
    if value in ("unknown", "reported") or (is_number(value) and value >= 0):
        return value
    raise refuse(f"expected `unknown`, `reported` or a standard deviation of at least 0, got {shown(value)}")


def refusal_of_many(related: int) -> str:
    """Why so many related experiments are refused; empty if they are not."""
    if related <= MOST_RELATED:
        return ""
    return (
        f"expected at most {MOST_RELATED} related experiments, got {related}: few results cannot tell which"
        " of many are like this one; name those that are likeliest to be"
    )


def _few_related(tables: list[str]) -> list[str]:
    if complaint := refusal_of_many(len(tables)):
        raise refuse(complaint)
    return tables


def _over(told: Any) -> Any:
    try:
        return over_of(told).told
    except ValueError as error:
        raise refuse(f"expected {error}, got {shown(told)}") from None


def _derivatives(told: Any) -> Any:
    if isinstance(told, bool) or (isinstance(told, list) and all(isinstance(one, str) for one in told)):
        return told
    raise refuse(f"expected `true`, or a list of parameters, got {shown(told)}")


def _outcome(value: object) -> object:
    if isinstance(value, bool):
        return float(value)
    return _number_or_curve(value)


def _number_or_curve(told: object) -> object:
    if isinstance(told, str):
        told = written_curve(told) or told
    if isinstance(told, list | tuple):
        return _all_numbers(told, "the points of a curve")
    if not is_number(told):
        raise refuse(f"expected a number, got {shown(told)}{no_number_hint(told)}")
    return told


def _all_numbers(told: Iterable[Any], what: str) -> tuple[float, ...]:
    for one in told:
        if not is_number(one):
            raise refuse(f"expected {what} as finite numbers, got {shown(one)}{no_number_hint(one)}")
    return tuple(map(float, told))


def _places(told: object) -> object:
    if told is None:
        return None
    if not isinstance(told, list | tuple):
        raise refuse(f"expected a list, a number for each point of the curve, got {shown(told)}")
    return _all_numbers(told, "the places of a curve's points")


class FitTarget(Section):
    """What an outcome is to be."""

    value: Annotated[float | tuple[float, ...], BeforeValidator(_number_or_curve)]
    """A number; of a curve those of its points, as `[0.1, 0.25, 0.4]`: evaluations return as many."""
    error: Annotated[float | tuple[float, ...], BeforeValidator(_number_or_curve)] = 1.0
    """By how much it may well be off: its standard error. Of a curve one for all its points, or a list."""
    at: Annotated[tuple[float, ...] | None, BeforeValidator(_places)] = None
    """Where the points of a curve are, as at wavelengths: by these it is drawn, and not by their numbers."""

    @property
    def target(self) -> AnyTarget:
        """As what is fitted has it. Raises SpecError."""
        return target_of("it", {"value": self.value, "error": self.error, "at": self.at})

    @model_validator(mode="after")
    def _is_a_target(self) -> FitTarget:
        try:
            _ = self.target
        except SpecError as mistake:
            raise refuse(str(mistake).removeprefix("target of `it`: ")) from None
        return self


class Objective(Section):
    """What is optimised."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "value"
    """What an evaluation may return it under; for tables and plots; the column of a CSV of known results."""
    goal: Goal
    told: Literal["as a value", "by comparison"] = "as a value"
    """`by comparison`: no trial has a value, people say which of two is better. There is no goal then."""
    noise: Annotated[Literal["unknown", "reported"] | float, BeforeValidator(_noise)] = "unknown"
    """`unknown`: inferred; a number: its standard deviation; `reported`: evaluations bring a variance."""
    over: Annotated[Literal["average", "worst", "each"] | dict[str, float], BeforeValidator(_over)] = (
        "average"
    )
    """Beside parameters that vary in use: `average`; `{worst: 0.1}`, over the worst tenth; `{quantile: 0.1}`,
    what is fallen short of in a tenth; `worst`, which comes up; `each`, which has its own best settings."""
    threshold: float | None = None
    """No best point is sought, but in which part of the domain the value is above this. There is no goal
    then."""
    derivatives: Annotated[bool | list[str], BeforeValidator(_derivatives)] = False
    """Whether evaluations return derivatives of the value beside it, as `{span: 0.3, sweep: -0.1}` under
    `derivatives`, or the parameters by which they do: `true` stands for all that are real numbers."""
    unit: str | None = None
    """For people: it stands behind values."""
    value: str | None = None
    """A formula of `outcomes` and parameters, by which the value is computed, such as `(lift - 3) ** 2`:
    evaluations return the outcomes alone."""
    fit: Annotated[dict[str, FitTarget] | None, Field(min_length=1, max_length=MOST_TARGETS)] = None
    """What outcomes are to be: the value is the sum of the squares by which they are off, each in units of
    its error. A table of columns `outcome`, `value` and perhaps `error` beside the spec, or as
    `{lift: {value: 3.2, error: 0.1}, drag: 1.0}`; of a curve a row a point, with a column `at`."""

    @model_validator(mode="before")
    @classmethod
    def _better_is_the_goal(cls, told: object) -> object:
        if not isinstance(told, dict) or "goal" in told:
            return told
        if told.get("told") == BY_COMPARISON or told.get("threshold") is not None:
            return {"goal": "maximise"} | told
        return told

    @property
    def is_computed(self) -> bool:
        """Whether its value is computed from outcomes."""
        return self.value is not None or self.fit is not None

    @property
    def is_returned(self) -> bool:
        """Whether evaluations return its value."""
        return self.told != BY_COMPARISON and not self.is_computed

    @property
    def own_name(self) -> str:
        """What may stand for `value` where a result is a mapping; empty where the name says something else
        there.
        """
        return "" if self.name in OF_THE_VALUE else self.name


class FurtherObjective(Section):
    """What is optimised besides: it is returned beside the value, under its name."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    goal: Goal
    unit: str | None = None


class AlgorithmChoice(Section):
    """Which algorithm chooses the points. Its options are validated by the algorithm itself."""

    name: str = "auto"
    options: dict[str, Any] = Field(default_factory=dict)


class Budget(Section):
    """When the run ends: at the first of these that is reached. At least one is given."""

    trials: Annotated[int, Field(ge=1, le=_MOST)] | None = None
    """Points to evaluate."""
    cost: Annotated[float, Field(gt=0, le=_MOST)] | None = None
    """What the trials may cost together, in evaluations at full fidelity, beside `fidelity`. The trial that
    reaches it is the last."""
    time_s: Annotated[Duration | None, Field(alias="time")] = None
    """Time the run may take, across its resumptions, such as `2 h`."""
    target: float | None = None
    """A value of the objective that is good enough."""
    patience: Annotated[int, Field(ge=1, le=_MOST)] | None = None
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


class Mode(Section):
    """How many evaluations are under way at a time, and whether points wait for each other.

    ``batch`` is given where synchronous, None where asynchronous, and has no effect where sequential.
    """

    kind: Literal["asynchronous", "synchronous", "sequential"] = "asynchronous"
    batch: Annotated[int, Field(ge=1, le=10_000)] | None = None

    @model_validator(mode="after")
    def _batch_where_synchronous(self) -> Mode:
        if self.kind == "synchronous" and self.batch is None:
            raise refuse("expected the size of a batch, as in `mode: {synchronous: 4}`, got none")
        if self.kind == "asynchronous" and self.batch is not None:
            raise refuse("expected no batch with `asynchronous`, where no point waits for another")
        return self


class KnownResult(Section):
    """A value, or a failure, known before the run. Part of the data, not of the budget."""

    parameters: dict[str, Scalar | None]
    value: float | None
    """Nothing where `state` says that it failed."""
    state: str | None = None
    """As `orchestrator export` writes it: `failed`, of what gave no value. Beside a value it says nothing."""
    variance: Annotated[float, Field(ge=0)] | None = None
    factors: list[float] | None = None
    """What each of the spec's factors gave, where that is known."""
    seconds: Annotated[float, Field(gt=0)] | None = None
    """What its evaluation took, where that is known: of use where durations are weighed."""
    block: Annotated[str, BeforeValidator(block_name)] = OF_NO_BLOCK
    """Which of the spec's blocks it is of, where that is known."""
    outcomes: dict[str, Annotated[float | tuple[float, ...], BeforeValidator(_outcome)]] = Field(
        default_factory=dict
    )
    """The spec's outcomes, as far as they are known. Without them it does not count as the best."""
    derivatives: dict[str, float | None] = Field(default_factory=dict)
    """Those of the objective by parameters, as far as they are known."""


class Initial(Section):
    """What the run starts from."""

    count: Annotated[int, Field(ge=1, le=_MOST)] | None = None
    """How many points come from the start design; the algorithm's own default if not given."""
    reference: dict[str, Scalar | None] | None = None
    """The point that the best one is measured against, as what is made with today: evaluated first of all."""
    points: list[dict[str, Scalar | None]] = Field(default_factory=list)
    """Points to evaluate before any other, the reference first, if there is one."""
    results: list[KnownResult] = Field(default_factory=list)
    """Results known already, inline or as the paths of CSV files beside the spec."""
    related: Annotated[list[str], AfterValidator(_few_related)] = Field(default_factory=list)
    """Tables of results of other experiments, which are like this one as far as results show, as the paths
    of CSV files beside the spec."""


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
        if all(parameter.type in ("fixed", "computed", "given") for parameter in parameters.values()):
            raise refuse("expected at least one parameter that is not fixed, got none")
        return parameters
