"""Runs on trainings that may go on with other settings: whole ones, ones gone on with, and populations."""

from __future__ import annotations

import math
import time

from benchmarks.contenders.going_on import GOING_ON, WHOLE, Job, Run
from benchmarks.contenders.searches import EXACT
from benchmarks.functions.scheduled import SCHEDULED, STEPS, State
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space
from orchestrator.scheduler.standing import ROUNDING

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
    values: list[tuple[float, float, bool]] = []
    begun, evaluating, spent, went_on = time.process_time(), 0.0, 0.0, 0
    while spent < function.evaluations - ROUNDING:
        trial = len(values) + 1
        bring_up_to_date(algorithm)
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        parameters = space.suggested(suggestion.point)
        before = time.process_time()
        state, done = states.get(suggestion.continues) or (function.begun(job.seed), 0)
        steps = int(parameters[STEPS])
        state = function.advanced(state, steps - done, parameters)
        value = state.loss()
        evaluating += time.process_time() - before
        states[trial] = state, steps
        went_on += suggestion.continues > 0
        known = -value if math.isfinite(value) else None
        told = Observation(trial, space.encode(parameters), known, continues=suggestion.continues)
        algorithm.tell([told])
        paid = (steps - done) / function.steps
        values.append((paid, value, steps == function.steps))
        spent += paid
    seconds = (time.process_time() - begun - evaluating) / len(values)
    return Run(job, tuple(values), seconds, taken_up=went_on)
