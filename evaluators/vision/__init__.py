"""Vision tasks as evaluators."""

from evaluators.vision.face_detection import faces

__all__ = ["faces"]
