"""Programs in C++ are built once, whole or not at all, whoever builds them at the same time."""

import multiprocessing
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from evaluators.compiled import Program, built, missing
from evaluators.errors import EvaluationError

pytestmark = pytest.mark.skipif(bool(missing(Program("any", ()))), reason="g++ is missing")


@pytest.fixture
def greeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    source, header = tmp_path / "greeting.cpp", tmp_path / "words.hpp"
    source.write_text('#include <cstdio>\n#include "words.hpp"\nint main() { std::puts(WORDS); }\n')
    header.write_text('#define WORDS "good morning"\n')
    return Program("greeting", (source,), (header,))


def said(path: Path) -> str:
    return subprocess.run([path], capture_output=True, text=True, check=True).stdout.strip()


def built_in_a_process(program: Program) -> str:
    return f"{said(built(program))} {os.stat(built(program)).st_ino}"


def test_workers_that_build_at_once_get_one_and_the_same_program(greeting: Program, tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(3) as pool:
        answers = pool.map(built_in_a_process, [greeting] * 3)

    assert len(set(answers)) == 1
    assert answers[0].startswith("good morning")
    programs = [path for path in (tmp_path / "cache").rglob("greeting-*") if path.suffix != ".lock"]
    assert len(programs) == 1


def test_what_is_there_is_not_built_again(greeting: Program) -> None:
    first = os.stat(built(greeting))
    second = os.stat(built(greeting))
    assert (second.st_ino, second.st_mtime_ns) == (first.st_ino, first.st_mtime_ns)


@pytest.mark.parametrize("damage", ["emptied", "not executable"])
def test_a_program_that_was_damaged_since_is_built_again(greeting: Program, damage: str) -> None:
    kept = built(greeting)
    if damage == "emptied":
        os.truncate(kept, 0)
    else:
        kept.chmod(0o644)
    assert said(built(greeting)) == "good morning"


def test_a_changed_header_or_definition_gives_another_program(greeting: Program) -> None:
    first = built(greeting)
    greeting.headers[0].write_text('#define WORDS "good evening"\n')
    second = built(greeting)

    assert said(first) == "good morning"
    assert said(second) == "good evening"
    assert built(replace(greeting, definitions=("NDEBUG",))) not in (first, second)


def test_sources_that_do_not_compile_are_told_with_the_compilers_words(greeting: Program) -> None:
    greeting.sources[0].write_text("int main() { return nothing; }\n")
    with pytest.raises(EvaluationError, match=r"cannot be compiled:\n.*greeting.cpp:1.*nothing"):
        built(greeting)


def test_a_cache_that_cannot_be_written_is_told(
    greeting: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(EvaluationError, match="set XDG_CACHE_HOME to a directory"):
        built(greeting)
