"""What is left to gain: estimated beside everything else, asked for again by a new life, said in words."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from served_optimiser import Served, adopt, ask, bounded, no_room, tell
from slow_algorithm import SlowAlgorithm

from orchestrator.algorithms.base import Gain
from orchestrator.runtime.optimiser.messages import (
    Answer,
    GainEstimated,
    GainFailed,
    RefitBegun,
    RefitDone,
)
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.scheduler.commands import AdoptRefit, Ask, EstimateGain, Rebuild
from orchestrator.scheduler.events import RemainingGainEstimated


@dataclass
class Foreseeing(SlowAlgorithm):
    """Says what is left to gain once ``opened`` is a file; ``foresight`` is what it does instead."""

    opened: str = ""
    foresight: str = ""

    def remaining_gain(self) -> Gain | None:
        while self.opened and not Path(self.opened).exists():
            time.sleep(0.005)
        if self.foresight == "raise":
            raise ArithmeticError("not positive definite")
        if self.foresight == "not a number":
            return Gain((0.5, math.nan), len(self.told))
        return None if self.foresight == "early" else Gain((0.5, 1.5), len(self.told))


def test_after_a_refit_is_adopted_it_is_said_what_is_left_to_gain_by_it(serve: list[Served]) -> None:
    serve.append(server := Served(Foreseeing(refit_every=2)))
    server.send(tell(1), tell(2))
    server.expect(RefitBegun)
    server.send(adopt(server.expect(RefitDone)), EstimateGain(refit=1))
    said = server.expect(GainEstimated)
    assert (said.number, said.observations, said.draws, said.model) == (1, 2, (0.5, 1.5), 0)


def test_an_ask_does_not_wait_for_it(serve: list[Served], tmp_path: Path) -> None:
    serve.append(server := Served(Foreseeing(opened=str(tmp_path / "gate"))))
    server.send(tell(1), EstimateGain(refit=1))
    server.send(ask(1))
    server.expect(Answer)
    (tmp_path / "gate").touch()
    assert server.expect(GainEstimated).observations == 1


def test_while_one_is_under_way_only_the_latest_is_kept_for_afterwards(
    serve: list[Served], tmp_path: Path
) -> None:
    serve.append(server := Served(Foreseeing(opened=str(tmp_path / "gate"))))
    server.send(EstimateGain(refit=1), ask(1))
    server.expect(Answer)
    server.send(EstimateGain(refit=2), EstimateGain(refit=3), ask(2))
    server.expect(Answer)
    (tmp_path / "gate").touch()
    numbers = [server.expect(GainEstimated).number, server.expect(GainEstimated).number]
    assert numbers == [1, 3]


def test_one_that_fails_is_said_and_the_model_goes_on(
    serve: list[Served], capfd: pytest.CaptureFixture[str]
) -> None:
    serve.append(server := Served(Foreseeing(foresight="raise")))
    server.send(EstimateGain(refit=1))
    assert "ArithmeticError: not positive definite" in server.expect(GainFailed).message
    server.send(ask(1))
    server.expect(Answer)


def test_a_system_without_room_for_another_process_is_an_estimate_that_fails(
    serve: list[Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fork", no_room)
    serve.append(server := Served(Foreseeing()))
    server.send(EstimateGain(refit=1))
    assert "Cannot allocate memory" in server.expect(GainFailed).message
    server.send(ask(1))
    server.expect(Answer)


def test_a_draw_that_is_no_number_is_one_that_failed(serve: list[Served]) -> None:
    serve.append(server := Served(Foreseeing(foresight="not a number")))
    server.send(EstimateGain(refit=1))
    assert "JSON has no NaN" in server.expect(GainFailed).message
    server.send(ask(1))
    server.expect(Answer)


def test_a_new_beginning_gives_it_up(serve: list[Served], tmp_path: Path) -> None:
    gated = Foreseeing(opened=str(tmp_path / "never"))
    serve.append(server := Served(gated, anew=Foreseeing))
    server.send(EstimateGain(refit=1), ask(1))
    server.expect(Answer)
    server.send(bounded(0.0, 20.0, model=3), tell(1), EstimateGain(refit=1))
    said = server.expect(GainEstimated)
    assert (said.model, said.observations) == (3, 1)


@pytest.mark.parametrize(
    "algorithm", [SlowAlgorithm(), Foreseeing(foresight="early")], ids=["cannot", "early"]
)
def test_where_nothing_can_be_said_nothing_is(serve: list[Served], algorithm: SlowAlgorithm) -> None:
    serve.append(server := Served(algorithm))
    server.send(EstimateGain(refit=1), ask(1), tell(1), ask(2))
    assert [server.expect(Answer).ask, server.expect(Answer).ask] == [1, 2]


def test_the_end_of_requests_ends_what_is_under_way(tmp_path: Path) -> None:
    server = Served(Foreseeing(opened=str(tmp_path / "never")))
    server.send(EstimateGain(refit=1), ask(1))
    server.expect(Answer)
    server.close()


# -- another life -----------------------------------------------------------------------------------------


def refit(number: int) -> AdoptRefit:
    return AdoptRefit(number=number, observations=number, payload={})


def said(number: int) -> RemainingGainEstimated:
    return RemainingGainEstimated(at=1.0, refit=number, observations=1, draws=(0.5,))


def test_a_new_process_is_asked_for_what_was_never_said_and_for_nothing_twice() -> None:
    history = OptimiserHistory([])
    open_ask = Ask(ask=1, count=1, first_trial=1, pending=())
    history.note([refit(1), EstimateGain(refit=1), open_ask])
    history.note([refit(2), EstimateGain(refit=2)])
    assert history.commands == [refit(1), open_ask, refit(2), EstimateGain(refit=2)]
    history.settle(said(1))
    assert history.commands[-1] == EstimateGain(refit=2)
    history.settle(said(2))
    assert history.commands == [refit(1), open_ask, refit(2)]


def test_a_new_beginning_is_asked_for_what_is_left_by_its_own_refits_only() -> None:
    history = OptimiserHistory([])
    history.note([refit(1), EstimateGain(refit=1)])
    history.note([Rebuild(model=1, bounds={}), refit(1)])
    assert history.commands == [Rebuild(model=1, bounds={}), refit(1)]
