"""A search that a file keeps goes on to the bit, whatever its problem is made of; no other goes on there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from quick_options import quick_options

from orchestrator import Candidates, Optimiser, Preferences
from orchestrator.errors import StoreError
from orchestrator.parameters.space import Space

SHARES = {"resin": (0.0, 60.0), "filler": (0.0, 100.0), "water": (0.0, 100.0)}
ADD_UP = {"parameters": SHARES, "constraints": ["resin + filler + water == 100"]}
ALIKE = {"hexane": {"polarity": 0.1}, "ethanol": {"polarity": 5.2}, "water": {"polarity": 10.2}}


def of_resin(value: str, bounds: tuple[float, float] = (40.0, 100.0)) -> dict[str, Any]:
    rest = {"type": "computed", "value": value, "bounds": bounds}
    return {"parameters": {"resin": (0.0, 60.0), "rest": rest}}


def of_solvents(alike: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    return {"parameters": {"x": (0.0, 1.0), "solvent": {"type": "choice", "values": alike}}}


ROWS = [{"mass": float(i), "dose": i * i % 7 / 7, "polarity": i * 3 % 10 / 10} for i in range(10)]
SEEN = {"parameters": {}, "candidates": Candidates(ROWS, seen=["polarity"])}
COMPUTED = of_resin("100 - resin")
DESCRIBED = of_solvents(ALIKE)
BLOCKS = {"parameters": {"x": (0.0, 1.0)}, "blocks": True}
TIED = {"parameters": Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)}, ["x <= y"])}


def goodness(parameters: Mapping[str, Any]) -> float:
    """Of any of them: numbers are best at 0.3, and solvents with a long name."""
    return sum(len(told) if isinstance(told, str) else -abs(told - 0.3) for told in parameters.values())


def evaluated(optimiser: Optimiser, blocks: bool) -> Mapping[str, Any]:
    (asked,) = optimiser.ask()
    plate = "odd" if blocks and asked.trial % 2 else None
    optimiser.tell(asked.trial, goodness(asked.parameters) + (2.0 if plate else 0.0), block=plate)
    return asked.parameters


@pytest.mark.parametrize("problem", [ADD_UP, COMPUTED, DESCRIBED, BLOCKS, SEEN], ids=str)
def test_what_is_resumed_goes_on_as_what_was_never_ended(problem: dict[str, Any], tmp_path: Path) -> None:
    blocks = "blocks" in problem
    algorithm = "auto" if blocks else "gp-ei"
    terms = {**problem, "algorithm": algorithm, "options": quick_options(algorithm), "seed": 2}
    whole = Optimiser(**terms)
    points = [evaluated(whole, blocks) for _ in range(6)]
    kept: list[Mapping[str, Any]] = []
    for trials in (4, 2):
        part = Optimiser(**terms, store=tmp_path / "search.jsonl")
        kept += [evaluated(part, blocks) for _ in range(trials)]
        part.close()
    assert kept == points
    assert part.results() == whole.results()


@pytest.mark.parametrize(
    ("problem", "other", "said"),
    [
        (ADD_UP, {"constraints": ["resin + filler + water == 90"]}, "`constraints`"),
        (COMPUTED, of_resin("90 - resin"), "`rest`.*'100 - resin'"),
        (COMPUTED, of_resin("100 - resin", (50.0, 100.0)), "`rest`"),
        (COMPUTED, {"parameters": {"resin": (0.0, 60.0)}}, "parameter `rest` is there alone"),
        (DESCRIBED, of_solvents({**ALIKE, "water": {"polarity": 9.0}}), "parameter `solvent`"),
        (BLOCKS, {"blocks": False}, "`blocks` is there alone"),
        (TIED, {"parameters": Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)})}, "`constraints`"),
    ],
)
def test_another_problem_is_refused(
    problem: dict[str, Any], other: dict[str, Any], said: str, tmp_path: Path
) -> None:
    store = tmp_path / "search.jsonl"
    Optimiser(**problem, store=store).close()
    with pytest.raises(StoreError, match=said):
        Optimiser(**problem | other, store=store)
    Optimiser(**problem, store=store).close()


def test_known_results_keep_their_blocks(tmp_path: Path) -> None:
    store = tmp_path / "search.jsonl"
    first = Optimiser(**BLOCKS, store=store)
    first.learn({"x": 0.2}, 1.0, block=7)
    first.learn({"x": 0.3}, 1.5)
    first.close()
    assert Optimiser(**BLOCKS, store=store).results() == first.results()


def test_results_between_values_are_kept_and_taken_by_another_with_what_is_computed_of_them(
    tmp_path: Path,
) -> None:
    store = tmp_path / "search.jsonl"
    parts = {"resin": {"type": "int", "bounds": [1, 9]}, "rest": {"type": "computed", "value": "10 - resin"}}
    first = Optimiser(parts, store=store)
    first.learn({"resin": 2.2}, 1.0)
    first.close()
    (row,) = first.results()
    assert (row["resin"], row["rest"]) == (2.2, pytest.approx(7.8))
    assert Optimiser(parts, store=store).results() == first.results()
    other = Optimiser(parts)
    with pytest.warns(RuntimeWarning, match="between values"):
        other.learn_all(first.results())
    assert other.results() == first.results()


def test_preferences_of_another_formulation_are_refused(tmp_path: Path) -> None:
    store = tmp_path / "tasted.jsonl"
    Preferences(**COMPUTED, store=store).close()
    with pytest.raises(StoreError, match="`rest`"):
        Preferences(**of_resin("90 - resin"), store=store)
