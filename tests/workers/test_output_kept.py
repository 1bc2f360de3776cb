"""What an evaluation prints is kept with its trial, or lost; it never costs the worker anything else."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from evaluators.output import OutputFile


def test_where_no_other_file_can_be_opened_the_one_at_hand_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = OutputFile(tmp_path / "slot-0.out")
    os.write(output.fd, b"first\n")
    opened = os.open

    def scarce(*arguments: Any, **options: Any) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "open", scarce)
    with pytest.raises(OSError, match="Too many open files"):
        output.move(tmp_path / "trials" / "0001" / "attempt-1.out")
    assert not output.empty
    os.write(output.fd, b"second\n")
    monkeypatch.setattr(os, "open", opened)

    output.move(tmp_path / "trials" / "0002" / "attempt-1.out")
    assert (tmp_path / "trials" / "0002" / "attempt-1.out").read_bytes() == b"first\nsecond\n"
    assert output.empty
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["slot-0.out"]
    output.close()
