"""A program that is edited while its run goes on is told of; a log that evaluations write is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from policies import policy_with

from orchestrator.runtime.evaluations.edited_files import EditedFiles
from orchestrator.runtime.evaluations.evaluating_files import evaluating_files, words_on_changed
from orchestrator.scheduler.events import RunStarted
from orchestrator.scheduler.file_events import FilesEdited
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.words.story import story
from orchestrator.spec.load import load_spec_text

SPEC = load_spec_text(
    """
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [0, 1]}}
evaluation: {command: [./wing, "{span}", wing.msh, all.log]}
budget: {trials: 3}
""",
    "wing.yaml",
    folder=None,
).spec


@pytest.fixture(autouse=True)
def _where_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("wing", "wing.msh", "all.log"):
        write(name, "first")


def write(name: str, text: str) -> None:
    """As an editor does: the file is another one."""
    Path(f"{name}.draft").write_text(text)
    Path(f"{name}.draft").replace(name)


def test_a_program_is_told_of_once_it_is_written_to_its_end() -> None:
    known = evaluating_files(SPEC)
    files = EditedFiles(SPEC, known)
    assert files.edited(known, 0) == {}
    write("wing", "half")
    assert files.edited(known, 0) == {}
    write("wing", "second")
    assert files.edited(known, 0) == {}
    edited = files.edited(known, 0)
    assert edited == {"./wing": evaluating_files(SPEC)["./wing"]}
    assert files.edited({**known, **edited}, 0) == {}


def test_what_is_written_as_it_was_is_not_told_of_nor_what_is_gone() -> None:
    known = evaluating_files(SPEC)
    files = EditedFiles(SPEC, known)
    for change in (lambda: write("wing", "first"), lambda: Path("wing").unlink()):
        change()
        assert [files.edited(known, 0) for _ in range(3)] == [{}] * 3


def test_what_outlasted_some_evaluations_is_data_and_what_did_not_is_a_log() -> None:
    known = evaluating_files(SPEC)
    files = EditedFiles(SPEC, known)
    write("all.log", "1")
    assert files.edited(known, 3) == {}
    for name in ("wing.msh", "all.log"):
        write(name, "2")
    assert files.edited(known, 4) == {}
    assert list(files.edited(known, 4)) == ["wing.msh"]


def test_another_life_compares_files_with_what_they_were_edited_to_and_the_story_tells_it() -> None:
    began = RunStarted(at=0.0, run="wing-1", wall="noon", evaluated_by={"./wing": "1", "wing.msh": "1"})
    edited = FilesEdited(at=1.0, changed={"./wing": "2"})
    scheduler = Scheduler(policy_with(trials=3))
    for event in (began, edited):
        scheduler.handle(event)
    assert scheduler.state.evaluated_by == {"./wing": "2", "wing.msh": "1"}
    assert any("`./wing` was edited" in line for line in story(policy_with(trials=3), [began, edited]))
    assert words_on_changed({"./wing": "2"}, Path("logs/wing-1"), meanwhile=True).startswith(
        "`./wing` was changed while this run goes on: values from before may not go with"
    )
