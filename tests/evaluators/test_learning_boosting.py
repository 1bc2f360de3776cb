"""Boosting on skin colours, with colours made here: skin is where red exceeds blue by enough."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evaluation_context import Heard, context, real_data

from evaluators.errors import EvaluationError
from evaluators.learning import boosting
from evaluators.learning.skin_boosting import skin_pixels
from evaluators.readiness.extras import missing_modules

GOOD = {"learning_rate": 0.3, "max_depth": 8, "subsample": 0.9, "colsample": 1.0, "gamma": 0.0}
BAD = {"learning_rate": 0.1, "max_depth": 5, "subsample": 0.5, "colsample": 0.1, "gamma": 10.0}

needs_xgboost = pytest.mark.skipif(bool(missing_modules("learning")), reason="xgboost is not installed")


@pytest.fixture(scope="module")
def skin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    colours = rng.integers(0, 256, (4000, 3))
    kinds = np.where(colours[:, 2] > colours[:, 0] + 60, 1, 2)
    path = tmp_path_factory.mktemp("skin") / "Skin_NonSkin.txt"
    np.savetxt(path, np.column_stack([colours, kinds]), fmt="%d", delimiter="\t")
    return path


@needs_xgboost
def test_deep_trees_find_the_boundary_and_starved_ones_do_not(skin: Path) -> None:
    good, bad = (boosting(p, data=str(skin), context=context()) for p in (GOOD, BAD))

    assert good["value"] == pytest.approx(0.04, abs=0.025)
    assert bad["value"] > 1.5 * good["value"]
    assert good["skin_missed"] > 0.0 < good["false_alarms"]


@needs_xgboost
def test_every_tenth_tree_is_reported_and_a_seed_repeats(skin: Path) -> None:
    heard: Heard = []
    results = [
        boosting({**GOOD, "subsample": 0.5}, data=str(skin), trees=25, context=context(seed, heard))
        for seed in (1, 1, 2)
    ]

    assert results[0] == results[1] != results[2]
    assert [step for step, _ in heard[:3]] == [10, 20, 25]
    assert heard[2][1]["error"] == results[0]["value"]


def test_fifteen_per_cent_train_and_both_parts_have_the_same_share_of_skin(skin: Path) -> None:
    pixels = skin_pixels(str(skin))

    assert len(pixels.training) == 600
    assert len(pixels.test) == 3400
    assert pixels.training_labels.mean() == pytest.approx(pixels.test_labels.mean(), abs=1e-2)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "74\t85\t123\t1\n73\t84\t122\n",
            r"expected 4 columns, line 2, the last, which may have been cut off has 3",
        ),
        (
            "74\t85\t123\t1\n1\t2\t3\t4\t5\n7\t8\t9\t1\n",
            r"expected 4 columns, line 2 has 5: '1\\t2\\t3\\t4\\t5'",
        ),
        ("B\tG\tR\ty\n74\t85\t123\t1\n", r"expected numbers, line 1 has 'B'"),
        ("74\t85\t300\t1\n", r"0 to 255 and 1 \(skin\) or 2, line 1 has"),
        ("74\t85\t123\t3\n", r"line 1 has \[74\.0, 85\.0, 123\.0, 3\.0\]"),
        ("74\t85\t123\t1\n" * 50, "expected pixels of both kinds, got 50 of skin and 0 others"),
        ("\n \n", "expected lines of 4 numbers, there are none"),
    ],
)
def test_a_wrong_file_is_named_with_the_remedy(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "skin.txt"
    path.write_text(text)

    with pytest.raises(
        EvaluationError, match=rf"skin\.txt: .*{sentence}.*; get Skin_NonSkin.txt again from"
    ) as failed:
        skin_pixels(str(path))

    assert failed.value.kind == "error"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"max_depth": 5.5}, "a whole number from 1 to 30 as max_depth, got 5.5"),
        ({"subsample": 0.0}, "as subsample, got 0.0"),
        ({"gamma": -1.0}, "as gamma, got -1.0"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(skin: Path, change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(EvaluationError, match=sentence):
        boosting({**GOOD, **change}, data=str(skin), context=context())


def test_a_missing_xgboost_is_named_with_the_command_that_supplies_it(
    monkeypatch: pytest.MonkeyPatch, skin: Path
) -> None:
    monkeypatch.setitem(sys.modules, "xgboost", None)

    with pytest.raises(
        EvaluationError, match=r"boosting needs the library xgboost.*pip install 'xgboost-cpu>="
    ):
        boosting(GOOD, data=str(skin), context=context())


@needs_xgboost
def test_on_the_real_pixels_errors_are_about_one_in_a_thousand() -> None:
    data = real_data("Skin_NonSkin.txt")
    good, bad = (boosting(p, data=data, context=context()) for p in (GOOD, BAD))

    assert good["value"] == pytest.approx(0.0012, abs=0.0006)
    assert bad["value"] > 0.01
