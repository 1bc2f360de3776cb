"""An objective that callers of the Python interface have computed from outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from orchestrator.computed_objective import ComputedObjective, misfit_of, of_formula
from orchestrator.errors import SpecError, UsageError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.parameters.space import Space
from orchestrator.values.finite import in_short
from orchestrator.values.foreign import numbers_within
from orchestrator.wanted_outcomes import WantedOutcomes

OF_OUTCOMES = (
    "expected `value` or `fit` beside what evaluations return, got both; what is sought is one of them"
)
WITHOUT_FIT = "expected `covariance` beside `fit`, of whose errors it is, got it without one"
NOISE = (
    "expected no noise of an objective that is computed, got {}: that of each outcome is found from the"
    " results; leave it out, or say 0 where evaluations have none"
)


@dataclass(frozen=True, slots=True)
class Computing:
    """By a formula, ``value``, or by what outcomes are to be, ``fit``; neither where a value is told. Beside
    targets, perhaps a ``covariance`` of their errors.
    """

    value: str | None
    fit: dict[str, Any] | None
    covariance: list[list[Any]] | None = None

    @classmethod
    def of(cls, value: object, fit: object, covariance: object = None) -> Computing:
        """Raises UsageError for both, for what is no formula and no mapping, and for a covariance that is no
        square of numbers, or without targets.
        """
        if value is not None and fit is not None:
            raise UsageError(OF_OUTCOMES)
        if value is not None and not isinstance(value, str):
            raise UsageError(f'expected `value` as a formula, as "lift / drag", got {value!r}')
        told = None if fit is None else numbers_within(fit)
        if told is not None and (not isinstance(told, Mapping) or not all(map(_is_name, told))):
            example = '{"lift": {"value": 3.2, "error": 0.1}, "drag": 1}'
            raise UsageError(f"expected `fit` as what outcomes are to be, as {example}, got {fit!r}")
        if covariance is not None and told is None:
            raise UsageError(WITHOUT_FIT)
        return cls(value, None if told is None else dict(told), _rows(covariance))

    def outcomes(self, told: Sequence[str] | None) -> Sequence[str] | None:
        """Those that are ``told``, and what is to be fitted besides."""
        if self.fit is None or isinstance(told, str):
            return told
        return [*(told or ()), *(name for name in self.fit if name not in (told or ()))]

    def put_into(self, wanted: WantedOutcomes | None, space: Space, sign: float) -> WantedOutcomes | None:
        """What is wanted of outcomes, with what the value is computed from, where it is. ``sign``: -1 where
        one minimises, as of a fit. Raises SpecError, and UsageError for a fit that is to be most.
        """
        if self.value is None and self.fit is None:
            return wanted
        if self.fit is not None:
            if sign > 0.0:
                raise UsageError("expected to minimise beside `fit`, which is best where it is least")
            computed: ComputedObjective = misfit_of(self.fit, self.covariance, space, sign)
            assert wanted is not None, "what is fitted is an outcome"
            return wanted.computing(computed)
        names = () if wanted is None else wanted.outcomes
        try:
            computed = of_formula(self.value, names, space, sign)
        except ArithmeticMistake as mistake:
            raise SpecError(f"value `{self.value}`: {mistake}") from None
        assert wanted is not None, "it names an outcome"
        return replace(wanted, computed=computed)

    def to_json(self) -> dict[str, Any]:
        """What of it a file says: of a value that is told, nothing."""
        told = {"value": self.value, "fit": self.fit, "covariance": self.covariance}
        return {name: one for name, one in told.items() if one is not None}


def _rows(covariance: object) -> list[list[Any]] | None:
    if covariance is None:
        return None
    # Of a data frame, as `cov` returns one, what stands in it.
    square = covariance.to_numpy() if hasattr(covariance, "to_numpy") else covariance
    told = numbers_within(square)
    if not isinstance(told, list) or not told or not all(isinstance(row, list) for row in told):
        expected = "expected `covariance` as a square of numbers, a row for each that is fitted, as"
        raise UsageError(f"{expected} [[0.04, 0.01], [0.01, 0.09]], got {in_short(covariance)[:60]}")
    return told


def _is_name(told: object) -> bool:
    return isinstance(told, str) and bool(told)
