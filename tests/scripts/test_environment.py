"""`scripts/environment`, of which `make run` is the first that people see: what it says where pip fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
OF_PIP_ITSELF = """\
WARNING: Retrying
ERROR: Exception:
Traceback (most recent call last):
  File "/x/pip/_internal/cli/base_command.py", line 180, in exc_logging_wrapper
    status = run_func(*args)
TimeoutError: timed out

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/x/pip/_vendor/urllib3/response.py", line 443, in _error_catcher
    raise ReadTimeoutError(self._pool, None, "Read timed out.")
pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPConnectionPool(host='files', port=443): Read timed out.
"""
OF_A_PACKAGE = """\
  error: subprocess-exited-with-error
      Traceback (most recent call last):
        File "<string>", line 4, in get_requires_for_build_wheel
  ERROR: No matching distribution found for setuptools>=77
"""


def made(folder: Path, said: str, code: int) -> subprocess.CompletedProcess[str]:
    """With a pip that is there already, prints that and ends with ``code``."""
    (folder / "here" / "bin").mkdir(parents=True)
    (folder / "said").write_text(said, encoding="utf-8")
    pip = folder / "here" / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\necho "$@"\ncat "{folder}/said" >&2\nexit {code}\n', encoding="utf-8")
    pip.chmod(0o755)
    command = [str(PROJECT / "scripts" / "environment"), sys.executable, ".[test]", "here"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("said", [OF_PIP_ITSELF, OF_A_PACKAGE])
def test_where_the_network_goes_away_people_are_told_to_do_the_same_again(tmp_path: Path, said: str) -> None:
    ended = made(tmp_path, said, 2)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == (
        "environment: not all of '.[test]' could be installed into here. If the network was away, do the "
        "same again once it is there: what has come is kept."
    )


def test_of_a_traceback_of_pip_people_see_what_it_comes_to(tmp_path: Path) -> None:
    said = made(tmp_path, OF_PIP_ITSELF, 2).stderr
    assert said.startswith("WARNING: Retrying\nERROR: pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTP")
    assert "Traceback" not in said
    assert "line 443" not in said


def test_all_that_pip_says_of_a_package_is_seen(tmp_path: Path) -> None:
    assert made(tmp_path, OF_A_PACKAGE, 1).stderr.startswith(OF_A_PACKAGE)


def test_what_pip_warns_of_is_seen_where_it_succeeds_as_well(tmp_path: Path) -> None:
    ended = made(tmp_path, "WARNING: a script is not on PATH\n", 0)
    assert (ended.returncode, ended.stderr) == (0, "WARNING: a script is not on PATH\n")


def test_pip_waits_a_minute_for_a_slow_network_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_DEFAULT_TIMEOUT", raising=False)
    assert "--timeout 60 " in made(tmp_path / "unsaid", "", 0).stdout
    monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "180")
    assert "--timeout 180 " in made(tmp_path / "said", "", 0).stdout
