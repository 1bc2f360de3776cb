"""What is asked of how values are spread, and answered by a model of all that an Optimiser was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from orchestrator.errors import UsageError
from orchestrator.expressions.constraints import Constraint
from orchestrator.expressions.limits import limits_among, limits_asked
from orchestrator.parameters.drawn_priors import priors_in_brief
from orchestrator.parameters.nameable import nameable
from orchestrator.parameters.priors import knowing, prior_of_points
from orchestrator.parameters.uncertain import NOTHING, Uncertain
from orchestrator.python_interface.prediction import places_meant
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import InRows
from orchestrator.python_interface.spread import Broken, Spread, SpreadFigure
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.errors_taken import TOLD, are_scaled
from orchestrator.values.named import Values
from orchestrator.values.plain import copied
from orchestrator.wanted_outcomes import is_outcome

if TYPE_CHECKING:
    from orchestrator.sensitivity.spread import Figure
    from orchestrator.sensitivity.spread import Spread as Found
    from orchestrator.sensitivity.spread_models import SpreadModels

VALUE = "value"


@dataclass(frozen=True, slots=True)
class Asked:
    """Settings ``at`` which parameters are exact; what is known of uncertain ones, in the place of what they
    have; ``limits`` besides the constraints on outcomes; which ``outcomes``, `value` among them, if not the
    value and all that are named; and whether over what is plausible by a ``posterior``, with ``errors``
    `told` or `scaled`.
    """

    at: Mapping[str, Any]
    prior: Mapping[str, Any]
    limits: Sequence[object]
    outcomes: Sequence[str] | None
    posterior: bool
    errors: str = TOLD

    @classmethod
    def of(
        cls, at: object, prior: object, limits: object, outcomes: object, posterior: bool, errors: str = TOLD
    ) -> Asked:
        """As a caller says it. Raises UsageError for what is no mapping, or no list."""
        return cls(
            _mapping(at, "at", '{"span": 3.0}'),
            _mapping(prior, "prior", '{"load": {"mean": 12, "deviation": 1.5}}'),
            _list(limits, "limits", '["stress <= 350"]'),
            None if outcomes is None else _list(outcomes, "outcomes", '["stress"]', least=1),
            posterior,
            errors,
        )


def spread_of(asked: Asked, best: Values | None, reading: Reading, told: ToldResults) -> Spread:
    """By all that was ``told``; what is not said of settings is as in the ``best``. Raises UsageError where
    nothing is uncertain, for what cannot be known, for settings, limits and outcomes that are wrong, and
    where results are too few.
    """
    # SciPy's statistics take a second to import.
    from orchestrator.sensitivity.calibration import fitted_with_errors
    from orchestrator.sensitivity.marginals import interval_of
    from orchestrator.sensitivity.spread_models import seen_broken, succeed
    from orchestrator.sensitivity.success import believed_success, failed_among

    if (scaled := are_scaled(asked.errors)) and not asked.posterior:
        raise UsageError("expected `errors` beside `posterior`, in which they count; got it alone")
    space, problem = reading.space, reading.problem
    limits = _limits(asked, reading, told)
    names = _named(asked, reading, told, limits)
    if asked.posterior:
        if asked.at:
            raise UsageError("expected no settings beside `posterior`, by which all parameters are plausible")
        fitted_with_errors(None if reading.wanted is None else reading.wanted.computed)
    measured, failures = told.measured(None), told.failed(len(space.names))
    about, known, settings_told, shares = None, space.priors, dict[str, Any](), {}
    calibration = None
    if asked.posterior:
        known = knowing(space, asked.prior).priors
        models = _models(asked, names, reading, told)
        prior = prior_of_points(replace(space, priors=known))
        settings, calibration = models.plausible(replace(problem, beforehand=prior), failures, scaled=scaled)
    else:
        about = _uncertain(asked, reading)
        place = places_meant([{**about.middle, **asked.at}], best, reading)[0]
        # What is computed follows from what is uncertain.
        not_exact = {*about.spread, *(one.name for one in space.computed)}
        given = space.given(place.parameters)
        settings_told = {name: own for name, own in given.items() if name not in not_exact}
        models = _models(asked, names, reading, told)
        drawn = about.about(place.parameters)
        settings = models.about(drawn)
        shares = {
            name: dict(zip(drawn.names, own.alone.tolist(), strict=True))
            for name, own in models.shares(drawn).items()
        }
    found = models.spread(space, settings, limits, calibration)
    tried, failed = failed_among(problem, measured, failures)
    succeeds = succeed(believed_success(problem, tried, failed), space, settings)
    shown = [name for name in found.quantities if asked.outcomes is None or name in asked.outcomes]
    results = _results(told)
    return Spread(
        InRows(_figures(found, shown)),
        InRows(
            _broken(limit.text, found.broken[limit.text], *seen_broken(limit, results)) for limit in limits
        ),
        _any_broken(found),
        {name: own for name, own in shares.items() if name in shown},
        {name: found.quantities[name].by_models for name in shown},
        priors_in_brief(space, known) if about is None else about.told(),
        copied(settings_told),
        succeeds,
        len(settings.points),
        settings.independent,
        None if calibration is None or calibration.factors is None else interval_of(calibration.factors),
    )


def _mapping(told: object, name: str, example: str) -> Mapping[str, Any]:
    if not isinstance(told, Mapping):
        raise UsageError(f"expected `{name}` as {example}, got {told!r}")
    return told


def _list(told: object, what: str, example: str, least: int = 0) -> list[Any]:
    each = list(told) if isinstance(told, Iterable) and not isinstance(told, str) else None
    if each is None or len(each) < least:
        raise UsageError(f"expected {what} as a list, as {example}, got {told!r}")
    return each


def _uncertain(asked: Asked, reading: Reading) -> Uncertain:
    fidelity, clock = reading.fidelity, reading.clock
    never = {one.name for one in (fidelity, clock) if one is not None}
    about = Uncertain.of(reading.space, asked.prior, tuple(asked.at), never)
    if not about.names:
        raise UsageError(
            NOTHING.format(f'prior={{"{reading.space.names[0]}": {{"mean": 12, "deviation": 1.5}}}}')
        )
    return about


def _known(reading: Reading, told: ToldResults) -> tuple[str, ...]:
    """What may be asked about."""
    wanted = reading.wanted
    curves = () if wanted is None else tuple(wanted.points)
    outcomes = () if wanted is None else wanted.outcomes
    names = dict.fromkeys((VALUE, *outcomes, *told.numbers_beside))
    return tuple(name for name in names if name not in curves)


def _limits(asked: Asked, reading: Reading, told: ToldResults) -> tuple[Constraint, ...]:
    space, wanted = reading.space, reading.wanted
    following = [one.name for one in space.computed]
    names = nameable(space.parameters, space.fixed, _known(reading, told), following)
    names = replace(names, reference=reading.reference is not None)
    limits = limits_asked(asked.limits, names, told.at(reading.reference))
    if asked.outcomes is not None:
        return limits
    own = () if wanted is None else limits_among(wanted.settled)
    if (threshold := reading.problem.threshold) is not None:
        own = (names.of_known(f"{VALUE} <= {threshold:.15g}"), *own)
    return tuple({one.text: one for one in (*own, *limits)}.values())


def _named(
    asked: Asked, reading: Reading, told: ToldResults, limits: Sequence[Constraint]
) -> tuple[str, ...]:
    known, wanted = _known(reading, told), reading.wanted
    outcomes = () if wanted is None else wanted.outcomes
    own = (VALUE, *(name for name in outcomes if name in known)) if asked.outcomes is None else asked.outcomes
    for name in own:
        if name not in known:
            raise UsageError(f"expected one of {listed(known)}, got `{name}`{did_you_mean(str(name), known)}")
    of_limits = (name.name for limit in limits for name in limit.names)
    return tuple(dict.fromkeys((*own, *(name for name in of_limits if name in known))))


def _models(asked: Asked, names: Sequence[str], reading: Reading, told: ToldResults) -> SpreadModels:
    from orchestrator.sensitivity.analysis import problem_of_one
    from orchestrator.sensitivity.spread_models import ComposedQuantities, SpreadModels

    problem, wanted, computed = reading.problem, reading.wanted, None
    if reading.is_computed and wanted is not None:
        of_them = {VALUE, *wanted.numbers}
        if asked.posterior or of_them & set(names):
            computed = ComposedQuantities(VALUE, told.composed(problem), wanted.numbers)
            names = [name for name in names if name not in of_them]
    alone = {
        name: told.models.checked(
            problem_of_one(problem, first=name == VALUE), told.measured(None if name == VALUE else name)
        )
        for name in names
    }
    return SpreadModels(problem, alone, computed)


def _results(told: ToldResults) -> list[dict[str, float]]:
    """Of each result all that is a number."""
    each = ({**one.parameters, **one.extras, **one.outcomes, VALUE: one.value} for one in told.seen)
    return [{name: float(own) for name, own in one.items() if is_outcome(own)} for one in each]


def _figures(found: Found, names: Sequence[str]) -> Iterator[SpreadFigure]:
    for name in names:
        for figure, own in found.quantities[name].figures.items():
            yield SpreadFigure(name, figure, **asdict(own))


def _broken(text: str, own: Figure, broken: int, results: int) -> Broken:
    return Broken(text, own.expected, own.deviation, own.low, own.high, own.luck, broken, results)


def _any_broken(found: Found) -> float:
    if found.any is not None:
        return found.any.expected
    return max((one.expected for one in found.broken.values()), default=0.0)
