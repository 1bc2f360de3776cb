"""CIFAR-10 in its binary version, from a folder: records of a label and 3 x 32 x 32 bytes.

The Python version of the same data is pickled, and unpickling runs whatever a file says.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluators.learning.data_files import Source, data_path, read_bytes
from evaluators.readiness.data_forms import PHOTOGRAPHS, Damaged

CIFAR = Source(
    "CIFAR-10, binary version (cifar-10-binary.tar.gz, unpacked),",
    "https://www.cs.toronto.edu/~kriz/cifar.html",
)
CLASSES = 10
SIDE = 32
_VALIDATION_SHARE = 0.1
_SPLIT_SEED = 0


@dataclass(frozen=True, eq=False)
class Photographs:
    """(n, 3, 32, 32) bytes and (n,) labels from 0 to 9, for training, validation and test."""

    training: NDArray[np.uint8]
    training_labels: NDArray[np.int64]
    validation: NDArray[np.uint8]
    validation_labels: NDArray[np.int64]
    test: NDArray[np.uint8]
    test_labels: NDArray[np.int64]


@functools.lru_cache(maxsize=1)
def read_photographs(folder: str) -> Photographs:
    """The folder's data_batch_*.bin and test_batch.bin; a tenth of the former, 5,000 of 50,000, validates.

    Raises:
        EvaluationError: (error) the folder or a file is missing, cut off, or has labels above 9.
    """
    found = data_path(folder, "data", CIFAR)
    try:
        parts = [_batch(path) for path in PHOTOGRAPHS.batches(found)]
    except Damaged as damaged:
        raise CIFAR.unusable(found, str(damaged)) from None
    images = np.concatenate([part[0] for part in parts])
    labels = np.concatenate([part[1] for part in parts])
    test, test_labels = _batch(data_path(str(found / PHOTOGRAPHS.test_batch), "data", CIFAR))
    order = np.random.default_rng(_SPLIT_SEED).permutation(len(images))
    validation, training = np.split(order, [round(_VALIDATION_SHARE * len(images))])
    return Photographs(
        images[training], labels[training], images[validation], labels[validation], test, test_labels
    )


def _batch(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    data = read_bytes(path, CIFAR)
    try:
        PHOTOGRAPHS.check_size(len(data))
    except Damaged as damaged:
        raise CIFAR.unusable(path, str(damaged)) from None
    records = np.frombuffer(bytearray(data), np.uint8).reshape(-1, PHOTOGRAPHS.record)
    labels = records[:, 0].astype(np.int64)
    if labels.max() >= CLASSES:
        raise CIFAR.unusable(path, f"expected labels from 0 to 9, got {labels.max()}")
    return records[:, 1:].reshape(-1, 3, SIDE, SIDE), labels
