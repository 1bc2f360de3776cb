"""A run whose trials vary all parameters and return a mass besides, for tests of what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from recorded_runs import INSIGHT, SPEC, WHY, RecordedRun, always
from traded_off_runs import gave

from orchestrator.scheduler import events as ev

LONG = SPEC.replace("trials: 20", "trials: 60")
TODAY = {"span": 3.0, "sweep": 20.0, "ribs": 7, "skin": "foam"}
REFERENCE = "initial: {reference: {span: 3, sweep: 20, ribs: 7, skin: foam}}\n"
HOT = LONG + "outcomes: [heat]\nconstraints: [heat <= 60]\n"
Parameters = dict[str, Any]


def drag(parameters: Parameters) -> float:
    """Falls steeply with the span, a little with the sweep; ribs and skin do nothing."""
    return float(100.0 / parameters["span"] + 0.2 * parameters["sweep"])


def mass(parameters: Parameters) -> float:
    """Of the ribs, and of the skin."""
    return float(parameters["ribs"] + (0.0 if parameters["skin"] == "carbon" else 20.0))


class VariedRun(RecordedRun):
    """Points come from a generator of its own, not from an algorithm."""

    def __init__(self, spec_text: str = SPEC) -> None:
        super().__init__(spec_text)
        self.rng = np.random.default_rng(0)

    def answer_asks(self, seconds: float = 0.2) -> RecordedRun:
        while self.asks:
            ask = self.asks.popleft()
            points = tuple(
                ev.Suggested(parameters=self.drawn(), mean=5.0, deviation=0.5, why=WHY)
                for _ in range(ask.count)
            )
            at = self.at + seconds
            made = ev.SuggestionsMade(
                at=at, ask=ask.ask, suggestions=points, seconds=seconds, insight=INSIGHT
            )
            self.happen(made)
        return self

    def drawn(self) -> Parameters:
        return {
            "span": float(self.rng.uniform(1.0, 9.0)),
            "sweep": float(self.rng.uniform(0.0, 40.0)),
            "ribs": int(self.rng.integers(2, 31)),
            "skin": str(self.rng.choice(["foam", "carbon"])),
        }


class ReferencedRun(VariedRun):
    """One that begins with its reference."""

    def happen(self, event: ev.Event) -> RecordedRun:
        if isinstance(event, ev.RunStarted):
            event = replace(event, points=(TODAY,), reference=True)
        return super().happen(event)


def heated(trials: int, spec_text: str = HOT) -> VariedRun:
    """Less drag, and more heat, the wider the span."""
    run = VariedRun(spec_text)
    run.begin()
    for _ in range(trials):
        run.answer_asks()
        span = dict(run.evaluations[0].parameters)["span"]
        gave(run, 10.0 - span, {"heat": 10.0 * span})
    return run


def failing(trials: int) -> tuple[VariedRun, int]:
    """Less drag the wider the span, and none where that is over 6; and how many failed so."""
    run, failures = VariedRun(LONG.replace("timeout: 60 s", "timeout: 60 s, attempts: 1")), 0
    run.begin()
    for _ in range(trials):
        run.answer_asks()
        span = dict(run.evaluations[0].parameters)["span"]
        failures += span > 6.0
        run.settle(1, always(None if span > 6.0 else 10.0 - span))
    return run, failures


def wings(trials: int, spec_text: str = LONG) -> VariedRun:
    """So many trials, each with its mass."""
    run = VariedRun(spec_text)
    run.begin()
    for _ in range(trials):
        run.answer_asks()
        parameters = dict(run.evaluations[0].parameters)
        gave(run, drag(parameters), {"mass": mass(parameters), "note": "glued"})
    return run
