"""Known results as they stand in the journal, from what was read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from orchestrator.runtime.counted_parameters import what_counts
from orchestrator.runtime.wanted_results import WantedResults
from orchestrator.scheduler.events import KnownResult
from orchestrator.spec import model
from orchestrator.spec.between_steps import unmet_steps
from orchestrator.values.named import Values


def known_events(results: Iterable[model.KnownResult], spec: model.Spec) -> tuple[KnownResult, ...]:
    """Each result of a spec, or of a file or line added to a run, for the scheduler."""
    broken, wanted, counted = _broken_by(spec), WantedResults.of(spec), what_counts(spec)
    return tuple(
        KnownResult(
            parameters=there,
            value=one.value,
            variance=one.variance,
            factors=None if one.factors is None else tuple(one.factors),
            # What failed is no best one anyhow.
            broken=()
            if one.value is None
            else unmet_steps(spec.parameters, there)
            + broken(one.parameters)
            + wanted.broken(one.parameters, one.outcomes),
            outcomes=one.outcomes,
            seconds=one.seconds,
        )
        for one in results
        for there in [counted(one.parameters)]
    )


def _broken_by(spec: model.Spec) -> Callable[[Values], tuple[str, ...]]:
    """The constraints on parameters that they do not satisfy."""
    if not spec.constraints:
        return lambda _: ()
    # Imported here because it is numpy, and most runs have no constraints.
    from orchestrator.spec.build import build_space

    return build_space(spec).broken_by
