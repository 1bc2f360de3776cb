"""What callers of the Python interface say of an experiment, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsFloat

from orchestrator.algorithms.base import Algorithm, Noise, Problem
from orchestrator.numerics.floating_errors import numpys_own_errors
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.hunches import hunch_of_points
from orchestrator.parameters.linear_sums import linear_sums
from orchestrator.parameters.named_factors import numbered
from orchestrator.parameters.priors import prior_of_points
from orchestrator.parameters.space import Space
from orchestrator.parameters.tolerances import settings_off
from orchestrator.python_interface.beside import refuse_at_odds
from orchestrator.python_interface.blocks import ToldBlocks, blocks_of
from orchestrator.python_interface.candidates import Candidates, with_candidates
from orchestrator.python_interface.candidates import Rows as CandidateRows
from orchestrator.python_interface.change import refuse_beside_change
from orchestrator.python_interface.clock import Clock, clock_of
from orchestrator.python_interface.computed import Computing
from orchestrator.python_interface.derivatives import DifferentiatedBy, derivatives_by
from orchestrator.python_interface.fidelity import fidelity_of
from orchestrator.python_interface.in_use import in_use_of, refuse_without_variation
from orchestrator.python_interface.outcomes import ToldGoal, further_of, noise_of, seed_of, sign_of
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.related import ToldRelated, in_brief, related_of
from orchestrator.python_interface.threshold import threshold_of
from orchestrator.python_interface.travel import refuse_beside_travel
from orchestrator.python_interface.watch import Stopping, stopping_of
from orchestrator.search_files.problem import constraints_in_words, noise_in_words
from orchestrator.values import candidates as listed
from orchestrator.values.over import ToldOver
from orchestrator.wanted_outcomes import WantedOutcomes, described


@dataclass(frozen=True, eq=False, kw_only=True)
class Told:
    """As they say it: `Optimiser` tells what each of these means."""

    parameters: Mapping[str, object] | Space
    goal: ToldGoal
    algorithm: str
    options: Mapping[str, object] | None
    factors: Sequence[Sequence[str]] | None
    seed: int
    noise: Noise | SupportsFloat | Literal["unknown", "reported"]
    plan: Plan | None
    constraints: Sequence[str] | None
    outcomes: Sequence[str] | None
    value: str | None
    fit: Mapping[str, object] | None
    covariance: object
    reference: Mapping[str, object] | None
    reference_times: int
    objectives: Mapping[str, ToldGoal] | None
    fidelity: Mapping[str, object] | None
    clock: str | None
    blocks: ToldBlocks
    over: ToldOver
    threshold: SupportsFloat | None
    derivatives: DifferentiatedBy
    related: ToldRelated | None
    candidates: Candidates | CandidateRows | None
    stop_when: Mapping[str, object] | None

    @property
    def never_computed(self) -> set[str]:
        """The parameters that no equality makes computed ones: the clock, what says how closely to look, and
        what is in a factor, as far as they are told as they should be.
        """
        told: list[object] = [self.clock]
        if isinstance(self.fidelity, Mapping):
            told.append(self.fidelity.get("parameter"))
        for factor in self.factors if isinstance(self.factors, Sequence) else ():
            told += factor if isinstance(factor, Sequence) else ()
        return {name for name in told if isinstance(name, str)}


@dataclass(frozen=True, eq=False)
class Sought:
    """Where is searched, and for what: the ``space``, and what is ``wanted`` of outcomes, the ``further``
    objectives among them; in the ``sign`` of the goal (-1 where one minimises), of a value that may be
    ``computed``. ``rows`` are the only ones that may be tried, if that was said, ``constraints`` as they
    were told, and ``fidelity`` which results look closely.
    """

    space: Space
    wanted: WantedOutcomes | None
    further: Sequence[tuple[str, float]]
    sign: float
    computed: Computing
    rows: listed.Candidates | None
    constraints: Sequence[str]
    plan: Plan
    fidelity: Fidelity | None

    @classmethod
    def of(cls, told: Told) -> Sought:
        """Raises SpecError or UsageError for anything in it that is wrong."""
        sign, plan = sign_of(told.goal), Plan.of(told.plan)
        further, computed = further_of(told.objectives), Computing.of(told.value, told.fit, told.covariance)
        outcomes = computed.outcomes(told.outcomes)
        with numpys_own_errors():
            parameters, rows = with_candidates(told.parameters, told.candidates)
            spared = told.never_computed.union(() if rows is None else rows.names)
            may_refer = told.reference is not None
            space, wanted = described(
                parameters, told.constraints, outcomes, further, spared, rows, reference=may_refer
            )
            wanted = computed.put_into(wanted, space, sign)
            refuse_beside_travel(space, plan)
            refuse_beside_change(space, plan)
            fidelity = fidelity_of(told.fidelity, space, plan.cost)
        constraints = constraints_in_words(parameters, told.constraints)
        return cls(space, wanted, further, sign, computed, rows, constraints, plan, fidelity)


@dataclass(frozen=True, eq=False)
class Experiment:
    """What is ``sought`` by all that callers ``told``, which ``problem`` that is to an algorithm, and what is
    said besides.
    """

    told: Told
    sought: Sought
    clock: Clock | None
    blocks: ToldBlocks
    problem: Problem
    stopping: Stopping | None

    @classmethod
    def of(cls, told: Told, *, has_begun: bool) -> Experiment:
        """``has_begun``: a file keeps some of it. Raises SpecError or UsageError for anything in it that is
        wrong, or at odds.
        """
        sought = Sought.of(told)
        space, wanted, fidelity = sought.space, sought.wanted, sought.fidelity
        if not has_begun:
            refuse_without_variation(space)
        clock = clock_of(told.clock, space, wanted, fidelity)
        blocks = blocks_of(told.blocks)
        problem = Problem(
            space.domain,
            seed=seed_of(told.seed),
            factors=None if told.factors is None else numbered(told.factors, space),
            noise=noise_of(told.noise),
            trials=sought.plan.trials,
            parallel=sought.plan.parallel,
            outcome_constraints=0 if wanted is None else wanted.count,
            further_objectives=len(sought.further),
            fidelity=None if fidelity is None else fidelity.levels,
            off=settings_off(space),
            clock=None if clock is None else space.index(clock.name),
            blocks=bool(blocks),
            sums=tuple(linear_sums(space.following).values()),
            related=related_of(told.related, space, sought.sign),
            kept=() if wanted is None else wanted.kept_limits,
            composite=None if wanted is None else wanted.computed,
            in_use=in_use_of(space, told.over),
            threshold=threshold_of(told.threshold, sought.sign),
            derivatives=tuple(map(space.index, derivatives_by(told.derivatives, space))),
            beforehand=prior_of_points(space),
            hunch=hunch_of_points(space),
        )
        stopping = stopping_of(told.stop_when, sought.sign > 0)
        refuse_at_odds(space, problem, wanted, stopping, reference=told.reference is not None)
        return cls(told, sought, clock, blocks, problem, stopping)

    def reading(self, algorithm: type[Algorithm]) -> Reading:
        """How its results are read for an algorithm of this kind."""
        sought = self.sought
        of_results = self.problem, sought.space, sought.wanted, sought.sign
        costs = None if sought.fidelity is None else sought.fidelity.learning()
        return Reading(*of_results, algorithm, sought.fidelity, self.clock, costs, self.blocks)

    @property
    def names_no_best(self) -> bool:
        """Whether no result is the best, as what is sought is none, or drifts."""
        return self.clock is not None or self.problem.in_use is not None or self.problem.threshold is not None

    def to_json(self) -> dict[str, Any]:
        """What a file says of it beside the parameters and the plan; of what files of before there was any do
        not say, only what there is.
        """
        told, sought, problem = self.told, self.sought, self.problem
        said: dict[str, Any] = {
            "goal": "maximise" if sought.sign > 0 else "minimise",
            "algorithm": told.algorithm,
            "options": told.options or None,
            "factors": told.factors,
            "seed": problem.seed,
            "noise": noise_in_words(problem.noise),
            "constraints": sought.constraints,
            "outcomes": [] if sought.wanted is None else list(sought.wanted.outcomes),
            "objectives": [[name, "maximise" if sign > 0 else "minimise"] for name, sign in sought.further],
            "fidelity": told.fidelity,
            "clock": told.clock,
        }
        if self.blocks:
            said["blocks"] = self.blocks
        if problem.in_use is not None:
            said["over"] = problem.in_use.over.told
        if problem.threshold is not None:
            said["threshold"] = problem.threshold
        if problem.derivatives:
            said["derivatives"] = [sought.space.names[j] for j in problem.derivatives]
        if problem.related:
            said["related"] = in_brief(problem.related)
        if sought.rows is not None:
            said["candidates"] = sought.rows.to_json()
        return said | sought.computed.to_json()
