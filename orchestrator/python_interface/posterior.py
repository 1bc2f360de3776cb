"""How well a fit determines its parameters, by a model of all that an Optimiser was told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from orchestrator.errors import UsageError
from orchestrator.parameters.drawn_priors import priors_in_brief
from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import InRows
from orchestrator.values.errors_taken import are_scaled
from orchestrator.values.percent import percent
from orchestrator.values.plain import copied

if TYPE_CHECKING:
    from orchestrator.sensitivity.marginals import Interval, Marginal
    from orchestrator.sensitivity.misfit_left import MisfitIs

_SAID_OF: Mapping[str, str] = {
    "as expected": "",
    "too large": ", more than their errors explain: intervals say little before it is known why",
    "too small": ", less than their errors let one expect: these may be told too large",
}


@dataclass(frozen=True, slots=True)
class PlausibleValues:
    """Of one ``parameter``: its ``median``, the ends of what it lies between in 68 and in 95 % of all that is
    plausible; None of one whose values are no numbers, which has the ``chances`` of each instead, by the
    value as text. ``at_bound``: at which of its bounds that is cut off, `low`, `high` or both. ``by_models``:
    the share of the 68 % that would not be in it if outcomes were just what models expect, which more
    evaluations may take away. ``counts``: how plausible it is that it counts, 1 of one that always does.
    """

    parameter: str
    median: float | None
    low_68: float | None
    high_68: float | None
    low_95: float | None
    high_95: float | None
    at_bound: tuple[str, ...] = ()
    by_models: float | None = None
    counts: float = 1.0
    chances: Mapping[str, float] = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        """All of it, one level deep."""
        ends = ("parameter", "median", "low_68", "high_68", "low_95", "high_95", "by_models", "counts")
        own = {name: getattr(self, name) for name in ends}
        return own | {"at_bound": " and ".join(self.at_bound), "chances": dict(self.chances)}

    def cells(self) -> dict[str, object]:
        """What is shown of it among others."""
        likeliest = ", ".join(f"{value} {percent(chance, 2)}" for value, chance in self.chances.items())
        own: dict[str, object] = {"parameter": self.parameter, "median": self.median}
        if self.median is None:
            return own | {"68 %": likeliest}
        own |= {"68 %": f"{self.low_68:.5g} to {self.high_68:.5g}"}
        own |= {"95 %": f"{self.low_95:.5g} to {self.high_95:.5g}"}
        own |= {"by models": "" if self.by_models is None else percent(self.by_models, 2)}
        return own | ({"at bound": " and ".join(self.at_bound)} if self.at_bound else {})


@dataclass(frozen=True, slots=True, repr=False)
class Posterior:
    """Which ``parameters`` are plausible, each by itself, and together as ``draws``: parameters, each as
    plausible as the others, for a data frame, GetDist or corner. ``correlations`` are of the ranks of two
    numbers. ``misfit``: the least that was told, over so many ``targets``, in which ``priors`` do not count:
    what was known beforehand, by the parameter; ``misfit_is``: whether it is as their errors let one expect;
    where it is too large, intervals are too narrow. ``independent_draws``: how many the chain that they come
    of is worth; ``long_enough``: whether that is known. ``errors_factor``: by how much errors are larger than
    told, its median and ends of 68 and of 95 %; None where they are taken as told.
    """

    parameters: InRows[PlausibleValues]
    draws: InRows[dict[str, Any]]
    correlations: Mapping[str, Mapping[str, float]]
    misfit: float
    misfit_is: MisfitIs
    targets: int
    independent_draws: float
    long_enough: bool
    priors: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    errors_factor: Interval | None = None

    def __repr__(self) -> str:
        """A table, a line for each parameter, and how far to trust it."""
        worth = f"worth {self.independent_draws:,.0f} independent ones"
        rough = "" if self.long_enough else ", of a chain that is short: it is rough"
        drawn = f"{len(self.draws):,} draws, {worth}{rough}"
        over = f"{self.targets:,} target{'' if self.targets == 1 else 's'}"
        known = f", without the priors of {', '.join(self.priors)}" if self.priors else ""
        least = f"least misfit {self.misfit:.5g} over {over}{known}{_SAID_OF[self.misfit_is]}"
        return f"{self.parameters!r}\n{least}{self._scaled}; {drawn}"

    @property
    def _scaled(self) -> str:
        factor = self.errors_factor
        if factor is None:
            return ""
        return f", which are {factor.median:.3g} times as large ({factor.low:.3g} to {factor.high:.3g})"


def posterior_of(
    reading: Reading, told: ToldResults, draws: int, priors: Mapping[str, object], errors: str
) -> Posterior:
    """By all that was ``told``, with ``priors`` in the place of what parameters have, and ``errors`` as told
    or scaled. Raises UsageError where nothing is fitted, or without errors, for what cannot be known
    beforehand, and where results are too few.
    """
    # SciPy's statistics take a second to import.
    from orchestrator.sensitivity.calibration import calibrated, fitted_with_errors
    from orchestrator.sensitivity.marginals import interval_of, marginals
    from orchestrator.sensitivity.misfit_left import misfit_is

    fitted_with_errors(None if reading.wanted is None else reading.wanted.computed)
    if not isinstance(priors, Mapping):
        raise UsageError(f'expected `prior` as {{"h0": {{"mean": 67.4, "deviation": 0.5}}}}, got {priors!r}')
    scaled, space = are_scaled(errors), knowing(reading.space, priors)
    model = told.composed(reading.problem)
    problem = replace(reading.problem, beforehand=prior_of_points(space))
    found = calibrated(problem, model, told.failed(len(space.names)), draws, scaled=scaled)
    own = marginals(space, found)
    rows, least = own.correlations.tolist(), float(model.composing.values.min())
    return Posterior(
        InRows(_plausible(one) for one in own.each),
        InRows(copied(dict(one)) for one in own.draws),
        {name: dict(zip(own.numbers, row, strict=True)) for name, row in zip(own.numbers, rows, strict=True)},
        least,
        misfit_is(least, found.least_expected, found.targets, len(space.names)),
        found.targets,
        found.effective,
        found.chain is None or found.chain.is_long_enough,
        priors_in_brief(space, space.priors),
        None if found.factors is None else interval_of(found.factors),
    )


def _plausible(one: Marginal) -> PlausibleValues:
    interval = one.interval
    if interval is None:
        nothing = (None,) * 5
        return PlausibleValues(one.name, *nothing, counts=one.counts, chances=one.chances)
    ends = (interval.median, interval.low, interval.high, interval.least, interval.most)
    return PlausibleValues(one.name, *ends, one.bounds, one.of_models, one.counts)
