"""OpenCV's frontal face cascade with other thresholds of its stages."""

from __future__ import annotations

import functools
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluators.errors import EvaluationError
from evaluators.readiness.extras import extra_module

FILE_NAME = "haarcascade_frontalface_alt.xml"
STAGES = 22


def cascade_file() -> Path:
    """Where the installed OpenCV keeps the cascade. EvaluationError (error) where it does not."""
    cv2 = _opencv()
    path = Path(cv2.data.haarcascades) / FILE_NAME if hasattr(cv2, "data") else Path(FILE_NAME)
    if not path.is_file():
        raise EvaluationError(
            "error",
            f"faces: OpenCV {cv2.__version__} has no file {path}; the wheels of OpenCV 4 carry it, those of "
            "5 do not: install opencv-python-headless below 5",
        )
    return path


def classifier(thresholds: Sequence[float], path: Path) -> Any:
    """A ``cv2.CascadeClassifier`` of the file with these thresholds, one a stage.

    Raises:
        EvaluationError: (error) the file is no cascade of so many stages, or OpenCV does not take it.
    """
    cv2 = _opencv()
    start, *rest = _around_thresholds(path)
    if len(rest) != len(thresholds):
        raise EvaluationError(
            "error", f"faces: expected a cascade of {len(thresholds)} stages in {path}, it has {len(rest)}"
        )
    text = start + "".join(f"{t!r}{after}" for t, after in zip(map(float, thresholds), rest, strict=True))
    storage = cv2.FileStorage(text, cv2.FILE_STORAGE_READ | cv2.FILE_STORAGE_MEMORY)
    cascade = cv2.CascadeClassifier()
    if not cascade.read(storage.getFirstTopLevelNode()):
        raise EvaluationError("error", f"faces: OpenCV {cv2.__version__} does not read the cascade in {path}")
    return cascade


def original_thresholds(path: Path) -> list[float]:
    """The thresholds as they are in the file. EvaluationError (error) where it is no cascade."""
    return [float(stage.findtext("stageThreshold", "nan")) for stage in _stages(_parsed(path), path)]


@functools.lru_cache(maxsize=2)
def _around_thresholds(path: Path) -> tuple[str, ...]:
    """The file's text between its thresholds: 1 + stages pieces."""
    root = _parsed(path)
    mark = "@threshold@"
    for stage in _stages(root, path):
        threshold = stage.find("stageThreshold")
        if threshold is not None:
            threshold.text = mark
    return tuple(ElementTree.tostring(root, encoding="unicode", xml_declaration=True).split(mark))


def _parsed(path: Path) -> ElementTree.Element:
    try:
        return ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise EvaluationError(
            "error",
            f"faces: cannot read the cascade in {path}: {error}; reinstall opencv-python-headless below 5",
        ) from None


def _stages(root: ElementTree.Element, path: Path) -> list[ElementTree.Element]:
    stages = root.findall("cascade/stages/_")
    if not stages or any(stage.find("stageThreshold") is None for stage in stages):
        raise EvaluationError(
            "error",
            f"faces: expected a cascade with a threshold in each stage in {path}; reinstall "
            "opencv-python-headless below 5",
        )
    return stages


def _opencv() -> Any:
    return extra_module("cv2", extra="vision", needed_by="faces")
