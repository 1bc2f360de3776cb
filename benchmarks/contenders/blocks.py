"""Runs on functions whose values come in blocks: how good what is believed best is, and how far offsets are
off, by whoever is told of the blocks, holds them as a choice, or is told nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchmarks.contenders.searches import SearchJob, SearchRun
from benchmarks.functions.blocked import A_BLOCK, BLOCKED, BlockedCopy
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, AskKey, Observation, Problem, Recommends
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.parameters.held import held_within
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.domain import Domain

BLOCK = "block"


@dataclass(frozen=True)
class Job(SearchJob):
    """On a function of `BLOCKED`. ``told``: what the algorithm is told of the blocks."""

    told: Literal["blocks", "held", "nothing"] = "nothing"

    @property
    def title(self) -> str:
        """What a table calls the contender."""
        ways = {"blocks": "told the blocks", "held": "a choice held", "nothing": "told nothing"}
        return f"{self.algorithm}, {ways[self.told]}"


@dataclass(frozen=True)
class Run(SearchRun[Job, tuple[int, float]]):
    """What came of a job: the regret of the point believed best after so many trials. Where blocks were told,
    by how much offsets were ``missed``, and would have been by the means of blocks, about their own means, as
    a part of the noise.
    """

    missed: float | None = None
    missed_by_means: float | None = None

    def regret(self, evaluations: int) -> float:
        """Of what was believed best then."""
        return next(regret for after, regret in self.values if after == evaluations)


def run(job: Job) -> Run:
    """One trial at a time; whoever holds blocks has them as one more coordinate, a choice."""
    blocked = BLOCKED[job.function]
    copy, evaluations = blocked.of_seed(job.seed), blocked.evaluations
    space = _space(blocked.dimension, len(copy.offsets), held=job.told == "held")
    problem = Problem(space.domain, seed=job.seed, trials=evaluations, blocks=job.told == "blocks")
    algorithm = registry.build(job.algorithm, problem, {})
    values, told, spent = list[tuple[int, float]](), list[float](), 0.0
    for trial in range(evaluations):
        block = trial // A_BLOCK
        within = _within(space, block) if job.told == "held" else None
        begun = time.process_time()
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial, within))
        spent += time.process_time() - begun
        told.append(copy.told(suggestion.point[: blocked.dimension], trial))
        of = str(block) if problem.blocks else None
        algorithm.tell([Observation(trial, suggestion.point, -told[-1], block=of, held=within is not None)])
        if trial + 1 in (evaluations // 2, evaluations):
            bring_up_to_date(algorithm)
            values.append((trial + 1, copy.regret(_believed_best(algorithm, within)[: blocked.dimension])))
    missed = _missed(algorithm, copy, told) if problem.blocks else (None, None)
    return Run(job, tuple(values), spent / evaluations, "", *missed)


def _space(dimension: int, blocks: int, *, held: bool) -> Space:
    described: dict[str, object] = {f"x{i}": (0.0, 1.0) for i in range(dimension)}
    if held:
        described[BLOCK] = {"type": "choice", "values": [str(block) for block in range(blocks)]}
    return Space.from_description(described)


def _within(space: Space, block: int) -> Domain | None:
    return held_within(space, {BLOCK: str(block)})


def _believed_best(algorithm: Algorithm, within: Domain | None) -> FloatArray:
    found = algorithm.recommend(within) if isinstance(algorithm, Recommends) else None
    assert found is not None
    return found.point


def _missed(algorithm: Algorithm, copy: BlockedCopy, told: list[float]) -> tuple[float, float]:
    """By root mean square: the offsets believed, and the means of blocks."""
    believed = np.array([-offset.mean for offset in algorithm.insight().offsets.values()])
    means = np.array(told).reshape(-1, A_BLOCK).mean(axis=1)
    errors = [one - one.mean() - (copy.offsets - copy.offsets.mean()) for one in (believed, means)]
    off, by_means = (float(np.sqrt(np.mean(error**2))) / copy.noise for error in errors)
    return off, by_means
