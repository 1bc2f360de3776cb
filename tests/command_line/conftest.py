"""What holds for the tests of the command line."""

from pathlib import Path

import pytest
from command_lab import SPEC, interrupted_run


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A folder with a spec, and under logs/ a run of it that was cut off after two of three trials."""
    (tmp_path / "wing.yaml").write_text(SPEC)
    interrupted_run(tmp_path / "logs" / "wing-1")
    return tmp_path
