r"""What a program prints while it runs, read as reports of how it stands.

    evaluation:
      command: [./train, --rate, "{rate}"]
      progress: 'epoch (?P<step>\d+) loss (?P<loss>\S+)'

Each line in which the pattern is found is a report, and each group that it names a quantity; without a group
``step`` such lines are counted from 1. With ``progress: json`` a line is one that is a JSON object with a
``step``, as ``{"step": 3, "loss": 0.2}``. ``{"file": name}``, perhaps with a pattern, has a file that it
writes read in the same way, instead of what it prints. Progress is a courtesy, and never fails an evaluation.
"""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from typing import Final

from evaluators.child_process.progress import RATE, ProgressGate
from evaluators.context import Report
from evaluators.programs.followed_file import FollowedFile
from evaluators.programs.output_lines import OutputLines
from evaluators.programs.progress_lines import ProgressForm, progress_lines

_RATE: Final = RATE / 2
"""Below that of the gate behind it, which then keeps nothing back: it cannot send what is due by itself."""
_LOOK_EVERY_S: Final = 0.2


class ProgramProgress:
    """Hears the two streams of one program, and reports what is worth it, as often as is good.

    With a ``file`` it reads that instead, several times a second.
    """

    def __init__(self, form: ProgressForm, report: Report, file: Path | None = None) -> None:
        self._streams = (OutputLines(), OutputLines())
        self._followed = None if file is None else FollowedFile(file)
        self._look_at = time.monotonic()
        self._lines = progress_lines(form)
        self._gate = ProgressGate(report, _RATE)

    def take(self, stream: int, data: bytes) -> None:
        """More was printed on a stream: 0 or 1."""
        if self._followed is None:
            self._report(self._streams[stream].take(data))

    @property
    def due_s(self) -> float | None:
        """Seconds until `on_time` has something to do; None if nothing waits."""
        due_s = self._gate.due_s
        if self._followed is None:
            return due_s
        look_in_s = max(0.0, self._look_at - time.monotonic())
        return look_in_s if due_s is None else min(look_in_s, due_s)

    def on_time(self) -> None:
        """Look at the file, and send the report that waits, each if its turn has come."""
        if self._followed is not None and time.monotonic() >= self._look_at:
            self._report(self._followed.new_lines())
            self._look_at = time.monotonic() + (0.0 if self._followed.is_behind else _LOOK_EVERY_S)
        self._gate.send_due()

    def close(self) -> None:
        """Nothing more comes: what is left is reported now."""
        for stream in self._streams:
            self._report(stream.take_last())
        for lines in () if self._followed is None else self._followed.rest():
            self._report(lines)
        self._gate.close()

    def _report(self, lines: list[str]) -> None:
        found = deque(self._lines.among(lines))
        while found and self._gate.is_open:
            if (reading := found.popleft()()) is not None:
                self._gate.report(*reading)
        # Of the others only the newest can be sent: a flood of them is not read.
        while found:
            if (reading := found.pop()()) is not None:
                self._gate.report(*reading)
                return
