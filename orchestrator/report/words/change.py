"""What a trial changed, and how long that takes, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.report.words.wording import duration, finite_number
from orchestrator.scheduler.event_parts import CHANGE
from orchestrator.scheduler.trial import Trial

PROMISED = "By what was expected for the time that it takes, that was worth more."
PAID_FOR = "Until anything is predicted, what takes time stays until evaluations took as long."


def changed_words(trial: Trial) -> str:
    """``changing nozzle (30 min), bed (48 s)`` of a trial that was asked for and changes such; else
    nothing.
    """
    takes = _seconds(trial.why, "takes")
    return f"changing {_durations(takes)}" if takes else ""


def why_changed(trial: Trial) -> Iterator[str]:
    """Sentences on what it changed, and what was left as it stood."""
    takes, spared = _seconds(trial.why, "takes"), _seconds(trial.why, "spared")
    own = finite_number(_told(trial.why).get("evaluation_s"))
    beside = "" if own is None else f"; an evaluation takes {duration(own)} besides"
    if takes:
        yield f"What it changes takes time: {_durations(takes)}{beside}."
    if spared:
        why = PAID_FOR if trial.mean is None else PROMISED
        yield f"Left as it stood, as changing it would have taken: {_durations(spared)}. {why}"


def _durations(seconds: Mapping[str, float]) -> str:
    """``nozzle (30 min), bed (48 s)``."""
    return ", ".join(f"{name} ({duration(one)})" for name, one in seconds.items())


def _seconds(why: Mapping[str, Any], key: str) -> dict[str, float]:
    """By settings, of a trial's reasons."""
    told = _told(why).get(key)
    own = told.items() if isinstance(told, Mapping) else ()
    return {str(name): seconds for name, one in own if (seconds := finite_number(one)) is not None}


def _told(why: Mapping[str, Any]) -> Mapping[str, Any]:
    told = why.get(CHANGE)
    return told if isinstance(told, Mapping) else {}
