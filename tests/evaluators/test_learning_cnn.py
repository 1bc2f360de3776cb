"""The convolutional network, on files of CIFAR-10's shape made here: each class has its colour."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evaluation_context import Heard, context

from evaluators.errors import EvaluationError
from evaluators.learning import cnn
from evaluators.learning.cifar import read_photographs
from evaluators.readiness.extras import missing_modules

PLAIN = {
    "learning_rate": 0.1,
    "dropout_1": 0.0,
    "dropout_2": 0.0,
    "dropout_3": 0.0,
    "batch_size": 10,
    "epochs": 2,
}

needs_torch = pytest.mark.skipif(bool(missing_modules("networks")), reason="torch is not installed")


def records(rng: np.random.Generator, count: int) -> bytes:
    """Two of the ten classes, one bright in red, the other in blue."""
    labels = rng.integers(0, 2, count)
    images = rng.integers(0, 60, (count, 3, 32, 32))
    images[np.arange(count), 2 * labels] += 180
    return np.hstack([labels[:, np.newaxis], images.reshape(count, -1)]).astype(np.uint8).tobytes()


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cifar")
    rng = np.random.default_rng(0)
    for number in (1, 2):
        (folder / f"data_batch_{number}.bin").write_bytes(records(rng, 100))
    (folder / "test_batch.bin").write_bytes(records(rng, 50))
    return folder


@needs_torch
def test_it_learns_two_colours_and_reports_each_epoch(photographs: Path) -> None:
    heard: Heard = []
    result = cnn(PLAIN, data=str(photographs), context=context(0, heard))

    assert result["value"] <= 0.05
    assert result["test_error"] <= 0.05
    assert [step for step, _ in heard] == [1, 2]
    assert heard[-1][1]["validation_error"] == result["value"]


@needs_torch
def test_a_tiny_learning_rate_or_dropping_everything_learns_nothing(photographs: Path) -> None:
    tiny = cnn({**PLAIN, "learning_rate": 1e-9, "epochs": 1}, data=str(photographs), context=context())
    dropped = cnn({**PLAIN, "dropout_1": 1.0, "epochs": 1}, data=str(photographs), context=context())

    assert tiny["value"] > 0.3
    assert dropped["value"] > 0.3


@needs_torch
def test_a_seed_repeats_and_leaves_torchs_own_randomness_alone(photographs: Path) -> None:
    import torch

    short = {**PLAIN, "learning_rate": 0.01, "dropout_2": 0.4, "epochs": 1}
    torch.manual_seed(5)
    expected = torch.rand(3).tolist()
    torch.manual_seed(5)
    first, again = (cnn(short, data=str(photographs), context=context(1)) for _ in range(2))

    assert first == again
    assert torch.rand(3).tolist() == expected


@needs_torch
def test_weights_that_overflow_are_a_bad_value_and_no_crash(photographs: Path) -> None:
    result = cnn({**PLAIN, "learning_rate": 1e3, "epochs": 1}, data=str(photographs), context=context())

    assert 0.3 < result["value"] <= 1.0


@needs_torch
def test_altered_images_are_shifted_or_flipped_copies() -> None:
    import torch

    from evaluators.learning.cifar_network import _altered

    torch.manual_seed(0)
    across = torch.arange(32.0).expand(6, 3, 32, 32)
    altered = _altered(torch, across)

    assert altered.shape == across.shape
    steps = altered[:, 0, 5, 5:27].diff(dim=1)
    assert set(steps[:, 0].tolist()) == {1.0, -1.0}
    assert all(len(set(row.tolist())) == 1 for row in steps)


def test_a_tenth_of_the_training_images_validates(photographs: Path) -> None:
    parts = read_photographs(str(photographs))

    assert [len(part) for part in (parts.training, parts.validation, parts.test)] == [180, 20, 50]
    assert parts.training.shape == (180, 3, 32, 32)


def test_files_that_are_cut_off_missing_or_of_another_kind_are_named_with_the_remedy(
    tmp_path: Path, photographs: Path
) -> None:
    whole = (photographs / "test_batch.bin").read_bytes()
    cases: list[tuple[dict[str, bytes], str]] = [
        ({}, r"expected a folder with data_batch_1.bin and so on, it has none; get CIFAR-10, binary version"),
        ({"data_batch_1.bin": whole}, r"test_batch\.bin: there is no such file"),
        (
            {"test_batch.bin": whole[:5000]},
            r"test_batch\.bin: expected records of 3073 bytes, 5000 bytes .*cut off",
        ),
        ({"test_batch.bin": b"\xff" * 3073}, r"expected labels from 0 to 9, got 255"),
    ]
    for files, sentence in cases:
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        with pytest.raises(EvaluationError, match=sentence) as failed:
            read_photographs(str(tmp_path))
        assert failed.value.kind == "error"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"dropout_1": 1.1}, "from 0 to 1 as dropout_1, got 1.1"),
        ({"epochs": 0}, "as epochs, got 0"),
        ({"batch_size": 12.5}, "a whole number from 1 to 100000 as batch_size, got 12.5"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    photographs: Path, change: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(EvaluationError, match=sentence):
        cnn({**PLAIN, **change}, data=str(photographs), context=context())


def test_a_missing_torch_is_named_with_the_command_that_supplies_it(
    monkeypatch: pytest.MonkeyPatch, photographs: Path
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(EvaluationError, match=r"cnn needs the library torch.*-m pip install 'torch>="):
        cnn(PLAIN, data=str(photographs), context=context())
