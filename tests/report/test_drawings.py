"""A report's charts, each as a file of its own."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from recorded_runs import SPEC, RecordedRun, always

from orchestrator.cli import main


def test_every_chart_of_the_page_is_a_file_that_stands_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = SPEC.replace("{name: drag", "{name: 'drag <svg >'")
    RecordedRun(spec).begin().settle(5, always(1.0)).write(tmp_path / "logs" / "wing-1")
    monkeypatch.chdir(tmp_path)
    assert main(["report", "--charts", "thesis/figures"]) == 0
    written = capsys.readouterr().out.splitlines()
    assert written[0] == "thesis/figures/1-the-best-so-far.svg"
    assert "thesis/figures/2-where-the-values-lie.svg" in written
    assert sorted(written) == sorted(str(path.relative_to(tmp_path)) for path in tmp_path.glob("thesis/*/*"))
    for path in written:
        assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert not list(tmp_path.rglob("report.html"))


def test_where_no_folder_can_be_made_that_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    RecordedRun().begin().settle(2, always(1.0)).write(tmp_path / "logs" / "wing-1")
    (tmp_path / "taken").touch()
    monkeypatch.chdir(tmp_path)
    assert main(["report", "--charts", "taken"]) == 1
    assert capsys.readouterr().err == "expected to make the folder taken, got: File exists\n"
