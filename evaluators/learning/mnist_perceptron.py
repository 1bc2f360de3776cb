"""A perceptron on handwritten digits: 3 parameters.

Section 6.2 of Tran-The et al. 2021. Two hidden layers of 512 units are trained with Adam for 20 epochs in
batches of 128. The value is the share of validation images classified wrongly: 0 to 1, to be minimised.

| parameter | range | |
|---|---|---|
| ``learning_rate`` | 1e-6 to 1e-1 | on a log scale |
| ``l2_1``, ``l2_2`` | 1e-6 to 1e-1 | of the squared weights of each hidden layer; on a log scale |

Deviations: the paper chooses by the error on the 10,000 test images; here 5,000 of the 60,000 training
images are for choosing, as in the paper's 55,000, and the test error is an extra that nothing is chosen by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from evaluators.context import Context
from evaluators.learning.mnist import ImageFiles, image_split
from evaluators.learning.perceptron import Perceptron
from evaluators.quantities import Quantity, read_quantities, whole_option

QUANTITIES: Mapping[str, Quantity] = {
    "learning_rate": Quantity(1e-12, 10.0),
    "l2_1": Quantity(0.0, 1e3),
    "l2_2": Quantity(0.0, 1e3),
}
_BATCH_SIZE = 128


def mlp(
    parameters: Mapping[str, Any],
    *,
    images: str,
    labels: str,
    test_images: str | None = None,
    test_labels: str | None = None,
    units: int = 512,
    epochs: int = 20,
    context: Context,
) -> dict[str, Any]:
    """One training: `evaluators.learning:mlp`. About 3 s an epoch on 55,000 images and one core.

    Args:
        parameters: ``learning_rate``, ``l2_1`` and ``l2_2``.
        images, labels, test_images, test_labels: paths of MNIST's four files, or others in its format,
            packed or not. Without test files a sixth of the images is held back as the test images.
        units: in each hidden layer.
        epochs: passes over the training images.
        context: of the evaluation: its seed gives the first weights and orders the images; progress is
            ``validation_error`` after each epoch.

    Returns:
        ``value``, the validation error after the last epoch, and the extra ``test_error``.

    Raises:
        EvaluationError: invalid where parameters or options are not these; error for a file that is
            missing or damaged.
    """
    given = read_quantities("mlp", QUANTITIES, parameters)
    whole_option("mlp", "units", units)
    whole_option("mlp", "epochs", epochs)
    data = image_split(ImageFiles(images, labels, test_images, test_labels))
    model = Perceptron(
        widths=[data.training.shape[1], units, units, data.classes],
        penalties=[given["l2_1"], given["l2_2"]],
        learning_rate=given["learning_rate"],
        rng=np.random.default_rng(np.random.SeedSequence(context.seed)),
    )
    error = 1.0
    for epoch in range(1, epochs + 1):
        model.epoch(data.training, data.training_labels, _BATCH_SIZE)
        error = model.error(data.validation, data.validation_labels)
        context.report(step=epoch, validation_error=error)
    return {"value": error, "test_error": model.error(data.test, data.test_labels)}
