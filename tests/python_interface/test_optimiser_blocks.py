"""From Python: results in blocks, each off by an offset that is learned and taken off."""

from __future__ import annotations

import csv
import io
import math
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, minimise
from orchestrator.algorithms.insight import BelievedBest
from orchestrator.errors import UsageError
from orchestrator.python_interface import blocks

OFFSETS = {"1": 0.0, "2": 0.5, "3": -0.4}
"""The second plate is bright: its best value is not the best."""


def bright(x: float) -> float:
    return math.sin(3.0 * x)


def told(optimiser: Optimiser) -> Optimiser:
    """Seven wells each: the first plate all over, the next two nearer to the best and beside it."""
    luck = np.random.default_rng(0).normal(0.0, 0.03, 21)
    for i, (plate, (low, high)) in enumerate(zip(OFFSETS, ((0.0, 1.0), (0.6, 1.0), (0.3, 0.7)), strict=True)):
        for j in range(7):
            x = low + (high - low) * j / 6
            value = bright(x) + OFFSETS[plate] + luck[7 * i + j]
            optimiser.learn({"x": x}, value, block=int(plate))
    return optimiser


def test_offsets_are_told_from_the_function_though_later_blocks_are_at_better_points() -> None:
    optimiser = told(Optimiser({"x": (0.0, 1.0)}, goal="maximise", blocks=True))
    best = optimiser.best()
    assert best.parameters["x"] > 0.55
    # It was known from elsewhere: that this is said takes the number of the row.
    assert best.believed is not None
    assert best.believed.trial is None
    assert best.believed.parameters["x"] == pytest.approx(math.pi / 6.0, abs=0.1)
    assert f"believed={best.believed!r}" in repr(best)
    assert best.row()["believed_best"] == best.believed.predicted.mean
    assert optimiser.recommend().parameters["x"] == pytest.approx(math.pi / 6.0, abs=0.05)
    insight = optimiser.insight()
    middle = sum(OFFSETS.values()) / 3.0
    for plate, offset in insight.offsets.items():
        assert offset.mean == pytest.approx(OFFSETS[plate] - middle, abs=0.1)
        assert 0.0 < offset.deviation < 0.15
    assert "offset of 2: +" in repr(insight)


def test_of_a_block_in_which_nothing_succeeded_no_offset_is_said() -> None:
    optimiser = told(Optimiser({"x": (0.0, 1.0)}, goal="maximise", blocks=True))
    optimiser.learn({"x": 0.2}, None, block=4)
    optimiser.ask()
    assert optimiser.insight().offsets.keys() == {"1", "2", "3"}
    assert sum(one.mean for one in optimiser.insight().offsets.values()) == pytest.approx(0.0, abs=1e-9)


def test_offsets_are_in_the_sense_of_what_is_minimised() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, goal="minimise", blocks=True)
    assert told(optimiser).insight().offsets == {}  # before there is a model
    optimiser.ask()
    told_offsets = optimiser.insight().offsets
    assert told_offsets["2"].mean > told_offsets["1"].mean > told_offsets["3"].mean


def test_blocks_survive_a_table_and_are_refused_where_there_are_none() -> None:
    optimiser = told(Optimiser({"x": (0.0, 1.0)}, blocks=True))
    rows = optimiser.results()
    assert [row["block"] for row in rows] == [plate for plate in OFFSETS for _ in range(7)]
    other = Optimiser({"x": (0.0, 1.0)}, blocks=True)
    other.learn_all(rows)
    assert list(other.results()) == list(rows)
    with pytest.raises(UsageError, match="say `blocks=True`"):
        Optimiser({"x": (0.0, 1.0)}).learn({"x": 0.5}, 1.0, block=3)
    with pytest.raises(UsageError, match="a block by its name or number"):
        optimiser.learn({"x": 0.5}, 1.0, block=[3])  # type: ignore[arg-type]


class NoTime(date):
    """As pandas has a time that is not there."""

    __hash__ = date.__hash__

    def __eq__(self, other: object) -> bool:
        return False


@pytest.mark.parametrize("blocks", [True, "day"])
def test_a_time_that_is_not_there_names_no_block(blocks: Any) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, blocks=blocks)
    with pytest.raises(UsageError, match="a block by its name or number"):
        optimiser.learn({"x": 0.5}, 1.0, block=NoTime(2026, 11, 30))


def test_numbers_of_blocks_are_told_apart_to_the_last_digit_and_0_has_no_sign() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, blocks=True)
    for i, block in enumerate((2**53, 2**53 + 1, 0.0, -0.0)):
        optimiser.learn({"x": 0.1 * i}, 1.0, block=block)
    assert [row["block"] for row in optimiser.results()] == ["9007199254740992", "9007199254740993", "0", "0"]


def test_results_of_no_block_are_taken_back_as_that_from_files_too() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, blocks=True)
    for x, block in ((0.1, 3), (0.2, None), (0.3, "a")):
        optimiser.learn({"x": x}, 1.0, block=block)
    rows = optimiser.results()
    assert [row["block"] for row in rows] == ["3", None, "a"]
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    file.seek(0)
    for table in (rows, csv.DictReader(file)):
        other = Optimiser({"x": (0.0, 1.0)}, blocks=True)
        assert other.learn_all(table) == 3
        assert other.results() == rows


def test_a_column_that_is_nearly_called_block_is_told_of() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, blocks=True)
    with pytest.warns(RuntimeWarning, match="blocks"):
        optimiser.learn_all([{"x": 0.5, "value": 1.0, "blocks": 3}])


def test_a_whole_search_says_that_blocks_take_a_loop() -> None:
    with pytest.raises(UsageError, match="a loop of your own says the block"):
        minimise(bright, {"x": (0.0, 1.0)}, 4, blocks=True)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="takes a loop of your own"):
        minimise(bright, Optimiser({"x": (0.0, 1.0)}, goal="minimise", blocks=True), 4)


def test_the_trial_that_is_believed_best_is_said_with_its_number() -> None:
    optimiser = told(Optimiser({"x": (0.0, 1.0)}, blocks=True))
    tried = optimiser.attach({"x": 0.52})
    optimiser.tell(tried.trial, 1.1, block=1)
    believed, insight = optimiser.best().believed, optimiser.insight().believed_best
    assert believed is not None
    assert insight is not None
    assert (believed.trial, believed.parameters) == (tried.trial, {"x": 0.52})
    assert insight == BelievedBest(tried.trial, believed.predicted)


def test_elsewhere_the_best_says_nothing_of_what_is_believed() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)})
    optimiser.learn({"x": 0.5}, 1.0)
    assert repr(optimiser.best()) == "Best(trial=None, parameters={'x': 0.5}, value=1.0, outcomes={})"


class Tuesday(datetime):
    """A calendar that stands still, at one in the morning."""

    @classmethod
    def now(cls, _: object = None) -> Tuesday:
        return cls(2026, 11, 24, 1)


def test_days_need_not_be_told_and_may_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(blocks, "datetime", Tuesday)
    store = tmp_path / "days.jsonl"
    optimiser = Optimiser({"x": (0.0, 1.0)}, blocks="day", store=store)
    first, second, third, fourth = optimiser.ask(4)
    optimiser.tell(first.trial, 1.0)
    optimiser.tell(second.trial, 1.0, seconds=7200)
    optimiser.tell(third.trial, 1.0, block=date(2026, 11, 20))
    optimiser.tell(fourth.trial, 1.0, block="2026-11-19T10:00")
    optimiser.learn({"x": 0.5}, 1.0)
    days = ["2026-11-24", "2026-11-23", "2026-11-20", "2026-11-19", None]
    assert [row["block"] for row in optimiser.results()] == days
    optimiser.close()
    monkeypatch.undo()
    again = Optimiser({"x": (0.0, 1.0)}, blocks="day", store=store)
    assert [row["block"] for row in again.results()] == days
    assert again.blocks == "day"


class SummerBegins(datetime):
    """Half past three in the morning in the middle of Europe, where it was half past one two hours before."""

    @classmethod
    def now(cls, zone: tzinfo | None = None) -> SummerBegins:
        return cls.fromtimestamp(datetime(2026, 3, 29, 1, 30, tzinfo=UTC).timestamp(), zone)


@pytest.fixture
def summer_begins() -> Iterator[None]:
    """In the middle of Europe, whatever this machine's zone is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "datetime", SummerBegins)
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("summer_begins")
def test_the_day_on_which_a_result_began_is_found_also_where_clocks_were_set_since() -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, blocks="day")
    for seconds in (2.75 * 3600.0, 2.0 * 3600.0, 1e12):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, 1.0, seconds=seconds)
    days = [row["block"] for row in optimiser.results()]
    assert days == ["2026-03-28", "2026-03-29", "2026-03-29"], "the last began before there were any"


def test_a_name_of_blocks_is_no_name_of_days() -> None:
    with pytest.raises(UsageError, match='expected `blocks=True`, or `"day"`, got'):
        Optimiser({"x": (0.0, 1.0)}, blocks="plate")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"outcomes": ["heat"], "constraints": ["heat <= 3"]}, "constraints on outcomes"),
        ({"objectives": {"heat": "minimise"}}, "further objectives"),
        ({"clock": "x"}, "`clock`"),
        ({"stop_when": {"quantity": "loss", "above": 2}}, "`stop_when`"),
    ],
)
def test_what_makes_no_sense_beside_blocks_is_refused(more: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, blocks=True, **more)  # type: ignore[arg-type]


def test_a_name_with_what_is_no_character_can_be_kept(tmp_path: Path) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="explore", blocks=True, store=tmp_path / "a.jsonl")
    optimiser.tell(optimiser.ask()[0].trial, 1.0, block="plate\udce9")
    assert [row["block"] for row in optimiser.results()] == ["plate?"]
