"""A run that ends thanks for the last result, then closes its workers' input: which is seen first is
chance.
"""

from __future__ import annotations

from pathlib import Path

from worker_on_a_line import WELCOME, Line, welcomed

from evaluators.worker_process.duties import LAST_WORDS_WITHIN_S, Duties
from evaluators.worker_process.outbox import Outbox
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Acknowledge, Result


def orphaned(directory: Path, line: Line, *, unthanked: bool = True) -> Duties:
    """At 1 second; it has sent a result, and waits to be thanked for it."""
    if unthanked:
        outbox = Outbox(directory)
        sent = encode(Result(run=WELCOME.run, lease="1.1", trial=1, value=0.5, elapsed_s=0.1))
        outbox.keep(WELCOME.run, "1.1", sent, durable=False)
        outbox.close()
    worker = welcomed(directory, line)
    worker.on_orphaned(1.0)
    return worker


def test_thanks_that_are_on_their_way_are_waited_for(tmp_path: Path) -> None:
    worker = orphaned(tmp_path, line := Line())
    assert not worker.is_done(1.0)
    line.comes(Acknowledge(lease="1.1"))
    worker.on_messages(1.1)
    assert worker.is_done(1.1)
    worker.leave()
    assert (tmp_path / "outbox.jsonl").read_bytes() == b""


def test_but_not_for_long_for_its_parent_may_have_died(tmp_path: Path) -> None:
    worker = orphaned(tmp_path, Line())
    assert worker.due <= 1.0 + LAST_WORDS_WITHIN_S
    assert worker.is_done(1.0 + LAST_WORDS_WITHIN_S)


def test_where_nothing_is_owed_it_ends_at_once(tmp_path: Path) -> None:
    assert orphaned(tmp_path, Line(), unthanked=False).is_done(1.0)
