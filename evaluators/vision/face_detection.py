"""Face detection by Viola and Jones: the 22 thresholds of OpenCV's cascade.

Section 5.3 of Kandasamy et al. 2015. An image runs through 22 stages; each adds up the votes of its
classifiers, and the image is no face if a sum stays below the stage's threshold. Low thresholds let nearly
everything pass, high ones nothing. The value is the accuracy on 200 images, 100 of them faces: 0 to 1, and
0.5 for a cascade that nothing passes. OpenCV's own thresholds have 0.965 here.

The parameters ``stage_1`` to ``stage_22`` are the thresholds, sums of votes without a unit. The paper
searches "a neighbourhood" of OpenCV's; the spec takes 5 % to either side, where the median of random points
is 0.5 and thresholds better than OpenCV's exist. There is no noise.

Deviations: the paper's 1000 images of the Viola-Jones set are no longer offered; these are scikit-image's
``lfw_subset``, 25 by 25 pixels, from Labeled Faces in the Wild: faces, and patches of the same photographs'
backgrounds. An image counts as a face if a window of any size within it passes all stages.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluators.errors import EvaluationError
from evaluators.quantities import Quantity, read_quantities
from evaluators.readiness.extras import extra_module
from evaluators.vision.cascade import STAGES, cascade_file, classifier

QUANTITIES: Mapping[str, Quantity] = {f"stage_{i + 1}": Quantity(-1000.0, 1000.0) for i in range(STAGES)}
FACES = 100
"""So many of the images, the first ones, are faces."""
_SCALE_STEP = 1.1


def faces(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """One evaluation: `evaluators.vision:faces`. 0.03 to 0.3 s; loose thresholds take longest.

    Args:
        parameters: ``stage_1`` to ``stage_22``.

    Returns:
        ``value``, the accuracy. The extras ``accuracy_on_faces`` and ``accuracy_on_others`` (0 to 1), and
        ``mistakes``, the numbers of the images judged wrongly: below 100 a face that was missed.

    Raises:
        EvaluationError: invalid where the parameters are not these; error where OpenCV or scikit-image is
            missing or without its data.
    """
    given = read_quantities("faces", QUANTITIES, parameters)
    pictures = images()
    cascade = classifier(list(given.values()), cascade_file())
    found = np.array([len(cascade.detectMultiScale(image, _SCALE_STEP, 0)) > 0 for image in pictures])
    right = found == (np.arange(len(pictures)) < FACES)
    return {
        "value": float(right.mean()),
        "accuracy_on_faces": float(right[:FACES].mean()),
        "accuracy_on_others": float(right[FACES:].mean()),
        "mistakes": np.flatnonzero(~right).tolist(),
    }


@functools.cache
def images() -> NDArray[np.uint8]:
    """(200, 25, 25) grey images, faces first. EvaluationError (error) where scikit-image has none."""
    data = extra_module("skimage.data", extra="vision", needed_by="faces")
    try:
        grey = np.asarray(data.lfw_subset())
    except (OSError, ValueError, ImportError) as error:
        raise EvaluationError(
            "error",
            f"faces: scikit-image cannot give its lfw_subset: {error}; reinstall scikit-image, whose wheels "
            "carry it",
        ) from error
    if grey.shape != (2 * FACES, 25, 25):
        raise EvaluationError(
            "error",
            f"faces: expected 200 images of 25 x 25 as scikit-image's lfw_subset, got {grey.shape}; "
            "install scikit-image 0.22 or newer",
        )
    return np.round(255.0 * grey).astype(np.uint8)
