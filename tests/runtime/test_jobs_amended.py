"""A person says how many jobs of a queue a run may have from now on."""

from __future__ import annotations

import pytest
from amended_lives import Run

from orchestrator.errors import UsageError
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.job_events import JobAsked, JobEnded, JobSubmitted
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

TEXT = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [1, 9]}}
budget: {trials: 40}
evaluation: {command: [./wing, "{span}"], output: json}
"""
JOBS = """\
workers:
  local: 0
  listen: "tcp://127.0.0.1:5556"
  jobs: {queue: slurm, script: worker.sbatch, at_most: 8}
"""


def _spec(text: str) -> Spec:
    return load_spec_text(text, "wing.yaml", None).spec


def test_how_many_there_may_be_is_said_once_and_shown() -> None:
    spec = _spec(TEXT + JOBS)
    run = Run(spec)
    assert run.amend(Amend(jobs=20)) == "from now on 20 jobs may wait or run at a time"
    assert run.amend(Amend(jobs=20), name="b") == "20 jobs may wait or run at a time already"
    assert run.state.jobs.at_most == 20
    assert amendment_words(spec, run.state) == ("20 jobs at a time instead of 8",)
    assert request_words(Amend(jobs=1)) == "to be amended: 1 job at a time"
    assert run.amend(Amend(jobs=0), name="c") == "from now on 0 jobs may wait or run at a time"
    run.amend(Amend(jobs=8), name="d")
    assert amendment_words(spec, run.state) == ()


def test_after_jobs_that_came_to_nothing_it_has_them_submitted_anew() -> None:
    run = Run(_spec(TEXT + JOBS))
    asked = JobAsked(at=1.0, number=1, worker="job-1", name="wing-1", address="tcp://here:1")
    run.happen(asked, JobSubmitted(at=2.0, number=1, job="11"), JobEnded(at=3.0, number=1))
    assert run.state.jobs.in_vain == 1
    said = "from now on 8 jobs may wait or run at a time; they are submitted anew"
    assert run.amend(Amend(jobs=8)) == said
    assert run.state.jobs.in_vain == 0
    assert run.amend(Amend(jobs=8), name="b") == "8 jobs may wait or run at a time already"


def test_of_a_run_that_submits_none_or_beyond_what_may_be_it_is_refused() -> None:
    with pytest.raises(UsageError, match="expected --jobs of a run that submits some"):
        Run(_spec(TEXT)).amend(Amend(jobs=2))
    with pytest.raises(UsageError, match="expected --jobs from 0 to 1,000, got 1001"):
        Run(_spec(TEXT + JOBS)).amend(Amend(jobs=1001))
