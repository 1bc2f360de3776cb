"""What ``amend --change`` says: what it takes to change a setting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from orchestrator.errors import UsageError
from orchestrator.spec.document.tree import plain
from orchestrator.spec.document.yaml_tree import read_tree
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import ChoiceParameter, OrderedParameter
from orchestrator.values.change import change_of

AT_ONCE = "none"
Takes: TypeAlias = float | dict[str, float]
"""As `Change.told`."""


def changes_from(texts: Sequence[str], spec: Spec) -> dict[str, Takes | None]:
    """By name, of texts as ``nozzle=45 min`` or ``bed={takes: 2 min, per: 10}``; None where that is none.
    Raises UsageError.
    """
    told: dict[str, Takes | None] = {}
    for text in texts:
        name, equals, takes = text.partition("=")
        if not equals or not name:
            raise UsageError(f"expected --change NAME=TIME, got {text}")
        if name in told:
            raise UsageError(f"expected --change of each parameter once, got `{name}` again")
        told[name] = None if takes == AT_ONCE else _takes(takes, name, text, spec)
    return told


def _takes(takes: str, name: str, text: str, spec: Spec) -> Takes:
    # That it is no parameter that is chosen is said where it is amended.
    parameter = spec.parameters.get(name)
    values = isinstance(parameter, ChoiceParameter | OrderedParameter)
    scale = None if values else getattr(parameter, "scale", "linear")
    try:
        return change_of(plain(read_tree(takes, "--change")), scale).told
    except ValueError as error:
        raise UsageError(f"--change {text}: expected {error}") from None
