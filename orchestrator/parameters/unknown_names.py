"""What is said of a name that no parameter has, or none that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.errors import SpecError
from orchestrator.expressions.computed import Computed
from orchestrator.spelling import did_you_mean
from orchestrator.values.quoted import quoted


def is_computed(computed: Computed, names: Sequence[str]) -> SpecError:
    """One that follows from others, where one of these ``names`` was wanted."""
    return SpecError(
        f"expected the name of a parameter ({', '.join(names)}), got `{computed.name}`, which is"
        f" computed, as `{computed.text}`"
    )


def is_unknown(name: str, names: Sequence[str]) -> SpecError:
    """Any other, where one of these ``names`` was wanted."""
    return SpecError(
        f"expected the name of a parameter ({', '.join(names)}), got {quoted(name)}"
        + did_you_mean(name, names)
    )


def is_not_given(name: object, given: Sequence[str], known: Sequence[str]) -> SpecError:
    """One that has a value among those of parameters that are ``given``, as perhaps others that are known."""
    return SpecError(
        f"expected the parameters {', '.join(given)}, got an unknown one,"
        f" {quoted(name)}" + did_you_mean(str(name), known)
    )
