"""Only what is listed may be tried, as callers of Python list it."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from orchestrator import Candidates, Optimiser, Plan, Space, cli, minimise
from orchestrator.errors import SpecError, StoreError, UsageError

RNG = np.random.default_rng(0)
ROWS = [
    {"mass": float(mass), "dose": float(dose), "kind": "wax" if mass > 0.5 else "oil", "tube": f"T{i}"}
    for i, (mass, dose) in enumerate(zip(RNG.random(12), RNG.random(12), strict=True))
]


def apart(parameters) -> float:
    return (parameters["mass"] - 0.3) ** 2 + (parameters["dose"] - 0.6) ** 2


def test_a_search_tries_each_row_once_and_ends_with_the_last() -> None:
    tried: list[str] = []

    def measured(parameters):
        tried.append(parameters["tube"])
        return apart(parameters)

    found = minimise(measured, {}, trials=50, candidates=ROWS, algorithm="random", seed=1)
    assert sorted(tried) == sorted(row["tube"] for row in ROWS)
    assert found.untried == 0
    assert found.best().value == min(map(apart, ROWS))
    with pytest.raises(UsageError, match="expected candidates that are not tried yet, got none"):
        found.ask()


def test_rows_columns_and_arrays_say_the_same() -> None:
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    arrays = {**columns, "mass": np.array(columns["mass"])}
    asked = [Optimiser({}, candidates=told, seed=3).ask(4) for told in (ROWS, columns, arrays)]
    assert asked[0] == asked[1] == asked[2]
    assert all(dict(one.parameters) in ROWS for one in asked[0])


def test_a_table_of_pandas_is_one() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(ROWS)
    asked = Optimiser({}, candidates=table, seed=3).ask(4)
    assert asked == Optimiser({}, candidates=ROWS, seed=3).ask(4)


def test_what_models_alone_see_is_not_handed_out_and_what_is_free_is_chosen() -> None:
    candidates = Candidates(ROWS, given=["tube"], seen=["mass", "dose", "kind"])
    (asked,) = Optimiser({"heat": (20.0, 90.0)}, candidates=candidates).ask()
    assert asked.parameters.keys() == {"tube", "heat"}


def test_what_models_alone_see_is_among_results_so_that_another_learns_them() -> None:
    candidates = Candidates(ROWS, given=["tube"], seen=["mass", "dose", "kind"])
    first, second = (Optimiser({}, candidates=candidates, algorithm="random") for _ in range(2))
    (asked,) = first.ask()
    first.tell(asked.trial, 0.5)
    second.learn_all(first.results())
    assert second.untried == first.untried


def test_a_file_that_lacks_what_models_alone_see_is_gone_on_with_by_the_rows_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidates = Candidates(ROWS, given=["tube"], seen=["mass", "dose", "kind"])
    problem = {"parameters": {}, "candidates": candidates, "algorithm": "random"}
    with monkeypatch.context() as older:
        older.setattr(Space, "told_of", lambda _, told: {"tube": told["tube"]})
        first = Optimiser(**problem, store=tmp_path / "tubes.jsonl")
        (asked,) = first.ask()
        first.tell(asked.trial, 0.5)
        first.close()
    again = Optimiser(**problem, store=tmp_path / "tubes.jsonl")
    assert again.best().parameters == asked.parameters


def test_a_column_may_be_said_to_be_more_than_it_looks() -> None:
    told = {"mass": {"type": "float", "scale": "log"}, "kind": {"type": "choice"}}
    asked = Optimiser(told, candidates=ROWS, seed=0).ask(12)
    assert {one.parameters["tube"] for one in asked} == {row["tube"] for row in ROWS}


def test_rows_are_named_by_what_goes_with_them_and_used_by_results_from_elsewhere() -> None:
    optimiser = Optimiser({}, candidates=ROWS, algorithm="random")
    optimiser.learn({"tube": "T3"}, 0.5)
    attached = optimiser.attach({"tube": "T5"})
    assert attached.parameters == ROWS[5]
    assert optimiser.untried == 10
    assert {"T3", "T5"}.isdisjoint(one.parameters["tube"] for one in optimiser.ask(10))
    for wrong, sentence in (
        ({"tube": "T99"}, "what goes with one of the 12 candidates"),
        ({"mass": 0.5, "dose": 0.5, "kind": "oil"}, "got one of none; the nearest has"),
        ({**ROWS[2], "tube": "T1"}, "which goes with that row of the candidates"),
    ):
        with pytest.raises(SpecError, match=sentence):
            optimiser.attach(wrong)


@pytest.mark.parametrize("listed", [[17, 18, 19], ["17", "18", "19"], [17.0, 18.0, 19.0]])
@pytest.mark.parametrize("told", [18, 18.0, "18", "18.0", np.int64(18)])
def test_a_number_that_names_a_row_does_so_however_a_table_was_read(listed, told) -> None:
    rows = Candidates({"id": listed, "mass": [1.0, 2.0, 3.0]}, given=["id"])
    optimiser = Optimiser({}, candidates=rows, algorithm="random")
    optimiser.learn({"id": told}, 0.5)
    assert optimiser.attach({"id": 17}).parameters == {"id": listed[0], "mass": 1.0}
    with pytest.raises(SpecError, match="what goes with one of the 3 candidates"):
        optimiser.learn({"id": 18.5}, 0.5)
    with pytest.raises(SpecError, match="which goes with that row"):
        optimiser.learn({"id": told, "mass": 3.0}, 0.5)
    assert {asked.parameters["mass"] for asked in optimiser.ask(1)} == {3.0}


def test_names_that_differ_in_zeros_alone_stay_two() -> None:
    rows = Candidates({"id": ["18", "18.0"], "mass": [1.0, 2.0]}, given=["id"])
    optimiser = Optimiser({}, candidates=rows, algorithm="random")
    assert optimiser.attach({"id": "18.0"}).parameters["mass"] == 2.0
    assert optimiser.attach({"id": "18"}).parameters["mass"] == 1.0


def test_what_failed_is_used_up_and_what_was_given_up_is_not() -> None:
    optimiser = Optimiser({}, candidates=ROWS, algorithm="random")
    first, second = optimiser.ask(2)
    optimiser.tell(first.trial, None)
    optimiser.abandon(second.trial)
    tubes = {one.parameters["tube"] for one in optimiser.ask(12)}
    assert tubes == {row["tube"] for row in ROWS} - {first.parameters["tube"]}


def test_where_the_last_rows_are_pending_there_is_none_to_ask_for_and_it_says_so() -> None:
    optimiser = Optimiser({}, candidates=ROWS, algorithm="random")
    assert len(optimiser.ask(12)) == 12
    with pytest.raises(UsageError, match="every one was, or is pending"):
        optimiser.ask()


def test_rows_may_be_tried_again_where_that_is_said() -> None:
    optimiser = Optimiser({}, candidates=Candidates(ROWS, again=True), algorithm="random")
    assert optimiser.untried is None
    for _ in range(20):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, apart(asked.parameters))


@pytest.mark.parametrize("algorithm", ["random", "gp-ei", "explore"])
def test_of_exact_values_none_is_asked_for_again_while_another_row_is_left(algorithm: str) -> None:
    rows = Candidates(ROWS[:6], again=True)
    optimiser = Optimiser({}, candidates=rows, algorithm=algorithm, noise=0, plan=Plan(trials=6), seed=2)
    tried = []
    for _ in range(6):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, apart(asked.parameters))
        tried.append(asked.parameters["tube"])
    assert sorted(tried) == [f"T{i}" for i in range(6)]
    # Whoever says that they may be tried again has them tried, once nothing else is left.
    assert optimiser.ask()


def test_beside_what_is_free_a_row_of_exact_values_is_tried_again_elsewhere() -> None:
    rows = Candidates([{"mass": 0.1}, {"mass": 0.9}], again=True)
    optimiser = Optimiser({"heat": (0.0, 1.0)}, candidates=rows, algorithm="gp-ei", noise=0, seed=1)
    settings = []
    for _ in range(8):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, -abs(asked.parameters["heat"] - 0.4) - asked.parameters["mass"])
        settings.append(tuple(asked.parameters.values()))
    assert len(set(settings)) == len(settings) > len({mass for mass, _ in settings})


def test_a_kept_search_goes_on_and_commands_know_its_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "search.jsonl"
    first = Optimiser({}, candidates=ROWS, algorithm="random", store=kept)
    for asked in first.ask(5):
        first.tell(asked.trial, apart(asked.parameters))
    first.close()
    again = Optimiser({}, candidates=ROWS, algorithm="random", store=kept)
    assert again.untried == 7
    again.close()
    assert cli.main(["best", str(kept)]) == 0
    assert "tube" in capsys.readouterr().out
    with pytest.raises(Exception, match="`candidates` are 12 rows there, and 11 here"):
        Optimiser({}, candidates=ROWS[:-1], algorithm="random", store=kept)


def test_what_is_expected_of_a_row_may_be_asked_by_its_name_alone() -> None:
    optimiser = Optimiser({}, candidates=ROWS, algorithm="random", noise=0.0)
    for asked in optimiser.ask(8):
        optimiser.tell(asked.trial, apart(asked.parameters))
    (left, *_) = optimiser.ask(1)
    (by_name,) = optimiser.predict([{"tube": left.parameters["tube"]}])
    (whole,) = optimiser.predict([left.parameters])
    assert by_name.value == whole.value
    assert by_name.parameters["mass"] == left.parameters["mass"]


@pytest.mark.parametrize("given", [["tube"], []])
def test_what_models_alone_see_of_the_best_row_is_known_where_something_is_asked_of_another(given) -> None:
    rows = [{**row, "turn": i % 3} for i, row in enumerate(ROWS)]
    if not given:
        rows = [{name: value for name, value in row.items() if name != "tube"} for row in rows]
    candidates = Candidates(rows, given=given, seen=["mass", "dose", "kind"])
    optimiser = Optimiser({}, candidates=candidates, algorithm="random", noise=0.0)
    for number, asked in enumerate(optimiser.ask(6)):
        optimiser.tell(asked.trial, float(number))
    (at_best,) = optimiser.predict([{}] if not given else [{"tube": optimiser.best().parameters["tube"]}])
    assert abs(at_best.value.mean - optimiser.best().value) < 0.5
    optimiser.sensitivity()


def test_columns_may_be_called_by_numbers() -> None:
    rows = [{1: 0.5, 2: 3.0}, {1: 0.7, 2: 5.0}, {1: 0.9, 2: 4.0}]
    (asked,) = Optimiser({}, candidates=rows).ask()
    assert asked.parameters.keys() == {"1", "2"}


def test_one_that_was_pickled_keeps_to_them() -> None:
    optimiser = pickle.loads(pickle.dumps(Optimiser({}, candidates=ROWS, algorithm="random")))
    assert len(optimiser.ask(20)) == 12


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("samples.csv", "expected candidates as a list of mappings"),
        ([{"a": 1}], "expected at least two rows to choose from, got 1"),
        ([{"a": 1, "b": 2}, {"a": 1, "b": 3}], "expected values of `a` that differ between the rows"),
        ([{"a": 1}, {"a": "u"}], "row 2: expected a finite number as `a`, got 'u'"),
        ([{"a": 1}, {"a": float("nan")}], "row 2: expected a number or a text as `a`, got nan"),
        ([{"a": 1}, {"a": 2}, {"a": 1}], "row 3: expected rows that differ in what the model sees"),
        ([{1: 1}, {1: 2, "b": 3}], "row 2: expected the columns 1, got `b` as well"),
        (Candidates([{"a": 1}, {"a": 2}], given=[["a"]]), "expected as `given` columns"),  # type: ignore[list-item]
        ([{"a": 1}, {"b": 2}], "row 2: expected the columns a, got `a` not"),
        ({"a": [1, 2], "b": [1]}, "expected as many values in each column, got 2 of `a`, 1 of `b`"),
        ([{"n": "u"}, {"n": "v"}], "expected a column that a model can see"),
    ],
)
def test_what_is_no_list_is_refused(told, sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        Optimiser({}, candidates=told)


def test_what_cannot_keep_to_rows_is_refused_with_why() -> None:
    with pytest.raises(SpecError, match="expected an algorithm that chooses among candidates"):
        Optimiser({}, candidates=ROWS, algorithm="turbo")
    with pytest.raises(UsageError, match="expected no `held` beside `candidates`"):
        Optimiser({}, candidates=ROWS).ask(held={"mass": ROWS[0]["mass"]})
    with pytest.raises(UsageError, match="expected no `tolerance` beside `candidates`"):
        Optimiser({"heat": {"type": "float", "bounds": (0, 1), "tolerance": 0.1}}, candidates=ROWS)


@pytest.mark.parametrize("algorithm", ["random", "sobol", "auto"])
@pytest.mark.parametrize("constraint", ["heat + mass <= 95", "abs(heat + mass - 95) <= 0.001"])
def test_a_row_is_tried_with_what_the_constraints_leave_of_the_free_and_not_where_they_leave_nothing(
    algorithm: str, constraint: str
) -> None:
    rows = [{"mass": 10.0 * i, "tube": f"T{i}"} for i in range(10)]
    optimiser = Optimiser(
        {"heat": (20.0, 95.0)}, candidates=rows, constraints=[constraint], algorithm=algorithm, seed=2
    )
    assert optimiser.untried == 8
    tried: list[str] = []
    while asked := optimiser.ask(3) if optimiser.untried else ():
        for one in asked:
            tried.append(one.parameters["tube"])
            optimiser.tell(one.trial, one.parameters["heat"])
    assert sorted(tried) == [f"T{i}" for i in range(8)]
    with pytest.raises(UsageError, match="expected candidates that are not tried yet"):
        optimiser.ask()


def test_a_row_is_used_up_whatever_a_constraint_says_of_what_it_was_tried_with() -> None:
    rows = [{"mass": 10.0 * i, "tube": f"T{i}"} for i in range(4)]
    optimiser = Optimiser(
        {"heat": (20.0, 90.0)}, candidates=rows, constraints=["heat <= 50"], algorithm="random"
    )
    optimiser.learn({"tube": "T2", "heat": 80.0}, 1.0)
    assert optimiser.untried == 3
    assert "T2" not in {one.parameters["tube"] for one in optimiser.ask(4)}


def test_rows_that_come_later_are_for_a_search_that_learns_what_was_told() -> None:
    before = minimise(apart, {}, trials=6, candidates=ROWS[:6], algorithm="random", seed=1)
    later = Optimiser({}, goal="minimise", candidates=ROWS, algorithm="random")
    assert later.learn_all(before.results()) == 6
    assert sorted(one.parameters["tube"] for one in later.ask(6)) == sorted(row["tube"] for row in ROWS[6:])


def test_a_file_of_other_rows_is_refused_and_what_differs_is_said_without_the_tables(tmp_path: Path) -> None:
    store = tmp_path / "freezer.search"
    Optimiser({}, candidates=ROWS[:6], algorithm="random", seed=1, store=store).close()
    for told, said in (
        (ROWS, "`candidates` are 6 rows there, and 12 here, alike to row 6"),
        ([*ROWS[:5], ROWS[6]], "`candidates` are 6 rows there, and 6 here, alike to row 5"),
        (Candidates(ROWS[:6], again=True), "`again` of the candidates is here alone"),
        ([{**row, "lot": row["mass"] + 1} for row in ROWS[:6]], "with the columns mass, dose, kind, tube"),
    ):
        with pytest.raises(StoreError, match=said) as raised:
            Optimiser({}, candidates=told, algorithm="random", seed=1, store=store)
        assert "'T3'" not in str(raised.value)
