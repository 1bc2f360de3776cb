"""Virtual time, and processes in it: what is to happen in order, and who can be killed at any system call.

One `random.Random` decides everything, so that a seed is a history, to the last step.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from typing import Any

Act = Callable[..., None]


class Died(BaseException):
    """The process that made a system call was killed in it. Nothing may catch it, as nothing can SIGKILL."""


class Broken(AssertionError):
    """A promise was broken; the text says which."""


class World:
    """A clock that jumps from one happening to the next.

    Attributes:
        now: seconds since the beginning.
        steps: how much has happened.
        chance: the only source of randomness.
        trace: what is written down for people, while ``tracing``.
    """

    def __init__(self, seed: int, *, tracing: bool = False) -> None:
        self.now = 0.0
        self.steps = 0
        self.chance = Random(seed)
        self.trace: list[str] = []
        self.tracing = tracing
        self._due: list[tuple[float, int, Act, tuple[Any, ...]]] = []
        self._entries = 0

    def after(self, seconds: float, act: Act, *arguments: Any) -> None:
        """Have something happen."""
        self._entries += 1
        heapq.heappush(self._due, (self.now + seconds, self._entries, act, arguments))

    def step(self) -> None:
        """What is due next happens."""
        self.now, _, act, arguments = heapq.heappop(self._due)
        self.steps += 1
        act(*arguments)

    def note(self, sentence: str, *values: object) -> None:
        """Write down what happens, for the report on a broken promise; ``%s`` stands for a value."""
        if self.tracing:
            self.trace.append(f"{self.now:9.3f}  {sentence % values if values else sentence}")

    def chosen(self, probability: float) -> bool:
        """Whether something happens that does so with a probability; it costs no draw where it cannot."""
        return probability > 0.0 and self.chance.random() < probability


class Process:
    """Something that runs, until it is killed: at a moment, or at one of its next system calls.

    Attributes:
        calls_left: how many system calls it has before it is killed in one.
        takes_along: what else happens then, such as a power cut.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.alive = True
        self.calls_left: int | None = None
        self.takes_along: Callable[[], None] | None = None
        self._ahead = 0.0
        self._paused_until = 0.0

    def monotonic(self) -> float:
        """Its clock, which may have jumped ahead."""
        return self.world.now + self._ahead

    def jump(self, seconds: float) -> None:
        """Its clock jumps ahead, as after a suspension."""
        self.world.note("the clock of %s jumps by %.1f s", self.name, seconds)
        self._ahead += seconds

    def pause(self, seconds: float) -> None:
        """Stop it, as SIGSTOP does; it goes on where it was."""
        self.world.note("%s is stopped for %.1f s", self.name, seconds)
        self._paused_until = max(self._paused_until, self.world.now + seconds)

    def wait(self) -> float:
        """How much longer it is stopped."""
        return self._paused_until - self.world.now

    def call(self) -> None:
        """It makes a system call; this may be its last. Raises `Died`."""
        if self.calls_left is not None:
            self.calls_left -= 1
            if self.calls_left < 0 and self.alive:
                self.world.note("%s is killed in a system call", self.name)
                self.die()
                if self.takes_along is not None:
                    self.takes_along()
        if not self.alive:
            raise Died

    def do(self, act: Act, *arguments: Any) -> None:
        """Have it do something now, or when it goes on; nothing if it is dead."""
        if not self.alive:
            return
        if self._paused_until > self.world.now:
            self.world.after(self.wait(), self.do, act, *arguments)
            return
        try:
            act(*arguments)
            if self.alive:
                self.settle()
        except Died:
            return

    def settle(self) -> None:
        """Called when it has done something: the place to set its next alarm."""

    def die(self) -> None:
        """It is gone, with everything that was not on disk."""
        self.alive = False
