"""The workloads that come with the project, and what each needs: for `orchestrator doctor`.

A data set's address is that of the file itself; the page that describes it is in the evaluator's module.
"""

from __future__ import annotations

from typing import Final

from evaluators.native.launcher import PROGRAM as NATIVE_WORKER
from evaluators.readiness.data_forms import IMAGES, LABELS, PHOTOGRAPHS, PROTEINS, SKIN_PIXELS
from evaluators.readiness.needs import DataFile, Module, Workload
from evaluators.wlan.network import PROGRAM as WLAN

_UCI: Final = "https://archive.ics.uci.edu/ml/machine-learning-databases"
_MNIST: Final = "https://ossci-datasets.s3.amazonaws.com/mnist"
_MNIST_FILES: Final = tuple(
    DataFile(option, f"data/{file}", f"{_MNIST}/{file}", form, required=not option.startswith("test"))
    for option, file, form in (
        ("images", "train-images-idx3-ubyte.gz", IMAGES),
        ("labels", "train-labels-idx1-ubyte.gz", LABELS),
        ("test_images", "t10k-images-idx3-ubyte.gz", IMAGES),
        ("test_labels", "t10k-labels-idx1-ubyte.gz", LABELS),
    )
)
_BOX2D: Final = Module("Box2D", "robots")
_MUJOCO: Final = Module("mujoco", "robots")

WORKLOADS: Final = (
    Workload(
        "wlan",
        "transmit powers of a wireless network, in ns-3",
        "evaluators.wlan:network",
        program=WLAN,
    ),
    Workload(
        "wlan-native",
        "the same, served by a worker in C++",
        "evaluators.wlan:network",
        program=NATIVE_WORKER,
    ),
    Workload(
        "cosmology",
        "constants of the universe, in CosmoSIS with CAMB",
        "evaluators.cosmology:likelihood",
        modules=(Module("cosmosis", "cosmology"), Module("camb", "cosmology")),
    ),
    Workload(
        "push",
        "a robot's push, in Box2D",
        "evaluators.robots:push",
        option="engine",
        choices=(("box2d", _BOX2D), ("mujoco", _MUJOCO)),
    ),
    Workload(
        "push-mujoco",
        "the same, in MuJoCo",
        "evaluators.robots:push",
        option="engine",
        choices=(("mujoco", _MUJOCO), ("box2d", _BOX2D)),
    ),
    Workload("rover", "a way through rough terrain", "evaluators.rover:rover"),
    Workload(
        "faces",
        "the thresholds of OpenCV's face cascade",
        "evaluators.vision:faces",
        modules=(
            Module("cv2", "vision", "data/haarcascade_frontalface_alt.xml"),
            Module("skimage", "vision", "data/lfw_subset.npy"),
        ),
    ),
    Workload(
        "network",
        "a small neural network on scikit-learn's own data",
        "evaluators.learning:network",
    ),
    Workload(
        "elastic-net",
        "a linear classifier on MNIST",
        "evaluators.learning:elastic_net",
        data=_MNIST_FILES,
    ),
    Workload(
        "mlp",
        "a perceptron on MNIST",
        "evaluators.learning:mlp",
        data=_MNIST_FILES,
    ),
    Workload(
        "xgboost",
        "boosted trees on skin colours",
        "evaluators.learning:boosting",
        modules=(Module("xgboost", "learning"),),
        data=(DataFile("data", "data/Skin_NonSkin.txt", f"{_UCI}/00229/Skin_NonSkin.txt", SKIN_PIXELS),),
    ),
    Workload(
        "pic",
        "a sparse Gaussian process on proteins",
        "evaluators.learning:pic",
        data=(DataFile("data", "data/CASP.csv", f"{_UCI}/00265/CASP.csv", PROTEINS),),
    ),
    Workload(
        "cnn",
        "a convolutional network on CIFAR-10",
        "evaluators.learning:cnn",
        modules=(Module("torch", "networks"),),
        data=(
            DataFile(
                "data",
                "data/cifar-10-batches-bin",
                "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
                PHOTOGRAPHS,
            ),
        ),
    ),
    Workload("synthetic", "the papers' test functions", "evaluators.synthetic:function"),
)


def workload_of(evaluator: str) -> Workload | None:
    """The workload that this evaluator is of; None for somebody's own."""
    return next((workload for workload in WORKLOADS if workload.evaluator == evaluator), None)
