"""Of some seeds: somebody who adds constraints while the run goes on, and withdraws them.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from apart_stream import apart

from orchestrator.runtime.requests.kinds import Amend

if TYPE_CHECKING:
    from laboratory import Laboratory

INSIDE = {"x <= 0.7": (-10.0, 0.7), "x >= 0.2": (0.2, 10.0)}
"""Where the first parameter may be by each."""


def stream(seed: int) -> Random | None:
    """Of a seed in which constraints are amended; None of any other."""
    return apart("ties", seed)


def constraints_are_amended(lab: Laboratory) -> None:
    """One or both: what holds is withdrawn, what does not is added; now and then what is so already."""
    chance, state = lab.tying, lab.witness.state
    assert chance is not None
    added: list[str] = []
    withdrawn: list[str] = []
    for text in chance.sample(list(INSIDE), chance.choice([1, 1, 2])):
        holds = text in state.amended.constraints.added
        (withdrawn if holds == (chance.random() < 0.9) else added).append(text)
    parts: dict[str, Any] = {"bounds": {"x": (0.1, 0.9)}} if chance.random() < 0.2 else {}
    lab.desk.leave(Amend(constraints=added, withdrawn=withdrawn, by="Ada", **parts))


def breaks(parameters: Mapping[str, Any], texts: Iterable[str]) -> tuple[str, ...]:
    """Those that a point does not satisfy."""
    return tuple(text for text in texts if not INSIDE[text][0] <= parameters["x"] <= INSIDE[text][1])


def narrowed(low: float, high: float, texts: Iterable[str]) -> tuple[float, float]:
    """What of a range of the first parameter satisfies them."""
    for text in texts:
        low, high = max(low, INSIDE[text][0]), min(high, INSIDE[text][1])
    return low, high
