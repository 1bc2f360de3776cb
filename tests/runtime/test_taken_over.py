"""A run that another machine has taken over, whose locks are not seen from here."""

from __future__ import annotations

from run_lab import RunLab, eventually, spec

from orchestrator.runtime.folder.journal import read_journal
from orchestrator.scheduler.events import ResultArrived


def test_it_ends_here_and_tells_what_is_on_disk_and_not_to_resume_it(lab: RunLab) -> None:
    path = lab.write(spec("slow", options={"seconds": 0.05}, budget={"trials": 1000}))
    life = lab.command("run", str(path), "--plain", "--logs", str(lab.logs))
    eventually(lambda: bool(list(lab.logs.glob("*/journal.jsonl"))))
    (journal,) = lab.logs.glob("*/journal.jsonl")
    life.given_folder = journal.parent
    life.await_events(ResultArrived, 2)
    (journal.parent / "lock").write_text('{"host": "login2", "pid": 17}')
    life.ends(1)
    said = " ".join(life.said.split())
    assert "Failed: process 17 on login2 has taken" in said
    assert f"Watch it from here: orchestrator watch {journal.parent}" in said
    assert "orchestrator resume" not in said
    counted = sum(isinstance(event, ResultArrived) for event in read_journal(journal).events)
    assert f"{counted} trials completed" in said
