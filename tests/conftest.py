"""What holds for every test."""

import os

import pytest

# Numerical libraries that start a thread for each core fight each other for the cores.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What reproduces a paper, or asks other projects' optimisers, takes as long as it takes."""
    for item in items:
        if item.get_closest_marker("papers") or item.path.parent.name == "compare":
            item.add_marker(pytest.mark.timeout(0))
