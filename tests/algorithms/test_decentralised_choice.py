"""The nodes of one algorithm, opened and closed as often as runs begin and end."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest

from orchestrator.algorithms.additive import decentralised_choice
from orchestrator.algorithms.additive.decentralised_choice import DecentralisedChoice
from orchestrator.algorithms.additive.node_places import InProcess
from orchestrator.unit_cube.domain import Domain


@pytest.fixture
def teams(monkeypatch: pytest.MonkeyPatch) -> weakref.WeakSet[InProcess]:
    """Those that are alive of all that are opened."""
    alive: weakref.WeakSet[InProcess] = weakref.WeakSet()

    def open_team(*_: object) -> InProcess:
        team = InProcess()
        alive.add(team)
        return team

    monkeypatch.setattr(decentralised_choice, "open_team", open_team)
    return alive


@pytest.mark.parametrize("end", [DecentralisedChoice.close, DecentralisedChoice.release])
def test_a_team_that_was_ended_is_kept_by_nobody_however_often_another_is_opened(
    teams: weakref.WeakSet[InProcess], end: Callable[[DecentralisedChoice], None]
) -> None:
    choice = DecentralisedChoice("processes", Domain.continuous(1))
    for _ in range(5):
        choice._nodes()
        assert len(teams) == 1
        end(choice)
    gc.collect()
    assert len(teams) == 0


def test_a_team_that_nobody_ended_ends_with_the_choice(
    teams: weakref.WeakSet[InProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    monkeypatch.setattr(InProcess, "close", lambda _: ended.append("team"))
    choice = DecentralisedChoice("processes", Domain.continuous(1))
    choice._nodes()
    del choice
    gc.collect()
    assert ended == ["team"]
