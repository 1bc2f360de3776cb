"""A factor's local objective as JSON values, so that a node anywhere can be given its function and no other.

Nothing is unpickled: a description is data, told apart by its ``kind``, and floats cross exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Protocol

from orchestrator.maximisers.factors.factor_objective import LocalObjective
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor


class FactorDescription(Protocol):
    """What a local objective is made of."""

    kind: ClassVar[str]

    def to_json(self) -> dict[str, object]:
        """JSON values, finite numbers only, without the kind."""
        ...

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> FactorDescription:
        """The description that `to_json` wrote, equal to the bit."""
        ...

    def local_objective(self) -> LocalObjective:
        """The function itself."""
        ...


KINDS: dict[str, type[FactorDescription]] = {GaussianFactor.kind: GaussianFactor}


def write_description(description: FactorDescription) -> dict[str, object]:
    """JSON values with the kind."""
    return {"kind": description.kind, **description.to_json()}


def read_description(data: Mapping[str, object]) -> FactorDescription:
    """The description in JSON values. Raises ValueError if its kind is unknown or a field is missing."""
    kind = data.get("kind")
    if kind not in KINDS:
        known = ", ".join(sorted(KINDS))
        raise ValueError(f"expected a factor description of a known kind ({known}), got {kind!r}")
    try:
        return KINDS[kind].from_json(data)
    except (KeyError, TypeError) as error:
        raise ValueError(f"a factor description of kind {kind!r} is incomplete: {error}") from error
