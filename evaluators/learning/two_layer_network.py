"""Tuning a network of two hidden layers: the workload of section 6.3 of Lu et al. 2022."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.learning.data_sets import DataSplit, data_split

_NEEDED = ("neurons_1", "neurons_2", "learning_rate", "batch_size")
_ACTIVATIONS = ("relu", "tanh")


@dataclass(frozen=True)
class Setting:
    """What is tuned. The paper's ranges: neurons 2 to 100 a layer, learning rate 1e-6 to 1e-1, batch size
    4 to 64, and always relu."""

    neurons_1: int
    neurons_2: int
    learning_rate: float
    batch_size: int
    activation: str = "relu"


def network(
    parameters: Mapping[str, Any],
    *,
    dataset: Literal["iris", "wine", "breast_cancer", "digits"],
    repeats: int = 3,
    epochs: int = 20,
    context: Context,
) -> dict[str, Any]:
    """Validation accuracy of a trained network, averaged over independent runs.

    The network is trained with Adam on 70 % of the data and judged on the other 30 %. The split is the
    same in every evaluation; the initial weights and the order of the data come from the evaluation's
    seed. MNIST and the Transportation data of the paper are not carried by scikit-learn; `digits` stands
    for them. Its breast cancer data are Wisconsin's (569 tumours, 30 numbers each), where the paper refers to
    UCI's "Breast Cancer", which are others.

    Args:
        parameters: ``neurons_1``, ``neurons_2``, ``learning_rate``, ``batch_size``, and if it is tuned
            ``activation`` (relu or tanh; relu where it is not).
        dataset: iris, wine, breast_cancer or digits.
        repeats: independent runs in one evaluation. The paper has 10. With 3, breast_cancer takes
            0.1 to 0.2 s on one core at batches of 32 and more, and 1 to 1.5 s at batches of 4.
        epochs: passes over the training data, the paper's 20.
        context: of the evaluation; progress is the mean accuracy after each run.

    Returns:
        ``value``: the mean accuracy, 0 to 1. ``variance`` of that mean, estimated from the runs (left out
        for a single one). The extras ``accuracies``, one a run, ``training_accuracy``, their mean on the
        training data, and ``loss``, the mean training loss at the end.

    Raises:
        EvaluationError: (invalid) the parameters or options are not these.
    """
    setting = _setting(parameters)
    _check_count("repeats", repeats)
    _check_count("epochs", epochs)
    data = data_split(dataset)
    seeds = np.random.SeedSequence(context.seed).generate_state(repeats)
    accuracies: list[float] = []
    training: list[float] = []
    losses: list[float] = []
    for step, seed in enumerate(seeds, start=1):
        trained = _train(setting, data, epochs, int(seed))
        accuracies.append(float(trained.score(data.validation_features, data.validation_labels)))
        training.append(float(trained.score(data.training_features, data.training_labels)))
        losses.append(float(trained.loss_))
        context.report(step=step, accuracy=float(np.mean(accuracies)))
    result: dict[str, Any] = {
        "value": float(np.mean(accuracies)),
        "accuracies": accuracies,
        "training_accuracy": float(np.mean(training)),
        "loss": float(np.mean(losses)),
    }
    if repeats > 1:
        result["variance"] = variance_of_mean(np.array(accuracies), len(data.validation_labels))
    return result


def variance_of_mean(accuracies: NDArray[np.float64], validation_rows: int) -> float:
    """The variance of the mean of (r,) accuracies, r > 1.

    A few runs often agree exactly, and a variance of zero would claim a certainty that is not there: an
    accuracy is a multiple of 1 / validation_rows, so that the variance of its rounding is added.
    """
    rounding = 1.0 / (12.0 * validation_rows**2)
    return float((accuracies.var(ddof=1) + rounding) / len(accuracies))


def _train(setting: Setting, data: DataSplit, epochs: int, seed: int) -> Any:
    classifier = MLPClassifier(
        hidden_layer_sizes=(setting.neurons_1, setting.neurons_2),
        activation=setting.activation,
        solver="adam",
        learning_rate_init=setting.learning_rate,
        batch_size=min(setting.batch_size, len(data.training_labels)),
        max_iter=epochs,
        # A fixed number of epochs, as in the paper: no stopping early on the training loss.
        n_iter_no_change=epochs + 1,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return classifier.fit(data.training_features, data.training_labels)


def _setting(parameters: Mapping[str, Any]) -> Setting:
    missing = [name for name in _NEEDED if name not in parameters]
    unknown = [name for name in parameters if name not in (*_NEEDED, "activation")]
    if missing or unknown:
        raise _invalid(
            f"expected the parameters {', '.join(_NEEDED)} and perhaps activation, "
            f"got {', '.join(parameters) or 'none'}"
        )
    counts = {name: _whole(name, parameters[name]) for name in ("neurons_1", "neurons_2", "batch_size")}
    rate = parameters["learning_rate"]
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not (math.isfinite(rate) and rate > 0):
        raise _invalid(f"expected a positive number as learning_rate, got {rate!r}")
    activation = parameters.get("activation", "relu")
    if activation not in _ACTIVATIONS:
        raise _invalid(f"expected relu or tanh as activation, got {activation!r}")
    return Setting(learning_rate=float(rate), activation=activation, **counts)


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 1 or value != int(value):
        raise _invalid(f"expected a whole number of at least 1 as {name}, got {value!r}")
    return int(value)


def _check_count(option: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _invalid(f"expected a whole number of at least 1 as option `{option}`, got {value!r}")


def _invalid(sentence: str) -> EvaluationError:
    return EvaluationError("invalid", f"network: {sentence}")
