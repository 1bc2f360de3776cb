"""A simulator that is edited while its run is stopped is noticed when the run is resumed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from policies import policy_with

from orchestrator.runtime.evaluations.evaluating_files import (
    changed_files,
    evaluating_files,
    words_on_changed,
)
from orchestrator.scheduler.events import RunResumed, RunStarted
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

PROGRAM = """
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [0, 1]}}
evaluation: {command: [sh, -c, 'cd "{directory}" && "{started_in}/wing" {span}', ./run.sh, wing.msh]}
budget: {trials: 3}
"""
MADE_FROM = "wing.in], input: {templates: {wing.in: wing.in.template}}"
TEMPLATES = PROGRAM.replace("./run.sh, wing.msh]", MADE_FROM)
LEFT_AT = 1e9
FUNCTION = PROGRAM[: PROGRAM.index("{command")] + "{evaluator: 'wing:drag'}\nbudget: {trials: 3}\n"


@pytest.fixture(autouse=True)
def _where_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("wing", "run.sh", "wing.msh", "wing.in", "wing.in.template", "wing.py"):
        Path(name).write_text(f"the first {name} {{span}}")


def spec(text: str) -> Spec:
    return load_spec_text(text, "wing.yaml", folder=None).spec


def test_a_program_what_it_names_its_templates_and_the_module_of_a_function_are_looked_at() -> None:
    assert list(evaluating_files(spec(PROGRAM))) == ["wing", "./run.sh", "wing.msh"]
    assert list(evaluating_files(spec(TEMPLATES))) == ["wing.in.template", "wing"]
    assert list(evaluating_files(spec(FUNCTION))) == ["wing.py"]


def test_what_workers_elsewhere_run_is_not_here() -> None:
    assert evaluating_files(spec(PROGRAM + "workers: {local: 0, remote: 2}")) == {}


def test_what_a_person_does_is_in_no_file() -> None:
    assert evaluating_files(spec(FUNCTION.replace("wing:drag", "person"))) == {}


def test_a_pipe_is_not_waited_for_and_a_large_file_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("wing.msh").unlink()
    os.mkfifo("wing.msh")
    with open("wing", "wb") as file:
        file.truncate(2**33)
    os.utime("wing", (1e9, 1e9))
    files = evaluating_files(spec(PROGRAM))
    assert list(files) == ["wing", "./run.sh"]
    assert files["wing"] == f"{2**33} bytes of {10**18}"


def test_what_was_edited_is_said_once_and_what_was_only_touched_is_not() -> None:
    scheduler = Scheduler(policy_with(trials=3))
    files = evaluating_files(spec(PROGRAM))
    scheduler.handle(RunStarted(at=0.0, run="wing-1", wall="noon", evaluated_by=files))
    os.utime("run.sh", (1e9, 1e9))
    assert changed_files(spec(PROGRAM), scheduler.state.evaluated_by, LEFT_AT) == {}
    Path("wing").write_text("the second wing")
    changed = changed_files(spec(PROGRAM), scheduler.state.evaluated_by, LEFT_AT)
    assert list(changed) == ["wing"]
    scheduler.handle(RunResumed(at=1.0, wall="later", changed=changed))
    assert changed_files(spec(PROGRAM), scheduler.state.evaluated_by, LEFT_AT) == {}
    words = words_on_changed(changed, Path("logs/wing-1"))
    assert words.startswith("`wing` was changed since this run was last begun or resumed: ")
    assert "orchestrator amend logs/wing-1 --forget TRIAL" in words


def test_of_a_run_that_was_begun_before_files_were_looked_at_nothing_is_said() -> None:
    assert changed_files(spec(PROGRAM), {}, LEFT_AT) == {}
    assert words_on_changed({}, Path("logs/wing-1")) == ""


def rewritten(text: str, at: float) -> list[str]:
    """What is told of where each file of a spec was changed at a time, the run being left at ``LEFT_AT``."""
    before = evaluating_files(spec(text))
    for path in before:
        Path(path).write_text(f"{Path(path).read_text()}, edited")
        os.utime(path, (at, at))
    return list(changed_files(spec(text), before, LEFT_AT))


def test_what_a_program_may_write_is_told_of_where_it_was_edited_while_nobody_worked_on_the_run() -> None:
    assert rewritten(PROGRAM, LEFT_AT - 1.0) == ["wing"]
    assert rewritten(PROGRAM, LEFT_AT + 1.0) == ["wing", "./run.sh", "wing.msh"]


def test_programs_templates_and_modules_that_were_edited_while_the_run_went_on_are_told_of() -> None:
    Path("run.sh").chmod(0o755)
    assert rewritten(PROGRAM, LEFT_AT - 1.0) == ["wing", "./run.sh"]
    assert rewritten(TEMPLATES, LEFT_AT - 1.0) == ["wing.in.template", "wing"]
    assert rewritten(FUNCTION, LEFT_AT - 1.0) == ["wing.py"]
    assert rewritten(PROGRAM.replace("[sh,", "[./run.sh,"), LEFT_AT - 1.0)[:1] == ["./run.sh"]
