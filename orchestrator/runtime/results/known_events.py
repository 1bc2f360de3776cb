"""Known results as they stand in the journal, from what was read of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from orchestrator.errors import UsageError
from orchestrator.runtime.results.counted_parameters import what_counts
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.spec.model import Spec
from orchestrator.spec.results.between_steps import unmet_steps
from orchestrator.spec.sections import initial
from orchestrator.spec.sections.parameters import computed_of
from orchestrator.values.block_name import block_name
from orchestrator.values.derivatives import DERIVATIVES, with_derivatives
from orchestrator.values.named import Values


def known_events(results: Iterable[initial.KnownResult], spec: Spec) -> tuple[KnownResult, ...]:
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
            + wanted.broken(one.parameters, one.outcomes, one.value),
            outcomes=with_derivatives(
                {**_as_in_a_journal(one.outcomes), DERIVATIVES: one.derivatives}, spec.derivatives_by
            )
            if one.derivatives
            else _as_in_a_journal(one.outcomes),
            seconds=one.seconds,
            block=block_name(one.block, spec.blocks),
        )
        for one in results
        for there in [counted(one.parameters)]
    )


def _as_in_a_journal(outcomes: Mapping[str, float | tuple[float, ...]]) -> dict[str, float | list[float]]:
    """Curves are lists there, and in what workers return."""
    return {name: list(one) if isinstance(one, tuple) else one for name, one in outcomes.items()}


def judged_by_now(
    results: Iterable[KnownResult], spec: Spec, before: Collection[str]
) -> tuple[KnownResult, ...]:
    """The same, with what they break of the constraints of the spec as it is amended by now, in place of what
    they broke of those that held ``before``.
    """
    broken, wanted = _broken_by(spec), WantedResults.of(spec)
    judged = []
    for one in results:
        kept = tuple(text for text in one.broken if text not in before)
        now = broken(one.parameters) + wanted.broken(one.parameters, one.outcomes, one.value)
        judged.append(one if one.value is None else replace(one, broken=tuple(dict.fromkeys(kept + now))))
    return tuple(judged)


def valued_by_now(results: Iterable[KnownResult], spec: Spec) -> tuple[KnownResult, ...]:
    """The same, with the values that the spec as it is amended by now computes of their outcomes, whatever
    computed them when they were read. Raises `UsageError` where it computes none.
    """
    wanted = WantedResults.of(spec)
    if not wanted.are_computed:
        return tuple(results)
    assert wanted.outcomes is not None
    valued = []
    for number, one in enumerate(results, start=1):
        value = None if one.value is None else wanted.computed(one.parameters, one.outcomes)
        if one.value is not None and (value is None or not math.isfinite(value)):
            why = wanted.outcomes.missing(one.outcomes) or wanted.why_none(value, one.outcomes)
            raise UsageError(f"known result {number}: {why}")
        valued.append(replace(one, value=value))
    return tuple(valued)


def _broken_by(spec: Spec) -> Callable[[Values], tuple[str, ...]]:
    """The constraints on parameters that they do not satisfy."""
    if not spec.constraints and not computed_of(spec.parameters) and spec.candidates is None:
        return lambda _: ()
    # Imported here because it is numpy, and in most runs nothing restricts points.
    from orchestrator.spec.build import build_space

    return build_space(spec).broken_by
