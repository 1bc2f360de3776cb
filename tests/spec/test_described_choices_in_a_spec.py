"""Choices whose values are described by numbers, as specs say it: inline, in columns, and in a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_of, refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.spec.build import build_space
from orchestrator.spec.load import load_spec_text

EACH = (
    "{water: {polarity: 10.2, boiling: 100}, ethanol: {polarity: 5.2, boiling: 78},"
    " 12: {polarity: 4, boiling: 60}}"
)
COLUMNS = "[water, ethanol, 12], described: {polarity: [10.2, 5.2, 4], boiling: [100, 78, 60]}"
TABLE = "name,polarity,boiling\nwater,10.2,100\nethanol,5.2,78\n12,4,60\n"


def choice(told: str, name: str = "solvent") -> dict[str, str]:
    return {"parameters": f"parameters: {{{name}: {{type: choice, {told}}}}}"}


def space_of(told: str, folder: Path | None = None):
    return build_space(spec_with(folder, **choice(told)))


def loaded(folder: Path, told: str):
    return load_spec_text(text_with(**choice(told)), "wing.yaml", folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "solvents.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_however_it_is_written_it_is_the_same_space(folder: Path) -> None:
    inline = space_of(f"values: {EACH}")
    assert inline.parameters[0].values == ("water", "ethanol", 12)
    assert inline.parameters[0].description.rows == ((10.2, 100.0), (5.2, 78.0), (4.0, 60.0))
    assert space_of(f"values: {COLUMNS}") == inline
    assert space_of("described: solvents.csv", folder) == inline
    assert space_of(f"described: {TABLE!r}".replace("'", '"')) == inline


def test_the_column_that_is_called_as_the_parameter_names_the_values(folder: Path) -> None:
    table = "polarity;solvent;boiling\n10,2;water;100\n5,2;ethanol;78\n4;12;60\n"
    (folder / "other.csv").write_text(table, encoding="utf-8")
    assert space_of("described: other.csv", folder) == space_of(f"values: {EACH}")


def test_of_a_table_only_values_that_are_listed_are_chosen_from(folder: Path) -> None:
    some = space_of("values: [12, water], described: solvents.csv", folder).parameters[0]
    assert some.values == (12, "water")
    assert some.description.rows == ((4.0, 60.0), (10.2, 100.0))
    refusal = refusal_with(folder, **choice("values: [gin, water], described: solvents.csv"))
    assert sentences(refusal) == ["expected a row of the table that describes `gin`"]
    assert under_caret(refusal)[0].startswith("gin, water")


def test_a_run_keeps_the_table_and_reads_it_without_the_file(folder: Path) -> None:
    text = text_with(**choice("described: 'solvents.csv', unit: l")) + "  # a comment"
    told = load_spec_text(text, "wing.yaml", folder)
    (folder / "solvents.csv").unlink()
    assert "# a comment" in told.text
    assert load_spec_text(told.text, "spec.yaml", None).spec == told.spec
    assert load_spec_text(told.text, "spec.yaml", folder).text == told.text
    assert "the name of a file, `solvents.csv`" in refusal_of_kept(text)


def refusal_of_kept(text: str) -> str:
    with pytest.raises(Exception, match="table that a run keeps") as caught:
        load_spec_text(text, "spec.yaml", None)
    return str(caught.value)


def test_a_kept_table_is_the_one_that_was_read_whatever_is_in_it(tmp_path: Path) -> None:
    names = ['"a ""b"""', "back\\slash", "\U0001f9ea", "é ü", "tab\there", "'"]
    rows = "\r\n".join(f"{name},{i}" for i, name in enumerate(names))
    (tmp_path / "odd.csv").write_text(f"name,size\r\n{rows}", encoding="utf-8", newline="")
    told = loaded(tmp_path, "described: odd.csv")
    assert load_spec_text(told.text, "spec.yaml", None).spec == told.spec
    assert told.spec.parameters["solvent"].values[:3] == ['a "b"', "back\\slash", "\U0001f9ea"]


def test_two_choices_of_one_table_keep_it_twice(folder: Path) -> None:
    one = "{type: choice, described: solvents.csv}"
    both = text_with(parameters=f"parameters: {{a: {one}, b: {one}}}")
    told = load_spec_text(both, "wing.yaml", folder)
    assert told.text.count("ethanol") == 2
    assert load_spec_text(told.text, "spec.yaml", None).spec == told.spec


def test_columns_of_texts_and_of_one_number_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    table = "name,smiles,size,phase\nwater,O,1,2\nethanol,CCO,3,2\n"
    (tmp_path / "solvents.csv").write_text(table, encoding="utf-8")
    said = [one.split("\n")[0] for one in loaded(tmp_path, "described: solvents.csv").remarks]
    assert said == [
        "wing.yaml:3:49: `smiles` of `solvent` says nothing to the model: there are no numbers in it",
        "wing.yaml:3:49: `phase` of `solvent` says nothing to the model: every value has the same",
    ]


def test_numbers_in_order_that_are_described_are_no_ordered_values() -> None:
    told = "values: {1: {size: 3}, 2: {size: 1}, 3: {size: 2}}"
    assert loaded(Path(), told).remarks == ()


@pytest.mark.parametrize(
    ("told", "sentence", "at"),
    [
        ("values: {a: {p: 1}, b: {p: x}}", "expected a finite number as `p` of `b`, got `x`", "x}}"),
        ("values: {a: {p: 1}, b: {p: .inf}}", "expected a finite number as `p` of `b`, got inf", ".inf"),
        ("values: {a: {p: 1, q: 2}, b: {p: 1}}", "expected `q` of `b`, too, got none", "b: {p: 1}"),
        (
            "values: {a: {p: 1}, b: {p: 1, q: 2}}",
            "expected `q` of every value or of none, got it of `b` alone",
            "q: 2",
        ),
        (
            "values: {a: {p: 1}, b: 2}",
            "expected numbers that describe `b`, as {polarity: 10.2, boiling: 100}, got 2",
            "2}",
        ),
        (
            "values: {a: {p: 1}}",
            "expected at least two values to choose from, got 1; one is `type: fixed`",
            "{a: {p: 1}}",
        ),
        (
            "values: [a, b], described: {p: [1, 2, 3]}",
            "expected as many numbers as there are values, 2, as `p`, got 3",
            "described: {p: [1, 2, 3]}",
        ),
        (
            "values: [a, b], described: {p: [2, 2]}",
            "expected numbers that differ between the values, got the same of all",
            "described: {p: [2, 2]}",
        ),
        (
            "values: [a, b], described: [1, 2]",
            "expected the name of a CSV file, or numbers by name, as {polarity: [10.2, 5.2]}, got [1, 2]",
            "[1, 2]",
        ),
        (
            "values: {a: {p: 1}, b: {p: 2}}, described: solvents.csv",
            "expected `described` beside a list of values, got it beside a mapping that describes them;"
            " remove one",
            "described: solvents.csv",
        ),
        ("described: none.csv", "expected a file at none.csv, got nothing there", "none.csv"),
        (
            "described: ../solvents.csv",
            "expected a CSV file in the folder of the spec, got ../solvents.csv, which lies elsewhere: put it"
            " beside the spec",
            "../solvents.csv",
        ),
    ],
)
def test_a_mistake_is_shown_where_it_is(told: str, sentence: str, at: str) -> None:
    refusal = refusal_with(**choice(told))
    assert sentences(refusal) == [sentence]
    assert under_caret(refusal)[0].startswith(at)


@pytest.mark.parametrize("told", ["described: none.csv", "values: [water], described: none.csv"])
def test_values_that_nobody_knows_are_not_made_up_where_others_name_them(folder: Path, told: str) -> None:
    lines = choice(told)
    lines["parameters"] = lines["parameters"].rstrip("}") + "}, x: {type: float, bounds: [0, 1]}}"
    constraints = """constraints: ['solvent != "glycol" or x <= 0.5']"""
    refused = refusal_with(
        folder, constraints=constraints, initial="initial: {points: [{solvent: acetone}]}", **lines
    )
    assert "expected a file at" in refused
    assert len(refused.splitlines()) == 3


def test_mistakes_in_a_table_are_shown_at_their_lines_all_at_once(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("name,p,q\na,1,2\nb,,3\n,4,5\na,x,inf\n", encoding="utf-8")
    refusal = refusal_of(text_with(**choice("described: bad.csv")), tmp_path)
    heads = [line for line in refusal.split("\n") if line.startswith("bad.csv:")]
    assert heads == [
        "bad.csv:3:1: expected a finite number as `p` of `b`, got nothing",
        "bad.csv:4:1: expected the name of a value as `name`, got none",
        "bad.csv:5:1: expected each value once, got `a` again (first on line 2)",
        "bad.csv:5:1: expected a finite number as `p` of `a`, got `x`",
        "bad.csv:5:1: expected a finite number as `q` of `a`, got `inf`",
    ]


def test_that_auto_has_no_factors_beside_them_is_said() -> None:
    solvent, x = f"solvent: {{type: choice, values: {EACH}}}", "x: {type: float, bounds: [0, 1]}"
    lines = {"algorithm": "algorithm: auto", "factors": "factors: [[solvent], [x]]"}
    text = text_with(parameters=f"parameters: {{{solvent}, {x}}}", **lines)
    told = load_spec_text(text, "wing.yaml", Path())
    assert ["`factors` have no effect" in one for one in told.remarks] == [True]


def test_among_hundreds_a_near_miss_is_named_and_not_all_of_them() -> None:
    values = ", ".join(f"m{i}: {{size: {i}}}" for i in range(200))
    point = "initial: {points: [{solvent: m1234}]}"
    (said,) = sentences(refusal_with(**choice(f"values: {{{values}}}"), initial=point))
    assert said.startswith("expected one of the 200 values of `solvent`, got `m1234` (did you mean `m1")


def test_only_a_choice_is_described() -> None:
    refusal = refusal_with(parameters="parameters: {x: {type: float, bounds: [0, 1], described: a.csv}}")
    assert "got `described`" in sentences(refusal)[0]


def test_of_many_values_a_constraint_is_told_how_many_there_are() -> None:
    values = "[water, " + ", ".join(map(str, range(9))) + "]"
    refusal = refusal_with(**choice(f"values: {values}"), constraints="constraints: [solvent <= 3]")
    assert "got `solvent`, which has 10 values, not all of them numbers" in refusal
