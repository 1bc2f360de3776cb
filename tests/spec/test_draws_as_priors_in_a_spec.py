"""What an earlier posterior left plausible is known of several parameters together: how a spec says it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from spec_texts import refusal_of, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.amended import with_bounds, with_fixed
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.load import LoadedSpec, load_spec_text
from orchestrator.values.drawn import Drawn

H0 = (67.0 + 0.5 * np.sin(np.arange(80))).round(4)
OMEGA = (0.3 - 0.02 * (H0 - 67.0)).round(5)
TABLE = "h0,unused,om\n" + "".join(f"{h},x,{o}\n" for h, o in zip(H0.tolist(), OMEGA.tolist(), strict=True))


def text(h0: str = "earlier.csv", om: str = "earlier.csv", further: str = "", **lines: str | None) -> str:
    parameters = f"""\
parameters:
  h0: {{type: float, bounds: [50, 90], prior: {h0}}}
  om: {{type: float, bounds: [0.1, 0.9], prior: {om}{further}}}
  bias: {{type: float, bounds: [1, 3]}}"""
    fit = "objective: {fit: {lift: {value: 3.2, error: 0.1}}}"
    told: dict[str, str | None] = {"objective": fit, "parameters": parameters, "algorithm": None}
    return text_with(**(told | lines))


def loaded(folder: Path, table: str = TABLE, **told: str) -> LoadedSpec:
    (folder / "earlier.csv").write_text(table)
    return load_spec_text(text(**told), "wing.yaml", folder)


def refused(folder: Path, table: str = TABLE, **told: str) -> str:
    (folder / "earlier.csv").write_text(table)
    return refusal_of(text(**told), folder)


def test_draws_are_read_from_a_file_which_the_run_keeps_column_by_column(tmp_path: Path) -> None:
    found = loaded(tmp_path, h0="{draws: earlier.csv}")
    (tmp_path / "earlier.csv").unlink()
    kept = load_spec_text(found.text, "wing.yaml", None)
    for spec in (found.spec, kept.spec):
        assert build_space(spec).priors == {
            "h0": Drawn(tuple(H0.tolist())),
            "om": Drawn(tuple(OMEGA.tolist())),
        }
        beforehand = build_problem(spec).beforehand
        assert beforehand is not None
        assert beforehand.together is not None
        assert beforehand.together.numbers == (0, 1)
        assert not beforehand.each
    assert "unused" not in found.text
    assert not found.remarks


def test_columns_may_be_called_otherwise(tmp_path: Path) -> None:
    table = TABLE.replace("om", "cosmological_parameters--omega_m")
    (tmp_path / "earlier.csv").write_text(table)
    told = text(columns="columns: {cosmological_parameters--omega_m: om}")
    found = load_spec_text(told, "wing.yaml", tmp_path)
    kept = load_spec_text(found.text, "wing.yaml", None)
    assert build_space(kept.spec).priors["om"] == Drawn(tuple(OMEGA.tolist()))


def test_rows_of_a_chain_count_as_often_as_their_weights_say(tmp_path: Path) -> None:
    weights = np.where(H0 > 67.0, 3.0, 0.0)
    rows = zip(H0.tolist(), OMEGA.tolist(), weights.tolist(), strict=True)
    table = "h0,om,weight\n" + "".join(f"{h},{o},{w}\n" for h, o, w in rows)
    draws = "{draws: earlier.csv, weights: weight}"
    found = loaded(tmp_path, table, h0=draws, om=draws)
    kept = load_spec_text(found.text, "wing.yaml", None)
    told = build_space(found.spec).priors
    assert build_space(kept.spec).priors == told
    h0, om = told["h0"], told["om"]
    assert isinstance(h0, Drawn)
    assert isinstance(om, Drawn)
    assert len(h0.values) == len(H0)
    assert min(h0.values) > 67.0
    assert h0.mean == pytest.approx(H0[H0 > 67.0].mean(), abs=0.01)
    assert set(zip(h0.values, om.values, strict=True)) <= set(zip(H0.tolist(), OMEGA.tolist(), strict=True))


COSMOSIS = TABLE.replace("h0,unused,om", "#cosmology--h0,unused,cosmology--om\n#sampler=emcee\n## [runtime]")


@pytest.mark.parametrize(
    "table",
    [
        COSMOSIS.replace(",", "\t") + "#nsample=80\n",
        TABLE.replace("h0,unused,om", "# h0,unused,om"),
        TABLE.replace("h0,unused,om", "# h0 unused om").replace(",", " "),
        TABLE.replace(",", "   ").replace("\n", "\r\n"),
    ],
    ids=["of CosmoSIS", "of numpy", "of numpy, with spaces", "with spaces"],
)
def test_chains_are_read_as_samplers_write_them(tmp_path: Path, table: str) -> None:
    (tmp_path / "earlier.csv").write_text(table)
    told = text(columns="columns: {cosmology--h0: h0, cosmology--om: om}")
    found = load_spec_text(told, "wing.yaml", tmp_path)
    for read in (found, load_spec_text(found.text, "wing.yaml", None)):
        priors = build_space(read.spec).priors
        assert priors == {"h0": Drawn(tuple(H0.tolist())), "om": Drawn(tuple(OMEGA.tolist()))}


def test_a_heading_of_one_column_may_have_spaces(tmp_path: Path) -> None:
    (tmp_path / "earlier.csv").write_text("h0 (km/s)\n" + "".join(f"{h}\n" for h in H0.tolist()))
    told = text(om="{mean: 0.3, deviation: 0.1}", columns="columns: {h0 (km/s): h0}")
    assert build_space(load_spec_text(told, "wing.yaml", tmp_path).spec).priors["h0"] == Drawn(
        tuple(H0.tolist())
    )


def test_an_error_in_a_chain_is_told_where_it_stands(tmp_path: Path) -> None:
    chain = COSMOSIS.replace(",", "\t").replace(f"{OMEGA[1]}\n", "\n", 1)
    told = text(columns="columns: {cosmology--h0: h0, cosmology--om: om}")
    (tmp_path / "earlier.csv").write_text(chain)
    assert "earlier.csv:5:" in refusal_of(told, tmp_path)
    spaced = TABLE.replace(",", " ").replace(f"{OMEGA[1]}\n", "none\n", 1)
    (tmp_path / "earlier.csv").write_text(spaced)
    assert "none" in refusal_of(text(), tmp_path)


def test_rows_that_may_count_by_weights_are_remarked_on_where_none_are_told(tmp_path: Path) -> None:
    table = TABLE.replace("unused", "Weight").replace("x", "1")
    (said,) = loaded(tmp_path, table).remarks
    assert "each row of earlier.csv counts alike; where its column `Weight` says how often" in said
    assert "say `prior: {draws: earlier.csv, weights: Weight}`" in said
    draws = "{draws: earlier.csv, weights: Weight}"
    assert not loaded(tmp_path, table, h0=draws, om=draws).remarks


@pytest.mark.parametrize(
    ("told", "said", "place"),
    [
        ({"h0": "{draws: earlier.csv, weights: om}"}, "expected the same `weights` of all", "earlier.csv"),
        ({"h0": "{draws: earlier.csv, weights: w}"}, "expected a column `w` of how often each", "w}"),
        ({"h0": "{draws: earlier.csv, weigths: w}"}, "not `weigths` (did you mean `weights`?)", "prior:"),
        ({"om": "later.csv"}, "later.csv", ""),
        ({"om": "earlier"}, "or `{draws: earlier.csv}`, got `earlier`", "earlier"),
        ({"further": ", when: h0 > 60"}, "expected no `draws` of a parameter that counts only at", "prior"),
        ({"further": ", in_use: evenly"}, "expected no `prior` beside `in_use`", ""),
        ({"om": "{draws: [0.3, 0.31]}"}, "expected at least 50 draws, listed or in a CSV file", "prior"),
        (
            {"om": f"{{draws: {[0.3 + 0.001 * i for i in range(60)]}}}"},
            "as those of one row belong together, got 80 of `h0` and 60 of `om`",
            "prior",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_where_it_stands(
    tmp_path: Path, told: dict[str, str], said: str, place: str
) -> None:
    refusal = refused(tmp_path, **told)
    assert said in refusal
    assert not place or any(one.startswith(place) for one in under_caret(refusal))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (TABLE.replace("om", "omega"), "expected a column `om` of draws, got `h0`, `unused` and `omega`"),
        ("h0,om\n67,\n" + "67.1,0.3\n" * 60, "expected of each row what `om` was, got an empty cell"),
        ("h0,om\n67,0.31\n" + "67,0.3\n" * 60, "expected draws that differ, and not 67 each time"),
        (TABLE.replace("x", "y").replace("67.", "x"), "expected draws that are numbers, and not 'x"),
        ("h0,om\n" + "".join(f"{99 + i},0.{1 + i % 8}\n" for i in range(60)), "not less than 1 % of it"),
    ],
)
def test_a_file_that_has_no_draws_of_it_is_refused(tmp_path: Path, table: str, said: str) -> None:
    assert said in refused(tmp_path, table)


def test_of_listed_values_there_are_chances_and_no_draws(tmp_path: Path) -> None:
    (tmp_path / "earlier.csv").write_text(TABLE)
    told = text_with(
        objective="objective: {fit: {lift: {value: 3.2, error: 0.1}}}",
        parameters="parameters: {h0: {type: choice, values: [67, 68], prior: earlier.csv}}",
        algorithm=None,
    )
    assert sentences(refusal_of(told, tmp_path)) == [
        "expected no `draws` of values that are listed; say `chances`, one for each"
    ]


def test_draws_outside_the_bounds_are_remarked_on_and_too_many_of_them_refused(tmp_path: Path) -> None:
    few = TABLE.replace("h0,unused,om\n", "h0,unused,om\n49,x,0.3\n48,x,0.3\n")
    (said,) = loaded(tmp_path, few).remarks
    assert "2 of 82 draws of `h0` and `om` lie outside the bounds, and are left out: are these meant?" in said
    many = TABLE + "".join(f"{40 + i / 100},x,0.3\n" for i in range(400))
    spec = loaded(tmp_path, many).spec
    with pytest.raises(SpecError, match=r"--bounds h0=50,66\.6: expected at least 50 draws that lie within"):
        with_bounds(spec, {"h0": (50.0, 66.6)})


def test_bounds_may_be_amended_as_long_as_enough_lie_within_and_what_is_fixed_is_known(
    tmp_path: Path,
) -> None:
    spec = loaded(tmp_path).spec
    assert set(build_space(with_bounds(spec, {"h0": (60.0, 70.0)})).priors) == {"h0", "om"}
    assert set(build_space(with_fixed(spec, {"h0": 67.0})).priors) == {"om"}


def test_without_any_a_problem_is_as_ever() -> None:
    assert build_problem(spec_with()).beforehand is None
