"""Jobs are asked of a queue, taken, refused, and end; and their workers come, do something, and go."""

from __future__ import annotations

from orchestrator.scheduler.commands import SendHome, SubmitJob, TakeBackJob
from orchestrator.scheduler.handling.slots import drain
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.job_events import (
    JobAsked,
    JobCalledOff,
    JobEnded,
    JobRefused,
    JobSentHome,
    JobSubmitted,
)
from orchestrator.scheduler.job_fates import amiss
from orchestrator.scheduler.jobs import STAYED_S, Job
from orchestrator.scheduler.state import State
from orchestrator.scheduler.worker import Worker


def job_asked(step: Step, event: JobAsked) -> None:
    """Have it submitted, now that it is known of."""
    jobs = step.state.jobs
    jobs.asked = max(jobs.asked, event.number)
    jobs.known[event.number] = Job(
        number=event.number,
        worker=event.worker,
        name=event.name,
        address=event.address,
        asked_at=event.at,
    )
    step.command(SubmitJob(number=event.number, worker=event.worker, name=event.name))


def job_submitted(step: Step, event: JobSubmitted) -> None:
    """The queue has it, or may have it."""
    jobs = step.state.jobs
    if (job := jobs.known.get(event.number)) is not None:
        job.job, job.heard_at = event.job, event.at
        jobs.refused, jobs.refusal = 0, ""


def job_refused(step: Step, event: JobRefused) -> None:
    """The queue would not have it; the next is asked for later."""
    jobs = step.state.jobs
    if jobs.known.pop(event.number, None) is not None:
        jobs.refused, jobs.refused_at, jobs.refusal = jobs.refused + 1, event.at, event.message
        jobs.refused_in_all += 1


def job_ended(step: Step, event: JobEnded) -> None:
    """It is over. Those that were submitted together and came to nothing did so once. Of an earlier life's
    nobody knows why they did.
    """
    jobs = step.state.jobs
    job = jobs.known.pop(event.number, None)
    if job is None or step.state.end.why or (job.called_off_at is not None and not job.stuck):
        return
    if kind := amiss(event.how, event.said):
        jobs.amiss[kind] = jobs.amiss.get(kind, 0) + 1
        jobs.last_amiss, jobs.last_amiss_how, jobs.last_amiss_at = kind, event.how, event.at
    if job.of_use or job.asked_at < jobs.life_began_at:
        return
    if jobs.in_vain == 0 or job.asked_at > jobs.in_vain_at:
        jobs.in_vain += 1
        jobs.in_vain_at = event.at
    jobs.last_words = event.said or jobs.last_words


def job_called_off(step: Step, event: JobCalledOff) -> None:
    """Have the queue drop it."""
    job = step.state.jobs.known.get(event.number)
    if job is not None and job.job and not job.here:
        job.called_off_at = event.at
        job.called_off += 1
        job.stuck = event.reason
        step.command(TakeBackJob(number=job.number, job=job.job))


def job_sent_home(step: Step, event: JobSentHome) -> None:
    """Its worker takes nothing more. That it came, and was not needed, is not in vain. One that had nothing
    to do, and was given something meanwhile, stays.
    """
    job = step.state.jobs.known.get(event.number)
    worker = None if job is None else step.state.crew.workers.get(job.worker)
    if job is None or worker is None or (event.idle_s is not None and worker.running):
        return
    job.of_use = True
    if not worker.draining:
        drain(step.state, worker)
    step.command(SendHome(worker=worker.name))


def jobs_resumed(state: State) -> None:
    """Another life: nobody is connected, nobody will hear of what was being submitted, and a person has seen
    how jobs did.
    """
    jobs = state.jobs
    jobs.life_began_at = state.at
    # Whoever goes on may have larger ones submitted from now on.
    jobs.largest = 0
    jobs.in_vain, jobs.last_words, jobs.refused, jobs.refusal = 0, "", 0, ""
    jobs.amiss.clear()
    for job in jobs.known.values():
        job.here = False
        if job.heard_at is None:
            job.heard_at = state.at


def worker_of_job_joined(state: State, worker: Worker) -> None:
    """Its worker is there."""
    if (job := state.jobs.of_worker(worker.name)) is None:
        return
    job.here, job.called_off_at, job.called_off, job.stuck = True, None, 0, ""
    job.joined_at = state.at if job.joined_at is None else job.joined_at
    state.jobs.slots = worker.slots
    if job.asked_at >= state.jobs.life_began_at:
        state.jobs.largest = max(state.jobs.largest, worker.slots)


def worker_of_job_worked(state: State, name: str) -> None:
    """An outcome came of it: whatever happens to it now, the next may be submitted at once."""
    job = state.jobs.of_worker(name)
    if job is not None and not job.of_use:
        job.of_use = True
        state.jobs.in_vain, state.jobs.last_words = 0, ""


def worker_of_job_left(state: State, worker: Worker) -> None:
    """Its worker is gone, and the job with it as a rule, which the queue is to say."""
    if (job := state.jobs.of_worker(worker.name)) is None:
        return
    job.here = False
    if job.joined_at is not None and state.at - job.joined_at >= STAYED_S:
        worker_of_job_worked(state, worker.name)
