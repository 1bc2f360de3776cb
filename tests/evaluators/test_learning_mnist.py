"""Elastic net and perceptron on digit files: they learn, repeat, report, and name files that are wrong."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from digit_files import idx_bytes, write_digits
from evaluation_context import Heard, context, real_data
from numpy.typing import NDArray
from scipy.special import logsumexp

from evaluators.errors import EvaluationError
from evaluators.learning import elastic_net, mlp
from evaluators.learning.mnist import ImageFiles, image_split
from evaluators.learning.perceptron import Matrix, Perceptron

LIGHT = {"l1_ratio": 0.15, "alpha": 1e-3}
HEAVY = {"l1_ratio": 0.9, "alpha": 1.0}
GOOD = {"learning_rate": 3e-3, "l2_1": 1e-5, "l2_2": 1e-5}
BAD = {"learning_rate": 1e-6, "l2_1": 0.1, "l2_2": 0.1}


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return write_digits(tmp_path_factory.mktemp("digits"))


def test_a_light_penalty_learns_the_digits_and_a_heavy_one_switches_weights_off(
    digits: dict[str, str],
) -> None:
    light, heavy = (elastic_net(p, **digits, context=context()) for p in (LIGHT, HEAVY))

    assert light["value"] == pytest.approx(0.09, abs=0.05)
    assert light["test_error"] < 0.2
    assert heavy["value"] > 0.5
    assert heavy["weights_used"] < 0.2 < light["weights_used"]


def test_a_good_learning_rate_beats_a_tiny_one(digits: dict[str, str]) -> None:
    good, bad = (mlp(p, **digits, units=64, epochs=10, context=context()) for p in (GOOD, BAD))

    assert good["value"] == pytest.approx(0.02, abs=0.03)
    assert good["test_error"] < 0.12
    assert bad["value"] > 0.5


@pytest.mark.parametrize(
    ("train", "parameters"),
    [
        (lambda *a, **k: elastic_net(*a, **k, epochs=3), LIGHT),
        (lambda *a, **k: mlp(*a, **k, units=16, epochs=3), GOOD),
    ],
    ids=["elastic net", "perceptron"],
)
def test_epochs_are_reported_and_a_seed_repeats(
    digits: dict[str, str], train: Callable[..., dict[str, Any]], parameters: dict[str, float]
) -> None:
    heard: Heard = []
    results = [train(parameters, **digits, context=context(seed, heard)) for seed in (1, 1, 2)]

    assert results[0] == results[1] != results[2]
    assert [step for step, _ in heard] == [1, 2, 3] * 3
    assert heard[2][1]["validation_error"] == results[0]["value"]


def test_weights_that_overflow_are_a_bad_value_and_no_crash(digits: dict[str, str]) -> None:
    result = mlp(
        {"learning_rate": 10.0, "l2_1": 100.0, "l2_2": 0.0}, **digits, units=8, epochs=2, context=context()
    )

    assert result["value"] > 0.7


def loss(model: Perceptron, features: Matrix, labels: NDArray[np.int64]) -> float:
    """The mean cross-entropy plus the penalties."""
    scores = list(model._forward(features))[-1]
    entropy = logsumexp(scores, axis=1) - scores[np.arange(len(labels)), labels]
    penalties = zip(model.penalties, model._weights[::2], strict=False)
    return float(entropy.mean() + sum(penalty * np.square(w).sum() for penalty, w in penalties))


def test_the_perceptrons_gradients_are_those_of_its_loss() -> None:
    rng = np.random.default_rng(0)
    model = Perceptron([5, 7, 6, 3], [0.3, 0.05], 1e-3, rng)
    model._weights = [w.astype(np.float64) for w in model._weights]
    features, labels = rng.normal(size=(11, 5)), rng.integers(0, 3, 11)
    gradients = model.gradients(features, labels)

    for weights, gradient in zip(model._weights, gradients, strict=True):
        for place in [(0, 0), (weights.shape[0] - 1, weights.shape[1] - 1)]:
            before = weights[place]
            losses = []
            for step in (1e-5, -1e-5):
                weights[place] = before + step
                losses.append(loss(model, features, labels))
            weights[place] = before
            assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=1e-4, abs=1e-7)


def test_without_test_files_a_sixth_of_the_images_is_held_back(digits: dict[str, str]) -> None:
    alone = image_split(ImageFiles(digits["images"], digits["labels"]))
    both = image_split(ImageFiles(**digits))

    assert [len(part) for part in (alone.training, alone.validation, alone.test)] == [1125, 125, 250]
    assert [len(part) for part in (both.training, both.validation, both.test)] == [1375, 125, 297]
    assert both.classes == 10
    assert both.training.max() == 1.0


def cut_off(folder: Path, files: dict[str, str]) -> dict[str, str]:
    (folder / "cut").write_bytes(Path(files["images"]).read_bytes()[:5000])
    return {"images": str(folder / "cut")}


def packed_and_cut(folder: Path, files: dict[str, str]) -> dict[str, str]:
    (folder / "cut.gz").write_bytes(gzip.compress(Path(files["images"]).read_bytes())[:3000])
    return {"images": str(folder / "cut.gz")}


def too_few_labels(folder: Path, files: dict[str, str]) -> dict[str, str]:
    (folder / "few").write_bytes(idx_bytes(np.arange(7)))
    return {"labels": str(folder / "few")}


def a_web_page(folder: Path, files: dict[str, str]) -> dict[str, str]:
    (folder / "page").write_text("<html>404</html>")
    return {"images": str(folder / "page")}


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (cut_off, r"/cut: expected 96016 bytes for \(1500, 8, 8\), got 5000: it is cut off; get MNIST again"),
        (packed_and_cut, r"cut\.gz: the packed data are damaged or cut off .*; get MNIST again from"),
        (too_few_labels, r"few: expected 1500 labels, one for each image in .*, got 7"),
        (a_web_page, r"page: expected an IDX file, it begins with b'<htm'"),
        (lambda _, files: {"images": files["labels"]}, "are images and labels exchanged"),
        (
            lambda *_: {"images": "data/none"},
            r"data/none: there is no such file .*give its path as option `images`",
        ),
    ],
)
def test_a_wrong_file_is_named_with_the_remedy(
    tmp_path: Path, digits: dict[str, str], damage: Callable[..., dict[str, str]], sentence: str
) -> None:
    with pytest.raises(EvaluationError, match=sentence) as failed:
        elastic_net(LIGHT, **(digits | damage(tmp_path, digits)), context=context())

    assert failed.value.kind == "error"


@pytest.mark.parametrize(
    ("parameters", "options", "sentence"),
    [
        ({"l1_ratio": 1.5, "alpha": 0.1}, {}, "from 0 to 1 as l1_ratio, got 1.5"),
        ({"l1_ratio": 0.5, "alpha": 0.0}, {}, "as alpha, got 0.0"),
        (LIGHT, {"epochs": 0}, "at least 1 as option `epochs`, got 0"),
        (LIGHT, {"test_images": None}, "both options `test_images` and `test_labels`"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    digits: dict[str, str], parameters: dict[str, Any], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(EvaluationError, match=sentence) as refused:
        elastic_net(parameters, **(digits | options), context=context())

    assert refused.value.kind == "invalid"


def test_on_mnists_own_test_images_both_learn() -> None:
    files = {
        "images": real_data("t10k-images-idx3-ubyte.gz"),
        "labels": real_data("t10k-labels-idx1-ubyte.gz"),
    }
    net = elastic_net(LIGHT, **files, context=context())
    perceptron = mlp({**GOOD, "learning_rate": 1e-3}, **files, epochs=2, context=context())

    assert 0.05 < net["test_error"] < 0.18
    assert 0.02 < perceptron["test_error"] < 0.09
