"""What an evaluation returned, read into what an `Optimiser` is told."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from orchestrator.errors import UsageError
from orchestrator.objectives import OF_THE_VALUE
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.derivatives import DERIVATIVES, column_of, misspelt_derivative
from orchestrator.values.foreign import in_a_line

RETURNED_NONE = "it returned None"


@dataclass(frozen=True, slots=True)
class Returned:
    """``told``: the arguments of `Optimiser.tell` after the trial. ``succeeded``: there is a value, or what
    one is computed from. ``extras``: what else a mapping has.
    """

    succeeded: bool
    told: Mapping[str, Any] = field(default_factory=dict)
    extras: Mapping[Any, Any] = field(default_factory=dict)

    @property
    def reason(self) -> str | None:
        """Why there is no value, if there is none."""
        return None if self.succeeded else RETURNED_NONE

    @classmethod
    def of(cls, returned: object, named: Sequence[str], *, derivatives: Sequence[str] = ()) -> Returned:
        """A number, or a mapping with a ``value`` beside the ``named`` outcomes, and perhaps with derivatives
        by the parameters that may have some, together or each under a name of its own. Raises `UsageError`.
        """
        example = {"value": 1.5, **dict.fromkeys(named, 0.5)}
        extras: Mapping[Any, Any] = {}
        if isinstance(returned, Mapping) and "value" in returned:
            outcomes = {name: returned[name] for name in named if name in returned}
            told = {name: returned.get(name) for name in ("value", "variance", "factors")}
            if derivatives:
                told[DERIVATIVES] = _derivatives(returned, named, derivatives)
            slopes = {DERIVATIVES, *map(column_of, derivatives)} if derivatives else ()
            extras = _others(returned, (*OF_THE_VALUE, *named, *slopes))
        elif isinstance(returned, Mapping | tuple | list):
            raise UsageError(
                f"expected a number, or a mapping with `value`, as {example}, got {in_a_line(returned)}"
            )
        else:
            told, outcomes = {"value": returned}, {}
        succeeded = told["value"] is not None
        if succeeded and (lacking := [name for name in named if name not in outcomes]):
            keys = ("value", *named)
            raise UsageError(_lacking(lacking[0], returned, listed(keys, "and"), example))
        return cls(succeeded, {**told, "outcomes": outcomes}, extras)

    @classmethod
    def to_compute_from(cls, returned: object, named: Sequence[str]) -> Returned:
        """A mapping with the ``named`` outcomes, of which the value is computed. Raises `UsageError`."""
        if returned is None:
            return cls(succeeded=False)
        outcomes = dict(returned) if isinstance(returned, Mapping) else {}
        if lacking := [name for name in named if name not in outcomes]:
            example = dict.fromkeys(named, 0.5)
            raise UsageError(_lacking(lacking[0], returned, listed(named, "and"), example))
        told = {"outcomes": {name: outcomes[name] for name in named}}
        return cls(succeeded=True, told=told, extras=_others(outcomes, ("value", *named)))


def _others(returned: Mapping[Any, Any], names: Container[str]) -> dict[Any, Any]:
    return {name: value for name, value in returned.items() if name not in names}


def _derivatives(returned: Mapping[Any, Any], named: Sequence[str], by: Sequence[str]) -> object:
    told = [key for key in returned if isinstance(key, str)]
    if complaint := misspelt_derivative(told, by, ("value", "variance", "factors", *named)):
        raise UsageError(complaint)
    together = returned.get(DERIVATIVES)
    apart = {name: returned[column_of(name)] for name in by if column_of(name) in returned}
    if not apart:
        return together
    if together is not None:
        raise UsageError(
            f"expected derivatives together or each under its own name, got `{DERIVATIVES}` and"
            f" {listed(map(column_of, apart), 'and')}"
        )
    return apart


def _lacking(name: str, returned: object, keys: str, example: Mapping[str, float]) -> str:
    near = did_you_mean(name, list(returned) if isinstance(returned, Mapping) else [])
    hint = near.replace("did you mean", "is it")
    return f"expected a mapping with {keys}, as {dict(example)}, got {in_a_line(returned)}{hint}"
