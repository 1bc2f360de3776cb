"""Which parameters an equality does not make computed ones, by what else callers say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def never_computed(clock: object, fidelity: object, factors: object) -> set[str]:
    """The names of the clock, of what says how closely to look, and of what is in a factor, as far as they
    are told as they should be.
    """
    told = [clock, fidelity.get("parameter") if isinstance(fidelity, Mapping) else None]
    for factor in factors if isinstance(factors, Sequence) else ():
        told += factor if isinstance(factor, Sequence) else ()
    return {name for name in told if isinstance(name, str)}
