"""A worker that was held up itself, by its disk or its machine, takes nobody else for silent."""

from __future__ import annotations

from pathlib import Path

from worker_on_a_line import Line, welcomed

from evaluators.worker_process.link import SILENT_AFTER
from orchestrator.wire.messages import Heartbeat, Hello


def test_what_came_while_it_did_not_look_counts_as_heard(tmp_path: Path) -> None:
    worker = welcomed(tmp_path, line := Line())
    line.comes(Heartbeat())
    worker.on_time(10.0 * SILENT_AFTER)
    assert isinstance(line.said[-1], Heartbeat)
    assert worker.link.greeted


def test_where_nothing_came_the_other_side_is_silent_and_is_asked_again(tmp_path: Path) -> None:
    worker = welcomed(tmp_path, line := Line())
    worker.on_time(SILENT_AFTER - 0.5)
    assert isinstance(line.said[-1], Heartbeat)
    worker.on_time(SILENT_AFTER)
    worker.on_time(SILENT_AFTER)
    assert isinstance(line.said[-1], Hello)
