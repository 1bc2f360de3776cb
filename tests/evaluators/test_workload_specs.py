"""The specs of the real workloads ask for what their evaluators take, in their units."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluators.learning import (
    cifar_network,
    mnist_elastic_net,
    mnist_perceptron,
    protein_sparse_gp,
    skin_boosting,
)
from evaluators.quantities import Quantity
from evaluators.robots import pushing
from evaluators.vision import face_detection
from orchestrator.spec.load import load_spec_text

PAPERS = Path(__file__).resolve().parents[2] / "configs" / "papers"
TAKEN: Mapping[str, Mapping[str, Quantity]] = {
    "push3": {name: quantity for name, quantity in pushing.QUANTITIES.items() if name != "angle"},
    "push4": pushing.QUANTITIES,
    "faces": face_detection.QUANTITIES,
    "elastic-net": mnist_elastic_net.QUANTITIES,
    "mlp": mnist_perceptron.QUANTITIES,
    "xgboost": skin_boosting.QUANTITIES,
    "pic": protein_sparse_gp.quantities(200),
    "cnn": cifar_network.QUANTITIES,
}


@pytest.mark.parametrize("name", TAKEN)
def test_parameters_bounds_and_units_are_what_the_evaluator_takes(name: str) -> None:
    path = PAPERS / f"{name}.yaml"
    parameters = load_spec_text(path.read_text(encoding="utf-8"), path.name, None).spec.parameters
    taken = TAKEN[name]

    assert sorted(parameters) == sorted(taken)
    for parameter_name, parameter in parameters.items():
        quantity = taken[parameter_name]
        assert parameter.type == ("int" if quantity.whole else "float"), parameter_name
        assert quantity.low <= parameter.bounds[0] < parameter.bounds[1] <= quantity.high, parameter_name
        assert parameter.unit == quantity.unit, parameter_name


def test_the_faces_are_searched_within_five_per_cent_of_opencvs_thresholds() -> None:
    pytest.importorskip("cv2", reason="OpenCV is not installed")
    from evaluators.vision.cascade import cascade_file, original_thresholds

    path = PAPERS / "faces.yaml"
    parameters = load_spec_text(path.read_text(encoding="utf-8"), path.name, None).spec.parameters
    own = original_thresholds(cascade_file())

    for parameter, threshold in zip(parameters.values(), own, strict=True):
        assert parameter.type == "float"
        assert parameter.bounds == pytest.approx((0.95 * threshold, 1.05 * threshold), abs=1e-4)
