"""Journals of laboratories in which people hold parameters, or say how values come, lose a line, and are
mended: the rest holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import SimpleNamespace

import formulas
import holding
import pytest
from laboratory import Laboratory
from virtual_child import objective

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import RepairPlan, plan_repair, repair
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.amendment_events import BoundsAmended, HeldAmended, ResultsAdded, ValuesAmended
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.rules.places import Places, held_after
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.build import build_space
from orchestrator.spec.model import Spec

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SEEDS = [seed for seed in range(150) if holding.stream(seed) is not None and formulas.stream(seed) is None]
VALUED, MORE_VALUED = (66, 420), range(430, 1_000)
LOST = 6
"""Lines of each journal, one at a time, beside one that says what is held."""


def held_by(given: Places, events: list[Event]) -> Places:
    """What is held after all that they say of it."""
    for event in events:
        if isinstance(event, HeldAmended):
            given = held_after(given, event.held, event.freed)
    return given


def read_as(spec: Spec, patch: pytest.MonkeyPatch) -> None:
    """No spec of a laboratory lies in a file."""
    told = SimpleNamespace(spec=spec, text="{}")
    for module in ("repair", "recover"):
        patch.setattr(f"orchestrator.runtime.recovery.{module}.read_spec", lambda _: told)


def mended(folder: RunFolder, lines: list[bytes]) -> tuple[RepairPlan, State]:
    folder.journal.write_bytes(b"".join(lines))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    repair(plan)
    replay = Replay.of(folder)
    for _ in replay.follow():
        assert not violations(replay.scheduler.state)
    return plan, replay.scheduler.state


def test_what_is_held_is_what_the_other_lines_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noticed = 0
    for seed in SEEDS:
        laboratory = Laboratory(seed)
        lines = laboratory.run().journal.splitlines(keepends=True)
        events = laboratory.witness.books.events
        assert len(lines) == len(events) + 1
        read_as(laboratory.spec, monkeypatch)
        chance = Random(seed)
        of_held = [place for place, event in enumerate(events[:-1]) if isinstance(event, HeldAmended)]
        # Without its last line, a journal is another.
        inner = range(1, len(events) - 1)
        places = chance.sample(inner, min(LOST, len(inner)))
        for place in [*places, *chance.sample(of_held, min(1, len(of_held)))]:
            plan, state = mended(RunFolder(tmp_path), lines[: place + 1] + lines[place + 2 :])
            rest = events[:place] + events[place + 1 :]
            held = held_by(laboratory.spec.held, rest)
            # Of what would be held outside the bounds, by what is left, it is said that it is chosen.
            lost = " ".join(plan.saved.event.lost_amendments)
            still = {name: at for name, at in held.items() if f"where {name} is held" not in lost}
            assert state.policy.where.held == still, seed
            assert all(state.may_wait(trial) for trial in state.unsettled.values())
            for trial in state.trials.values():
                assert trial.value in (None, objective(trial.parameters))
            space = build_space(amended(laboratory.spec, state))
            for trial in state.observed:
                # What the optimiser is told lies in its space, or its process ends.
                if state.counts(trial):
                    space.encode(trial.parameters)
            if plan.saved.event.lost_amendments:
                assert isinstance(events[place], BoundsAmended | HeldAmended), seed
                noticed += 1
    assert noticed > 3


@pytest.mark.parametrize(
    "seeds", [VALUED, pytest.param(MORE_VALUED, marks=pytest.mark.long)], ids=["some", "more"]
)
def test_all_values_are_computed_as_what_is_left_says(
    seeds: Iterable[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in seeds:
        laboratory = Laboratory(seed)
        if formulas.stream(seed) is None or not laboratory.spec.objective.is_computed:
            continue
        lines = laboratory.run().journal.splitlines(keepends=True)
        events = laboratory.witness.books.events
        read_as(laboratory.spec, monkeypatch)
        says = [place for place, event in enumerate(events[:-1]) if isinstance(event, ValuesAmended)]
        adds = [place for place, event in enumerate(events[:-1]) if isinstance(event, ResultsAdded)]
        chance = Random(seed)
        for place in {*chance.sample(says, min(2, len(says))), *chance.sample(adds, min(2, len(adds)))}:
            _, state = mended(RunFolder(tmp_path), lines[: place + 1] + lines[place + 2 :])
            formula = state.amended.values.objective.get("value", formulas.GIVEN)
            for trial in state.observed:
                if trial.state is TrialState.COMPLETED:
                    assert trial.value == formulas.value_of(laboratory.spec, formula, trial.parameters), seed
