"""Why parameters cannot be what the trials of a round share: the sentences of a spec and of Python."""

from __future__ import annotations

ALL_SHARED = "expected at least one parameter that trials of a round do not share: all of them would be alike"


def is_computed(name: str) -> str:
    """Of one that follows from others."""
    return f"expected parameters that are chosen, got `{name}`, which is computed; share what that comes of"


def does_not_always_count(name: str) -> str:
    """Of one that has a `when`."""
    return (
        f"expected parameters that always count, got `{name}`, which has a `when`: where it does not count"
        " there is nothing to share"
    )


def varies_in_use(name: str) -> str:
    """Of one that nobody sets."""
    return f"expected parameters that are set, got `{name}`, which varies in use"


def says_how_closely(name: str) -> str:
    """Of the one that an evaluation's cost hangs on."""
    return (
        f"expected parameters other than `{name}`, which says how closely an evaluation looks: that is chosen"
        " for each trial"
    )


def is_there_twice(name: str) -> str:
    """Of one that was named before."""
    return f"expected each parameter that trials share once, got `{name}` again"
