"""What the page about other frameworks shows runs, where these are installed."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from orchestrator import Optimiser

PAGE = Path(__file__).parents[2] / "docs" / "elsewhere.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
OF_A_VOCS, IN_LIBENSEMBLE, IN_XOPT, IN_OPTUNA, OF_ESTIMATORS = BLOCKS


@pytest.mark.parametrize(
    ("package", "shown"),
    [
        ("gest_api", [OF_A_VOCS]),
        ("libensemble", [OF_A_VOCS, IN_LIBENSEMBLE]),
        ("xopt", [OF_A_VOCS, IN_LIBENSEMBLE, IN_XOPT]),
        ("optuna", [IN_OPTUNA]),
        ("sklearn", [OF_ESTIMATORS]),
    ],
)
def test_what_is_shown_runs(
    package: str, shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    # In the place of `auto`, which takes longer.
    monkeypatch.setitem(inspect.unwrap(Optimiser.__init__).__kwdefaults__, "algorithm", "sobol")
    page: dict[str, Any] = {}
    for block in shown:
        exec(block, page)
    told = {
        "gest_api": "generator",
        "libensemble": "generator",
        "xopt": "own",
        "optuna": "study",
        "sklearn": "search",
    }
    assert told[package] in page
    if package == "libensemble":
        assert len(page["history"]) >= 8
    if package == "sklearn":
        assert len(page["search"].cv_results_["params"]) == 12
    if package == "xopt":
        assert len(page["xopt"].generator.optimiser.results()) == 4
