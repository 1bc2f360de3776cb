"""A search from Python, as it stands in its file or in memory: what commands open where others open a run."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from orchestrator.errors import StoreError
from orchestrator.expressions.constraints import relative_among
from orchestrator.report.searches.events_of_search import EventsOfSearch
from orchestrator.report.searches.problem_as_spec import ProblemAsSpec, as_spec
from orchestrator.runtime.results.reference_levels import measured_anew
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.asked_elsewhere import AskedElsewhere
from orchestrator.scheduler.rules.clock import Clock
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.search_files.events import Event, Opened, TrialAbandoned, TrialAttached, TrialsAsked
from orchestrator.search_files.reading import events_in, is_written, whole_lines
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.values.change import Changes, change_of


@dataclass(frozen=True)
class KeptSearch:
    """Of a ``problem``, as its file has it; ``path`` is the file, or says that there is none. ``is_open``:
    whether a program has it open.
    """

    path: Path
    problem: Mapping[str, Any]
    events: Sequence[Event]
    is_open: bool

    @classmethod
    def open(cls, path: Path) -> KeptSearch:
        """That in a file, as it is now. Raises StoreError where it cannot be read, or is damaged."""
        try:
            # Before it is read: what is written meanwhile is written by somebody.
            is_open = is_written(path)
            began, events = events_in(whole_lines(path), path)
        except OSError as error:
            raise StoreError(
                f"expected to read the search in {path}, got: {error.strerror}. Name a file that can be read"
            ) from None
        if began is None:
            raise StoreError(f"expected the file of a search that has begun, got {path}, which is empty yet")
        return cls(path, began.problem, events, is_open)

    @property
    def name(self) -> str:
        """Its file's."""
        return self.path.name

    @property
    def report(self) -> Path:
        """Its page, where one is written."""
        return self.path.with_name(f"{self.path.stem}-report.html")

    @property
    def begun(self) -> str:
        """The time of day at which it was opened first, in ISO 8601; empty where that is not told."""
        return self._openings[0].at if self._openings else ""

    def holder(self) -> dict[str, object] | None:
        """The host and process that has it open now, or None if nobody does."""
        opened = self._openings[-1:]
        if not self.is_open:
            return None
        return {"host": opened[0].host, "pid": opened[0].pid} if opened else {}

    @property
    def spec(self) -> Spec:
        """That of a run of the same problem. Raises StoreError where none can say it."""
        return self._as_spec.spec

    @property
    def text(self) -> str:
        """What of that is known, in YAML."""
        return self._as_spec.text

    @property
    def policy(self) -> Policy:
        """The rules that its results are judged by."""
        policy = policy_of(self.spec.model_copy(update={"clock": None}))
        where = replace(policy.where, clock=self._clock, changes=self._changes)
        return replace(policy, where=where)

    def run_events(self) -> Iterator[ev.Event]:
        """What happened, as a run's journal would have it."""
        made = EventsOfSearch(self._as_spec, self.name, self._clock)
        events = made.of(self.events, self.is_open)
        if not relative_among(self.spec.constraints):
            yield from events
            return
        scheduler = AskedElsewhere(self.policy)
        for event in events:
            scheduler.handle(event)
            yield event
            if (measured := measured_anew([event], self.spec, scheduler.state)) is not None:
                scheduler.handle(measured)
                made.judge_by(scheduler.state.amended.constraints)
                yield measured

    @property
    def _changes(self) -> Changes:
        # Those of values take one time, whatever the scale.
        slow = {name: own for name, own in self.problem["parameters"].items() if "change" in own}
        return {name: change_of(own["change"], own.get("scale", "linear")) for name, own in slow.items()}

    @property
    def _clock(self) -> Clock | None:
        if (name := self.spec.clock) is None:
            return None
        low, high = self.problem["parameters"][name]["bounds"]
        # A run's goes in a unit of time. This one goes in whatever its program says, which no file tells.
        return Clock(parameter=name, unit_s=1.0, bounds=(low, high))

    def since_last(self) -> float:
        """Seconds since the last event, as far as the time of day tells: that of the file, as those of its
        events do not follow a clock that is set.
        """
        at = getattr(self.events[-1], "at", 0.0) if self.events else 0.0
        if not isinstance(at, float) or not at:
            return 0.0
        with suppress(OSError):
            at = self.path.stat().st_mtime
        return max(0.0, time.time() - at)

    @cached_property
    def _as_spec(self) -> ProblemAsSpec:
        when = next((one.when for one in reversed(self._openings) if one.when), {})
        return as_spec(self.problem, when, self._budget, self.path.stem, self.path)

    @property
    def _openings(self) -> list[Opened]:
        return [one for one in self.events if isinstance(one, Opened)]

    @property
    def _budget(self) -> Mapping[str, Any]:
        """The trials that were planned last, and what all may cost, as far as that was; or more, where more
        were asked for all the same. The trial that reaches a cost is the last.
        """
        costs: dict[int, float] = {}
        for one in self.events:
            match one:
                case TrialsAsked(trials):
                    costs.update({asked.trial: asked.cost for asked in trials})
                case TrialAttached(trial, _, cost):
                    costs[trial] = cost
                case TrialAbandoned(trial):
                    costs.pop(trial, None)
        budget: dict[str, Any] = {}
        for planned in self._openings[-1:]:
            if planned.trials is not None:
                budget["trials"] = max(planned.trials, len(costs))
            if planned.cost is not None:
                reached = math.fsum(list(costs.values())[:-1]) >= planned.cost
                budget["cost"] = math.fsum(costs.values()) if reached else planned.cost
        return budget
