"""The sparse Gaussian process: PIC against its definition written out densely, and the protein workload."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evaluation_context import Heard, context, real_data

from evaluators.errors import EvaluationError
from evaluators.learning import pic
from evaluators.learning.median_blocks import MedianBlocks
from evaluators.learning.pic_regression import PicHyperparameters, PicRegression
from evaluators.learning.protein_sparse_gp import quantities

INDUCING = 6


def hyperparameters(rng: np.random.Generator, inducing: int = 7) -> PicHyperparameters:
    return PicHyperparameters(1.7, 0.09, np.array([0.8, 1.5]), rng.normal(size=(inducing, 2)))


def dense_mean(
    kernel: PicHyperparameters,
    known: tuple[np.ndarray, np.ndarray, np.ndarray],
    asked: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Snelson and Ghahramani's Eq. for PIC's mean, with every matrix formed: Q off the blocks, K on them."""
    (X, y, blocks), (X_asked, asked_blocks) = known, asked
    Z = kernel.inducing
    K_zz = kernel.covariance(Z, Z) + 1e-6 * kernel.signal_variance * np.eye(len(Z))

    def mixed(a: np.ndarray, a_blocks: np.ndarray) -> np.ndarray:
        Q = kernel.covariance(a, Z) @ np.linalg.solve(K_zz, kernel.covariance(Z, X))
        return np.where(a_blocks[:, np.newaxis] == blocks, kernel.covariance(a, X), Q)

    noisy = mixed(X, blocks) + kernel.noise_variance * np.eye(len(X))
    return mixed(X_asked, asked_blocks) @ np.linalg.solve(noisy, y)


def test_the_mean_is_that_of_the_dense_definition() -> None:
    rng = np.random.default_rng(0)
    kernel = hyperparameters(rng)
    X, X_asked = rng.normal(size=(60, 2)), rng.normal(size=(25, 2))
    y = np.sin(2 * X[:, 0]) + X[:, 1]
    blocks, asked_blocks = rng.integers(0, 5, 60), rng.integers(0, 6, 25)
    assert 5 in asked_blocks, "a block without training points is asked for as well"

    mean = PicRegression(kernel, X, y, blocks).mean(X_asked, asked_blocks)

    np.testing.assert_allclose(mean, dense_mean(kernel, (X, y, blocks), (X_asked, asked_blocks)), atol=1e-8)


def test_with_one_block_it_is_the_exact_process() -> None:
    rng = np.random.default_rng(1)
    kernel = hyperparameters(rng, inducing=2)
    X, X_asked = rng.normal(size=(40, 2)), rng.normal(size=(10, 2))
    y = rng.normal(size=40)

    mean = PicRegression(kernel, X, y, np.zeros(40, np.intp)).mean(X_asked, np.zeros(10, np.intp))

    noisy = kernel.covariance(X, X) + kernel.noise_variance * np.eye(40)
    np.testing.assert_allclose(mean, kernel.covariance(X_asked, X) @ np.linalg.solve(noisy, y), atol=1e-8)


def test_blocks_are_of_like_size_and_hold_neighbours() -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(1000, 3))
    blocks = MedianBlocks(points, 70)
    numbers = blocks.block_of(points)
    sizes = np.bincount(numbers, minlength=blocks.blocks)

    assert blocks.blocks == 16
    assert sizes.min() >= 60
    assert sizes.max() <= 65
    within = np.mean([points[numbers == block].var(axis=0).sum() for block in range(16)])
    assert within < 0.6 * points.var(axis=0).sum()


def test_points_all_in_one_place_share_a_block() -> None:
    blocks = MedianBlocks(np.ones((50, 2)), 10)

    assert len(set(blocks.block_of(np.ones((5, 2))).tolist())) == 1


@pytest.fixture(scope="module")
def proteins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(3)
    attributes = rng.normal(size=(600, 9)) * 10.0 ** np.arange(-2, 7)
    scaled = attributes / 10.0 ** np.arange(-2, 7)
    target = 8.0 + 3.0 * np.sin(scaled[:, 0]) + 2.0 * scaled[:, 1] + rng.normal(0.0, 0.2, 600)
    path = tmp_path_factory.mktemp("proteins") / "CASP.csv"
    header = '"RMSD",' + ",".join(f'"F{i + 1}"' for i in range(9))
    np.savetxt(path, np.column_stack([target, attributes]), delimiter=",", header=header, comments="")
    return path


def parameters(
    scales: float | list[float], noise: float = 0.02, inducing: int = INDUCING
) -> dict[str, float]:
    places = np.random.default_rng(4).uniform(-2.0, 2.0, 9 * inducing).tolist()
    values = [1.0, noise, *([scales] * 9 if isinstance(scales, float) else scales), *places]
    return dict(zip(quantities(inducing), values, strict=True))


def test_length_scales_that_know_which_attributes_matter_predict_better(proteins: Path) -> None:
    knowing, blind, hopeless = (
        pic(parameters(scales), data=str(proteins), inducing=INDUCING, block_size=100, context=context())
        for scales in ([1.5, 4.0] + [30.0] * 7, 1.5, 0.05)
    )

    assert knowing["value"] == pytest.approx(0.35, abs=0.2)
    assert knowing["value"] < blind["value"] < hopeless["value"]
    assert knowing["test_rmse"] < blind["test_rmse"]
    # With no neighbour within reach only the targets' mean is left.
    assert hopeless["value"] == pytest.approx(2.95, abs=0.5)


def test_folds_are_reported_and_nothing_is_random(proteins: Path) -> None:
    heard: Heard = []
    results = [
        pic(parameters(2.0), data=str(proteins), inducing=INDUCING, context=context(seed, heard))
        for seed in (1, 2)
    ]

    assert results[0] == results[1]
    assert [step for step, _ in heard] == [1, 2, 3, 4, 5] * 2
    assert heard[4][1]["rmse"] == results[0]["value"] == pytest.approx(np.mean(results[0]["fold_rmse"]))


def test_two_hundred_inducing_inputs_make_the_papers_dimension() -> None:
    assert len(quantities(200)) == 1811


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (
            lambda lines: [*lines[:300], lines[300][:40]],
            r"expected 10 columns, line 301, the last, which may have",
        ),
        (lambda lines: [line.rpartition(",")[0] for line in lines], "expected 10 columns, line 2 has 9"),
        (lambda lines: [*lines[:5], "nan" + lines[5][3:], *lines[6:]], "expected numbers, line 6 has 'nan"),
        (lambda lines: lines[1:], "expected names of columns in line 1, got numbers"),
        (lambda lines: lines[:1], "expected lines of 10 numbers, there are none"),
        (lambda lines: lines[:50], "expected hundreds of lines or more, got 49"),
    ],
)
def test_a_wrong_file_is_named_with_the_remedy(
    tmp_path: Path, proteins: Path, damage: Any, sentence: str
) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text("\n".join(damage(proteins.read_text().splitlines())))

    with pytest.raises(
        EvaluationError, match=rf"wrong\.csv: .*{sentence}.*; get CASP.csv again from"
    ) as failed:
        pic(parameters(1.0), data=str(path), inducing=INDUCING, context=context())

    assert failed.value.kind == "error"


def test_parameters_for_another_number_of_inducing_inputs_are_refused(proteins: Path) -> None:
    with pytest.raises(EvaluationError, match=r"without inducing_7_1, inducing_7_2"):
        pic(parameters(1.0), data=str(proteins), inducing=INDUCING + 1, context=context())


def test_on_the_real_proteins_the_error_is_that_of_a_useful_model() -> None:
    data = real_data("CASP.csv")
    result = pic(parameters(1.0, noise=0.1, inducing=200), data=data, context=context())

    assert result["value"] == pytest.approx(4.0, abs=0.2)
    assert result["test_rmse"] == pytest.approx(result["value"], abs=0.2)
