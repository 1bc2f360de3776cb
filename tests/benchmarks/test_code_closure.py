"""Which code a run depends on: what its algorithm imports, near and far, and nothing else."""

import pytest

from benchmarks.kept.code_closure import closure, fingerprint_of
from benchmarks.project import PROJECT

FILES = {
    "ours/__init__.py": "from ours.shop import everything\n",
    "ours/shop.py": "everything = 1\n",
    "ours/algorithm.py": "import math\n\nfrom ours.parts import kernel\nfrom ours.maths import solve\n",
    "ours/parts/__init__.py": "",
    "ours/parts/kernel.py": "def late():\n    import ours.deep.inside\n",
    "ours/maths.py": "def solve():\n    return 1\n",
    "ours/deep/inside.py": "from ours import algorithm\n",
    "ours/other.py": "from ours import algorithm\n",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def names(project):
    return {str(path.relative_to(project)) for path in closure(["ours.algorithm"], project)}


def test_all_that_is_imported_counts_from_wherever_and_nothing_that_imports_it(project):
    assert names(project) >= {
        "ours/algorithm.py",
        "ours/parts/kernel.py",
        "ours/maths.py",
        "ours/deep/inside.py",
    }
    assert "ours/other.py" not in names(project)
    assert closure(["numpy.linalg"], project) == []


def test_a_comment_or_a_docstring_changes_no_fingerprint_and_a_number_does(project):
    changed = project / "ours" / "maths.py"
    seen = []
    for text in (
        FILES["ours/maths.py"],
        '"""Mathematics."""\n\n\ndef solve():  # fast\n    """One."""\n    return 1\n',
        "def solve():\n    return 2\n",
    ):
        changed.write_text(text)
        seen.append(fingerprint_of(closure(["ours.algorithm"], project), project))
    assert seen[0] == seen[1] != seen[2]


def test_auto_depends_on_its_models_and_not_on_its_peers_or_the_scheduler():
    inside = {
        path.relative_to(PROJECT / "orchestrator").parts for path in closure(["orchestrator.algorithms.auto"])
    }
    assert ("surrogates", "hyperparameters", "wave.py") in inside
    assert ("numerics", "linalg.py") in inside
    assert not any("peers" in parts or parts[0] in ("scheduler", "runtime", "cli.py") for parts in inside)
