r"""What a program prints while it runs, read as reports of how it stands.

    evaluation:
      command: [./train, --rate, "{rate}"]
      progress: 'epoch (?P<step>\d+) loss (?P<loss>\S+)'

Each line in which the pattern is found is a report, and each group that it names a quantity; without a group
``step`` such lines are counted from 1. With ``progress: json`` a line is one that is a JSON object with a
``step``, as ``{"step": 3, "loss": 0.2}``. Progress is a courtesy, and never fails an evaluation.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from evaluators.child_process.progress import RATE, ProgressGate
from evaluators.context import Report
from evaluators.programs.output_lines import OutputLines
from evaluators.programs.progress_lines import ProgressForm, progress_lines

_RATE: Final = RATE / 2
"""Below that of the gate behind it, which then keeps nothing back: it cannot send what is due by itself."""


class ProgramProgress:
    """Hears the two streams of one program, and reports what is worth it, as often as is good."""

    def __init__(self, form: ProgressForm, report: Report) -> None:
        self._streams = (OutputLines(), OutputLines())
        self._lines = progress_lines(form)
        self._gate = ProgressGate(report, _RATE)

    def take(self, stream: int, data: bytes) -> None:
        """More was printed on a stream: 0 or 1."""
        self._report(self._streams[stream].take(data))

    @property
    def due_s(self) -> float | None:
        """Seconds until `send_due` has something to send; None if nothing waits."""
        return self._gate.due_s

    def send_due(self) -> None:
        """Send the report that waits, if its turn has come."""
        self._gate.send_due()

    def close(self) -> None:
        """Nothing more comes: what is left is reported now."""
        for stream in self._streams:
            self._report(stream.take_last())
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
