"""The monitor for programs: one JSON object a line, each with the name of what happened under ``event``.

The events of the journal, as they are there, with ``at`` in seconds since the run began; and beside them
`RunOpened` first, `TrialSettled` after the event that settled a trial, `Progress`, `Note`, `RunClosed` last;
and `LinesLeftOut` in the place of lines that a reader who fell far behind does not get.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TextIO

import msgspec

from orchestrator.report.monitors.line_writer import LineWriter, unnoticed
from orchestrator.report.preferred import preferred
from orchestrator.report.seen.believed import believed
from orchestrator.report.seen.best_now import best_now
from orchestrator.report.seen.settlements import Settlements
from orchestrator.report.seen.trade_offs import best_first, objectives_of
from orchestrator.report.words.goals import goals_of
from orchestrator.report.words.without_best import why_no_best
from orchestrator.runtime.monitor import Level, Opening
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec

_encoder = msgspec.json.Encoder()


class JsonLinesMonitor:
    """Writes every event of a run to a stream, and every trial as it is settled."""

    def __init__(self, stream: TextIO, unwritten: Callable[[str], None] = unnoticed) -> None:
        self._writer = LineWriter(stream, self._left_out, unwritten)
        self._settlements = Settlements()
        self._now = 0.0
        self._spec: Spec | None = None

    def opened(self, opening: Opening) -> None:
        """`RunOpened`: experiment, folder, address, resumed; of several objectives, the goal of each; what is
        held by the spec, if anything.
        """
        self._spec = spec = opening.spec
        self._write(
            "RunOpened",
            experiment=spec.experiment,
            folder=str(opening.folder),
            address=opening.address,
            resumed=opening.resumed,
            **({"objectives": goals_of(spec)} if spec.further_objectives else {}),
            **({"held": spec.held} if spec.held else {}),
        )
        self._writer.flush()

    def observed(self, event: Event, state: State) -> None:
        """The event, then the trials that it settled."""
        self._now = event.at
        self._write(type(event).__name__, **{name: getattr(event, name) for name in event.__slots__})
        for trial in self._settlements.take(event, state):
            self._write("TrialSettled", at=event.at, **self._record(trial))

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """`Progress`: lease, step, values; null for one that is NaN or infinite."""
        self._write("Progress", at=self._now, lease=lease, step=step, values=values)

    def noted(self, level: Level, sentence: str) -> None:
        """`Note`: level, sentence."""
        self._write("Note", at=self._now, level=level, sentence=sentence)

    def ticked(self, state: State, now: float) -> None:
        """Hand over what was gathered."""
        del state
        self._now = now
        self._writer.flush()

    def closed(self, state: State) -> None:
        """`RunClosed`: how the run ended or was left, the best trial, and the one believed best in noise; of
        several objectives, the `front`, the best in the first of them first.
        """
        likely, now = believed(state), best_now(state)
        self._write(
            "RunClosed",
            at=max(self._now, state.at),
            phase=str(state.phase),
            ending=state.end.why,
            completed=state.tally.completed,
            failed=state.tally.failed,
            stopped=state.tally.stopped,
            abandoned=state.tally.abandoned,
            best=None if state.found.best is None else trial_record(state.found.best),
            why_no_best=why_no_best(state),
            **({} if now is None else {"best_now": now.to_json()}),
            **({} if (told := state.optimiser.insight.get("crossing")) is None else {"crossing": told}),
            **self._preferred(state),
            **self._front(state),
            believed_best=None
            if likely is None
            else {
                "trial": likely.trial.number,
                "mean": likely.mean,
                "deviation": likely.deviation,
                "parameters": likely.trial.parameters,
            },
        )
        self._writer.close()

    def _preferred(self, state: State) -> dict[str, object]:
        best = preferred(state)
        if best is None:
            return {}
        told = {"trial": best.trial.number, "next": best.next, "chance": best.chance}
        return {"preferred": {**told, "parameters": best.trial.parameters}}

    def _front(self, state: State) -> dict[str, object]:
        if not state.policy.sought.further:
            return {}
        return {"front": [self._record(trial) for trial in best_first(state.policy, state.found.front)]}

    def _record(self, trial: Trial) -> dict[str, object]:
        """What is known of a trial; of several objectives, each by its name; what it cost, if that varies."""
        record = trial_record(trial)
        if self._spec is not None and self._spec.further_objectives and trial.value is not None:
            record["objectives"] = objectives_of(self._spec, trial)
        if self._spec is not None and self._spec.fidelity is not None:
            record["cost"] = trial.cost
            if self._spec.fidelity.continues:
                record["continues"] = trial.suggested.continues or None
        return record

    def _write(self, event: str, /, **values: object) -> None:
        self._writer.write(_line(event, **values))

    def _left_out(self, lines: int) -> str:
        return _line("LinesLeftOut", at=self._now, lines=lines)


def _line(event: str, /, **values: object) -> str:
    return _encoder.encode({"event": event, **values}).decode()


def trial_record(trial: Trial) -> dict[str, object]:
    """What is known of a trial, as JSON values."""
    return {
        "trial": trial.number,
        "state": str(trial.state),
        "value": trial.value,
        "variance": trial.variance,
        "parameters": trial.parameters,
        "worker": trial.worker,
        "by": trial.by or None,
        "attempts": trial.attempts.begun,
        "elapsed_s": trial.elapsed,
        "message": trial.message,
    }
