"""The first experiment that the documents lead through: typed as it stands, it says what it shows."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from orchestrator import cli
from orchestrator.sensitivity import held_out

PAGE = Path(__file__).parents[2] / "docs" / "first-experiment.md"
BLOCK = re.compile(r"(?:<!-- file: (?P<file>[^\n]*?) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)```", re.DOTALL)
# What differs from one run to the next: durations, numbers, and which material is ahead.
VARYING = re.compile(r"\d[\d.]* (?:s|min \d\d s|h \d\d min)\b|-?\d[\d.\-]*|aluminium|steel|\s+")
IN_PROCESSES = ("run", "resume", "keys")
"""Commands that are given to a shell; the others in this process, where models of the same results are fitted
once.
"""


@dataclass(frozen=True)
class Block:
    """``file`` is where its text goes, if anywhere, or which file it is made of."""

    file: str
    kind: str
    text: str


def blocks() -> list[Block]:
    found = BLOCK.finditer(PAGE.read_text(encoding="utf-8"))
    return [Block(one["file"] or "", one["kind"], one["text"]) for one in found]


def put(folder: Path, block: Block) -> None:
    """Write the file that a block is, or the one that it is about: another one with some words replaced."""
    name, _, made = block.file.partition(", from ")
    if not made:
        (folder / name).write_text(block.text)
        return
    source, _, changes = made.partition(" with: ")
    text = (folder / source).read_text()
    for change in changes.split(", "):
        before, _, after = change.partition(" -> ")
        assert before in text, f"{change}: `{before}` does not stand in {source}"
        text = text.replace(before, after, 1)
    (folder / name).write_text(text)


def typed(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block, and the lines that are shown under it."""
    for one in block.text.split("$ ")[1:]:
        command, *shown = one.splitlines()
        yield command, shown


def answer(command: str, folder: Path) -> list[str]:
    """What the command says, all of it."""
    program, name, *options = shlex.split(command)
    expected = 2 if "wrong" in command else 0
    if program == "orchestrator" and name not in IN_PROCESSES:
        return answer_here([name, *options], folder, expected)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == expected, f"{command}\n{done.stdout}"
    return done.stdout.splitlines()


def answer_here(arguments: Sequence[str], folder: Path, expected: int) -> list[str]:
    words = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stderr(words), contextlib.redirect_stdout(words):
        assert cli.main(arguments) == expected, words.getvalue()
    return words.getvalue().splitlines()


def without_what_varies(line: str) -> str:
    return VARYING.sub("#", line.strip())


@pytest.mark.usefixtures("fits_remembered")
def test_what_it_has_you_type_works_and_says_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By how much bounds are stretched is tested elsewhere, and takes ten fits.
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(2.0))
    # What a point that was tried leaves is for whoever typed that to look at, and stays.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    commands = 0
    for block in blocks():
        if block.file:
            put(tmp_path, block)
        if block.kind != "console":
            continue
        for command, shown in typed(block):
            said = iter([without_what_varies(line) for line in answer(command, tmp_path)])
            for line in shown:
                assert without_what_varies(line) in said, f"`{line}` is not what `{command}` says by then"
            commands += 1
    assert commands > 10
    assert (tmp_path / "arms.csv").read_text().startswith("trial,state,mass,diameter,wall,taper,material,sag")
    assert len(list(tmp_path.glob("orchestrator-try-*"))) == 1
    assert len(list((tmp_path / "logs").glob("arm-*/report.html"))) == 1


def test_every_page_that_it_sends_on_to_exists() -> None:
    links = re.findall(r"\]\(([^)#]+)", PAGE.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (PAGE.parent / link).exists()] == []
