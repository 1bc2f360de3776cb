"""The worker that tests play beside a run in their own process is there for as long as the run takes."""

from __future__ import annotations

import threading

from watched_opening import EVALUATOR, early_worker, work

from orchestrator.wire.messages import Drain, Heartbeat
from orchestrator.wire.scripted import ScriptedOrchestrator


def test_a_worker_that_is_given_nothing_yet_is_heard() -> None:
    with ScriptedOrchestrator(EVALUATOR) as orchestrator:
        arguments = (early_worker(orchestrator.address), Drain)
        working = threading.Thread(target=work, args=arguments, daemon=True)
        working.start()
        orchestrator.greet()
        orchestrator.expect(Heartbeat, passing_over=())
        orchestrator.send(Drain(now=True))
        working.join()
