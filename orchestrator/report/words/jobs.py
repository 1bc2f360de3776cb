"""How a run's jobs stand in its queue, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.report.words.wording import counted, first_line, listed, passing
from orchestrator.runtime.circumstances import JobsSeen
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.scheduler.words.job_words import amiss_words
from orchestrator.values.printable import printable

REASONS_SHOWN = 3
NUMBERS_SHOWN = 5


def jobs_words(seen: JobsSeen, now: float) -> str:
    """``5 jobs run and 3 wait (Priority), the first for 12 min 05 s``; and what is amiss, if anything is."""
    parts: list[str] = []
    if seen.running:
        verb = "runs" if seen.running == 1 else "run"
        coming = f" ({seen.coming} without a worker yet)" if seen.coming else ""
        parts.append(f"{counted(seen.running, 'job')} {verb}{coming}")
    if seen.waiting and seen.waiting_since is not None:
        many = counted(seen.waiting, "job") if not seen.running else str(seen.waiting)
        verb = "waits" if seen.waiting == 1 else "wait"
        since = f"{', the first' if seen.waiting > 1 else ''} for {passing(now - seen.waiting_since)}"
        parts.append(f"{many} {verb}{_why(seen.why, seen.waiting)}{since}")
    if seen.doubted:
        them = "it" if seen.doubted == 1 else "them"
        parts.append(f"of {counted(seen.doubted, 'job')} it is not known whether the queue has {them}")
    if seen.submitting_since is not None:
        which = "one more" if parts else "a job"
        parts.append(f"{which} is being submitted, for {passing(now - seen.submitting_since)}")
    words = [listed(parts) if parts else "no job is in the queue"]
    if seen.silent_since is not None:
        words.append(f"the queue has not answered for {passing(now - seen.silent_since)}")
    if seen.refused:
        words.append(f"the last was not taken: {printable(first_line(seen.refused))}")
    if seen.given_up:
        last = f", the last with: {printable(first_line(seen.last_words))}" if seen.last_words else ""
        words.append(f"no more are submitted, as too many in a row came to nothing{last}")
    if seen.amiss:
        words.append(f"{printable(first_line(seen.amiss))} ({passing(now - seen.amiss_at)} ago)")
    return "; ".join(words)


def jobs_so_far(state: State) -> str:
    """How many were submitted of a run that nobody works on, and which of them its queue may have still;
    nothing if none was.
    """
    jobs = list(state.jobs.known.values())
    if state.phase is Phase.FINISHED:
        # The others end with their workers, which were sent away.
        jobs = [job for job in jobs if job.joined_at is None]
    submitted = state.jobs.asked - state.jobs.refused_in_all
    if submitted <= 0:
        return ""
    were = f"{counted(submitted, 'job')} {'was' if submitted == 1 else 'were'} submitted"
    if badly := amiss_words(state.jobs):
        were = f"{were}; {printable(first_line(badly))}"
    if not jobs:
        return were
    named = [job.job or job.name for job in jobs]
    more = f" and {len(named) - NUMBERS_SHOWN} more" if len(named) > NUMBERS_SHOWN else ""
    return f"{were}; in the queue when it was left: {printable(', '.join(named[:NUMBERS_SHOWN]))}{more}"


def _why(why: Mapping[str, int], waiting: int) -> str:
    if not why:
        return ""
    if len(why) == 1 and sum(why.values()) == waiting:
        return f" ({printable(next(iter(why)))})"
    most = sorted(why.items(), key=lambda one: -one[1])[:REASONS_SHOWN]
    return f" ({', '.join(f'{count} {printable(reason)}' for reason, count in most)})"
