"""Of points that are said to be better than others with some probability, how many are; and how near the
difference comes.

python -m benchmarks.differences --seeds 3 --page docs/differences.md

In runs of `auto` on noisy functions whose true values are known: about twenty seconds a run, in one process.

Notation: D parameters, n results.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.gains.runs import Landscape, landscape
from benchmarks.kept.page_out import add_page, hand_over
from benchmarks.measuring.machine import machine
from benchmarks.typed_seeds import typed_seeds
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.measured import Measured
from orchestrator.unit_cube.domain import Domain

if TYPE_CHECKING:
    from orchestrator.sensitivity.differences import Difference

FUNCTIONS = ("drawn-2", "camel", "hartmann-3", "hartmann-6")
NOISES = (0.1, 0.5)
"""Deviations, where that of the function's values over the box is 1."""
TRIALS = 40
PAIRS = 30
"""Of each kind but those of the best, in a run."""
A_STEP = 0.05
"""How far the second of two near points is in each parameter, at most."""
KINDS = ("best", "tried", "near", "anywhere")
EDGES = (0.5, 0.6, 0.75, 0.9, 0.975, 1.0)
"""Between these lie the probabilities that are told together."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What was said of one point against another: how likely the one that is said to be better is so,
    ``stated``, and whether it is, ``right``; whether the true difference lies ``within`` the interval; and
    the interval's ``width``.
    """

    kind: str
    noise: float
    stated: float
    right: bool
    within: bool
    width: float


@dataclass(frozen=True, slots=True)
class Gain:
    """By how much what is told of the best against the reference is too high, ``missed``; and by how much the
    best value measured less that measured of the reference is, of the point that had it, ``measuring``: each
    as a multiple of the noise. ``within``: whether the truth lies in the interval.
    """

    noise: float
    missed: float
    measuring: float
    within: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """One run: its pairs, as the models ``alone`` say, and as is ``told``; and the gain."""

    alone: tuple[Pair, ...]
    told: tuple[Pair, ...]
    gain: Gain


def results_of(truth: Landscape, noise: float, seed: int) -> Measured:
    """What `auto` measured, of which the first is the reference, a point drawn evenly. It is not told of the
    noise.
    """
    problem = Problem(Domain.continuous(truth.dimension), seed=seed, trials=TRIALS)
    algorithm = registry.build("auto", problem)
    points, values = np.empty((TRIALS, truth.dimension)), np.empty(TRIALS)
    for trial in range(TRIALS):
        if trial == 0:
            points[0] = stream(seed, "reference").random(truth.dimension)
        else:
            bring_up_to_date(algorithm)
            points[trial] = algorithm.ask(1, [], AskKey(trial, trial))[0].point
        luck = float(stream(seed, "noise", trial).standard_normal())
        values[trial] = float(truth.values(points[[trial]])[0]) + noise * luck
        algorithm.tell([Observation(trial, points[trial], float(values[trial]))])
    return Measured(points, values, np.zeros(TRIALS))


def judged(name: str, noise: float, seed: int) -> Judged:
    """One run."""
    # Not above: whoever reads the help need not load models.
    from orchestrator.sensitivity.differences import difference
    from orchestrator.sensitivity.held_out import checked

    truth = landscape(name, seed)
    measured = results_of(truth, noise, seed)
    problem = Problem(Domain.continuous(truth.dimension), seed=seed)
    model = checked(problem, measured)
    # What is told to be the best in noise: that of the points tried of which most is expected.
    best = int(np.argmax(model.expected(measured.points)))
    alone, told = [], []
    for kind, here, there in _pairs(measured.points, best, seed):
        apart = float(np.subtract(*truth.values(np.array([here, there]))))
        alone.append(_pair(kind, noise, difference(replace(model, stretch=1.0), here, there), apart))
        told.append(_pair(kind, noise, difference(model, here, there), apart))
    said = difference(model, measured.points[best], measured.points[0])
    return Judged(tuple(alone), tuple(told), _gain(truth, said, measured, best, noise))


def _pairs(points: FloatArray, best: int, seed: int) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """The best against every other trial; trials drawn, points near one another, and points anywhere."""
    rng, count, dimension = stream(seed, "pairs"), len(points), len(points[0])
    for other in range(count):
        if not np.array_equal(points[other], points[best]):
            yield "best", points[best], points[other]
    for _ in range(PAIRS):
        first, second = points[rng.choice(count, size=2, replace=False)]
        if not np.array_equal(first, second):
            yield "tried", first, second
    for _ in range(PAIRS):
        here = rng.random(dimension)
        yield "near", here, np.clip(here + A_STEP * rng.uniform(-1.0, 1.0, dimension), 0.0, 1.0)
    for _ in range(PAIRS):
        here, there = rng.random((2, dimension))
        yield "anywhere", here, there


def _pair(kind: str, noise: float, said: Difference, apart: float) -> Pair:
    right = (said.higher >= 0.5) == (apart > 0.0)
    within = said.low <= apart <= said.high
    return Pair(kind, noise, max(said.higher, 1.0 - said.higher), right, within, said.high - said.low)


def _gain(truth: Landscape, said: Difference, measured: Measured, best: int, noise: float) -> Gain:
    def apart(row: int) -> float:
        return float(np.subtract(*truth.values(measured.points[[row, 0]])))

    highest = int(np.argmax(measured.values))
    seen = float(measured.values[highest] - measured.values[0])
    within = said.low <= apart(best) <= said.high
    return Gain(noise, (said.mean - apart(best)) / noise, (seen - apart(highest)) / noise, within)


def page(runs: Sequence[Judged], seeds: int) -> str:
    """`docs/differences.md`."""
    parts = [
        "# Is it really better?",
        INTRODUCTION,
        METHOD.format(seeds=seeds, runs=len(runs), machine=machine()),
        "## How often what is said to be better is",
        OF_CHANCES,
        chances_table(runs),
        "## How often the difference lies within its interval",
        OF_INTERVALS,
        intervals_table(runs),
        "## Against the difference of what was measured",
        OF_GAINS,
        gains_table(runs),
    ]
    return "\n\n".join(parts) + "\n"


def chances_table(runs: Sequence[Judged]) -> str:
    """A line for each range of probabilities: how many pairs, what was stated on average, and how often it
    came true; of each kind, as is told.
    """
    told = [pair for run in runs for pair in run.told]
    body = []
    for low, high in pairwise(EDGES):
        line = [f"{100 * low:g} to {100 * high:g} %"]
        for kind in KINDS:
            own = [one for one in told if one.kind == kind and low <= one.stated and _below(one.stated, high)]
            line.append(_came_true(own))
        body.append(line)
    return aligned(["said to be better with", *KINDS], body)


def _below(stated: float, high: float) -> bool:
    return stated < high or high == EDGES[-1]


def _came_true(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return ""
    stated = np.mean([pair.stated for pair in pairs])
    right = np.mean([pair.right for pair in pairs])
    return f"{100 * right:.1f} of {100 * stated:.1f} ({len(pairs)})"


def intervals_table(runs: Sequence[Judged]) -> str:
    """In per cent, by kind and noise: how often the truth lies within, by the models alone, and as told; and
    by how much wider the latter are.
    """
    body = []
    for kind in KINDS:
        for noise in NOISES:
            alone = [one for run in runs for one in run.alone if (one.kind, one.noise) == (kind, noise)]
            told = [one for run in runs for one in run.told if (one.kind, one.noise) == (kind, noise)]
            if not told:
                continue
            wider = np.median([one.width / by.width for one, by in zip(told, alone, strict=True)])
            within = [f"{100 * np.mean([one.within for one in own]):.1f}" for own in (alone, told)]
            body.append([kind, f"{noise:g}", str(len(told)), *within, f"{wider:.2f}"])
    return aligned(["pairs", "noise", "how many", "alone: within", "told: within", "wider by"], body)


def gains_table(runs: Sequence[Judged]) -> str:
    """By noise, in multiples of it: the median, and the root mean square, of what is told too much."""
    body = []
    for noise in NOISES:
        own = [run.gain for run in runs if run.gain.noise == noise]
        if not own:
            continue
        cells = []
        for missed in (np.array([one.missed for one in own]), np.array([one.measuring for one in own])):
            cells += [f"{np.median(missed):+.2f}", f"{np.sqrt((missed**2).mean()):.2f}"]
        within = sum(one.within for one in own)
        body.append([f"{noise:g}", *cells, f"{within} of {len(own)}"])
    heads = ["noise", "told: median", "rms", "measured: median", "rms", "told: within"]
    return aligned(heads, body)


INTRODUCTION = (
    "`orchestrator compare` says by how much points are believed to be better than another, and how"
    " likely they are ([how](running.md#is-it-really-better)); `best` says so of the best point and the"
    " [reference](spec.md#what-is-known-beforehand) of a spec, and from Python `optimiser.compare`. Here"
    " what is said is held against the truth."
)
METHOD = (
    f"Measured with `python -m benchmarks.differences --seeds {{seeds}} --page docs/differences.md` on"
    f" {{machine}}: {{runs}} runs of `auto`, of {TRIALS} trials each, one after the other, on functions"
    f" of two to six parameters ({', '.join(f'`{name}`' for name in FUNCTIONS)}; `drawn-2` are draws of a"
    " Gaussian process, the others are synthetic ones, shifted), another for each seed. Values are in"
    " units of the function's deviation over its box, and so is the noise, whose deviation is 0.1 or"
    " 0.5, and of which nothing is told. The first trial is the reference, a point drawn evenly. Pairs"
    f" are the `best` trial, by what the models expect, and every other one; {PAIRS} times in a run two"
    f" trials that were `tried`, a point anywhere and one `near` it, by up to {A_STEP:g} of each"
    " parameter's range; and two points `anywhere`. Pairs of a run resemble each other: shares rest on"
    " fewer cases than there are pairs. Runs of one seed have the same luck, trial for trial, as that"
    " follows from the seed alone: what is told of the reference rests on as many lucky or unlucky ones"
    " as there are seeds."
)
OF_CHANCES = (
    "In per cent, how often the point that is said to be the better one is so, of how often it was said"
    " to be, and in brackets how many pairs that is; as is told, stretched by what models missed of"
    " results that they had not seen."
)
OF_INTERVALS = (
    "In per cent, of 95: first by the models alone, then as it is told; and by how much wider that is,"
    " the median."
)
OF_GAINS = (
    "Of the best trial against the reference, in multiples of the noise: by how much the difference"
    " that is told is too high, and by how much the best value measured less that measured of the"
    " reference is, of the trial that had it. Of as many noisy values the best one is a lucky one: who"
    " subtracts the two promises too much."
)


def main(arguments: list[str] | None = None) -> int:
    """The process's exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=typed_seeds, default=4)
    add_page(parser)
    asked = parser.parse_args(arguments)
    runs = []
    for seed in range(asked.seeds):
        for name in FUNCTIONS:
            for noise in NOISES:
                runs.append(judged(name, noise, seed))
                print(f"{name} {noise:g} {seed}: {runs[-1].gain}", file=sys.stderr, flush=True)
    words = page(runs, asked.seeds)
    hand_over(words, asked.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
