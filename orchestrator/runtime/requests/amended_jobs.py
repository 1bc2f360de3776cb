"""How many jobs of a queue a run may have from now on: whether that can be said of it, and in words."""

from __future__ import annotations

from orchestrator.errors import UsageError
from orchestrator.scheduler.amendment_events import JobsAmended
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.jobs import MOST_JOBS


def jobs_told(
    event: JobsAmended, spec: Spec, state: State, *, untaken: bool
) -> tuple[JobsAmended | None, str]:
    """The event, none where it is so already, unless jobs came to nothing, and are to be submitted anew, and
    the sentence; one that was taken is not judged again.

    Raises `UsageError` for too many, or of a run that submits none.
    """
    many = "1 job" if event.at_most == 1 else f"{event.at_most} jobs"
    anew = "; they are submitted anew" if state.jobs.in_vain and event.at_most else ""
    if untaken and event.at_most == _so_far(event, spec, state) and not anew:
        return None, f"{many} may wait or run at a time already"
    return event, f"from now on {many} may wait or run at a time{anew}"


def _so_far(event: JobsAmended, spec: Spec, state: State) -> int:
    jobs = spec.workers.jobs
    if jobs is None:
        raise UsageError(
            "expected --jobs of a run that submits some, as its spec has `workers: {jobs: ...}`, got one"
            " without"
        )
    if not 0 <= event.at_most <= MOST_JOBS:
        raise UsageError(f"expected --jobs from 0 to {MOST_JOBS:,}, got {event.at_most}")
    return jobs.at_most if state.jobs.at_most is None else state.jobs.at_most
