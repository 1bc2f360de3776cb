"""That a fault in a search would be noticed: each is put there on purpose."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import damaged_journal
import driven_search
import numpy as np
import pytest
import searched_by_a_run
import tables_read_back
from commands_given import Said, answered
from damaged_journal import NotMended, damaged_and_mended
from drawn_search import drafted, is_taken
from driven_search import DrivenSearch
from ended import Ended
from lived_run import BrokenRun, LivedRun, ServedHere
from searched_by_a_run import SearchedByARun, said_by_a_spec
from tables_read_back import told_otherwise

from orchestrator import Optimiser, cli
from orchestrator.scheduler.state import State


def searched(*features: str, folder: Path, trials: int = 4) -> Ended:
    """At random, whatever it is made of."""
    draft = drafted(features, Random(1))
    assert draft is not None
    draft.told |= {"algorithm": "random", "options": {}}
    assert is_taken(draft)
    return DrivenSearch(draft, trials, 0, folder).run()


def test_nothing_is_the_matter_with_a_search_that_is_sound(tmp_path: Path) -> None:
    for number, features in enumerate(
        [("shares", "least amounts"), ("candidates",), ("counts where", "steps")]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert searched(*features, folder=folder).faults == []


@pytest.mark.parametrize(
    ("feature", "changed", "said"),
    [
        ("no noise", {"x": 1.01}, "out of its bounds"),
        ("no noise", {"x": float("nan")}, "not finite"),
        ("no noise", {"x": None}, "nothing"),
        ("steps", {"valve": 0.3}, "between steps"),
        ("whole numbers", {"n": 2.5}, "no whole number"),
        ("a choice", {"paint": "blue"}, "none of its values"),
        ("fixed", {"motor": 4}, "fixed at"),
        ("least amounts", {"zinc": 0.2}, "less than the least"),
        ("shares", {"r": 0.9, "s": 0.9}, "`r \\+ s \\+ t == 1` is broken"),
        ("a constraint", {"x": 0.9, "y": 0.9}, "`x \\+ y <= 1.2` is broken"),
        (
            "constraints for some values",
            {"mode": "quick", "x": 0.9},
            "`mode != .quick. or x <= 0.3` is broken",
        ),
        ("few are used", {"z1": 0.1, "z2": 0.1, "z3": 0.1}, "`count\\(z1, z2, z3\\) <= 2` is broken"),
        ("candidates", {"mass": 10.0}, "no row of the candidates"),
    ],
)
def test_a_suggestion_that_breaks_what_was_said_is_told_of(
    feature: str, changed: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Optimiser.ask

    def astray(self: Optimiser, n: int = 1, **held: Any) -> Any:
        asked = ask(self, n, **held)
        return [replace(one, parameters={**one.parameters, **changed}) for one in asked]

    monkeypatch.setattr(Optimiser, "ask", astray)
    monkeypatch.setattr(DrivenSearch, "_tell", lambda self, *_: setattr(self.ended, "trials", 4))
    faults = searched(feature, folder=tmp_path).faults
    assert any(re.search(said, fault) for fault in faults)


def _divided() -> None:
    np.float64(1.0) / np.float64(0.0)


def _wrong() -> None:
    raise ValueError("shapes")


@pytest.mark.parametrize(("fault", "said"), [(_divided, "divide by zero"), (_wrong, "ValueError: shapes")])
def test_an_error_of_our_own_and_a_warning_of_numpy_are_told_of(
    fault: Callable[[], None], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Optimiser.ask

    def astray(self: Optimiser, n: int = 1, **held: Any) -> Any:
        if self.told == 3:
            fault()
        return ask(self, n, **held)

    monkeypatch.setattr(Optimiser, "ask", astray)
    (told,) = searched("no noise", folder=tmp_path).faults
    assert "after 3 trials" in told
    assert said in told


def test_a_run_that_asks_otherwise_once_it_is_resumed_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = drafted(("steps",), Random(1))
    assert draft is not None
    draft.told |= {"algorithm": "random", "options": {}}
    spec = said_by_a_spec(draft, 4, tmp_path)
    assert spec is not None
    run = LivedRun(spec, tmp_path / "run", 1, 1.0)
    begin = ServedHere.__init__
    monkeypatch.setattr(
        ServedHere, "__init__", lambda self, spec: begin(self, spec.model_copy(update={"seed": 99}))
    )
    with pytest.raises(BrokenRun, match="after a resumption"):
        run.answered_alike()


def test_one_that_is_gone_on_with_and_asks_otherwise_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driven_search, "GONE_ON", 1.0)
    assert searched("steps", folder=tmp_path).faults == []
    (tmp_path / "search.jsonl").unlink()
    asked_alike = DrivenSearch._asked_alike

    def of_another(self: DrivenSearch, twin: Optimiser, asked: Any, n: int, held: dict[str, Any]) -> None:
        twin = Optimiser(**{**self.draft.arguments(), "seed": 7_777})
        asked_alike(self, twin, asked, n, held)

    monkeypatch.setattr(DrivenSearch, "_asked_alike", of_another)
    assert any("of a pickle for" in fault for fault in searched("steps", folder=tmp_path).faults)


def a_run_of(*features: str, folder: Path) -> SearchedByARun:
    draft = drafted(features, Random(1))
    assert draft is not None
    draft.told |= {"algorithm": "random", "options": {}}
    spec = said_by_a_spec(draft, 4, folder)
    assert spec is not None
    return SearchedByARun(draft, spec, 4, 0, folder)


def a_run_of_four(folder: Path) -> Path:
    run = a_run_of("steps", folder=folder)
    assert run.run().faults == []
    return run.folder


def test_trials_that_run_beside_those_of_another_round_are_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(State, "shared_now", property(lambda _self: {}))
    (fault,) = a_run_of("rounds that share", "parts of points", folder=tmp_path).run().faults
    assert re.search("`y` is .* at a time", fault)


def test_a_part_of_a_point_that_is_lost_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searched_by_a_run, "parts_of", lambda _spec: [{"x": 0.77}])
    assert a_run_of("parts of points", folder=tmp_path).run().faults == ["the part {'x': 0.77} is lost"]


def test_a_table_that_says_otherwise_than_the_journal_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = a_run_of_four(tmp_path)
    assert list(told_otherwise(folder, {})) == []
    assert any("was told 99" in words for words in told_otherwise(folder, {2: 99.0}))
    monkeypatch.setattr(tables_read_back, "answered", lambda *line: answered(*line).replace("0.", "9."))
    assert any("and had" in words for words in told_otherwise(folder, {}))


def test_a_journal_that_a_repair_leaves_damaged_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = a_run_of_four(tmp_path)
    monkeypatch.setattr(damaged_journal, "said_by", lambda *_: Said(1, "damaged", ""))
    with pytest.raises(NotMended, match="ended with 1"):
        damaged_and_mended(folder, Random(3))


@pytest.mark.parametrize(
    ("words", "said"),
    [("value  nan", "says nan"), ('{"value": NaN}', "says NaN"), ("12 of -inf", "says -inf")],
)
def test_an_answer_that_is_no_number_is_told_of(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prints(arguments: object) -> int:
        del arguments
        print(words)
        return 0

    monkeypatch.setattr(cli, "main", prints)
    with pytest.raises(ArithmeticError, match=said):
        answered(tmp_path, "best")


def test_a_command_that_crashes_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_command", lambda _: _wrong())
    with pytest.raises(ArithmeticError, match="ValueError: shapes"):
        answered(tmp_path, "best")
