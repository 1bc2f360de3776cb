"""What models of results expect at settings of anybody's choosing, and how sure they are.

Notation: m points, C outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.stats import qmc

from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.arrays import FloatArray
from orchestrator.expressions.references import reference_to
from orchestrator.sensitivity.believed_values import BelievedValues
from orchestrator.sensitivity.beside_reference import BesideReference
from orchestrator.sensitivity.held_out import HIGH, LOW
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.tolerated import OutcomeModels
from orchestrator.values.named import Values

WAYS = 4096
"""In which outcomes may come out; a power of two."""


@dataclass(frozen=True, eq=False, slots=True)
class Expected:
    """Of one quantity, in its own units and without noise: the (m,) values expected, as a ``mean``; the
    deviations of that; and the bounds between which it is believed to lie nine times out of ten.
    """

    mean: FloatArray
    deviation: FloatArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, believed: BelievedValues) -> Expected:
        """Of what is believed at m points."""
        return cls(*believed.moments(), believed.quantile(LOW), believed.quantile(HIGH))


@dataclass(frozen=True, eq=False, slots=True)
class Predictions:
    """Of the ``value``, and by name of ``outcomes``; (m,) how likely all constraints are to be satisfied: 0
    where parameters break one, 1 where there are none; and (m,) how likely an evaluation ``succeeds``: 1
    where none has failed. ``above``: (m,) how likely the value is above a threshold, where one is sought.
    ``curves``: by name, at each of the m points what the points of an outcome that is a curve are expected to
    be.
    """

    value: Expected
    outcomes: Mapping[str, Expected]
    satisfied: FloatArray
    succeeds: FloatArray
    above: FloatArray | None = None
    curves: Mapping[str, Sequence[Expected]] = field(default_factory=dict)

    def beside(
        self, outcomes: Mapping[str, Expected], curves: Mapping[str, Sequence[Expected]]
    ) -> Predictions:
        """The same, of these outcomes as well, which come first, and of these curves."""
        return replace(self, outcomes={**outcomes, **self.outcomes}, curves=curves)


def predict(
    model: ResultsModel | Expected,
    outcomes: OutcomeModels,
    settings: Sequence[Values],
    rng: np.random.Generator,
    success: SuccessBelief | None = None,
    threshold: float | None = None,
) -> Predictions:
    """At m ``settings``, one at least, which are for `Space.encode`, by models of the value, or what is known
    to be expected of it there, and of outcomes, and by what is believed of ``success``, if anything failed;
    and how likely a value that is modelled is above a ``threshold``, if there is one. Of each the same is
    said, whatever is asked beside it; what is not known of an outcome is left to chance, and of each outcome
    by itself. Where constraints are relative to the reference, it is as little known what that has, but that
    a point errs as the reference does as far as the two are near each other.
    """
    space = outcomes.space
    points = np.array([space.encode(one) for one in settings])
    if isinstance(model, Expected):
        values, expected = None, model
    else:
        values = model.believed(points)
        expected = Expected.of(values)
    believed = {name: one.believed(points) for name, one in outcomes.models.items()}
    limited = believed if values is None or not outcomes.own else {**believed, outcomes.own: values}
    beside_reference = BesideReference.of(outcomes, None if isinstance(model, Expected) else model)
    referred = beside_reference.models
    luck = qmc.Sobol(max(1, len(limited) + len(referred)), seed=rng).random(WAYS)
    satisfied, succeeds = np.ones(len(points)), np.ones(len(points))
    for row, one in enumerate(settings):
        if success is not None:
            succeeds[row] = success.probability(space.domain.embed(points[[row]]))[0]
        if space.broken_by(one):
            satisfied[row] = 0.0
        elif outcomes.constraints:
            own = dict(zip([*limited, *map(reference_to, referred)], luck.T, strict=True))
            known = {name: beside.drawn(row, own[name]) for name, beside in limited.items()}
            known |= beside_reference.drawn(points[row], known, own)
            satisfied[row] = outcomes.share(points[[row]], known, WAYS)[0]
    above = None if threshold is None or values is None else values.above(threshold)
    return Predictions(
        expected,
        {name: Expected.of(one) for name, one in believed.items()},
        satisfied,
        succeeds,
        above,
    )
