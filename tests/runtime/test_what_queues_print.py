"""What queues print is understood: numbers of jobs, lists of them, and what jobs left behind."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from orchestrator.runtime.jobs.fate_words import fate
from orchestrator.runtime.jobs.queue_command import Ran, run_queue_command
from orchestrator.runtime.jobs.queue_words import job_number, last_words, listing, plain_number
from orchestrator.runtime.jobs.queued_jobs import job_name
from orchestrator.scheduler.job_fates import FAILED, HELD, MEMORY, NODE, TIME, amiss, held_words


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("12\n", "12"),
        ("12;north\n", "12"),
        ("Welcome to cluster 7!\nSubmitted batch job 12\n", "12"),
        ('Your job 12 ("wing-3") has been submitted\n', "12"),
        ("12.pbs01.site.org\n", "12"),
        ("Job <12> is submitted to default queue <normal>.\n", "12"),
        ("", ""),
        ("done\n", ""),
    ],
)
def test_the_number_of_a_job_that_was_taken(said: str, number: str) -> None:
    assert plain_number(job_number(said)) == number


def _ran(script: str) -> Ran:
    async def run() -> Ran:
        limit = anyio.CancelScope(deadline=anyio.current_time() + 60.0)
        return await run_queue_command(["sh", "-c", script], {}, limit)

    return anyio.run(run)


def test_a_line_without_end_names_no_job() -> None:
    assert job_number("x" * 300_000) == ""


def test_of_a_command_that_failed_a_line_is_said_that_can_be_shown() -> None:
    script = (
        "printf 'never said\\n\\033[31mUng\\374ltig ' >&2; head -c 100000 /dev/zero | tr '\\0' x >&2; exit 3"
    )
    ran = _ran(script)
    assert ran.failure.startswith("`sh` failed (exit code 3): [31mUng\N{REPLACEMENT CHARACTER}ltig xxx")
    assert len(ran.failure) < 400


def test_a_list_that_is_too_long_to_be_read_says_nothing_of_what_it_lacks() -> None:
    script = "head -c 8000001 /dev/zero"
    ran = _ran(script)
    assert (ran.went_well, ran.failure) == (False, "`sh` printed more than 8 MB")


def test_jobs_of_runs_with_long_names_are_told_apart_by_when_these_began() -> None:
    first, second = (job_name(Path(f"{'wing' * 20}-20261129-{time}")) for time in ("134158", "134159"))
    assert first[:-4] != second[:-4]
    assert job_name(Path("7-wings-20261129-134158")).startswith("run-7-wings-20261129-134158-")


def test_and_those_of_runs_of_one_name_by_where_they_lie() -> None:
    assert job_name(Path("/ada/logs/wing-1")) != job_name(Path("/ada/other/logs/wing-1"))


def test_a_list_of_slurm() -> None:
    said = "12 wing-1 PENDING Resources\n13 wing-2 RUNNING None\n14_[2-3] sweep PENDING Not, yet\n"
    jobs = listing(said, {"wing-1", "wing-2"}, 5.0, None)
    assert jobs.by_name["wing-1"] == jobs.by_number["12"]
    assert (jobs.by_number["12"].state, jobs.by_number["12"].reason) == ("PENDING", "Resources")
    assert (jobs.by_number["13"].waits, jobs.by_number["13"].reason) == (False, "")
    assert (set(jobs.by_number), set(jobs.by_name)) == ({"12", "13", "14"}, {"wing-1", "wing-2"})


def test_a_list_of_grid_engine_with_its_heading() -> None:
    said = """\
job-ID  prior   name       user         state submit/start at     queue          slots ja-task-ID
-------------------------------------------------------------------------------------------------
      3 0.55500 wing-1     ada          r     11/29/2026 12:00:01 all.q@n1           1
       Full jobname:     wing-1
       Master Queue:     all.q@n1
       Hard Resources:
      4 0.00000 a-long-win ada          qw    11/29/2026 12:00:01                    1
       Full jobname:     a-long-wing-2
      5 0.00000 wing-3     ada          Eqw   11/29/2026 12:00:01                    1
"""
    jobs = listing(said, {"a-long-wing-2"}, 5.0, 4)
    assert [jobs.by_number[number].waits for number in ("3", "4", "5")] == [False, True, True]
    assert jobs.by_name["a-long-wing-2"].state == "qw"
    assert jobs.by_number["4"].reason == ""


@pytest.mark.parametrize("state", ["PD", "PEND", "Q", "H", "W", "qw", "hqw", "Eqw", "CF", "I"])
def test_states_of_jobs_that_have_not_begun(state: str) -> None:
    assert listing(f"12 {state}\n", (), 0.0, None).by_number["12"].waits


@pytest.mark.parametrize("state", ["R", "RUNNING", "RUN", "r", "t", "dr", "COMPLETING", "CG", "E", "S"])
def test_states_of_jobs_that_have(state: str) -> None:
    assert not listing(f"12 {state}\n", (), 0.0, None).by_number["12"].waits


@pytest.mark.parametrize(
    "line",
    [
        "12 wing-1 PENDING launch failed requeued held",
        "12 wing-1 PENDING JobHoldMaxRequeue",
        "12 wing-1 Eqw",
        "12 wing-1 ERROR Error from slot1_1@n1: memory usage exceeded request_memory",
    ],
)
def test_what_a_queue_keeps_and_will_not_let_begin(line: str) -> None:
    job = listing(f"{line}\n", {"wing-1"}, 0.0, None).by_number["12"]
    assert (job.waits, job.stuck) == (True, True)


@pytest.mark.parametrize(
    "line",
    [
        "12 wing-1 HELD via condor_hold (by user ada)",
        "12 wing-1 PENDING JobHeldUser",
        "12 wing-1 PENDING Resources",
        "12 wing-1 hqw",
        "12 wing-1 IDLE None",
    ],
)
def test_what_a_person_holds_or_waits_for_its_turn_may_begin(line: str) -> None:
    job = listing(f"{line}\n", {"wing-1"}, 0.0, None).by_number["12"]
    assert (job.waits, job.stuck) == (True, False)


SHOWN = (
    "JobId=213 JobName=wing-fail UserId=ada(1000) GroupId=ada(1000) MCS_label=N/A Priority=4294901739 Nice=0"
    " Account=(null) QOS=(null) JobState={} Reason={} Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1"
    " Reboot=0 ExitCode={} RunTime=00:00:01 TimeLimit=00:01:00 Command=/home/ada/ExitCode=9 Power="
)
"""What Slurm 22.05 prints by ``scontrol --oneliner show job``."""


@pytest.mark.parametrize(
    ("said", "over", "how", "kind"),
    [
        (
            SHOWN.format("FAILED", "NonZeroExitCode", "3:0"),
            True,
            "FAILED (NonZeroExitCode), exit code 3",
            FAILED,
        ),
        (SHOWN.format("TIMEOUT", "TimeLimit", "0:15"), True, "TIMEOUT (TimeLimit), signal 15", TIME),
        (SHOWN.format("CANCELLED", "None", "0:15"), True, "CANCELLED, signal 15", ""),
        (
            SHOWN.format("OUT_OF_MEMORY", "OutOfMemory", "0:125"),
            True,
            "OUT_OF_MEMORY (OutOfMemory), signal 125",
            MEMORY,
        ),
        (SHOWN.format("NODE_FAIL", "NodeDown", "0:0"), True, "NODE_FAIL (NodeDown)", NODE),
        (SHOWN.format("COMPLETED", "None", "0:0"), True, "COMPLETED", ""),
        (SHOWN.format("RUNNING", "None", "0:0"), False, "", ""),
        (SHOWN.format("PENDING", "Resources", "0:0"), False, "", ""),
        (SHOWN.format("COMPLETING", "NonZeroExitCode", "3:0"), False, "", ""),
        ("OUT_OF_MEMORY|0:125\n", True, "OUT_OF_MEMORY, signal 125", MEMORY),
        ("CANCELLED by 1000|0:0\n", True, "CANCELLED by 1000", ""),
        ("RUNNING|0:0\n", False, "", ""),
        ("EXIT 137 TERM_MEMLIMIT: job killed after reaching LSF memory usage limit\n", True, None, MEMORY),
        ("EXIT 140 TERM_RUNLIMIT: job killed after reaching LSF run time limit\n", True, None, TIME),
        ("DONE - -\n", True, "DONE - -", ""),
        ("RUN - -\n", False, "", ""),
        ("UNKWN - -\n", False, "", ""),
        ("RUNTIME ERROR\n", True, "RUNTIME ERROR", ""),
        # HTCondor 23.9, by its preset.
        ("COMPLETED|0:0\n", True, "COMPLETED", ""),
        ("FAILED|2:0\n", True, "FAILED, exit code 2", FAILED),
        ("REMOVED\n", True, "REMOVED", ""),
    ],
)
def test_how_a_job_ended(said: str, over: bool, how: str | None, kind: str) -> None:
    told = fate(said)
    assert told is not None
    assert (told.over, told.how) == (over, said.strip() if how is None else how)
    assert amiss(told.how) == kind


def test_of_a_job_that_is_not_known_nothing_is_said() -> None:
    assert fate("\n") is None


def test_a_job_that_was_killed_for_its_memory_may_say_so_itself() -> None:
    assert (
        amiss("FAILED (JobLaunchFailure), signal 9", "slurmstepd-n1: error: Exceeded job memory limit")
        == MEMORY
    )
    assert amiss("FAILED (JobLaunchFailure), signal 9", "no module named wing") == FAILED
    assert amiss("", "out of memory") == ""


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("Error from slot1_1@n1: memory usage exceeded request_memory", MEMORY),
        ("Error from slot1_1@n1: Job has gone over cgroup memory limit of 512 megabytes.", MEMORY),
        ("The job exceeded allowed job duration of 1 minute", TIME),
        ("Error from slot1_1@n1: Failed to execute '/home/ada/worker.sh'", HELD),
    ],
)
def test_why_a_queue_keeps_one_says_what_was_amiss(reason: str, kind: str) -> None:
    assert amiss(held_words(reason)) == kind


def test_the_last_that_a_job_printed(tmp_path: Path) -> None:
    file = tmp_path / "1.txt"
    assert last_words(file) == ""
    file.write_bytes(b"x" * 9_000 + b"\nno module \x1b[31mwing\xff\n\n")
    assert last_words(file) == "no module [31mwing\N{REPLACEMENT CHARACTER}"
