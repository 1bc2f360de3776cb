"""What a result of a run has to bring, and what is to be said of one: the same whoever sends it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from orchestrator.runtime.results.usable_values import why_unusable
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED, AmendedConstraints
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.begun.amended import with_constraints
from orchestrator.spec.begun.amended_values import with_values
from orchestrator.spec.model import Spec
from orchestrator.values.derivatives import corrected_derivatives, misspelt_derivative, with_derivatives
from orchestrator.values.named import Values
from orchestrator.values.single import single_in
from orchestrator.values.typed_numbers import decimals_hint

if TYPE_CHECKING:
    from orchestrator.wanted_outcomes import WantedOutcomes


@dataclass(frozen=True)
class WantedResults:
    """``factors`` is how many the spec has, None if it has none; ``outcomes`` what must hold of them, None
    where a spec has none. ``derivatives`` are the parameters by which there may be some of the value.
    """

    factors: int | None = None
    outcomes: WantedOutcomes | None = None
    derivatives: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        spec: Spec,
        constraints: AmendedConstraints = NOTHING_AMENDED,
        values: AmendedValues = AS_GIVEN,
    ) -> WantedResults:
        """Those of a spec, of a run whose ``constraints``, and how its ``values`` come, were amended so."""
        outcomes = None
        if spec.outcomes:
            # Imported here because it is numpy, and most runs have none.
            from orchestrator.spec.build import build_wanted_outcomes

            outcomes = build_wanted_outcomes(with_values(with_constraints(spec, constraints), values))
        factors = None if spec.factors is None else len(spec.factors)
        return cls(factors, outcomes, spec.derivatives_by)

    @property
    def are_computed(self) -> bool:
        """Whether values are computed from outcomes."""
        return self.outcomes is not None and self.outcomes.computed is not None

    def computed(self, parameters: Values, outcomes: Mapping[str, object]) -> float | None:
        """The value that is computed from outcomes, which it has to be; None where one is not there."""
        assert self.outcomes is not None
        return self.outcomes.value(parameters, outcomes)

    def lacks(self, outcomes: Mapping[str, object]) -> str:
        """Which outcome is not there as it has to be, in words; empty where all are."""
        return "" if self.outcomes is None else self.outcomes.missing(outcomes)

    def why_none(self, value: float | None, outcomes: Mapping[str, object]) -> str:
        """Why what was computed from outcomes is no value."""
        assert self.outcomes is not None
        said = ", ".join(f"{name} = {outcomes[name]}" for name in self.outcomes.composed)
        return f"expected a finite value, got {value} of {said[:200]}"

    def gathered(self, extras: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a person says beside a value as it is kept, derivatives under one name. Those that are none
        stay as they came: `why_unusable` says what is wrong with them.
        """
        try:
            return with_derivatives(extras, self.derivatives) if self.derivatives else extras
        except ValueError:
            return extras

    def said_anew(self, before: Mapping[str, Any], extras: Mapping[str, Any]) -> Mapping[str, Any]:
        """What was kept, with what a person says anew in its place, once `why_unusable` found nothing."""
        if self.derivatives:
            return corrected_derivatives(before, extras, self.derivatives)
        return {**before, **extras}

    def why_unusable(
        self,
        value: float | None,
        variance: float | None,
        factors: Sequence[float] | None,
        outcomes: Mapping[str, object],
    ) -> str:
        """What is wrong with a result that a person records, if anything is: as `usable_values` has it, or
        that an outcome is missing.
        """
        if value is not None and (complaint := why_unusable(value, variance, factors, self.factors)):
            return complaint
        if self.derivatives:
            try:
                with_derivatives(outcomes, self.derivatives)
            except ValueError as error:
                return str(error)
            own = () if self.outcomes is None else self.outcomes.outcomes
            if complaint := misspelt_derivative(outcomes, self.derivatives, own):
                return f"{complaint}; what is no derivative needs a name that is less like one"
        missing = self.lacks(outcomes)
        if not missing and value is None:
            return "expected a value, got none; say --value NUMBER"
        return missing and f"{missing}{self._commas(outcomes) or '; say --extra NAME=VALUE for each'}"

    def _commas(self, outcomes: Mapping[str, object]) -> str:
        """What is to be done about the first outcome that has a comma before its decimals, if one has."""
        names = () if self.outcomes is None else self.outcomes.outcomes
        texts = (told for name in names if isinstance(told := outcomes.get(name), str))
        return next(filter(None, map(decimals_hint, texts)), "")

    def broken(
        self, parameters: Values, outcomes: Mapping[str, object], value: float | None
    ) -> tuple[str, ...]:
        """The constraints on outcomes that a result does not satisfy, and the best one does."""
        return () if self.outcomes is None else self.outcomes.judged(parameters, outcomes, value).broken

    def broken_by(self, texts: Iterable[str], trials: Iterable[Trial]) -> dict[str, list[int]]:
        """Beside each of these constraints, all that there are on outcomes, the trials, and known results,
        that have a value and do not satisfy it.
        """
        broken: dict[str, list[int]] = {text: [] for text in texts}
        for trial in trials:
            if trial.value is not None:
                for text in self.broken(trial.parameters, trial.extras, trial.value):
                    broken[text].append(trial.number)
        return broken

    def judged(self, result: ResultArrived, parameters: Values) -> ResultArrived | FailureArrived:
        """A result whose value can be used: with what it does not satisfy; or the failure that it is, where
        it lacks an outcome, or brings derivatives that are none.
        """
        if self.derivatives:
            try:
                result = replace(result, extras=with_derivatives(result.extras, self.derivatives))
            except ValueError as error:
                return _invalid(result, str(error))
        if self.outcomes is None:
            return result
        numbers = set(self.outcomes.outcomes).difference(self.outcomes.points)
        outcomes = {name: single_in(told) for name, told in result.extras.items() if name in numbers}
        result = replace(result, extras={**result.extras, **outcomes})
        if missing := self.outcomes.missing(result.extras):
            return _invalid(result, missing)
        if self.outcomes.computed is not None:
            value = self.outcomes.value(parameters, result.extras)
            if value is None or not math.isfinite(value):
                # What it was computed of is kept, as it may be computed otherwise later.
                failed = _invalid(result, self.why_none(value, result.extras))
                return replace(failed, extras=result.extras)
            result = replace(result, value=value)
        return replace(result, broken=self.broken(parameters, result.extras, result.value))


class WantedNow:
    """Of a run of a spec that goes on: the same until its constraints, or how values come, are amended."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._under = NOTHING_AMENDED
        self._valued = AS_GIVEN
        self._wanted = WantedResults.of(spec)

    def under(self, constraints: AmendedConstraints, values: AmendedValues = AS_GIVEN) -> WantedResults:
        """Those of the spec with its constraints, and how values come, as they were amended by now."""
        if (constraints, values) != (self._under, self._valued):
            self._under, self._valued = constraints, values
            self._wanted = WantedResults.of(self._spec, constraints, values)
        return self._wanted


def _invalid(result: ResultArrived, message: str) -> FailureArrived:
    return FailureArrived(
        at=result.at,
        worker=result.worker,
        lease=result.lease,
        kind="invalid",
        message=message,
        elapsed=result.elapsed,
        own=result.own,
    )
