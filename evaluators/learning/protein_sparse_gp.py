"""A sparse Gaussian process for protein structures: 1811 parameters with 200 inducing inputs.

Section 5.2 of Hoang et al. 2018. Nine physicochemical attributes of 45,730 decoys predict a distance in
ångström with the PIC approximation. The value is the root mean square error in 5-fold validation on 95 % of
the data, in ångström, to be minimised; the error on the other 5 %, trained on all of the 95 %, is an extra
that nothing is chosen by. The targets' deviation, the error of predicting their mean, is 6.1.

| parameters | range | |
|---|---|---|
| ``signal_variance`` | 0.1 to 10 | of the standardised target; log scale |
| ``noise_variance`` | 0.01 to 1 | likewise |
| ``length_scale_1`` to ``_9`` | 0.1 to 10 | in deviations of the attribute; log scale |
| ``inducing_1_1`` to ``inducing_200_9`` | -2 to 2 | in deviations of the attribute from its mean |

Attributes and target are standardised by the training part. There is no noise: splits are fixed.

Deviations: the paper prints no ranges and does not say how it forms PIC's blocks; here they hold at most
about 200 neighbours each, see `evaluators.learning.median_blocks`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError

from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.learning.data_files import Source, data_path, read_table
from evaluators.learning.median_blocks import MedianBlocks
from evaluators.learning.pic_regression import FloatArray, PicHyperparameters, PicRegression
from evaluators.quantities import Quantity, read_quantities, whole_option
from evaluators.readiness.data_forms import PROTEINS

ATTRIBUTES = 9
PROTEIN = Source(
    "CASP.csv",
    "https://archive.ics.uci.edu/dataset/265/physicochemical+properties+of+protein+tertiary+structure",
)
_TEST_SHARE = 0.05
_FOLDS = 5
_SPLIT_SEED = 0


def quantities(inducing: int) -> dict[str, Quantity]:
    """The parameters with so many inducing inputs, 11 + 9 of each; 1811 with 200."""
    positive = Quantity(1e-6, 1e6)
    names = ["signal_variance", "noise_variance", *(f"length_scale_{k + 1}" for k in range(ATTRIBUTES))]
    places = [f"inducing_{i + 1}_{k + 1}" for i in range(inducing) for k in range(ATTRIBUTES)]
    return dict.fromkeys(names, positive) | dict.fromkeys(places, Quantity(-100.0, 100.0))


@dataclass(frozen=True, eq=False)
class Proteins:
    """(n, 9) attributes and (n,) targets, raw; the test part is apart, folds number the training part."""

    training: FloatArray
    targets: FloatArray
    folds: NDArray[np.intp]
    test: FloatArray
    test_targets: FloatArray


def pic(
    parameters: Mapping[str, Any],
    *,
    data: str,
    inducing: int = 200,
    block_size: int = 200,
    context: Context,
) -> dict[str, Any]:
    """One evaluation: `evaluators.learning:pic`. 4 to 10 s on one core with the whole file.

    Args:
        parameters: of `quantities`.
        data: the path of CASP.csv.
        inducing: how many inducing inputs.
        block_size: about the most points in a block of neighbours.
        context: of the evaluation; progress is ``rmse``, the mean over the folds so far.

    Returns:
        ``value``, the mean of the folds' errors (ångström). The extras ``fold_rmse``, one a fold, and
        ``test_rmse``.

    Raises:
        EvaluationError: invalid where parameters or options are not these, or numerically impossible;
            error for a file that is missing or damaged.
    """
    whole_option("pic", "inducing", inducing)
    whole_option("pic", "block_size", block_size)
    given = list(read_quantities("pic", quantities(inducing), parameters).values())
    hyperparameters = PicHyperparameters(
        signal_variance=given[0],
        noise_variance=given[1],
        length_scales=np.array(given[2 : 2 + ATTRIBUTES]),
        inducing=np.array(given[2 + ATTRIBUTES :]).reshape(inducing, ATTRIBUTES),
    )
    proteins = read_proteins(data)
    errors: list[float] = []
    for fold in range(_FOLDS):
        held = proteins.folds == fold
        errors.append(
            _error(
                hyperparameters,
                (proteins.training[~held], proteins.targets[~held]),
                (proteins.training[held], proteins.targets[held]),
                block_size,
            )
        )
        context.report(step=fold + 1, rmse=float(np.mean(errors)))
    test_error = _error(
        hyperparameters,
        (proteins.training, proteins.targets),
        (proteins.test, proteins.test_targets),
        block_size,
    )
    return {"value": float(np.mean(errors)), "fold_rmse": errors, "test_rmse": test_error}


def _error(
    hyperparameters: PicHyperparameters,
    known: tuple[FloatArray, FloatArray],
    asked: tuple[FloatArray, FloatArray],
    block_size: int,
) -> float:
    """The root mean square error at the asked inputs, in the targets' unit."""
    centre, spread = known[0].mean(axis=0), known[0].std(axis=0)
    spread = np.where(spread > 0.0, spread, 1.0)
    mean, deviation = float(known[1].mean()), float(known[1].std()) or 1.0
    X, X_asked = ((part - centre) / spread for part in (known[0], asked[0]))
    blocks = MedianBlocks(X, block_size)
    try:
        model = PicRegression(hyperparameters, X, (known[1] - mean) / deviation, blocks.block_of(X))
        predicted = mean + deviation * model.mean(X_asked, blocks.block_of(X_asked))
    except LinAlgError as error:
        raise EvaluationError(
            "invalid",
            f"pic: a covariance matrix has no Cholesky factor ({error}); noise_variance is too small",
        ) from None
    return float(np.sqrt(np.mean(np.square(predicted - asked[1]))))


@functools.lru_cache(maxsize=2)
def read_proteins(path: str) -> Proteins:
    """The file read and split, always alike. Raises `EvaluationError` (error) for a wrong file."""
    file = data_path(path, "data", PROTEIN)
    table = read_table(file, PROTEIN, PROTEINS)
    if len(table) < 100:
        raise PROTEIN.unusable(file, f"expected hundreds of lines or more, got {len(table)}")
    order = np.random.default_rng(_SPLIT_SEED).permutation(len(table))
    test, training = np.split(order, [round(_TEST_SHARE * len(table))])
    return Proteins(
        training=table[training, 1:],
        targets=table[training, 0],
        folds=np.arange(len(training)) % _FOLDS,
        test=table[test, 1:],
        test_targets=table[test, 0],
    )
