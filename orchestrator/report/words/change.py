"""What a trial changed, and how long that takes, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from orchestrator.report.words.wording import counted, duration, finite_number
from orchestrator.scheduler.event_parts import AT_THE_END, CHANGE, LATELY, PAID_FOR, PROMISED
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec

WHY = {
    PROMISED: "By what was expected for the time that it takes, that was worth more.",
    PAID_FOR: "Where that cannot be weighed against what is expected, as in a start design, a setting stays"
    " until evaluations took as long.",
    LATELY: "Another point was expected to be worth more for its time, but evaluations since the last change"
    " had not taken a quarter as long.",
    AT_THE_END: "After it no time would have been left for the evaluation.",
}


def changed_words(takes: Mapping[str, float]) -> str:
    """``changing nozzle (30 min), bed (48 s)`` of a trial that changes such; else nothing."""
    return f"changing {_durations(takes)}" if takes else ""


def changes_so_far(spec: Spec, state: State) -> str:
    """``4 of 9 trials changed settings, which takes 2 h 10 min in all; evaluations take 54 min``, the latter
    as far as that is said; nothing where no trial changed any.
    """
    if not state.apparatus.changing_s:
        return ""
    begun = [trial for trial in state.trials.values() if trial.attempts.begun]
    changed = sum(1 for trial in begun if trial.changed)
    own = spec.evaluation.takes_s
    attempts = sum(one.attempts.begun for one in begun)
    beside = "" if own is None else f"; evaluations take {duration(own * attempts)}"
    return (
        f"{changed:,} of {counted(len(begun), 'trial')} changed settings, which takes"
        f" {duration(state.apparatus.changing_s)} in all{beside}"
    )


def why_changed(trial: Trial, takes: Mapping[str, float]) -> Iterator[str]:
    """Sentences on what it changes, which ``takes`` so many seconds, and what was left as it stood."""
    suggested = trial.suggested
    spared = _seconds(suggested.why, "spared")
    own = finite_number(_told(suggested.why).get("evaluation_s"))
    beside = "" if own is None else f"; an evaluation takes {duration(own)} besides"
    if takes:
        yield f"What it changes takes time: {_durations(takes)}{beside}."
    if spared:
        # Journals of versions before did not say it.
        otherwise = PAID_FOR if suggested.mean is None else PROMISED
        known = str(_told(suggested.why).get("stays", otherwise))
        why = WHY.get(known, "")
        yield f"Left as it stood, as changing it would have taken: {_durations(spared)}. {why}".rstrip()


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
