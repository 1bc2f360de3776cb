"""An Optimiser as people look at it: as a notebook shows it, and the page that is written of a run.

Reports are imported where one is asked for: what asks and tells pays nothing for them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.python_interface.record import Record
from orchestrator.system.blas_threads import one_thread
from orchestrator.system.whole_files import write_whole

if TYPE_CHECKING:
    from orchestrator.report.searches.kept_search import KeptSearch

IN_NO_FILE = Path("a search that no file keeps")


def seen(record: Record) -> KeptSearch:
    """What is remembered by now, whatever follows."""
    from orchestrator.report.searches.kept_search import KeptSearch

    return KeptSearch(record.path or IN_NO_FILE, record.problem, tuple(record.events), record.is_open)


def in_notebook(search: KeptSearch) -> str | None:
    """HTML, or None where its `repr` has to do, as no spec can say the problem."""
    from orchestrator.report.following.runs import read_run
    from orchestrator.report.html.notebook import summary

    try:
        return summary(read_run(search), search.is_open)
    except OrchestratorError:
        return None


def write_page(search: KeptSearch, told: object, *, sensitivity: bool, posterior: bool) -> Path:
    """The page, where ``told`` says. Raises UsageError for what is no path, and where it cannot be written,
    and StoreError where no spec can say the problem.
    """
    from orchestrator.report.following.runs import FollowedRun
    from orchestrator.report.html.page import Beside, page
    from orchestrator.report.models.posterior import run_posterior
    from orchestrator.report.models.sensitivity import objectives_analysed

    if not isinstance(told, str | Path):
        raise UsageError(f'expected the path of a page to write, as "search.html", got {told!r}')
    path = Path(told)
    run = FollowedRun.open(search)
    events = run.catch_up()
    with one_thread():
        analysed = objectives_analysed(run) if sensitivity else ()
        beside = Beside(posterior=run_posterior(run) if posterior else None)
        document = page(run, events, search.is_open, analysed, beside=beside)
    try:
        write_whole(path, document)
    except OSError as error:
        raise UsageError(
            f"expected to write the page to {path}, got: {error.strerror}; name another file"
        ) from None
    return path
