"""Somebody edits spec.yaml in a run's folder: history stays what it was, and whoever goes on is told."""

from __future__ import annotations

import io
import socket
import zlib
from contextlib import chdir, redirect_stderr, redirect_stdout
from datetime import datetime
from pathlib import Path

import pytest
from run_lab import RunLab, checked, spec

from orchestrator import cli
from orchestrator.errors import SpecError
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.page import page
from orchestrator.report.words.fsck import plan_words
from orchestrator.runtime.folder.begun_spec import read_spec, refuse_if_edited, words_on_edits
from orchestrator.runtime.folder.journal import JournalWriter, encode_line
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.scheduler.events import RunStarted, WorkerJoined
from orchestrator.spec.policy_of_spec import policy_of

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters:
  span: {type: float, bounds: [1, 9]}
  ribs: {type: int, bounds: [2, 5]}
budget: {trials: 8}
evaluation: {evaluator: "math:sqrt"}
"""


def said(lab: RunLab, *arguments: str, code: int = 0) -> tuple[str, str]:
    """A command as in another terminal: what it said on standard output, and on standard error."""
    words, notes = io.StringIO(), io.StringIO()
    with chdir(lab.directory), redirect_stdout(words), redirect_stderr(notes):
        assert cli.main(arguments) == code, notes.getvalue()
    assert "Traceback" not in notes.getvalue()
    return words.getvalue(), notes.getvalue()


def begun(path: Path, text: str = SPEC) -> RunFolder:
    """The folder of a run that has begun with a text."""
    folder = RunFolder(path)
    folder.write_spec(text)
    journal = JournalWriter.create(folder.journal, "test", spec=text)
    journal.close()
    return folder


def test_a_budget_edited_after_the_end_loses_no_trial_and_starts_none(lab: RunLab) -> None:
    run = lab.run(spec(budget={"trials": 8}))
    run.ends(0)
    folder, path = run.folder, str(run.folder.path)
    before, given = folder.journal.read_bytes(), folder.spec.read_text()
    folder.spec.write_text(given.replace("trials: 8", "trials: 4"))

    _, refused = said(lab, "resume", path, code=2)
    assert "spec.yaml:" in refused
    assert "in which `budget.trials` is 8, got 4" in refused
    assert "orchestrator amend" in refused
    assert "orchestrator run" in refused

    # Whoever only looks sees what happened, and that the file says otherwise.
    for command in ("trials", "export"):
        words, notes = said(lab, command, path, "--format", "csv")
        assert len(words.splitlines()) == 1 + 8
        assert notes.startswith("note: ")
        assert "`budget.trials` is 8, got 4" in notes
    words, notes = said(lab, "status", path)
    assert "8 of 8 settled" in words
    assert "`budget.trials` is 8, got 4" in notes
    assert "`budget.trials` is 8, got 4" in said(lab, "watch", path)[1]

    # An amendment is of the run as it began.
    _, notes = said(lab, "amend", path, "--trials", "6", code=2)
    assert "at least the 8 trials that it pays for" in notes
    assert folder.journal.read_bytes() == before

    folder.spec.write_text(given)
    assert "note" not in said(lab, "amend", path, "--trials", "9")[1]
    lab.resume(folder).ends(0)
    assert checked(folder).tally.completed == 9


def test_comments_spaces_and_line_endings_may_be_edited(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    edited = "# the second wing\n" + SPEC.replace(
        "budget: {trials: 8}", "budget:\n    trials:   8  # so many"
    )
    folder.spec.write_bytes(edited.replace("\n", "\r\n").encode())
    assert words_on_edits(folder) == ""
    refuse_if_edited(folder)


@pytest.mark.parametrize(
    ("now", "said_at", "words"),
    [
        (("span: ", "width: "), 4, "in which `parameters.span.type` is `float`, got `parameters.width.type`"),
        (("  ribs: {type: int, bounds: [2, 5]}\n", ""), 5, "in which `parameters.ribs.type` is `int`, got"),
        (("math:sqrt", "math:exp"), 7, "in which `evaluation.evaluator` is `math:sqrt`, got `math:exp`"),
        (("[1, 9]", "[1, 9.0]"), 4, "in which `parameters.span.bounds.2` is 9, got 9.0"),
        (('"math:sqrt"}', '"math:sqrt", attempts: 3}'), 7, "got `evaluation.attempts` beside"),
        (('evaluation: {evaluator: "math:sqrt"}\n', ""), 6, "is `math:sqrt`, got no more"),
        (("[1, 9]", "[1, 9"), 4, "where this run began with a spec that could be read"),
    ],
)
def test_what_was_edited_is_said_at_its_place(
    tmp_path: Path, now: tuple[str, str], said_at: int, words: str
) -> None:
    folder = begun(tmp_path)
    folder.spec.write_text(SPEC.replace(*now))
    with pytest.raises(SpecError) as refused:
        refuse_if_edited(folder)
    assert f"spec.yaml:{said_at}:" in str(refused.value)
    assert words in str(refused.value)
    assert read_spec(folder).text == SPEC


def test_a_file_that_is_no_text_any_more_does_not_hide_the_run(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    folder.spec.write_bytes(b"\xff\xfe\x00")
    assert words_on_edits(folder).startswith(
        f"{folder.spec}: expected UTF-8 text, got the byte 0xff on line 1"
    )
    assert read_spec(folder).spec.budget.trials == 8


def test_the_page_of_a_run_has_the_spec_that_it_began_with(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    folder.spec.write_text(SPEC.replace("trials: 8", "trials: 4"))
    run = FollowedRun.open(folder)
    text = page(run, run.catch_up(), held=False)
    assert "trials: 8" in text
    assert "trials: 4" not in text


def test_a_beginning_that_is_lost_is_made_anew_from_what_the_run_began_with(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    started = encode_line(1, RunStarted(at=0.0, run="wing", wall=""))
    joined = encode_line(2, WorkerJoined(at=1.0, worker="bench", slots=1))
    with folder.journal.open("ab") as journal:
        journal.write(started.replace(b"wing", b"wine") + joined)
    folder.spec.write_text(SPEC.replace("trials: 8", "trials: 4"))
    words = plan_words(plan_repair(folder, examine(folder.journal), datetime.now().astimezone()))
    assert "made anew from the spec that the run began with" in words
    assert str(folder.spec) not in words, "it says something else by now"


def test_a_journal_from_before_specs_were_kept_in_it_goes_on_with_the_file(lab: RunLab) -> None:
    run = lab.run(spec(budget={"trials": 3}))
    run.ends(0)
    folder = run.folder
    body = b'{"n":0,"event":"Header","data":{"format":1,"software":"orchestrator 0.1.0"}}'
    rest = folder.journal.read_bytes().split(b"\n", 1)[1]
    folder.journal.write_bytes(b'{"crc":"%08x",%s\n' % (zlib.crc32(body), body[1:]) + rest)
    assert words_on_edits(folder) == ""
    said(lab, "amend", str(folder.path), "--trials", "5")
    lab.resume(folder).ends(0)
    assert checked(folder).tally.completed == 5


def test_a_mended_journal_whose_beginning_was_lost_holds_the_spec_again(lab: RunLab) -> None:
    run = lab.run(spec(budget={"trials": 3}))
    run.ends(0)
    folder = run.folder
    folder.journal.write_bytes(b"?" + folder.journal.read_bytes()[1:])
    repair(plan_repair(folder, examine(folder.journal), datetime.now().astimezone()))
    folder.spec.write_text(folder.spec.read_text().replace("trials: 3", "trials: 2"))
    assert "`budget.trials` is 3, got 2" in words_on_edits(folder)


def test_a_run_goes_on_at_another_address_where_its_own_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        folder = begun(tmp_path, f"{SPEC}workers: {{listen: 'tcp://127.0.0.1:{port}'}}\n")
        assert f":{port}" in read_spec(folder).spec.workers.listen
        folder.spec.write_text(folder.spec.read_text().replace(f":{port}", ":*"))
        refuse_if_edited(folder)
        assert read_spec(folder).spec.workers.listen == "tcp://127.0.0.1:*"


def test_but_not_at_one_that_anybody_reaches_nor_with_anything_else(tmp_path: Path) -> None:
    text = f"{SPEC}workers: {{listen: 'tcp://127.0.0.1:5555'}}\n"
    folder = begun(tmp_path, text)
    folder.spec.write_text(text.replace("127.0.0.1", "0.0.0.0"))
    with pytest.raises(SpecError, match="expected a loopback address"):
        read_spec(folder)
    folder.spec.write_text(text.replace("5555", "5556").replace("trials: 8", "trials: 9"))
    with pytest.raises(SpecError, match=r"`budget\.trials` is 8, got 9"):
        refuse_if_edited(folder)
    assert read_spec(folder).spec.workers.listen == "tcp://127.0.0.1:5555"


@pytest.mark.parametrize(
    ("began", "goes_on"),
    [
        ("", "workers: {listen: 'tcp://0.0.0.0:5555', keys: keys}\n"),
        ("workers: 2\n", "workers: {local: 2, listen: 'tcp://0.0.0.0:5555', insecure: true}\n"),
        ("workers: {local: 2}\n", "workers: {local: 2, keys: keys}\nlisten: 'tcp://0.0.0.0:5555'\n"),
    ],
)
def test_a_run_of_local_workers_goes_on_with_those_of_other_machines(
    tmp_path: Path, began: str, goes_on: str
) -> None:
    folder = begun(tmp_path, SPEC + began)
    before = read_spec(folder).spec.workers
    folder.spec.write_text(SPEC + goes_on)
    refuse_if_edited(folder)
    now = read_spec(folder).spec.workers
    assert (now.local, now.listen) == (before.local, "tcp://0.0.0.0:5555")
    assert now.insecure or now.keys == "keys"
    folder.spec.write_text(SPEC + began)
    assert read_spec(folder).spec.workers == before


def test_what_was_too_large_for_its_workers_stays_so_whoever_may_join_now(tmp_path: Path) -> None:
    text = SPEC.replace('"math:sqrt"}', '"math:sqrt", slots: ribs}')
    folder = begun(tmp_path, f"{text}workers: 3\n")
    before = policy_of(read_spec(folder).spec).evaluations.slots
    folder.spec.write_text(f"{text}workers: {{local: 3, listen: 'tcp://0.0.0.0:5555', insecure: true}}\n")
    refuse_if_edited(folder)
    now = policy_of(read_spec(folder).spec).evaluations.slots
    assert before is not None
    assert now is not None
    assert before.why_not(5)
    assert now.why_not(5) == before.why_not(5), "or a replay has another history of the same events"


def test_but_with_as_many_of_its_own_and_as_many_expected_as_it_began_with(tmp_path: Path) -> None:
    folder = begun(tmp_path, f"{SPEC}workers: 2\n")
    folder.spec.write_text(f"{SPEC}workers: {{local: 3, listen: 'tcp://127.0.0.1:5555'}}\n")
    with pytest.raises(SpecError, match=r"`workers\.local` is 2, got 3"):
        refuse_if_edited(folder)
    folder.spec.write_text(f"{SPEC}workers: {{local: 2, remote: 1, listen: 'tcp://127.0.0.1:5555'}}\n")
    with pytest.raises(SpecError, match=r"got `workers\.remote` beside"):
        refuse_if_edited(folder)


def test_how_workers_are_submitted_may_be_edited_and_how_many_may_not(tmp_path: Path) -> None:
    told = "{queue: slurm, script: worker.sh, submit: [sbatch, -p, day, '{script}'], at_most: 4}"
    text = SPEC + f"workers: {{listen: 'tcp://127.0.0.1:5556', jobs: {told}}}\n"
    folder = begun(tmp_path, text)
    folder.spec.write_text(text.replace("-p, day,", "").replace("worker.sh", "other.sh"))
    refuse_if_edited(folder)
    jobs = read_spec(folder).spec.workers.jobs
    assert jobs is not None
    assert jobs.submission({}) == ["sbatch", "other.sh"]
    folder.spec.write_text(text.replace("at_most: 4", "at_most: 9"))
    assert "`workers.jobs.at_most` is 4, got 9" in words_on_edits(folder)
