"""Rows that a person adds to the candidates of a run: whether they can be, and which results are of them.

What is numpy is imported where it is needed: whoever resumes a run must not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.values.candidates import ONE_OF_THEM


def listed_by_now(spec: Spec, observed: Iterable[Trial]) -> tuple[int, ...]:
    """Those of the known results ``observed`` that were of no row, and are of one of a spec's as it is
    amended. Of very many it takes seconds.
    """
    of_none = [trial for trial in observed if ONE_OF_THEM in trial.broken]
    if not of_none:
        return ()
    from orchestrator.spec.build import build_space

    space = build_space(spec)
    return tuple(trial.number for trial in of_none if space.row_of(trial.parameters) is not None)
