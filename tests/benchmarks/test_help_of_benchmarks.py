"""Whoever reads the help of a benchmark does not wait for what only its runs need."""

import subprocess
import sys

from benchmarks.project import PROJECT

LOADED = """
import importlib, pkgutil, sys
import benchmarks
for one in pkgutil.iter_modules(benchmarks.__path__):
    if not one.ispkg:
        importlib.import_module(f"benchmarks.{one.name}")
slow = ("scipy.stats", "orchestrator.sensitivity.results_model", "orchestrator.algorithms.mixture.belief")
print(len([name for name in sys.modules if name.startswith("benchmarks.")]), *(set(slow) & set(sys.modules)))
"""


def test_none_of_them_loads_models() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    modules, *slow = ended.stdout.split()
    assert int(modules) > 40
    assert slow == []
