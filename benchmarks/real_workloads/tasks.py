"""The workloads that are measured: the papers' specs, with what is changed of them and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from benchmarks.project import PROJECT
from evaluators.readiness.catalogue import workload_of

MADE_UP = "made-up-photographs"
_TRAINED, _TESTED = 300, 100


@dataclass(frozen=True)
class Task:
    """A workload as it is measured: a paper's spec, with what is changed of its options and parameters.

    ``note`` says in the table what was changed. The data of a ``made_up`` one are `make_photographs`'s.
    """

    name: str
    spec: str
    options: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    note: str = ""
    made_up: bool = False


TASKS = (
    Task("push3", "push3"),
    Task("push4", "push4"),
    Task("push4 (MuJoCo)", "push4", {"engine": "mujoco"}),
    Task("rover", "rover"),
    Task("network-wine", "network-wine", {"repeats": 3}, note="3 repeats"),
    Task("network-breast-cancer", "network-breast-cancer", {"repeats": 3}, note="3 repeats"),
    Task("faces", "faces"),
    Task("cosmo", "cosmo"),
    Task("cosmo20", "cosmo20"),
    Task("wlan", "wlan"),
    Task("xgboost", "xgboost"),
    Task("elastic-net", "elastic-net"),
    Task("mlp", "mlp"),
    Task("pic", "pic"),
    Task(
        "cnn",
        "cnn",
        parameters={
            "batch_size": {"type": "int", "bounds": [10, 100]},
            "epochs": {"type": "int", "bounds": [1, 6]},
        },
        note=f"{_TRAINED} made-up images, at most 6 epochs",
        made_up=True,
    ),
)


def spec_of(task: Task, data: Path) -> dict[str, Any]:
    """The paper's spec, its data files looked for in ``data``.

    MNIST's test images stand for all of it where the training images are not there: a sixth tests.
    """
    path = PROJECT / "configs" / "papers" / f"{task.spec}.yaml"
    spec: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    options = spec["evaluation"].setdefault("options", {})
    options |= task.options
    spec["parameters"] |= task.parameters
    workload = workload_of(spec["evaluation"]["evaluator"])
    assert workload is not None
    for file in workload.data:
        name = MADE_UP if task.made_up else Path(file.usual).name
        options[file.option] = str((data / name).resolve())
    if "test_images" in options and not Path(options["images"]).exists():
        options["images"], options["labels"] = options.pop("test_images"), options.pop("test_labels")
    return spec


def note_of(task: Task, spec: dict[str, Any]) -> str:
    """What the table says in brackets: what was changed of the paper's, and which data stood in."""
    options = spec["evaluation"]["options"]
    if "images" in options and "test_images" not in options:
        return "MNIST's test file alone: 7,500 images train, 833 validate"
    return task.note


def missing(spec: dict[str, Any]) -> list[str]:
    """What this machine lacks for a spec."""
    workload = workload_of(spec["evaluation"]["evaluator"])
    return [lack.what for lack in workload.lacking(spec["evaluation"]["options"])] if workload else []


def make_photographs(folder: Path) -> None:
    """Images of CIFAR-10's shape and form: three of the ten classes, each bright in its colour."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    for name, count in (("data_batch_1.bin", _TRAINED), ("test_batch.bin", _TESTED)):
        labels = rng.integers(0, 3, count)
        images = rng.integers(0, 100, (count, 3, 32, 32))
        images[np.arange(count), labels] += 150
        rows = np.hstack([labels[:, np.newaxis], images.reshape(count, -1)])
        (folder / name).write_bytes(rows.astype(np.uint8).tobytes())
