"""The node processes that this process starts, and ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import msgspec

from orchestrator.runtime.nodes.hub import NodeHub, Peer
from orchestrator.wire.credentials import KEY_VARIABLE

SECONDS_TO_END = 5.0
MOST_PROCESSES = 32
"""At once, as a machine bears few interpreters more; where there are more factors, they share them."""
ROOM = 1_000_000
"""Factors that each offers to hold: whatever it is dealt."""


class LocalNodes:
    """Processes whose standard input is held open: they end when it closes, even by our death."""

    def __init__(self) -> None:
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def process_ids(self) -> list[int]:
        """Of those that live, in the order of their start."""
        return [process.pid for process in self._processes.values() if process.poll() is None]

    def has(self, peer: Peer) -> bool:
        """Whether a peer is, or was, one of them."""
        return peer.name in self._processes

    def death(self, peer: Peer) -> str | None:
        """How a peer ended, in words; None if it lives, or is not one of them."""
        code = self._processes[peer.name].poll() if self.has(peer) else None
        if code is None:
            return None
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def start(self, hub: NodeHub) -> None:
        """One more, which holds as many factors as it is given."""
        name = f"local-{os.getpid()}-{len(self._processes) + 1}"
        environment = dict(os.environ)
        if hub.keyring is not None:
            # In its environment, which no other user of the machine can read.
            key = msgspec.json.encode(hub.keyring.for_local_workers())
            environment[KEY_VARIABLE] = key.decode()
        self._processes[name] = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "orchestrator.runtime.nodes.process"),
                *("--connect", hub.nearby, "--name", name, "--factors", str(ROOM), "--exit-with-parent"),
            ],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )

    def end(self, patience_s: float = SECONDS_TO_END) -> None:
        """End them all, whatever they do; those that hang, after so many seconds together, by force."""
        ending = [process for process in self._processes.values() if process.returncode is None]
        for process in ending:
            assert process.stdin is not None
            process.stdin.close()
        until = time.monotonic() + patience_s
        for process in ending:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
