"""Gradient boosting on skin colours: 5 parameters, with XGBoost.

Section 6.2 and Table 2 of Tran-The et al. 2021. Trees tell skin from the rest by a pixel's blue, green and
red (0 to 255), in the Skin Segmentation data: 15 % of the pixels train, 85 % test. The value is the share of
test pixels classified wrongly: 0 to 1, to be minimised; 0.21 for calling nothing skin.

| parameter | range |
|---|---|
| ``learning_rate`` | 0.1 to 1 |
| ``max_depth`` | 5 to 15, whole |
| ``subsample`` | 0.5 to 1, the share of the pixels that a tree sees |
| ``colsample`` | 0.1 to 1, the share of the three colours that a tree sees, rounded down, at least one |
| ``gamma`` | 0 to 10, the loss that a split must save |

Deviations: the number of trees is not printed in the paper; 100 here, XGBoost's default.

Most of the test pixels are of a colour that is among the training pixels: there a table of colours would do
as well. That is how the data are, and the paper's split.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from evaluators.context import Context
from evaluators.learning.data_files import Source, data_path, read_table
from evaluators.quantities import Quantity, read_quantities, whole_option
from evaluators.readiness.data_forms import SKIN_PIXELS
from evaluators.readiness.extras import extra_module

QUANTITIES: Mapping[str, Quantity] = {
    "learning_rate": Quantity(1e-6, 1.0),
    "max_depth": Quantity(1, 30, whole=True),
    "subsample": Quantity(1e-3, 1.0),
    "colsample": Quantity(1e-3, 1.0),
    "gamma": Quantity(0.0, 1e6),
}
SKIN = Source("Skin_NonSkin.txt", "https://archive.ics.uci.edu/dataset/229/skin+segmentation")
_TRAINING_SHARE = 0.15
_SPLIT_SEED = 0
_REPORT_EVERY = 10


@dataclass(frozen=True, eq=False)
class Pixels:
    """(n, 3) blue, green and red from 0 to 255, and (n,) labels: 1 for skin, 0 for the rest."""

    training: NDArray[np.float64]
    training_labels: NDArray[np.int64]
    test: NDArray[np.float64]
    test_labels: NDArray[np.int64]


def boosting(
    parameters: Mapping[str, Any], *, data: str, trees: int = 100, context: Context
) -> dict[str, Any]:
    """One training: `evaluators.learning:boosting`. About 1 s on one core.

    Args:
        parameters: ``learning_rate``, ``max_depth``, ``subsample``, ``colsample`` and ``gamma``.
        data: the path of Skin_NonSkin.txt.
        trees: rounds of boosting.
        context: of the evaluation: its seed draws each tree's pixels and colours; progress is ``error``
            every tenth tree.

    Returns:
        ``value``, the test error, and the extras ``skin_missed`` and ``false_alarms``: the shares of skin
        and of the rest that were classified wrongly.

    Raises:
        EvaluationError: invalid where parameters or options are not these; error where xgboost or the file
            is missing, or the file damaged.
    """
    given = read_quantities("boosting", QUANTITIES, parameters)
    whole_option("boosting", "trees", trees)
    xgboost = extra_module("xgboost", extra="learning", needed_by="boosting")
    pixels = skin_pixels(data)
    training = xgboost.DMatrix(pixels.training, label=pixels.training_labels, nthread=1)
    test = xgboost.DMatrix(pixels.test, label=pixels.test_labels, nthread=1)
    settings = {
        "objective": "binary:logistic",
        "learning_rate": given["learning_rate"],
        "max_depth": int(given["max_depth"]),
        "subsample": given["subsample"],
        "colsample_bytree": given["colsample"],
        "gamma": given["gamma"],
        "nthread": 1,
        "seed": int(np.random.SeedSequence(context.seed).generate_state(1)[0] >> 1),
    }
    # The test pixels are known to the booster so that it adds up their scores tree by tree.
    booster = xgboost.Booster(settings, [training, test])
    wrong = np.ones(len(pixels.test_labels), dtype=bool)
    for tree in range(trees):
        booster.update(training, tree)
        if (tree + 1) % _REPORT_EVERY == 0 or tree + 1 == trees:
            wrong = (booster.predict(test) > 0.5) != (pixels.test_labels == 1)
            context.report(step=tree + 1, error=float(wrong.mean()))
    skin = pixels.test_labels == 1
    return {
        "value": float(wrong.mean()),
        "skin_missed": float(wrong[skin].mean()),
        "false_alarms": float(wrong[~skin].mean()),
    }


@functools.lru_cache(maxsize=2)
def skin_pixels(path: str) -> Pixels:
    """The file's pixels, always split alike, skin and the rest in equal shares.

    Raises:
        EvaluationError: (error) the file is missing, or its lines are not four whole numbers: three
            colours from 0 to 255 and 1 or 2.
    """
    file = data_path(path, "data", SKIN)
    table = read_table(file, SKIN, SKIN_PIXELS)
    colours, kinds = table[:, :3], table[:, 3]
    if colours.min() < 0 or colours.max() > 255 or not np.isin(kinds, (1, 2)).all():
        row = int(np.argmax((colours < 0).any(1) | (colours > 255).any(1) | ~np.isin(kinds, (1, 2))))
        raise SKIN.unusable(
            file,
            "expected blue, green and red from 0 to 255 and 1 (skin) or 2, "
            f"line {row + 1} has {table[row].tolist()}",
        )
    counts = [int((kinds == kind).sum()) for kind in (1, 2)]
    if min(counts) < 20:
        raise SKIN.unusable(
            file, f"expected pixels of both kinds, got {counts[0]} of skin and {counts[1]} others"
        )
    labels = (kinds == 1).astype(np.int64)
    training, test, training_labels, test_labels = train_test_split(
        colours, labels, train_size=_TRAINING_SHARE, stratify=labels, random_state=_SPLIT_SEED
    )
    return Pixels(training, training_labels, test, test_labels)
