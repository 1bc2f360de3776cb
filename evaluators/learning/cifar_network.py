"""A convolutional network on photographs: 6 parameters, with torch on the CPU.

Section 5.2 of Hoang et al. 2018. Two pairs of 3 x 3 convolutions (32 and 64 channels), each followed by
pooling and dropout, then 512 units, dropout and 10 classes: the layout of the Keras example that the paper
uses, trained by stochastic gradient descent on CIFAR-10 with flipped and shifted images. The value is the
share of validation images classified wrongly: 0 to 1, to be minimised; 0.9 is what guessing gives.

| parameter | range | |
|---|---|---|
| ``learning_rate`` | 1e-5 to 1 | log scale |
| ``dropout_1``, ``_2``, ``_3`` | 0 to 1 | after each pair and the 512 units; 1 lets nothing through |
| ``batch_size`` | 100 to 1000 | whole |
| ``epochs`` | 100 to 1000 | whole |

With CIFAR-10 an epoch takes about a minute and a half on one core, so that an evaluation takes hours:
`evaluation.stop_when` on ``validation_error`` saves most of them.

Deviations: that example's optimiser is replaced, as in the paper, and its weight decay of the learning rate
left out; 5,000 of the 50,000 training images validate, and the test error is an extra that nothing is
chosen by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from evaluators.context import Context
from evaluators.learning.cifar import CLASSES, Photographs, read_photographs
from evaluators.quantities import Quantity, read_quantities, whole_option
from evaluators.readiness.extras import extra_module

QUANTITIES: Mapping[str, Quantity] = {
    "learning_rate": Quantity(1e-12, 1e3),
    "dropout_1": Quantity(0.0, 1.0),
    "dropout_2": Quantity(0.0, 1.0),
    "dropout_3": Quantity(0.0, 1.0),
    "batch_size": Quantity(1, 100_000, whole=True),
    "epochs": Quantity(1, 100_000, whole=True),
}
_SHIFT = 3
"""Pixels that images are shifted by at most, a tenth of their side, while training."""
_JUDGED_AT_ONCE = 500


def cnn(parameters: Mapping[str, Any], *, data: str, threads: int = 1, context: Context) -> dict[str, Any]:
    """One training: `evaluators.learning:cnn`.

    Args:
        parameters: of `QUANTITIES`.
        data: the folder with CIFAR-10's binary version, or data of the same shape.
        threads: that torch may use; results may differ in the last digits between numbers of threads.
        context: of the evaluation: its seed gives the first weights, orders and alters the images and
            drops units; progress is ``validation_error`` after each epoch.

    Returns:
        ``value``, the validation error after the last epoch, and the extra ``test_error``.

    Raises:
        EvaluationError: invalid where parameters or options are not these; error where torch or a file is
            missing, or a file damaged.
    """
    given = read_quantities("cnn", QUANTITIES, parameters)
    whole_option("cnn", "threads", threads)
    torch = extra_module("torch", extra="networks", needed_by="cnn")
    photographs = read_photographs(data)
    seed = int(np.random.SeedSequence(context.seed).generate_state(1, np.uint64)[0] >> 1)
    threads_before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        # Dropout draws from torch's global generator: seeded inside a fork, it is as if it were our own.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return _train(torch, given, photographs, context)
    finally:
        torch.set_num_threads(threads_before)


def _train(
    torch: Any, given: Mapping[str, float], photographs: Photographs, context: Context
) -> dict[str, Any]:
    network = _network(torch, [given[f"dropout_{i}"] for i in (1, 2, 3)])
    optimiser = torch.optim.SGD(network.parameters(), lr=given["learning_rate"])
    images = torch.from_numpy(photographs.training)
    labels = torch.from_numpy(photographs.training_labels)
    batch_size = int(given["batch_size"])
    error = 1.0
    for epoch in range(1, int(given["epochs"]) + 1):
        network.train()
        for batch in torch.randperm(len(images)).split(batch_size):
            optimiser.zero_grad()
            scores = network(_altered(torch, images[batch].float() / 255.0))
            torch.nn.functional.cross_entropy(scores, labels[batch]).backward()
            optimiser.step()
        error = _error(torch, network, photographs.validation, photographs.validation_labels)
        context.report(step=epoch, validation_error=error)
    test_error = _error(torch, network, photographs.test, photographs.test_labels)
    return {"value": error, "test_error": test_error}


def _network(torch: Any, dropouts: list[float]) -> Any:
    nn = torch.nn
    layers: list[Any] = []
    channels = 3
    for wider, dropout in zip((32, 64), dropouts, strict=False):
        layers += [nn.Conv2d(channels, wider, 3, padding=1), nn.ReLU(), nn.Conv2d(wider, wider, 3), nn.ReLU()]
        layers += [nn.MaxPool2d(2), nn.Dropout(dropout)]
        channels = wider
    layers += [
        nn.Flatten(),
        nn.Linear(64 * 6 * 6, 512),
        nn.ReLU(),
        nn.Dropout(dropouts[2]),
        nn.Linear(512, CLASSES),
    ]
    return nn.Sequential(*layers)


def _altered(torch: Any, images: Any) -> Any:
    """Each of (n, 3, 32, 32) images shifted at random, and every second flipped on average."""
    count, _, height, width = images.shape
    padded = torch.nn.functional.pad(images, (_SHIFT,) * 4, mode="replicate")
    down, across = torch.randint(0, 2 * _SHIFT + 1, (2, count, 1))
    rows = down + torch.arange(height)
    columns = across + torch.arange(width)
    columns = torch.where(torch.rand(count, 1) < 0.5, columns.flip(1), columns)
    picked = padded[torch.arange(count)[:, None, None], :, rows[:, :, None], columns[:, None, :]]
    return picked.permute(0, 3, 1, 2)


def _error(torch: Any, network: Any, images: Any, labels: Any) -> float:
    """The share classified wrongly; scores that are not finite count as wrong wherever class 0 is not it."""
    network.eval()
    wrong = 0
    with torch.no_grad():
        for start in range(0, len(images), _JUDGED_AT_ONCE):
            part = slice(start, start + _JUDGED_AT_ONCE)
            scores = network(torch.from_numpy(images[part]).float() / 255.0).nan_to_num()
            wrong += int((scores.argmax(dim=1).numpy() != labels[part]).sum())
    return wrong / len(images)
