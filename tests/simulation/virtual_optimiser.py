"""The optimiser's process: told and asked over a pipe, refitting and estimating beside, dying in any of it.

Its answer is a function of everything told, in order, and of the ask: like a real algorithm's, it shows if a
history was told in another way.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from books import Fact
from ovens import of_a_round
from tying import breaks, narrowed
from virtual_world import Broken, Process, World

from orchestrator.runtime.optimiser.messages import (
    Answer,
    GainEstimated,
    GainFailed,
    RefitBegun,
    RefitDone,
    RefitFailed,
    Reply,
    Request,
    Stock,
    decode_reply,
    decode_request,
    encode_reply,
    encode_request,
)
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.scheduler.commands import (
    AdoptRefit,
    Ask,
    EstimateGain,
    OptimiserCommand,
    Rebuild,
    TakeStock,
    Tell,
)
from orchestrator.scheduler.event_parts import PartLeftOut, Suggested
from orchestrator.scheduler.rules.bounds import outside
from orchestrator.scheduler.rules.places import Places, away
from orchestrator.values.named import Values

RESTARTS_WITHOUT_AN_ANSWER = 3
RESTART_S = 0.5
TOO_EARLY = 2
"""Values, below which nothing is said of what is left to gain."""


class Conversation(Protocol):
    """Who listens in, to compare what is said with the journal."""

    def told(self, before: list[Fact], fact: Fact) -> None: ...
    def wonders(self, before: list[Fact], refit: int) -> None: ...
    def takes_stock(self, before: list[Fact]) -> None: ...
    def answers(self, before: list[Fact], ask: Ask, wondered: int) -> None: ...


class OptimiserProcess(Process):
    """One process: takes requests in order; refits, and what is left to gain, are computed beside them."""

    def __init__(self, feed: VirtualOptimiser, number: int) -> None:
        super().__init__(feed.world, f"optimiser {number}")
        self._feed = feed
        self._waiting: deque[Request] = deque()
        self._busy = False
        self.dies_in = ""
        self._begin(None)

    def _begin(self, rebuild: Rebuild | None) -> None:
        """A model that was told nothing yet."""
        self._model = 0 if rebuild is None else rebuild.model
        self._bounds = {} if rebuild is None else rebuild.bounds
        self._ties = () if rebuild is None else rebuild.constraints.added
        self._fixed = self._feed.held if rebuild is None else rebuild.fixed
        self._before: list[Fact] = [] if rebuild is None else [rebuild]
        self._held: Ask | None = None
        self._told = 0
        self._refitting = False
        self._refits = 0
        self._wondered = 0
        self._gain_wanted: int | None = None
        self._estimating = False

    def receive(self, block: bytes) -> None:
        self._waiting.extend(decode_request(line) for line in block.splitlines())
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting and not self._busy and self.alive:
            self._take(self._waiting.popleft())
        self._refit_if_due()
        self._estimate_if_wanted()

    def _take(self, request: Request) -> None:
        match request:
            case Ask() as ask:
                patience = 2.0 if ask.patience_s is None else min(ask.patience_s, 2.0)
                if self._refitting and patience > 0.0:
                    self._held = ask
                    self.world.after(patience, self.do, self._hold_no_longer, ask)
                    self._maybe_die("ask", patience * self.world.chance.random())
                else:
                    self._compute(ask)
            case EstimateGain() as command:
                self._feed.conversation.wonders(self._before, command.refit)
                self._wondered = self._gain_wanted = command.refit
            case TakeStock():
                self._feed.conversation.takes_stock(self._before)
                self._reply(Stock(self._told, self._insight(), self._model))
            case Rebuild() as command:
                self._feed.conversation.told([], command)
                self._begin(command)
            case Tell() as command:
                self._feed.conversation.told(self._before, command)
                self._require_where_fixed(command.parameters, "is told of")
                self._before.append(command)
                self._told += 1
                self._maybe_die("tell", 0.0)
            case AdoptRefit() as command:
                self._feed.conversation.told(self._before, command)
                self._before.append(command)
                self._refits = max(self._refits, command.number)
                if self._held is not None:
                    self._hold_no_longer(self._held)

    def _hold_no_longer(self, ask: Ask) -> None:
        if self._held is ask and not self._busy:
            self._held = None
            self._compute(ask)

    def _compute(self, ask: Ask) -> None:
        self._busy = True
        seconds = self._feed.ask_s * self.world.chance.random()
        self.world.after(seconds, self.do, self._answer, ask)
        self._maybe_die("ask", seconds * self.world.chance.random())

    def _maybe_die(self, where: str, after: float) -> None:
        if self.dies_in == where:
            self.world.after(after, self._die)

    def _die(self) -> None:
        if self.alive:
            self.world.note("%s dies in %s", self.name, self.dies_in or "passing")
            self.die()

    def _answer(self, ask: Ask) -> None:
        self._busy = False
        self._feed.conversation.answers(self._before, ask, self._wondered)
        self._require_where_fixed(ask.held, "is asked for points at")
        for pending in ask.pending:
            self._require_where_fixed(pending, "is asked beside")
        if outside(self._bounds, ask.held):
            raise Broken(f"ask {ask.ask} is for points at {ask.held}, outside {self._bounds}")
        count = min(ask.count, max(0, self._feed.points - ask.first_trial + 1))
        digest = zlib.crc32(repr((self._before, ask.ask, ask.first_trial)).encode())
        parts = [((digest + 7919 * k) % 100_003) / 100_003.0 for k in range(count)]
        # Of two points in a row one looks less closely, for less.
        costs = [(1.0, 0.25)[(digest + k) % 2] for k in range(count)]
        hunches, left_out = self._possible(ask)
        made: list[Suggested] = []
        for k, (part, cost) in enumerate(zip(parts, costs, strict=True)):
            hunch = hunches[k] if k < len(hunches) else {}
            settled = {name: made[0].parameters[name] for name in ask.sharing} if made else {}
            alone = bool(away(settled, {**settled, **hunch}))
            point = {**self._point(part), **({} if alone else settled), **ask.held, **hunch}
            first = ask.first_trial + (k if alone else 0)
            why = of_a_round(ask.first_trial + k, first, point) if ask.sharing else {}
            made.append(Suggested(parameters=point, mean=0.5, cost=cost, why=why, part=hunch))
        self._reply(Answer(ask.ask, made, self._feed.ask_s / 2, self._insight(), left_out))
        self._go_on()

    def _possible(self, ask: Ask) -> tuple[list[Values], list[PartLeftOut]]:
        """Of the parts that are to be tried those beside which something is, and the others."""
        possible: list[Values] = []
        left_out: list[PartLeftOut] = []
        for part in ask.parts:
            whole = {**self._point(0.5), **part}
            there = {name: value for name, value in ask.held.items() if name in part}
            if outside(self._bounds, whole) or away(there, part) or breaks(whole, self._ties):
                left_out.append(PartLeftOut(part=part, why="nothing is beside it"))
            else:
                possible.append(part)
        return possible, left_out

    def _point(self, part: float) -> dict[str, float]:
        """``part`` of the way through the bounds of the first parameter, and some quarters of the next."""
        ways = dict(zip(self._feed.parameters, (part, int(4.0 * part) / 4.0), strict=False))
        bounds = {name: self._bounds.get(name, (0.0, 1.0)) for name in ways}
        bounds["x"] = narrowed(*bounds["x"], self._ties)
        return {name: low + (high - low) * ways[name] for name, (low, high) in bounds.items()}

    def _require_where_fixed(self, parameters: Mapping[str, Any], verb: str) -> None:
        """What may have been fixed, in place of being held, has no other value."""
        if elsewhere := [name for name, value in self._fixed.items() if parameters[name] != value]:
            raise Broken(f"model {self._model} fixed {elsewhere}, and {verb} {parameters}")

    def _insight(self) -> dict[str, object]:
        """Values are noisy as soon as some are told: of which is best it has an opinion."""
        believed = {"trial": 1, "predicted": {"mean": 0.5, "deviation": 0.1}}
        weights = {"told": float(self._told)}
        return {"weights": weights, "believed_best": believed} if self._told else {"weights": weights}

    def _refit_if_due(self) -> None:
        every = self._feed.refit_every
        if every and not self._refitting and self._told // every > self._refits:
            self._refitting = True
            number = self._told // every
            self._reply(RefitBegun(number, self._told))
            seconds = 3.0 * self.world.chance.random()
            self.world.after(seconds, self.do, self._refitted, self._model, number, self._told)
            self._maybe_die("refit", seconds * self.world.chance.random())

    def _refitted(self, model: int, number: int, observations: int) -> None:
        if model != self._model:
            return
        self._refits = max(self._refits, number)
        self._refitting = False
        if self.world.chosen(self._feed.refit_fails):
            self._reply(RefitFailed(number, "not positive definite"))
        else:
            payload = {"scale": [observations / 10], "model": model}
            self._reply(RefitDone(number, observations, payload, 1.0, model))
        self._go_on()

    def _estimate_if_wanted(self) -> None:
        if self._gain_wanted is None or self._estimating:
            return
        refit, self._gain_wanted = self._gain_wanted, None
        self._estimating = True
        digest = zlib.crc32(repr(("gain", self._before)).encode())
        gain = digest % 1_009 / 1_009.0
        # It sees what was told by now, and not what comes while it is computed.
        said = GainEstimated(refit, self._told, (gain / 2, 1.5 * gain), 1.0, self._model)
        seconds = 3.0 * self.world.chance.random()
        self.world.after(seconds, self.do, self._estimated, said)
        self._maybe_die("gain", seconds * self.world.chance.random())

    def _estimated(self, said: GainEstimated) -> None:
        if said.model != self._model:
            return
        self._estimating = False
        if self.world.chosen(self._feed.refit_fails):
            self._reply(GainFailed(said.number, "not positive definite"))
        elif said.observations >= TOO_EARLY:
            self._reply(said)
        self._go_on()

    def _reply(self, reply: Reply) -> None:
        self.world.after(0.001, self._feed.replied, self, encode_reply(reply))

    def die(self) -> None:
        super().die()
        self.world.after(0.01, self._feed.ended, self)


class VirtualOptimiser:
    """Feeds a process, hears it, and starts another when it ends: all that `OptimiserProcess` promises."""

    def __init__(
        self,
        owner: Process,
        history: OptimiserHistory,
        conversation: Conversation,
        on_reply: Callable[[Reply], None],
        on_failure: Callable[[str], None],
    ) -> None:
        self.world: World = owner.world
        self.conversation = conversation
        self.ask_s = 1.0
        self.refit_every = 0
        self.refit_fails = 0.1
        self.points = 1_000_000
        self.parameters: tuple[str, ...] = ("x",)
        self.held: Places = {}
        self._owner = owner
        self._history = history
        self._on_reply = on_reply
        self._on_failure = on_failure
        self._fruitless = 0
        self._births = 0
        self.process: OptimiserProcess | None = None

    def start(self) -> None:
        """A process is started, and told the whole history."""
        self._births += 1
        self.process = OptimiserProcess(self, self._births)
        self.send(self._history.commands)

    def send(self, commands: Iterable[OptimiserCommand]) -> None:
        """Hand commands over, which are in the history already."""
        block = b"".join(encode_request(command) for command in commands)
        if block and self.process is not None:
            self._owner.call()
            self.world.after(0.001, self.process.do, self.process.receive, block)

    def replied(self, process: OptimiserProcess, line: bytes) -> None:
        """A line came from a process, which may be dead by now."""
        if process is self.process:
            reply = decode_reply(line)
            if isinstance(reply, Answer):
                self._fruitless = 0
            self._owner.do(self._on_reply, reply)

    def ended(self, process: OptimiserProcess) -> None:
        """A process has ended."""
        if process is not self.process or not self._owner.alive:
            return
        self.process = None
        self._fruitless += 1
        if self._fruitless > RESTARTS_WITHOUT_AN_ANSWER:
            self._owner.do(self._on_failure, "it died too often")
        else:
            self.world.after(RESTART_S, self._owner.do, self.start)

    def end(self) -> None:
        """Its owner is gone."""
        if self.process is not None:
            self.process.alive = False
            self.process = None
