"""Workers that are jobs of a queue: what is known of it is filled in, and each mistake is a sentence."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, spec_with

from orchestrator.spec.build import build_problem
from orchestrator.spec.sections.jobs import JobsSection

LISTEN = "listen: 'tcp://127.0.0.1:5556'"
OTHER = "submit: [bsub, -J, '{name}', ./job], state: [./list], cancel: [bkill, '{jobs}']"


def _jobs(told: str) -> JobsSection:
    jobs = spec_with(workers=f"workers: {{local: 0, {LISTEN}, jobs: {{{told}}}}}").workers.jobs
    assert jobs is not None
    return jobs


def test_of_a_queue_that_was_tried_the_commands_are_known() -> None:
    jobs = _jobs("queue: slurm, script: job.sh, at_most: 4")
    given = {"name": "wing-1", "output": "/logs/1.txt", "worker": "job-1", "address": "tcp://a:1"}
    assert jobs.submission(given) == [
        *("sbatch", "--parsable", "--job-name=wing-1", "--output=/logs/1.txt", "job.sh")
    ]
    assert jobs.cancellation(["12", "13"]) == ["scancel", "12", "13"]
    assert (jobs.named, jobs.column, jobs.programs) == (True, None, ("sbatch", "squeue", "scancel"))
    assert [question[0] for question in jobs.questions("12")] == ["scontrol", "sacct"]
    assert jobs.questions("12")[0] == ["scontrol", "--oneliner", "show", "job", "12"]
    assert jobs.idle_s == 600.0


def test_and_any_of_them_may_be_another() -> None:
    jobs = _jobs("queue: grid-engine, script: job.sh, at_most: 4, submit: [qsub, -terse, '{script}']")
    assert jobs.submission({}) == ["qsub", "-terse", "job.sh"]
    assert (jobs.named, jobs.column, jobs.cancel) == (False, 4, ["qdel", "{jobs}"])


def test_what_htcondor_is_told_stands_before_its_script_which_may_say_otherwise() -> None:
    jobs = _jobs("queue: htcondor, script: job.sub, at_most: 4")
    given = {"name": "wing-1", "output": "/logs/1.txt", "worker": "job-1", "address": "tcp://a:1"}
    assert jobs.submission(given) == [
        *("condor_submit", "-terse", "-batch-name", "wing-1", "getenv=ORCHESTRATOR_*"),
        *("output=/logs/1.txt", "error=/logs/1.txt", "job.sub"),
    ]
    assert jobs.questions("12")[0][:5] == ["condor_history", "-limit", "1", "12", "-af"]
    assert (jobs.named, jobs.column, jobs.cancel) == (True, None, ["condor_rm", "{jobs}"])


def test_of_another_queue_its_commands_are_said() -> None:
    assert _jobs(f"{OTHER}, at_most: 4").programs == ("bsub", "./list", "bkill")
    assert _jobs(f"{OTHER}, at_most: 4").questions("12") == []
    ended = _jobs(f"{OTHER}, at_most: 4, idle: 1 h, ended: [./how, 'n{{job}}']")
    assert (ended.questions("12"), ended.idle_s, ended.programs[-1]) == ([["./how", "n12"]], 3_600.0, "./how")


def test_the_algorithm_plans_for_as_many_as_there_may_be() -> None:
    jobs = "jobs: {queue: slurm, script: job.sh, at_most: 6}"
    assert build_problem(spec_with(workers=f"workers: {{local: 2, {LISTEN}, {jobs}}}")).parallel == 8
    assert build_problem(spec_with(workers=f"workers: {{remote: 9, {LISTEN}, {jobs}}}")).parallel == 10


@pytest.mark.parametrize(
    ("jobs", "said"),
    [
        ("queue: slurm, at_most: 4", "expected `script`, the file that a job runs, got none"),
        ("at_most: 4", "got no `submit`, `state` or `cancel`"),
        ("queue: slurm, script: j, at_most: 0", "at least 1"),
        ("queue: slrum, script: j, at_most: 2", "did you mean `slurm`?"),
        (f"{OTHER}, script: job.sh, at_most: 2", "expected `{script}` among the arguments of `submit`"),
        (OTHER.replace("{name}", "{nmae}") + ", at_most: 2", "got `{nmae}`"),
        (OTHER.replace("{jobs}", "all") + ", at_most: 2", "as an argument of `cancel`"),
        (f"{OTHER}, at_most: 2, ended: [./how]", "in an argument of `ended`"),
        ("queue: slurm, script: j, at_most: 2, idle: 0 s", "expected a duration above 0"),
        (OTHER.replace("[./list]", "./list") + ", at_most: 2", "nothing is run through a shell"),
    ],
)
def test_what_is_wrong_with_them_is_said(jobs: str, said: str) -> None:
    refusal = refusal_with(workers=f"workers: {{local: 0, {LISTEN}, jobs: {{{jobs}}}}}")
    assert said in refusal, refusal
    assert len(sentences(refusal)) == 1


def test_a_person_is_submitted_by_nobody_and_jobs_dial_an_address_that_stays() -> None:
    jobs = "jobs: {queue: slurm, script: job.sh, at_most: 6}"
    person = refusal_with(
        workers=f"workers: {{{LISTEN}, {jobs}}}", evaluation="evaluation: {evaluator: person}"
    )
    assert sentences(person) == [
        "expected no `jobs` where a person evaluates, whom no queue starts; leave `jobs` out"
    ]
    anywhere = refusal_with(workers=f"workers: {{{jobs}}}")
    assert "expected beside `jobs` where workers dial, with a port" in anywhere


def test_a_machine_that_travels_is_one_worker() -> None:
    refusal = refusal_with(
        parameters="parameters: {x: {type: float, bounds: [0, 1], travel: 0.2}}",
        initial="initial: {points: [{x: 0.5}]}",
        mode="mode: sequential",
        workers=f"workers: {{local: 0, {LISTEN}, jobs: {{queue: slurm, script: j, at_most: 6}}}}",
    )
    assert "expected one worker beside `travel`, got 6" in refusal
