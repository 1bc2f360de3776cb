"""A fleet of simulated workers: many real connections held by one process, evaluations that only take time.

    python -m benchmarks.running.fleet ADDRESS --workers 500 --first 0 --seconds 0.5

Each connection speaks the whole protocol (hello, heartbeats, results) and has one slot. An evaluation is a
pause, exponentially distributed about ``--seconds``, and its value a bowl turned over. At the end one
JSON object is printed: from each result sent to the next evaluation received, in milliseconds.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import time
from dataclasses import dataclass, field

import zmq

from orchestrator.numerics.rng import derive_seed
from orchestrator.wire.codec import decode_from_orchestrator, encode
from orchestrator.wire.messages import PROTOCOL, Drain, Evaluate, Heartbeat, Hello, Reject, Result, Welcome

EVALUATOR = "fleet:pause"
SILENT_FOR_S = 120.0
"""Without a word to anybody for so long, the fleet ends: the orchestrator is gone."""


@dataclass(slots=True)
class Member:
    """One simulated worker."""

    number: int
    name: str
    socket: zmq.Socket[bytes]
    greeted: bool = False
    lease: str = ""
    next_beat: float = 0.0
    sent_at: float = 0.0


@dataclass(slots=True)
class Fleet:
    """All members of this process; `run` returns when the orchestrator sends them away."""

    mean_s: float
    members: dict[zmq.Socket[bytes], Member] = field(default_factory=dict)
    waits_ms: list[float] = field(default_factory=list)
    heartbeat_s: float = 2.0
    _due: list[tuple[float, int, Member, Evaluate]] = field(init=False, default_factory=list)
    _given: int = field(init=False, default=0)
    _drained: int = field(init=False, default=0)

    def dial(self, context: zmq.Context[zmq.Socket[bytes]], address: str, count: int, first: int) -> None:
        """Connect ``count`` workers, the first with the number ``first``."""
        for number in range(first, first + count):
            socket = context.socket(zmq.DEALER)
            socket.setsockopt(zmq.LINGER, 0)
            socket.setsockopt(zmq.IMMEDIATE, 1)
            socket.connect(address)
            self.members[socket] = Member(number, f"fleet-{number}", socket)

    def pause(self, trial: int) -> float:
        """How long a trial's evaluation takes, in seconds, whoever makes it."""
        return -self.mean_s * math.log1p(-_share("pause", trial))

    def first_beat_after(self, member: Member) -> float:
        """Seconds from a member's welcome to its first heartbeat: they do not all beat at once."""
        return self.heartbeat_s * _share("heartbeat", member.number)

    def run(self) -> None:
        """Work until drained, or until nobody has said a word for long."""
        poller = zmq.Poller()
        for socket in self.members:
            poller.register(socket, zmq.POLLIN)
        heard = now = time.monotonic()
        next_round = now
        while self._drained < len(self.members) and now - heard < SILENT_FOR_S:
            until = min([next_round, *([self._due[0][0]] if self._due else [])])
            ready = poller.poll(max(0, int((until - now) * 1e3)))
            now = time.monotonic()
            if ready:
                heard = now
            for socket, _ in ready:
                self._listen(self.members[socket], now)
            while self._due and self._due[0][0] <= now:
                _, _, member, task = heapq.heappop(self._due)
                self._finish(member, task)
            if now >= next_round:
                next_round = now + 0.2
                self._speak(now)

    def _speak(self, now: float) -> None:
        for member in self.members.values():
            if now < member.next_beat:
                continue
            if member.greeted:
                said = self._say(member, Heartbeat(leases=[member.lease] if member.lease else []))
                member.next_beat = now + self.heartbeat_s
            else:
                hello = Hello(
                    protocol=PROTOCOL, worker=member.name, session=member.name, evaluators=[EVALUATOR]
                )
                said = self._say(member, hello)
                # Until the connection is there, nothing is taken.
                member.next_beat = now + (5.0 if said else 0.1)

    @staticmethod
    def _say(member: Member, message: Heartbeat | Hello | Result) -> bool:
        try:
            member.socket.send(encode(message), zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def _listen(self, member: Member, now: float) -> None:
        while True:
            try:
                frame = member.socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            message = decode_from_orchestrator(frame)
            if isinstance(message, Evaluate):
                member.lease = message.lease
                if member.sent_at:
                    self.waits_ms.append(1e3 * (now - member.sent_at))
                self._given += 1
                heapq.heappush(self._due, (now + self.pause(message.trial), self._given, member, message))
            elif isinstance(message, Welcome):
                member.greeted, self.heartbeat_s = True, message.heartbeat_s
                member.next_beat = now + self.first_beat_after(member)
            elif isinstance(message, Drain):
                self._drained += 1
            elif isinstance(message, Reject):
                member.greeted = member.greeted and message.code != "hello"
                member.next_beat = 0.0 if message.code == "hello" else now + 1.0

    def _finish(self, member: Member, task: Evaluate) -> None:
        value = -sum((float(parameter) - 0.3) ** 2 for parameter in task.parameters.values())
        member.lease = ""
        self._say(member, Result(run=task.run, lease=task.lease, trial=task.trial, value=value))
        member.sent_at = time.monotonic()


def _share(purpose: str, number: int) -> float:
    """Uniform in [0, 1): a generator for each trial would cost what is measured."""
    return (derive_seed(0, purpose, number) >> 10) / 2**53


def main() -> None:
    """Work until drained, then print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--workers", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.5)
    parsed = parser.parse_args()
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    context.set(zmq.MAX_SOCKETS, 2 * parsed.workers + 100)
    fleet = Fleet(parsed.seconds)
    fleet.dial(context, parsed.address, parsed.workers, parsed.first)
    fleet.run()
    print(json.dumps({"waits_ms": fleet.waits_ms}))
    context.destroy(linger=0)


if __name__ == "__main__":
    main()
