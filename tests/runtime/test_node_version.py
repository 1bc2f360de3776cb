"""Nodes that would compute other numbers than the run are told apart from those that would not."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import orchestrator
from orchestrator.runtime.nodes.version import COMPUTES, checksum, node_version

PACKAGE = Path(orchestrator.__file__).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(
        shutil.copytree(PACKAGE, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("__pycache__"))
    )


def test_the_same_code_is_the_same_wherever_it_is_installed(copy: Path) -> None:
    assert checksum(copy, COMPUTES) == checksum(PACKAGE, COMPUTES)
    with (copy / "cli.py").open("a") as file:
        file.write("# a node computes nothing with this\n")
    assert checksum(copy, COMPUTES) == checksum(PACKAGE, COMPUTES)


@pytest.mark.parametrize(
    "name",
    [
        "unit_cube/domain.py",
        "numerics/linalg.py",
        "surrogates/covariances/kernels.py",
        "maximisers/sums/admm.py",
    ],
)
def test_what_a_node_computes_with_is_another_once_a_line_is(copy: Path, name: str) -> None:
    with (copy / name).open("a") as file:
        file.write("SMALLEST = 1e-11\n")
    assert checksum(copy, COMPUTES) != checksum(PACKAGE, COMPUTES)


def test_so_it_is_once_a_file_has_another_name(copy: Path) -> None:
    (copy / "numerics" / "linalg.py").rename(copy / "numerics" / "algebra.py")
    assert checksum(copy, COMPUTES) != checksum(PACKAGE, COMPUTES)


def test_the_libraries_are_part_of_it() -> None:
    assert node_version().startswith(f"{orchestrator.__version__} (code ")
    assert f"numpy {np.__version__}, scipy " in node_version()
