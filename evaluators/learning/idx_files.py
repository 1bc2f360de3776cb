"""The IDX format of MNIST: a header that says how many bytes follow, checked to the byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluators.learning.data_files import Source, read_bytes
from evaluators.readiness.data_forms import Damaged, IdxForm


def read_idx(path: Path, source: Source, form: IdxForm) -> NDArray[np.uint8]:
    """The array of unsigned bytes in an IDX file, packed with gzip or not.

    Args:
        path: of the file.
        source: for the messages.
        form: of images or of labels.

    Raises:
        EvaluationError: (error) the file is of another kind, has other dimensions, or is cut off.
    """
    data = read_bytes(path, source)
    try:
        shape = form.shape(data)
    except Damaged as damaged:
        raise source.unusable(path, str(damaged)) from None
    return np.frombuffer(data, np.uint8, offset=form.start).reshape(shape)
