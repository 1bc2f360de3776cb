"""scikit-learn's digits written in MNIST's format: real handwriting, 8 by 8 pixels."""

import gzip
import struct
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits


def idx_bytes(array: np.ndarray) -> bytes:
    return (
        struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
        + array.astype(np.uint8).tobytes()
    )


def write_digits(folder: Path) -> dict[str, str]:
    """Four files, two of them packed, as the options of an evaluator."""
    images, labels = load_digits(return_X_y=True)
    pixels = np.round(images * 255.0 / 16.0).reshape(-1, 8, 8)
    (folder / "images").write_bytes(idx_bytes(pixels[:1500]))
    (folder / "labels").write_bytes(idx_bytes(labels[:1500]))
    (folder / "test-images.gz").write_bytes(gzip.compress(idx_bytes(pixels[1500:])))
    (folder / "test-labels.gz").write_bytes(gzip.compress(idx_bytes(labels[1500:])))
    return {
        "images": str(folder / "images"),
        "labels": str(folder / "labels"),
        "test_images": str(folder / "test-images.gz"),
        "test_labels": str(folder / "test-labels.gz"),
    }
