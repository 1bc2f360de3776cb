"""The benchmark of differences: what it judges, and its tables."""

from __future__ import annotations

import pytest

from benchmarks.differences import (
    KINDS,
    PAIRS,
    TRIALS,
    Gain,
    Judged,
    Pair,
    chances_table,
    gains_table,
    intervals_table,
    judged,
    page,
)


def pair(stated: float, right: bool, within: bool = True, width: float = 1.0, kind: str = "best") -> Pair:
    return Pair(kind, 0.1, stated, right, within, width)


def run(told: tuple[Pair, ...], alone: tuple[Pair, ...] = (), missed: float = 0.5) -> Judged:
    return Judged(alone or told, told, Gain(0.1, missed, 2.0, within=missed < 1.0))


def cells(table: str, line: int) -> list[str]:
    return [cell.strip() for cell in table.splitlines()[line].strip("|").split("|")]


def test_what_is_stated_stands_beside_how_often_it_came_true() -> None:
    told = (pair(0.98, True), pair(1.0, True), pair(0.99, False), pair(0.55, True, kind="near"))
    table = chances_table([run(told)])
    assert cells(table, 0)[1:] == list(KINDS)
    assert cells(table, 2) == ["50 to 60 %", "", "", "100.0 of 55.0 (1)", ""]
    assert cells(table, 6) == ["97.5 to 100 %", "66.7 of 99.0 (3)", "", "", ""]


def test_intervals_are_counted_as_the_models_say_them_and_as_told() -> None:
    told = (pair(0.9, True, width=2.0), pair(0.9, True, width=3.0))
    alone = (pair(0.9, True, within=False), pair(0.9, True))
    assert cells(intervals_table([run(told, alone)]), 2) == ["best", "0.1", "2", "50.0", "100.0", "2.50"]


def test_what_is_told_too_much_is_told_in_multiples_of_the_noise() -> None:
    runs = [run((), missed=missed) for missed in (-0.5, 0.1, 1.2)]
    assert cells(gains_table(runs), 2) == ["0.1", "+0.10", "0.75", "+2.00", "2.00", "2 of 3"]


def test_the_page_says_how_many_runs_it_is_of() -> None:
    text = page([run((pair(0.9, True),))] * 3, 3)
    assert text.startswith("# Is it really better?\n")
    assert "`python -m benchmarks.differences --seeds 3 --page docs/differences.md`" in text
    assert ": 3 runs of `auto`" in text


@pytest.mark.long
def test_of_a_noisy_run_most_of_what_is_said_to_be_better_is() -> None:
    found = judged("camel", 0.5, 0)
    assert sum(one.kind == "best" for one in found.told) <= TRIALS - 1
    assert sum(one.kind == "anywhere" for one in found.told) == PAIRS
    sure = [one.right for one in found.told if one.stated > 0.9]
    assert sum(sure) > 0.8 * len(sure) > 0.0
