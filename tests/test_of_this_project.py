"""What tests start is of the project that they stand in, whatever is installed where they run."""

from __future__ import annotations

import ast
import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]


def test_a_process_that_a_test_starts_anywhere_has_the_packages_of_its_own_project(tmp_path: Path) -> None:
    program = "import orchestrator, evaluators; print(orchestrator.__file__, evaluators.__file__, sep='\\n')"
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [Path(line).parents[1] for line in said.splitlines()] == [PROJECT, PROJECT]


def test_every_package_says_in_a_sentence_what_it_is() -> None:
    packages = [
        file for name in ("orchestrator", "evaluators") for file in (PROJECT / name).rglob("__init__.py")
    ]
    said = {file: ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "" for file in packages}
    assert said
    assert [file for file, words in said.items() if not words.partition("\n")[0].endswith(".")] == []


def test_an_editable_install_is_a_path_that_type_checkers_follow_as_well() -> None:
    """And no line of code, by which Python alone finds the packages, and each start of it later."""
    # Not what lies beside the project, which knows of no install.
    installed = distributions(name="orchestrator", path=[sysconfig.get_path("purelib")])
    files = [file for one in installed for file in one.files or ()]
    pointers = [Path(str(file.locate())) for file in files if file.suffix == ".pth"]
    if not pointers:
        pytest.skip("the project is not installed here, or as a copy")
    for line in "".join(pointer.read_text() for pointer in pointers).splitlines():
        assert (Path(line) / "orchestrator" / "py.typed").exists(), "install it anew: scripts/environment"
