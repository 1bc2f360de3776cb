"""Pictures of trials: well-formed, and they show what the trial returned."""

import base64
import struct
import zlib
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from evaluation_context import context

from evaluators.pictures import PICTURES, picture
from evaluators.pictures.png import data_address, grey_png
from evaluators.pictures.svg import Drawing
from evaluators.rover import PARAMETERS

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str | None) -> ElementTree.Element:
    assert svg is not None
    return ElementTree.fromstring(svg)


def words(root: ElementTree.Element) -> str:
    return " ".join(text.text or "" for text in root.iter(f"{SVG}text"))


def test_a_push_shows_how_far_from_the_goal_it_ended() -> None:
    pytest.importorskip("Box2D", reason="Box2D is not installed")
    from evaluators.robots import push

    parameters = {"x": -4.0, "y": 1.0, "duration": 2.0}
    result = push(parameters, context=context())
    root = parsed(picture("evaluators.robots:push", parameters, result))

    assert f"{-result['value']:.2f} m from the goal" in words(root)
    paths = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert len(result["object_path"]) in {len(path) for path in paths}


def test_the_rovers_way_starts_and_ends_where_its_points_do() -> None:
    points = np.random.default_rng(0).random((30, 2))
    parameters = dict(zip(PARAMETERS, points.ravel().tolist(), strict=True))
    root = parsed(picture("evaluators.rover:rover", parameters, {}))

    longest = max((line.get("points", "").split() for line in root.iter(f"{SVG}polyline")), key=len)
    first, last = ([float(c) for c in longest[i].split(",")] for i in (0, -1))
    inside = Drawing(0.0, 1.0, 0.0, 1.0)
    assert first == pytest.approx(inside.at(tuple(points[0])), abs=0.1)
    assert last == pytest.approx(inside.at(tuple(points[-1])), abs=0.1)
    assert {"start", "goal"} <= set(words(root).split())


def test_the_rovers_way_is_drawn_as_smooth_as_it_is() -> None:
    points = np.tile([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]], (10, 1))
    parameters = dict(zip(PARAMETERS, points.ravel().tolist(), strict=True))
    root = parsed(picture("evaluators.rover:rover", parameters, {}))

    way = max((line.get("points", "").split() for line in root.iter(f"{SVG}polyline")), key=len)
    places = np.array([[float(c) for c in place.split(",")] for place in way])
    turns = np.diff(np.unwrap(np.arctan2(*np.diff(places, axis=0).T)))
    assert np.abs(turns).max() < np.pi / 4, "no corner that the spline does not have"


def test_the_cascade_shows_its_images_and_frames_its_mistakes() -> None:
    pytest.importorskip("cv2", reason="OpenCV is not installed")
    pytest.importorskip("skimage", reason="scikit-image is not installed")
    from evaluators.vision import faces
    from evaluators.vision.cascade import cascade_file, original_thresholds

    own = original_thresholds(cascade_file())
    parameters = {f"stage_{i + 1}": t for i, t in enumerate(own)}
    result = faces(parameters)
    root = parsed(picture("evaluators.vision:faces", parameters, result))

    assert len(list(root.iter(f"{SVG}image"))) == 2
    assert len(list(root.iter(f"{SVG}polygon"))) == len(result["mistakes"]) > 0
    assert f"Accuracy {result['value']:.3f}" in words(root)


LEARNED: dict[str, tuple[dict[str, Any], dict[str, Any], str, int]] = {
    "network": (
        {"neurons_1": 30, "neurons_2": 12},
        {"accuracies": [0.9, 1.0, 0.95], "training_accuracy": 0.99},
        "accuracy 0.950",
        4,
    ),
    "elastic_net": (
        {},
        {"value": 0.09, "test_error": 0.2, "weights_used": 0.42},
        "with 42% of the weights",
        2,
    ),
    "mlp": ({}, {"value": 0.02, "test_error": 0.03}, "2.00% of the images", 2),
    "boosting": ({}, {"value": 0.002, "skin_missed": 0.0, "false_alarms": 0.0025}, "0.200% of the test", 3),
    "pic": ({}, {"fold_rmse": [4.0, 5.0, 6.0], "test_rmse": 5.5}, "error 5.00 Å", 4),
}


@pytest.mark.parametrize("name", LEARNED)
def test_a_training_shows_its_errors_on_one_scale(name: str) -> None:
    parameters, result, said, count = LEARNED[name]
    root = parsed(picture(f"evaluators.learning:{name}", parameters, result))

    assert said in words(root)
    dots = list(root.iter(f"{SVG}circle"))
    assert len(dots) == count
    width = float(root.get("width", "0"))
    assert all(0.0 < float(dot.get("cx", "0")) < width for dot in dots)
    # A larger number lies further to the right.
    rows = {dot.get("cy"): [d for d in dots if d.get("cy") == dot.get("cy")] for dot in dots}
    for row in rows.values():
        if len(row) == 3:
            order = sorted(range(3), key=lambda i: float(row[i].get("cx", "0")))
            values = result.get("accuracies") or result["fold_rmse"]
            assert order == sorted(range(3), key=lambda i: values[i])


@pytest.mark.parametrize(
    ("name", "unit"), [("elastic_net", "%"), ("mlp", "%"), ("boosting", "%"), ("pic", " Å"), ("network", "")]
)
def test_the_scale_has_the_unit_of_the_numbers_beside_it(name: str, unit: str) -> None:
    parameters, result, *_ = LEARNED[name]
    root = parsed(picture(f"evaluators.learning:{name}", parameters, result))

    texts = [text for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "middle"]
    assert len(texts) == 5
    ticks = [(text.text or "").removesuffix(unit) for text in texts]
    assert all((text.text or "").endswith(unit) for text in texts)
    numbers = [float(tick) for tick in ticks]
    assert numbers == sorted(set(numbers))


def test_every_picture_that_is_listed_can_be_imported_and_others_are_none() -> None:
    from importlib import import_module

    for name in PICTURES.values():
        module, _, function = name.partition(":")
        assert callable(getattr(import_module(module), function))
    assert picture("evaluators.synthetic:function", {}, {}) is None


def test_a_grey_image_survives_as_png() -> None:
    image = np.random.default_rng(1).integers(0, 256, (3, 5), dtype=np.uint8)
    png = base64.b64decode(data_address(grey_png(image)).partition(",")[2])

    assert struct.unpack(">II", png[16:24]) == (5, 3)
    length = struct.unpack(">I", png[33:37])[0]
    rows = np.frombuffer(zlib.decompress(png[41 : 41 + length]), np.uint8).reshape(3, 6)
    np.testing.assert_array_equal(rows[:, 1:], image)


def test_words_in_a_picture_are_escaped() -> None:
    drawing = Drawing(0.0, 1.0, 0.0, 1.0)
    drawing.text((0.0, 0.0), "a < b & <script>")

    assert words(parsed(drawing.svg('"<&>"'))) == "a < b & <script>"
