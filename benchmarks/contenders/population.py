"""Runs on trainings that may go on with other settings: whole ones, ones gone on with, and populations."""

from __future__ import annotations

import math

from benchmarks.contenders.going_on import GOING_ON, WHOLE, Job, Run
from benchmarks.contenders.searches import EXACT, search_within
from benchmarks.functions.scheduled import SCHEDULED, STEPS, State
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation, Problem, Suggestion
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space

RANDOM, PBT, PB2 = "random", "pbt", "pb2"
ALGORITHMS = {WHOLE: "auto", GOING_ON: "auto", RANDOM: "random", PBT: "pbt", PB2: "pb2"}
PIECES = 10


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """All ways to spend the same steps."""
    del algorithm
    return [Job(own, function, seed, how) for how, own in ALGORITHMS.items()]


def run(job: Job) -> Run:
    """One piece at a time, until the budget is spent."""
    function = SCHEDULED[job.function]
    in_pieces = job.how not in (WHOLE, RANDOM)
    space = Space.from_description(function.description if in_pieces else function.at_full)
    budget, fidelity = float(function.evaluations), None
    if in_pieces:
        fidelity = Fidelity.of(space, STEPS, STEPS, budget=budget, continues=True)
    problem = Problem(
        space.domain,
        seed=job.seed,
        noise=EXACT,
        trials=None if in_pieces else function.evaluations,
        fidelity=None if fidelity is None else fidelity.levels,
    )
    population = job.algorithm in registry.IN_PIECES
    algorithm = registry.build(job.algorithm, problem, {"pieces": PIECES} if population else {})
    states: dict[int, tuple[State, int]] = {}
    gone_on = list[int]()

    def evaluate(trial: int, asked: Suggestion) -> tuple[Observation, tuple[float, float, bool], float]:
        parameters = space.suggested(asked.point)
        state, done = states.get(asked.continues) or (function.begun(job.seed), 0)
        steps = int(parameters[STEPS])
        state = function.advanced(state, steps - done, parameters)
        value = state.loss()
        states[trial] = state, steps
        if asked.continues:
            gone_on.append(trial)
        known = -value if math.isfinite(value) else None
        told = Observation(trial, space.encode(parameters), known, continues=asked.continues)
        paid = (steps - done) / function.steps
        return told, (paid, value, steps == function.steps), paid

    values, seconds = search_within(algorithm, function.evaluations, evaluate)
    return Run(job, values, seconds, taken_up=len(gone_on))
