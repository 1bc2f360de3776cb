"""Trials on the way to where an optimiser would look, in words."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.scheduler.event_parts import ON_THE_WAY
from orchestrator.scheduler.rules.places import place_words
from orchestrator.scheduler.trial import Trial


def on_the_way_words(trial: Trial) -> str:
    """``on the way to current = 80, gas = 3`` of a trial that is; else nothing. What is held, the clock among
    it, is not travelled.
    """
    towards = trial.suggested.why.get("towards")
    if trial.suggested.why.get("source") != ON_THE_WAY or not isinstance(towards, Mapping):
        return ""
    there = {name: place for name, place in towards.items() if name not in trial.held}
    return f"on the way to {place_words(there)}"
