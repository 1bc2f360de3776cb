"""Which parameters matter, and how far the model that says so is to be believed.

Notation: D parameters, n results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.sensitivity.chance_map import ChanceMap, chance_map
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.profiles import Profile, profile
from orchestrator.sensitivity.results_model import LeftOut, ResultsModel
from orchestrator.sensitivity.value_map import ValueMap, value_map
from orchestrator.sensitivity.value_model import ValueModel
from orchestrator.sensitivity.variance_shares import variance_shares
from orchestrator.values.printable import printable

FEWEST_RESULTS = 4
"""Of fewer nothing can be said."""


@dataclass(frozen=True, eq=False, slots=True)
class Influence:
    """What one parameter does: its shares of the variance over the whole domain, as `VarianceShares` has
    them, and its ``profile`` through one point, if it counts there.
    """

    alone: float
    in_all: float
    profile: Profile | None = field(repr=False)


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Sensitivity:
    """Each parameter's influence, by name; the model's ``hypotheses``, with their probabilities; what it
    predicts of results ``left_out``; how many ``results`` there were; where a threshold is sought, the
    ``chances`` that it is exceeded over the two parameters that matter most, if there are two, and else what
    is expected over these ``together``; and, under ``lower`` and ``upper``, the names of parameters that the
    model sees ``by_logarithm`` of their distance from that end of their range. Shares are over settings as
    they were told all the same.
    """

    influences: Mapping[str, Influence]
    hypotheses: Mapping[str, float]
    left_out: LeftOut
    results: int
    chances: ChanceMap | None = field(default=None, repr=False)
    together: ValueMap | None = field(default=None, repr=False)
    by_logarithm: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        """The shares, a line for each parameter, the largest first."""
        named = {printable(name): one for name, one in self.influences.items()}
        width = max(map(len, named), default=0)
        lines = [f"{'':{width}}    alone   in all"]
        for name, one in sorted(named.items(), key=lambda item: -item[1].in_all):
            lines.append(f"{name:{width}}  {100.0 * one.alone:5.1f} %  {100.0 * one.in_all:5.1f} %")
        return "\n".join(lines)


def problem_of_one(problem: Problem, *, first: bool) -> Problem:
    """What a problem says of one quantity alone: of its value, the ``first``, or of anything else that came
    with it, of whose noise nothing is told unless values are exact.
    """
    alone = replace(problem, outcome_constraints=0, further_objectives=0, off=None)
    if first:
        return alone
    # Offsets and derivatives are the value's own, and of outcomes other experiments say nothing.
    noise = problem.noise if problem.noise.is_none else Noise()
    alone = replace(alone, blocks=False, factors=None, noise=noise, related=(), threshold=None)
    return replace(alone, derivatives=())


def analyse(
    problem: Problem,
    names: Sequence[str],
    measured: Measured,
    centre: FloatArray,
    fitted: Callable[[Problem, Measured], ValueModel] = ResultsModel.fitted,
) -> Sensitivity:
    """Of the D parameters with these ``names``, by `FEWEST_RESULTS` results at least; profiles run through a
    (D,) point. By a model ``fitted`` so, which decides how unsure profiles are, and nothing else. The same
    results and seed give the same answer to the bit.
    """
    model = fitted(problem, measured)
    rng = stream(problem.seed, "sensitivity shares", len(measured))
    shares = variance_shares(model.expected, problem.domain, rng)
    influences = {
        name: Influence(float(shares.alone[i]), float(shares.in_all[i]), profile(model, centre, i))
        for i, name in enumerate(names)
    }
    chances, together = None, None
    if problem.threshold is None:
        together = value_map(model, shares.in_all, centre)
    elif len(names) > 1 and isinstance(model, ResultsModel):
        first, second = np.argsort(-shares.in_all, kind="stable")[:2]
        chances = chance_map(model, (int(first), int(second)), problem.threshold, rng)
    told = influences, model.hypotheses, model.left_out(), model.measured, chances, together
    return Sensitivity(*told, model.scales.by_end_of(names))
