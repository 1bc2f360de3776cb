"""A worker that was held up itself, by its disk or its machine, takes nobody else for silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from worker_on_a_line import WELCOME, Line, welcomed

from evaluators.worker_process.link import SILENT_AFTER
from evaluators.worker_process.outbox import Outbox
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Acknowledge, Heartbeat, Hello, Result


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


def test_who_is_silent_is_dialled_anew_once_as_a_firewall_may_have_forgotten_the_connection(
    tmp_path: Path,
) -> None:
    worker = welcomed(tmp_path, line := Line())
    for second in range(1, 3 * SILENT_AFTER):
        worker.on_time(float(second))
    assert line.dialled == 2
    assert isinstance(line.said[-1], Hello)


def kept(directory: Path, numbers: int) -> Result:
    """A result of an earlier life, with a curve of so many numbers."""
    result = Result(run=WELCOME.run, lease="1.1", trial=1, value=1.0, extras={"curve": [0.125] * numbers})
    outbox = Outbox(directory)
    outbox.begin(WELCOME.run)
    outbox.keep(WELCOME.run, "1.1", encode(result), durable=False)
    outbox.close()
    return result


def test_while_much_is_on_its_way_that_is_not_begun_anew_and_it_is_said_what_may_hold_it(
    tmp_path: Path,
) -> None:
    result, said = kept(tmp_path, 20_000), list[str]()
    worker = welcomed(tmp_path, line := Line(), say=said.append)
    assert line.said[-1] == result
    worker.on_time(SILENT_AFTER)
    assert line.dialled == 1
    assert "silent while 120.1 kB of results are on their way" in said[-1]
    worker.on_time(SILENT_AFTER)
    assert isinstance(line.said[-1], Hello)


@pytest.mark.parametrize("acknowledged", [False, True])
def test_what_does_not_get_through_over_another_connection_either_is_said(
    tmp_path: Path, acknowledged: bool
) -> None:
    """As where a tunnel takes smaller packets, and whoever says so is not heard."""
    result, said = kept(tmp_path, 10), list[str]()
    worker = welcomed(tmp_path, line := Line(), say=said.append)
    worker.on_time(SILENT_AFTER)
    assert line.dialled == 2
    line.comes(WELCOME)
    if acknowledged:
        line.comes(Acknowledge(lease="1.1"))
    worker.on_messages(SILENT_AFTER + 1.0)
    assert line.said.count(result) == 2
    worker.on_time(2.0 * SILENT_AFTER + 1.0)
    assert line.dialled == (3 if acknowledged else 2)
    assert ("of results are on their way" in said[-1]) is not acknowledged
