"""A run goes on behind the damage of its journal as if nothing there had been handed out."""

from __future__ import annotations

from lab import Lab, leased
from policies import policy_with

from orchestrator.scheduler.mending_events import JournalMended


def test_what_was_in_hand_waits_in_the_order_of_the_trials() -> None:
    lab = Lab(policy_with(trials=3))
    lab.start()
    for worker in ("w1", "w2", "w3"):
        lab.join(worker)
        lab.suggest(1)
    assert lab.state.running == 3
    lab.happen(JournalMended(at=lab.tick(), wall="", lost=2, asks=3))
    assert list(lab.state.waiting.queue) == [1, 2, 3]
    # Whichever leases the lost lines gave, these are others.
    assert leased(lab.join("w1", slots=3)) == ["1.4", "2.4", "3.4"]
