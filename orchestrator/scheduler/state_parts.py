"""What the scheduler knows, in parts: how time went on, what waits, what was found, how the run ended."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from orchestrator.scheduler.trial import Trial
from orchestrator.values.named import Values


@dataclass(slots=True)
class Unattended:
    """How long nobody worked on the run, as its clock, if it has one, went on: ``seconds``. That had come to
    ``shown_s`` when the time of day was ``wall``.
    """

    seconds: float = 0.0
    shown_s: float = 0.0
    wall: str = ""


@dataclass(slots=True)
class Waiting:
    """What is to be evaluated: the ``queue`` of trials, and ``parts`` of points, of each of which the rest is
    chosen when its turn comes. Where trials take several slots, some worker can have each up to number
    ``fitting`` that waits.
    """

    queue: deque[int] = field(default_factory=deque)
    fitting: int = 0
    parts: tuple[Values, ...] = ()


@dataclass(slots=True)
class Found:
    """The ``best`` trial of one objective, and of several the ``front``: those that no other beats in all.

    ``since_best`` is what the trials cost that were settled after it, or after the last that joined the
    front: each 1, where all look equally closely. ``to_go`` is how many evaluations the last of them was from
    where it led, 0 unless it was on the way.
    """

    best: Trial | None = None
    front: tuple[Trial, ...] = ()
    since_best: float = 0.0
    to_go: int = 0


@dataclass(slots=True)
class Apparatus:
    """What is known of the machine itself: the trial that it was last given, where a person has ``put`` it
    since, and what all changes so far take, as that was said.
    """

    last_leased: Trial | None = None
    put_at: Values = field(default_factory=dict)
    changing_s: float = 0.0


@dataclass(slots=True)
class End:
    """Why a run came to rest, empty while it goes on; whether that was a failure, and what failed."""

    why: str = ""
    badly: bool = False
    message: str = ""
