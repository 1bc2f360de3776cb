"""What stands in no event and is wanted by whoever asks why nothing moves."""

from __future__ import annotations

import pytest
from conductor_stage import Stage

from orchestrator.runtime.optimiser.messages import RefitBegun, RefitDone, RefitFailed
from orchestrator.scheduler.amendment_events import BoundsAmended
from orchestrator.wire.messages import Hello


@pytest.mark.parametrize("end", [RefitDone(1, 9, {}, 2.0), RefitFailed(1, "singular")])
def test_a_refit_is_told_of_from_its_beginning_to_its_end(stage: Stage, end: RefitDone | RefitFailed) -> None:
    stage.now = 7.0
    stage.conductor.optimiser_replied(RefitBegun(1, 9))
    assert stage.conductor.circumstances.refit_since == 7.0
    stage.answer()
    assert stage.conductor.circumstances.refit_since is not None
    stage.conductor.optimiser_replied(end)
    assert stage.conductor.circumstances.refit_since is None


def test_why_the_last_worker_was_turned_away_is_remembered_until_one_is_welcome(stage: Stage) -> None:
    stage.receive(Hello(protocol=1, worker="w", session="s", evaluators=["sails:lift"]))
    stage.turn()
    assert "got one that offers sails:lift" in stage.conductor.circumstances.last_refused
    stage.hello()
    stage.turn()
    assert stage.conductor.circumstances.last_refused == ""


def test_a_refit_of_a_model_that_is_no_more_is_told_of_no_more(stage: Stage) -> None:
    stage.conductor.optimiser_replied(RefitBegun(1, 9))
    stage.conductor.inbox.leave(BoundsAmended(at=0.0, bounds={"x": (0.0, 0.5)}))
    stage.turn()
    assert stage.conductor.circumstances.refit_since is None
