"""Lists of the combinations that may be tried, as specs say them: in a table, by rows, by columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_of, refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.report.words.spec import problem_words
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.begun.asked_points import points_to_try
from orchestrator.spec.build import build_space
from orchestrator.spec.load import load_spec_text

TABLE = "tube,mass,dose,kind\nA1,3,0.1,oil\nA2,5,0.5,oil\nB1,8,0.2,wax\n"
LISTED = {"parameters": None, "candidates": "candidates: samples.csv"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "samples.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def with_table(folder: Path, table: str) -> str:
    (folder / "samples.csv").write_text(table, encoding="utf-8")
    return refusal_with(folder, **LISTED)


def test_its_columns_are_parameters_and_texts_that_name_each_row_go_with_it(folder: Path) -> None:
    loaded = load_spec_text(text_with(**LISTED), "wing.yaml", folder)
    space = build_space(loaded.spec)
    assert space.names == ("mass", "dose", "kind")
    assert space.given_names == ("mass", "dose", "kind", "tube")
    assert space.domain.size == 3.0
    assert space.decode(space.encode({"mass": 5, "dose": 0.5, "kind": "oil"})) == {
        "tube": "A2",
        "mass": 5,
        "dose": 0.5,
        "kind": "oil",
    }
    assert any("`tube` of the candidates names each row" in remark for remark in loaded.remarks)


def test_fewer_rows_than_trials_are_remarked_on_where_each_has_a_single_setting(folder: Path) -> None:
    def remarks_on(trials: int, parameters: str, more: str = "") -> list[str]:
        said = {"parameters": parameters, "budget": f"budget: {{trials: {trials}}}"}
        text = text_with(candidates=f"candidates: {{table: samples.csv, given: tube{more}}}", **said)
        return list(load_spec_text(text, "wing.yaml", folder).remarks)

    free = "parameters: {heat: {type: float, bounds: [20, 90]}}"
    (said,) = remarks_on(4, free)
    assert "each of the 3 candidates is tried once, with one setting of `heat`" in said
    assert "and so the run ends before 4 trials" in said
    assert "say `again: true` among `candidates`" in said
    assert remarks_on(3, free) == []
    assert remarks_on(4, free, ", again: true") == []
    assert remarks_on(4, "parameters: {heat: {type: fixed, value: 20}}") == []
    both = "parameters: {heat: {type: float, bounds: [20, 90]}, time: {type: int, bounds: [1, 9]}}"
    assert "with one setting of `heat` and `time`, and so" in "".join(remarks_on(4, both))


def test_of_rows_that_are_all_tried_no_design_takes_anything(folder: Path) -> None:
    def remarks_on(trials: int, parameters: str | None = None) -> str:
        said = {
            "parameters": parameters,
            "budget": f"budget: {{trials: {trials}}}",
            "algorithm": "algorithm: {name: gp-ei}",
        }
        text = text_with(candidates="candidates: {table: samples.csv, given: tube}", **said)
        return "".join(load_spec_text(text, "wing.yaml", folder).remarks)

    assert remarks_on(3) == ""
    assert "the start design of 10 trials takes all 2" in remarks_on(2)
    assert "takes all 3" in remarks_on(3, "parameters: {heat: {type: float, bounds: [20, 90]}}")


def test_a_comma_at_the_end_of_every_line_is_no_column(folder: Path) -> None:
    whole = spec_with(folder, **LISTED)
    (folder / "samples.csv").write_text(TABLE.replace("\n", ",,\n"), encoding="utf-8")
    assert spec_with(folder, **LISTED) == whole
    sentence = "expected a name of each column, got none of column 5"
    assert sentence in with_table(folder, TABLE.replace("\n", ",\n").replace("oil,", "oil,7"))


def test_what_is_given_alone_is_given_as_it_was_written(folder: Path) -> None:
    (folder / "samples.csv").write_text("tube,mass\n1E5,3\n17.50,5\n42,8\n", encoding="utf-8")
    section = "candidates: {table: samples.csv, given: tube}"
    spec = spec_with(folder, parameters=None, candidates=section, initial="initial: {points: [{tube: 1E5}]}")
    assert spec.candidates is not None
    assert spec.candidates.columns["tube"] == ["1E5", "17.50", 42]
    assert spec.initial.points == [{"tube": "1E5", "mass": 3}]


def test_however_it_is_written_it_is_the_same_space(folder: Path) -> None:
    table = build_space(spec_with(folder, **LISTED))
    rows = (
        "[{tube: A1, mass: 3, dose: 0.1, kind: oil}, {tube: A2, mass: 5, dose: 0.5, kind: oil},"
        " {tube: B1, mass: 8, dose: 0.2, kind: wax}]"
    )
    columns = "{tube: [A1, A2, B1], mass: [3, 5, 8], dose: [0.1, 0.5, 0.2], kind: [oil, oil, wax]}"
    forms = (rows, f"{{table: {rows}}}", f"{{columns: {columns}}}", "{table: samples.csv, given: [tube]}")
    for form in forms:
        assert build_space(spec_with(folder, parameters=None, candidates=f"candidates: {form}")) == table


def test_its_columns_are_called_as_those_of_other_tables_that_are_read(folder: Path) -> None:
    table = "Tube;Mass [g];Dosis (mol/l);kind\nA1;3,5;0,1;oil\nA2;5;0,5;oil\nB1;8;0,2;wax\n"
    (folder / "samples.csv").write_text(table, encoding="utf-8")
    told = "parameters: {mass: {type: float, unit: g}, dose: {type: float, scale: log, unit: mol/l}}"
    columns = "columns: {Dosis: dose, Tube: tube}"
    section = "candidates: {table: samples.csv, given: [tube]}"
    loaded = load_spec_text(text_with(parameters=told, candidates=section, columns=columns), "w.yaml", folder)
    space = build_space(loaded.spec)
    assert space.given_names == ("mass", "dose", "kind", "tube")
    assert [(one.low, one.high) for one in space.parameters[:2]] == [(3.5, 8), (0.1, 0.5)]
    assert load_spec_text(loaded.text, "spec.yaml", None).spec == loaded.spec


def test_a_run_keeps_the_table_and_needs_no_file_any_more(folder: Path) -> None:
    loaded = load_spec_text(text_with(**LISTED), "wing.yaml", folder)
    (folder / "samples.csv").unlink()
    assert load_spec_text(loaded.text, "spec.yaml", None).spec == loaded.spec


def test_what_is_said_of_a_column_stays_and_what_is_no_column_is_free(folder: Path) -> None:
    told = (
        "{mass: {type: float, scale: log, unit: g}, dose: {type: float, bounds: [0, 1]},"
        " heat: {type: int, bounds: [1, 9]}}"
    )
    space = build_space(spec_with(folder, parameters=f"parameters: {told}", candidates=LISTED["candidates"]))
    assert space.names == ("mass", "dose", "kind", "heat")
    mass, dose = space.parameters[:2]
    assert (mass.low, mass.high, mass.scale, mass.unit) == (3, 8, "log", "g")
    assert (dose.low, dose.high) == (0, 1)
    assert space.domain.rows is not None
    assert len(space.domain.rows) == 3


def test_what_models_alone_see_is_not_given_to_evaluations(folder: Path) -> None:
    section = "candidates: {table: samples.csv, seen: [mass, kind]}"
    space = build_space(spec_with(folder, parameters=None, candidates=section))
    whole = space.decode(space.encode({"mass": 8, "dose": 0.2, "kind": "wax"}))
    assert space.given(whole) == {"tube": "B1", "dose": 0.2}
    command = "evaluation: {command: [awk, '{mass}', '{tube}'], output: json}"
    refusal = refusal_with(folder, parameters=None, candidates=section, evaluation=command)
    assert sentences(refusal) == ["expected `{...}` about a parameter, got `{mass}`"]


@pytest.mark.parametrize(
    ("table", "place", "sentence"),
    [
        ("a,b\n1,2\n,3\n", "3:1", "expected a value of `a` in every row, got none"),
        ("a,b\n1,2\n4,n/a\n", "3:3", "expected a finite number as `b`, got `n/a`"),
        (
            "a,b\n1,2\n4,3\n1,2\n",
            "4:1",
            "expected rows that differ in what the model sees, got the same as on line 2",
        ),
        ("a,b\n1,2\n", "2:1", "expected at least two rows to choose from, got 1"),
        (
            "a,b\n1,2\n4,2\n",
            "1:1",
            "expected values of `b` that differ between the rows, got the same in all",
        ),
        ("a,a\n1,2\n4,3\n", "1:1", "expected each column once, got `a` again"),
        ("a,b\n1,2\n4\n", "3:1", "expected 2 cells, as in the header on line 1, got 1"),
        ("n\nu\nv\n", "2:1", "expected a column that a model can see"),
    ],
)
def test_a_table_that_is_none_is_refused_where_it_is_wrong(
    folder: Path, table: str, place: str, sentence: str
) -> None:
    said = with_table(folder, table)
    assert said.startswith(f"samples.csv:{place}: {sentence}")


def test_a_cell_is_a_value_of_what_is_said_of_its_column(folder: Path) -> None:
    told = {
        "parameters": "parameters: {dose: {type: float, bounds: [0, 0.3]}}",
        "candidates": LISTED["candidates"],
    }
    said = refusal_with(folder, **told)
    assert said.startswith("samples.csv:3:6: expected a number in [0, 0.3] for `dose`, got 0.5")


def test_rows_are_left_out_by_constraints_and_of_none_left_it_is_said(folder: Path) -> None:
    some = build_space(spec_with(folder, **LISTED, constraints="constraints: [mass * dose < 2]"))
    assert some.domain.size == 2.0
    said = refusal_with(folder, **LISTED, constraints="constraints: [mass < 2]")
    assert sentences(said) == ["no row of the candidates satisfies `mass < 2`; loosen it, or list others"]


def test_first_points_and_known_results_may_name_a_row_by_what_goes_with_it(folder: Path) -> None:
    (folder / "known.csv").write_text("tube,drag\nB1,0.5\n", encoding="utf-8")
    spec = spec_with(folder, **LISTED, initial="initial: {points: [{tube: A2}], results: known.csv}")
    assert spec.initial.points == [{"tube": "A2", "mass": 5, "dose": 0.5, "kind": "oil"}]
    assert spec.initial.results[0].parameters == {"tube": "B1", "mass": 8, "dose": 0.2, "kind": "wax"}


def test_a_point_by_its_name_is_another_row_where_that_is_otherwise(folder: Path) -> None:
    spec = spec_with(folder, **LISTED)
    named = {"best": {"tube": "A1", "mass": 3, "dose": 0.1, "kind": "oil"}}
    assert points_to_try(spec, ["best,tube=B1", "best,mass=5,dose=0.5"], named) == [
        {"tube": "B1", "mass": 8, "dose": 0.2, "kind": "wax"},
        {"tube": "A2", "mass": 5, "dose": 0.5, "kind": "oil"},
    ]
    with pytest.raises(SpecError, match="for `mass`, got 9") as caught:
        points_to_try(spec, ["best,mass=9"], named)
    assert "--bounds" not in str(caught.value)


def test_so_may_results_that_come_to_light_while_a_run_goes_on(folder: Path) -> None:
    spec = spec_with(folder, **LISTED)
    (folder / "later.csv").write_text("Tube;drag\nB1;0,5\n", encoding="utf-8")
    results, _ = read_added_results(spec, [folder / "later.csv"], ["tube=A2,value=0.4"])
    assert [result.parameters for result in results] == [
        {"tube": "B1", "mass": 8, "dose": 0.2, "kind": "wax"},
        {"tube": "A2", "mass": 5, "dose": 0.5, "kind": "oil"},
    ]


def test_a_name_that_no_row_has_is_all_that_is_said_of_its_point(folder: Path) -> None:
    (said,) = sentences(refusal_with(folder, **LISTED, initial="initial: {points: [{tube: A7}]}"))
    assert "expected what goes with one of the 3 candidates as `tube`, got `A7`" in said
    with pytest.raises(SpecError, match="got `A7`") as refused:
        read_added_results(spec_with(folder, **LISTED), [], ["tube=A7,value=0.4"])
    assert "expected a value" not in str(refused.value)


@pytest.mark.parametrize(
    ("point", "sentence"),
    [
        ("{tube: A7}", "expected what goes with one of the 3 candidates as `tube`, got `A7`"),
        (
            "{tube: A1, mass: 5, dose: 0.5, kind: oil}",
            "expected 'A2', which goes with that row of the candidates",
        ),
        (
            "{mass: 4.9, dose: 0.5, kind: oil}",
            "got one of none; the nearest has tube = 'A2', mass = 5, dose = 0.5",
        ),
    ],
)
def test_a_first_point_is_a_row_or_is_refused(folder: Path, point: str, sentence: str) -> None:
    said = refusal_with(folder, **LISTED, initial=f"initial: {{points: [{point}]}}")
    assert sentence in said


def test_a_row_is_tried_once_and_a_known_result_has_used_it(folder: Path) -> None:
    known = "{tube: A1, value: 3}"
    said = refusal_with(folder, **LISTED, initial=f"initial: {{points: [{{tube: A1}}], results: [{known}]}}")
    assert "expected each candidate once, got one that is a known result already" in said
    again = "candidates: {table: samples.csv, again: true}"
    spec_with(
        folder,
        parameters=None,
        candidates=again,
        initial=f"initial: {{points: [{{tube: A1}}], results: [{known}]}}",
    )


def test_what_it_cannot_be_beside_is_refused_with_why(folder: Path) -> None:
    said = refusal_with(folder, **LISTED, held="held: {mass: 3}")
    assert sentences(said) == [
        "expected no `held` beside `candidates`: which rows may be tried would hang on it; leave the other"
        " rows out of the table"
    ]
    beside = "parameters: {heat: {type: float, bounds: [0, 9], when: mass > 4}}"
    said = refusal_with(folder, parameters=beside, candidates=LISTED["candidates"])
    assert "expected no `when` beside `candidates`" in said
    said = refusal_with(folder, **LISTED, algorithm="algorithm: turbo")
    assert "expected an algorithm that chooses among candidates" in said
    assert under_caret(said)[0].startswith("candidates")


def test_of_a_key_that_there_is_not_nothing_else_is_said(folder: Path) -> None:
    said = refusal_with(folder, parameters=None, candidates="candidates: {table: samples.csv, givn: tube}")
    assert sentences(said) == [
        "expected one of the keys `columns`, `given`, `seen` or `again`, got `givn` (did you mean `given`?)"
    ]


def test_nobody_writes_what_goes_with_rows_that_there_are_not() -> None:
    told = "parameters: {x: {type: float, bounds: [0, 1]}, tube: {type: given}}"
    assert sentences(refusal_of(text_with(parameters=told))) == [
        "expected `candidates` with a column `tube`, got none"
    ]


@pytest.mark.parametrize(
    ("constraints", "words"),
    [
        ("", "among 3 candidates"),
        ("constraints: [mass <= 6]", "among 2 of 3 candidates"),
        ("constraints: [mass <= 60]", "among 3 candidates"),
    ],
)
def test_how_many_rows_there_are_to_try_is_said_without_those_that_constraints_leave_out(
    folder: Path, constraints: str, words: str
) -> None:
    assert words in problem_words(spec_with(folder, constraints=constraints, **LISTED))
