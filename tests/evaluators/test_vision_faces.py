"""The face cascade: OpenCV's own thresholds, better ones, hopeless ones, and damaged files."""

import sys
from pathlib import Path
from typing import Any

import pytest

from evaluators.errors import EvaluationError
from evaluators.vision import faces

pytest.importorskip("cv2", reason="OpenCV is not installed")
pytest.importorskip("skimage", reason="scikit-image is not installed")

from evaluators.vision.cascade import cascade_file, classifier, original_thresholds
from evaluators.vision.face_detection import QUANTITIES


def scaled(factor: float) -> dict[str, float]:
    thresholds = original_thresholds(cascade_file())
    return {name: factor * t for name, t in zip(QUANTITIES, thresholds, strict=True)}


def test_opencvs_own_thresholds_have_their_known_accuracy() -> None:
    result = faces(scaled(1.0))

    assert result["value"] == pytest.approx(0.965, abs=0.011)
    assert result["accuracy_on_faces"] == pytest.approx(0.93, abs=0.021)
    assert result["accuracy_on_others"] == pytest.approx(1.0, abs=0.011)


def test_slightly_lower_thresholds_are_better_and_much_lower_ones_worse() -> None:
    own, lower, low = (faces(scaled(factor)) for factor in (1.0, 0.99, 0.9))

    assert low["value"] < own["value"] < lower["value"]
    assert low["accuracy_on_faces"] > own["accuracy_on_faces"]
    assert low["accuracy_on_others"] < 0.5


def test_nothing_passes_thresholds_that_are_too_high() -> None:
    result = faces(scaled(1.3))

    assert result["value"] == 0.5
    assert result["mistakes"] == list(range(100))


def test_mistakes_are_the_images_that_the_accuracies_count_and_repeat() -> None:
    result = faces(scaled(0.97))
    missed = sum(number < 100 for number in result["mistakes"])

    assert result["accuracy_on_faces"] == pytest.approx(1.0 - missed / 100)
    assert result["accuracy_on_others"] == pytest.approx(1.0 - (len(result["mistakes"]) - missed) / 100)
    assert faces(scaled(0.97)) == result


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"stage_3": float("inf")}, "a number from -1000 to 1000 as stage_3, got inf"),
        ({"stage_3": "high"}, "as stage_3, got 'high'"),
        ({"stage_23": 1.0}, "they came with stage_23"),
    ],
)
def test_impossible_thresholds_are_refused_in_words(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(EvaluationError, match=sentence) as refused:
        faces(scaled(1.0) | change)

    assert refused.value.kind == "invalid"


def test_a_cascade_file_that_is_cut_off_is_named_with_the_remedy(tmp_path: Path) -> None:
    whole = cascade_file().read_bytes()
    cut = tmp_path / "cascade.xml"
    cut.write_bytes(whole[: len(whole) // 2])

    with pytest.raises(EvaluationError, match=r"cascade\.xml: .*reinstall opencv-python-headless"):
        classifier([0.0] * 22, cut)


def test_a_cascade_with_other_stages_is_refused() -> None:
    with pytest.raises(EvaluationError, match=r"expected a cascade of 3 stages in .*it has 22"):
        classifier([1.0, 2.0, 3.0], cascade_file())


@pytest.mark.parametrize("module", ["cv2", "skimage.data"])
def test_a_missing_library_is_named_with_the_command_that_supplies_it(
    monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    from evaluators.vision.face_detection import images

    images.cache_clear()
    parameters = scaled(1.0)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, module.partition(".")[0], None)

    with pytest.raises(
        EvaluationError, match=r"faces needs the library .*is not installed.*-m pip install"
    ) as failed:
        faces(parameters)

    assert failed.value.kind == "error"
