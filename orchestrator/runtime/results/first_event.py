"""The first event of a run, as runs are begun today: what older journals lack in it, they did otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.runtime.results.counted_parameters import first_costs, first_points
from orchestrator.runtime.results.known_events import known_events
from orchestrator.scheduler.events import RunStarted
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import parts_of


def first_event(spec: Spec, run: str, wall: str, evaluated_by: Mapping[str, str]) -> RunStarted:
    """Of the run called ``run``; ``wall`` and ``evaluated_by`` as in `RunStarted`."""
    return RunStarted(
        at=0.0,
        run=run,
        wall=wall,
        points=first_points(spec),
        costs=first_costs(spec),
        known=known_events(spec.initial.results, spec),
        in_turn=True,
        pays_for_begun=True,
        takes_back=True,
        approves_attempts=True,
        spares_the_way=True,
        renewed_by_trials=True,
        counts_given_back=True,
        gives_up_alike=True,
        evaluated_by=evaluated_by,
        reference=spec.initial.reference is not None,
        parts=tuple(parts_of(spec)),
        reference_times=spec.initial.reference_times,
    )
