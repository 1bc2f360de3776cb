"""scikit-learn's own data sets, split once and standardised. Nothing is downloaded."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from evaluators.errors import EvaluationError

LOADERS: Mapping[str, Callable[..., Any]] = {
    "iris": load_iris,
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
    "digits": load_digits,
}
VALIDATION_SHARE = 0.3
_SPLIT_SEED = 0


@dataclass(frozen=True, eq=False)
class DataSplit:
    """(n, features) standardised by the training part's mean and deviation, and (n,) class labels."""

    training_features: NDArray[np.float64]
    training_labels: NDArray[np.int64]
    validation_features: NDArray[np.float64]
    validation_labels: NDArray[np.int64]


@functools.cache
def data_split(name: str) -> DataSplit:
    """The data set of this name, always split alike, the classes in equal shares.

    Raises EvaluationError (invalid) for another name.
    """
    if name not in LOADERS:
        close = difflib.get_close_matches(str(name), LOADERS, n=1)
        hint = f"; did you mean `{close[0]}`?" if close else ""
        raise EvaluationError(
            "invalid", f"option `dataset`: expected {', '.join(LOADERS)}, got `{name}`{hint}"
        )
    features, labels = LOADERS[name](return_X_y=True)
    training, validation, training_labels, validation_labels = train_test_split(
        features, labels, test_size=VALIDATION_SHARE, stratify=labels, random_state=_SPLIT_SEED
    )
    scaler = StandardScaler().fit(training)
    return DataSplit(
        scaler.transform(training), training_labels, scaler.transform(validation), validation_labels
    )
