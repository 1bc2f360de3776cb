"""A run whose lock is deleted while it goes on, as one left behind might be, has one writer all the same."""

from __future__ import annotations

from run_lab import RunLab, checked, eventually, spec


def test_nobody_else_writes_to_its_journal(lab: RunLab) -> None:
    path = lab.write(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 2}))
    life = lab.command("run", str(path), "--plain", "--logs", str(lab.logs))
    eventually((lab.directory / "1.1").exists)
    (journal,) = lab.logs.glob("*/journal.jsonl")
    life.given_folder = journal.parent
    (journal.parent / "lock").unlink()

    assert "running, by another process" in lab.said("status", str(journal.parent))
    said = lab.said("resume", str(journal.parent), "--plain", code=1)
    assert f"{journal} is being written by another process" in said
    said = lab.said("fsck", str(journal.parent), "--repair", code=1)
    assert f"{journal} is being written by another process" in said
    for trial in (1, 2):
        (lab.directory / f"open-{trial}").touch()
    life.ends(0)
    assert checked(life.folder).tally.completed == 2

    said = lab.said("resume", str(journal.parent), "--plain")
    assert "every trial of the budget is settled" in said
