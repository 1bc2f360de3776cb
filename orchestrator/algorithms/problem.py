"""What an algorithm is told of its problem, once, before anything else.

All of it lives in the unit cube and maximises: the goal's sign is flipped once, at the edge, by whoever
speaks to a person. Notation: D parameters, N results of another experiment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from orchestrator.acquisition.kept_limit import KeptLimit
from orchestrator.acquisition.known_function import KnownFunction
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels
from orchestrator.unit_cube.hunch import Hunch
from orchestrator.unit_cube.priors import PriorOfPoints
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
    some of the coordinates, how they vary in use: a design of the others is sought that is best over these,
    or where ``in_use.over.each``, the best one for each.
    ``threshold``: no best point is sought, but where the value is above this, in the sense of maximisation.
    ``derivatives``: the coordinates along which results may bring the derivative (`Observation.derivatives`).
    ``beforehand``: how plausible points are by what is known of some coordinates; the value hangs on no such.
    ``hunch``: where a person believes that good settings lie, who may be wrong.
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
    beforehand: PriorOfPoints | None = None
    hunch: Hunch | None = None

    @property
    def sought(self) -> Domain:
        """Where the best point is sought: the part of the domain at full fidelity, if that is a choice."""
        if self.fidelity is None:
            return self.domain
        return self.domain.holding({self.fidelity.coordinate: self.fidelity.full})
