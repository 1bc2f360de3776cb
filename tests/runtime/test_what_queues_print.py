"""What queues print is understood: numbers of jobs, lists of them, and what jobs left behind."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from orchestrator.runtime.jobs.queue_command import run_queue_command
from orchestrator.runtime.jobs.queue_words import job_number, last_words, listing, plain_number
from orchestrator.runtime.jobs.queued_jobs import job_name


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


def test_a_line_without_end_names_no_job() -> None:
    assert job_number("x" * 300_000) == ""


def test_of_a_command_that_failed_a_line_is_said_that_can_be_shown() -> None:
    script = (
        "printf 'never said\\n\\033[31mUng\\374ltig ' >&2; head -c 100000 /dev/zero | tr '\\0' x >&2; exit 3"
    )
    ran = anyio.run(run_queue_command, ["sh", "-c", script], {}, 60.0)
    assert ran.failure.startswith("`sh` failed (exit code 3): [31mUng\N{REPLACEMENT CHARACTER}ltig xxx")
    assert len(ran.failure) < 400


def test_a_list_that_is_too_long_to_be_read_says_nothing_of_what_it_lacks() -> None:
    script = "head -c 8000001 /dev/zero"
    ran = anyio.run(run_queue_command, ["sh", "-c", script], {}, 60.0)
    assert (ran.went_well, ran.failure) == (False, "`sh` printed more than 8 MB")


def test_jobs_of_runs_with_long_names_are_told_apart_by_when_these_began() -> None:
    first, second = (job_name(f"{'wing' * 20}-20261129-{time}") for time in ("134158", "134159"))
    assert first != second
    assert job_name("7-wings-20261129-134158") == "run-7-wings-20261129-134158"


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


def test_the_last_that_a_job_printed(tmp_path: Path) -> None:
    file = tmp_path / "1.txt"
    assert last_words(file) == ""
    file.write_bytes(b"x" * 9_000 + b"\nno module \x1b[31mwing\xff\n\n")
    assert last_words(file) == "no module [31mwing\N{REPLACEMENT CHARACTER}"
