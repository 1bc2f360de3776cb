"""What a slot works with: what its children load, and a child and its output as the slot sees them."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec

from evaluators.child_process import pipe
from evaluators.trial_folders import TrialFolders


@dataclass(frozen=True)
class Workload:
    """What children load: an evaluator with its options, where trials keep their files, and what the value is
    called besides; or that there is none, as people compare trials.
    """

    evaluator: str
    options: dict[str, Any]
    trials: TrialFolders
    objective: str = ""
    compared: bool = False

    def request(self) -> bytes:
        """What asks a child to load it."""
        load = pipe.Load(
            evaluator=self.evaluator,
            options=self.options,
            trials=str(self.trials.root),
            one_run=self.trials.one_run,
            objective=self.objective,
            compared=self.compared,
        )
        return msgspec.json.encode(load)


class Child(Protocol):
    """An evaluation process as a slot sees it; `ChildProcess` says what each part means."""

    responses: int

    @property
    def process_id(self) -> int: ...
    @property
    def silent(self) -> bool: ...
    @property
    def requests(self) -> int: ...
    def send(self, kind: bytes, payload: bytes) -> bool: ...
    def flush(self) -> bool: ...
    def receive(self) -> list[tuple[bytes, bytes]]: ...
    def receive_rest(self) -> list[tuple[bytes, bytes]]: ...
    def signal(self, number: signal.Signals) -> None: ...
    def has_ended(self) -> bool: ...
    def kill(self, within_s: float) -> bool: ...
    def reap(self) -> int: ...
    def dismiss(self) -> None: ...


class Output(Protocol):
    """Where a child prints; `OutputFile` says what each part means."""

    path: Path
    fd: int

    @property
    def empty(self) -> bool: ...
    def move(self, destination: Path) -> None: ...
    def last_lines(self, count: int) -> str: ...
    def close(self) -> None: ...
