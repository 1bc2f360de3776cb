"""`orchestrator.runs`: what `orchestrator runs` lists, as objects."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from orchestrator.errors import UsageError
from orchestrator.python_interface.shown import InRows
from orchestrator.report.following.listed_run import ListedRun
from orchestrator.report.following.listing import listed_runs


def runs(*where: str | PathLike[str], experiment: str | None = None) -> InRows[ListedRun]:
    """The runs, and the searches that files keep, that lie there, the newest first.

    One that is damaged, or cannot be read, is among them, and its ``state`` and ``why`` say so. It writes
    nothing, and disturbs nobody.

    Args:
        where: folders where they lie, folders of runs, or files of searches; `logs` if none is named.
        experiment: the name of that whose runs are meant alone.

    Returns:
        A list that shows itself as a table; `pandas.DataFrame(orchestrator.runs().rows())` has all of each.

    Raises:
        UsageError: what is named is not there, or holds none; there is none of the experiment.
    """
    for one in where:
        if not isinstance(one, str | PathLike):
            raise UsageError(f'expected folders or files, as in runs("logs"), got {one!r}')
    if not isinstance(experiment, str | None):
        raise UsageError(
            f'expected the name of an experiment, as in runs(experiment="wing"), got {experiment!r}'
        )
    return InRows(listed_runs([Path(one) for one in where], Path("logs"), experiment))
