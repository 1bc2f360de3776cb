"""Libraries that may be missing: what is named, and that it is what pyproject.toml asks for."""

import sys
import tomllib
from pathlib import Path

import pytest

from evaluators.errors import EvaluationError
from evaluators.readiness.extras import EXTRAS, extra_module, install_command, missing_modules

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_commands_supply_what_the_extras_of_the_project_ask_for(extra: str) -> None:
    extras = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    # Where one is not built for every Python, the project says for which.
    asked = [told.partition(";")[0] for told in extras[extra]]
    assert sorted(EXTRAS[extra].values()) == sorted(asked)


def test_a_missing_library_is_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)

    assert missing_modules("networks") == ["torch"]
    with pytest.raises(EvaluationError, match=r"cnn needs the library torch, which is not installed"):
        extra_module("torch", extra="networks", needed_by="cnn")


def test_all_that_is_missing_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "camb", None)
    monkeypatch.setitem(sys.modules, "cosmosis", None)

    with pytest.raises(EvaluationError, match=r"the libraries camb and cosmosis, which are not") as told:
        extra_module("camb", extra="cosmology", needed_by="likelihood")
    assert str(told.value).endswith("'camb>=2.0' 'cosmosis>=3.26'")


def test_an_engine_that_is_not_asked_for_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Box2D", None)
    monkeypatch.setitem(sys.modules, "mujoco", None)

    with pytest.raises(EvaluationError, match=r"the library Box2D, which is not"):
        extra_module("Box2D", extra="robots", needed_by="push")


def test_a_library_that_is_there_and_does_not_load_is_another_matter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('libcrypt.so.1: no such file')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)

    with pytest.raises(EvaluationError, match=r"torch, which cannot be loaded \(libcrypt\.so\.1"):
        extra_module("torch", extra="networks", needed_by="cnn")


def test_commands_use_this_workers_python_and_quote_what_a_shell_would_take() -> None:
    command = install_command("vision")

    assert command.startswith(f"{sys.executable} -m pip install ")
    assert "'opencv-python-headless>=4.8,<5'" in command
