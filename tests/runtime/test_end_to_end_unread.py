"""What nobody reads holds no run up: it ends, and lets go of its folder."""

from __future__ import annotations

import fcntl
import json
import os

from run_lab import RunLab, checked, spec

from orchestrator.runtime.folder.run_folder import RunFolder

A_PAGE = 4096


def test_a_run_whose_lines_nobody_reads_ends_all_the_same(lab: RunLab) -> None:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, A_PAGE)
    path = lab.write(spec(budget={"trials": 40}))
    life = lab.command("run", str(path), "--json", "--logs", str(lab.logs), stdout=writing)
    os.close(writing)
    life.ends(0)
    assert checked(RunFolder.open(next(lab.logs.iterdir()))).tally.completed == 40
    with os.fdopen(reading) as unread:
        assert json.loads(unread.readline())["event"] == "RunOpened"
    lab.all_gone()
