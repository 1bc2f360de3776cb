"""What a person types in of a result: its value, and what comes beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from orchestrator.errors import UsageError
from orchestrator.spec.results.csv_results import NO_NUMBER
from orchestrator.values.block_name import block_name
from orchestrator.values.curve import written_curve
from orchestrator.values.derivatives import column_of


def named_once(told: Sequence[str]) -> dict[str, object]:
    """``NAME=VALUE`` each, numbers as numbers.

    Raises `UsageError` for what is not written so, or named twice.
    """
    extras: dict[str, object] = {}
    for extra in told:
        name, value = _named(extra)
        if name in extras:
            raise UsageError(f"expected each --extra once, got `{name}` again")
        extras[name] = value
    return extras


def with_its_block(
    extras: Mapping[str, object], told: Sequence[str], blocks: str | None
) -> dict[str, object]:
    """The extras of ``told``, with the block that a result says by the name of ``blocks`` as it was typed.

    Raises `UsageError` for one that differs from that name in capitals alone.
    """
    if blocks is None:
        return dict(extras)
    for name in extras:
        if name != blocks and name.casefold() == blocks.casefold():
            raise UsageError(f"expected --extra {blocks}=NAME for the block, got `{name}`")
    typed = {one.partition("=")[0]: one.partition("=")[2] for one in told}
    of_block = {blocks: block_name(typed[blocks], blocks)} if blocks in typed else {}
    return {**extras, **of_block}


def with_its_value(
    value: float | None, extras: Mapping[str, object], objective: str
) -> tuple[float, dict[str, object]]:
    """The value, and the extras without it: ``objective`` among them is the value too, if it is not empty.

    Raises `UsageError` where there is no value, or two.
    """
    own = extras.get(objective) if objective else None
    others = {name: extra for name, extra in extras.items() if own is None or name != objective}
    if own is None:
        if value is None:
            named = f", or --extra {objective}=NUMBER," if objective not in ("", "value") else ""
            raise UsageError(f"expected --value NUMBER{named} or --failed WHY, got none of them")
        return value, others
    if not isinstance(own, float):
        raise UsageError(f"expected a number as --extra {objective}, the objective, got {own}")
    if value is not None and value != own:
        raise UsageError(
            f"expected the value once, got --value {value!r} and --extra {objective}={own!r}, which is it too"
        )
    return own, others


def with_curves(extras: Mapping[str, object], outcomes: Sequence[str]) -> dict[str, object]:
    """The extras, with those of the ``outcomes`` that are typed as lists, ``[0.1, 0.2]``, as such."""
    curves = {
        name: curve
        for name, told in extras.items()
        if name in outcomes and isinstance(told, str) and (curve := written_curve(told)) is not None
    }
    return {**extras, **curves}


def refuse_a_value(
    value: float | None, extras: Mapping[str, object], objective: str, outcomes: Sequence[str]
) -> None:
    """Raises `UsageError` for the value of an ``objective`` that is computed from ``outcomes``."""
    if value is not None or objective in extras:
        each = " ".join(f"--extra {name}=NUMBER" for name in outcomes[:4]) + (" ..." if outcomes[4:] else "")
        raise UsageError(f"expected no value, as `{objective}` is computed: say what came, {each}")


def with_unknown_derivatives(extras: Mapping[str, object], by: Sequence[str]) -> dict[str, object]:
    """The extras, with None for a derivative that was typed as ``nan`` or ``null``, as it is not known."""
    columns = {column_of(name) for name in by}
    return {
        name: None
        if name in columns and isinstance(told, str) and told.lower() in (*NO_NUMBER, "null")
        else told
        for name, told in extras.items()
    }


def _named(extra: str) -> tuple[str, object]:
    name, equals, value = extra.partition("=")
    if not equals or not name:
        raise UsageError(f"expected --extra NAME=VALUE, got {extra}")
    try:
        number = float(value)
    except ValueError:
        return name, value
    # JSON carries neither NaN nor infinities: what was typed is kept as text.
    return name, number if math.isfinite(number) else value
