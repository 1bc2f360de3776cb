"""What a program writes and nobody wants is removed once its evaluation has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError

SOLVER = """
import pathlib, sys
pathlib.Path("deep/er").mkdir(parents=True)
for name in ("a.frd", "b.frd", "deep/er/c.frd", "plate.dat"):
    pathlib.Path(name).write_text("drag = 1")
pathlib.Path("to-mesh").symlink_to(sys.argv[1])
sys.exit(int(sys.argv[2]))
"""


@pytest.mark.parametrize("code", [0, 1])
def test_what_is_discarded_goes_whether_an_evaluation_ends_well_or_fails(tmp_path: Path, code: int) -> None:
    mesh, template = tmp_path / "mesh", tmp_path / "x.template"
    mesh.mkdir()
    (mesh / "fine.msh").write_text("kept")
    template.write_text("{x}")
    (tmp_path / "0003").mkdir()
    (tmp_path / "0003" / "attempt-2.stdout").write_text("")

    def solve() -> object:
        return run_program(
            tmp_path,
            *of_python(SOLVER),
            str(mesh),
            str(code),
            input={"templates": {"x.in": str(template)}},
            output={"file": "plate.dat", "pattern": r"drag = (\S+)"},
            discard=["*.frd", "deep/er", "to-mesh", "none-such", "**/*.dat"],
        )

    if code == 0:
        assert solve() == 1.0, "its result was read before"
    else:
        with pytest.raises(EvaluationError):
            solve()
    left = {path.name for path in (tmp_path / "0003" / "attempt-2").rglob("*")}
    assert left == {"x.in", "deep"}
    assert (mesh / "fine.msh").read_text() == "kept"


def test_a_program_that_is_told_its_folder_as_an_argument_has_one_of_its_own_to_discard_from(
    tmp_path: Path,
) -> None:
    (folder := tmp_path / "0003").mkdir()
    encoder = of_python("import sys; open(sys.argv[1], 'w').write('x' * 99); print(0.5)")
    assert run_program(tmp_path, *encoder, "{directory}/out.264", discard=["*"]) == 0.5
    assert {path.name for path in folder.iterdir()} == {"attempt-2", "attempt-2.stdout"}
    assert not list((folder / "attempt-2").iterdir())


@pytest.mark.parametrize("pattern", ["..", "**/..", "/etc/*", "**.frd", "."])
def test_a_pattern_that_reaches_beyond_an_attempts_own_folder_removes_nothing(
    tmp_path: Path, pattern: str
) -> None:
    (tmp_path / "x.template").write_text("{x}")
    (kept := tmp_path / "0003" / "attempt-1.stdout").parent.mkdir()
    kept.write_text("")
    templates = {"templates": {"x.in": str(tmp_path / "x.template")}}
    with pytest.raises(EvaluationError, match="expected patterns of files inside the trial's directory"):
        run_program(tmp_path, *of_python("print(1)"), input=templates, discard=[pattern])
    assert kept.exists()


def test_what_is_discarded_goes_where_an_evaluation_is_ended_as_at_its_timeout(tmp_path: Path) -> None:
    (tmp_path / "x.template").write_text("{x}")
    evaluation = f"""
import sys; sys.path[:0] = {sys.path!r}
from pathlib import Path
from commands_run import run_program
run_program(
    Path({str(tmp_path)!r}), "sh", "-c", "echo > a.frd; echo > kept; exec sleep 60",
    input={{"templates": {{"x.in": {str(tmp_path / "x.template")!r}}}}}, discard=["*.frd"],
)
"""
    (folder := tmp_path / "0003").mkdir()
    with subprocess.Popen([sys.executable, "-c", evaluation], start_new_session=True) as process:
        while not (folder / "attempt-2" / "kept").exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGTERM)
    assert process.returncode == -signal.SIGTERM
    assert {path.name for path in (folder / "attempt-2").iterdir()} == {"x.in", "kept"}


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("**", set()),
        ("deep/**", {"x.in", "a.frd", "b.frd", "plate.dat", "to-mesh"}),
        ("**/er/**", {"x.in", "a.frd", "b.frd", "plate.dat", "to-mesh", "deep"}),
        ("to-mesh/**", {"x.in", "a.frd", "b.frd", "plate.dat", "deep", "er", "c.frd"}),
    ],
)
def test_two_stars_at_the_end_are_all_that_is_there_on_every_python(
    tmp_path: Path, pattern: str, left: set[str]
) -> None:
    (tmp_path / "x.template").write_text("{x}")
    (tmp_path / "0003").mkdir()
    (tmp_path / "0003" / "attempt-2.stdout").write_text("")
    templates = {"templates": {"x.in": str(tmp_path / "x.template")}}
    output = {"file": "plate.dat", "pattern": r"drag = (\S+)"}
    solver = (*of_python(SOLVER), str(tmp_path), "0")
    assert run_program(tmp_path, *solver, input=templates, output=output, discard=[pattern]) == 1.0
    assert {path.name for path in (tmp_path / "0003" / "attempt-2").rglob("*")} == left
    assert (tmp_path / "x.template").exists()
