"""How far a machine may travel, and where it stands, as people are told of it."""

from __future__ import annotations

from orchestrator.scheduler.amendment_events import TravelAmended
from orchestrator.scheduler.rules.places import place_words


def what_of_travel(event: TravelAmended) -> str:
    """What of that is amended."""
    return "how the machine travels" if event.travel or event.freed else "where the machine stands"


def amended_travel_words(event: TravelAmended) -> str:
    """``current may travel 2, gas anywhere, and it stands at current = 20``."""
    said = [f"{name} may travel {travel.words}" for name, travel in event.travel.items()]
    said += [f"{name} may travel anywhere" for name in event.freed]
    said += [f"it stands at {place_words(event.stands)}"] if event.stands else []
    return ", ".join(said)
