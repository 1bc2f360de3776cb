"""MNIST, or anything in its format, from files, split into training, validation and test images."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluators.errors import EvaluationError
from evaluators.learning.data_files import Source, data_path
from evaluators.learning.idx_files import read_idx
from evaluators.readiness.data_forms import IMAGES, LABELS

MNIST = Source("MNIST", "a mirror of https://yann.lecun.com/exdb/mnist")
_VALIDATION_SHARE = 1.0 / 12.0
_TEST_SHARE = 1.0 / 6.0
_SPLIT_SEED = 0
_FEWEST_IMAGES = 24


@dataclass(frozen=True)
class ImageFiles:
    """Paths as a spec gives them. Without test files, a sixth of the images become the test images."""

    images: str
    labels: str
    test_images: str | None = None
    test_labels: str | None = None


@dataclass(frozen=True, eq=False)
class ImageSplit:
    """(n, pixels) brightness from 0 to 1 as float32, and (n,) labels from 0 to classes - 1."""

    training: NDArray[np.float32]
    training_labels: NDArray[np.int64]
    validation: NDArray[np.float32]
    validation_labels: NDArray[np.int64]
    test: NDArray[np.float32]
    test_labels: NDArray[np.int64]
    classes: int


@functools.lru_cache(maxsize=2)
def image_split(files: ImageFiles) -> ImageSplit:
    """The files read and split, always alike: a twelfth of the training images, 5,000 of 60,000, validates.

    Raises:
        EvaluationError: (error) a file is missing, damaged or of another kind, or the files do not agree;
            (invalid) only one of the two test files is given.
    """
    images, labels = _pair(files.images, files.labels, ("images", "labels"))
    order = np.random.default_rng(_SPLIT_SEED).permutation(len(images))
    if (files.test_images is None) != (files.test_labels is None):
        raise EvaluationError(
            "invalid", "expected both options `test_images` and `test_labels`, or neither, got one of them"
        )
    if files.test_images is not None and files.test_labels is not None:
        test, test_labels = _pair(files.test_images, files.test_labels, ("test_images", "test_labels"))
        if test.shape[1] != images.shape[1]:
            raise MNIST.unusable(
                data_path(files.test_images, "test_images", MNIST),
                f"expected images of {images.shape[1]} pixels like {files.images}, got {test.shape[1]}",
            )
    else:
        held, order = np.split(order, [round(_TEST_SHARE * len(order))])
        test, test_labels = images[held], labels[held]
    validating = round(_VALIDATION_SHARE * len(images))
    validation, training = np.split(order, [validating])
    return ImageSplit(
        training=images[training],
        training_labels=labels[training],
        validation=images[validation],
        validation_labels=labels[validation],
        test=test,
        test_labels=test_labels,
        classes=int(labels.max()) + 1,
    )


def _pair(
    images_path: str, labels_path: str, options: tuple[str, str]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    images_file = data_path(images_path, options[0], MNIST)
    labels_file = data_path(labels_path, options[1], MNIST)
    images = read_idx(images_file, MNIST, IMAGES)
    labels = read_idx(labels_file, MNIST, LABELS)
    if len(images) != len(labels):
        raise MNIST.unusable(
            labels_file,
            f"expected {len(images)} labels, one for each image in {images_file}, got {len(labels)}",
        )
    if len(images) < _FEWEST_IMAGES or labels.max() == labels.min():
        raise MNIST.unusable(
            images_file,
            f"expected at least {_FEWEST_IMAGES} images of two classes or more, got {len(images)} images of "
            f"{len(np.unique(labels))}",
        )
    return images.reshape(len(images), -1).astype(np.float32) / np.float32(255.0), labels.astype(np.int64)
