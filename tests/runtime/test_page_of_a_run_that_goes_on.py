"""The page of a run in another terminal, written anew while its worker works, and a last time at its end."""

from __future__ import annotations

import re

import pytest
from run_lab import RunLab, spec

from orchestrator.report.html import followed_page


def test_a_page_follows_a_run_to_its_end(lab: RunLab, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []
    life = lab.run(spec())
    folder = life.folder
    # What is written is looked at when it is: nobody has to look at the right moment.
    plainly = followed_page.write_whole
    monkeypatch.setattr(followed_page, "write_whole", lambda *told: (plainly(*told), pages.append(told[1])))
    monkeypatch.setattr(followed_page, "LOOKED_EVERY_S", 0.01)
    said = lab.says("report", str(folder.path), "--follow", "--every", "10 ms")
    life.ends(0)
    *live, last = pages
    assert said.splitlines()[-1] == str(folder.report)
    assert folder.report.read_text() == last
    assert 'http-equiv="refresh"' not in last
    assert re.search(r"completed</span><b>6<", last)
    assert "state</span><b>ended<" in last
    assert all('http-equiv="refresh"' in page for page in live)
