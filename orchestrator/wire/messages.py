"""The messages between workers and the orchestrator: JSON objects told apart by their ``type``.

Strict: a wrong type is an error, not a guess. Unknown fields are ignored, so that either side may be
newer. `docs/protocol.md` describes them for other languages.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

PROTOCOL = 1
FRAME_LIMIT = 1 << 20
"""Bytes; a larger frame is refused unread."""
PIECE_LIMIT = 1 << 12
"""Bytes of a message that go in one piece, which a line that a dozen workers share, of 64 kbit/s, carries in
time: who hears nothing for ten seconds takes the other side to be gone.
"""
SLOTS_LIMIT = 1_024
"""Of one worker."""
STEP_LIMIT = 1 << 53
"""Of progress, on either side of 0: every whole number up to it is a float as well."""

FailureKind: TypeAlias = Literal["error", "timeout", "invalid", "killed"]
NotFinite: TypeAlias = Literal["nan", "inf", "-inf"]


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Root of all messages."""


class Hello(Message, frozen=True, tag="hello"):
    """A worker introduces itself, at the start and whenever the orchestrator does not know it.

    ``leases`` are those it still works on, and ``run`` that which they are of, the one of its last welcome;
    ``session`` is new for each worker process. ``draining`` as in its heartbeats. ``own`` are environment
    variables, by name, that its evaluations have and those of other workers need not have, the same in each
    of its slots; for people who look for what a trial had, and no place for secrets. ``command_form``: which
    options of the evaluator that runs commands it understands, if it offers that one. ``takes_pieces``:
    whether what is long may come in pieces.
    """

    protocol: int
    worker: str
    session: str
    evaluators: list[str]
    slots: int = 1
    leases: list[str] = []
    host: str = ""
    pid: int = 0
    draining: bool = False
    run: str = ""
    own: dict[str, str] = {}
    command_form: int = 1
    takes_pieces: bool = False


class Heartbeat(Message, frozen=True, tag="heartbeat"):
    """Sent by a worker every ``heartbeat_s`` seconds with the leases it works on, and answered in kind.

    The first one after a welcome follows all that the worker keeps for the run: a lease that is not in it,
    and of which no outcome has come, is lost. ``draining``: it finishes what runs and takes nothing more, be
    it on its way; a lease that only waited there is dropped. ``waiting`` are those of the leases that wait
    for an evaluation of another run to end: the time that theirs may take has not begun.
    """

    leases: list[str] = []
    draining: bool = False
    waiting: list[str] = []


class Progress(Message, frozen=True, tag="progress"):
    """Partial quantities of a running evaluation: ``step`` counts up, to `STEP_LIMIT` at most, and
    ``values`` are finite numbers. ``not_finite`` are the quantities that are none at that step, as of a
    simulation that diverges: JSON has no number for these.
    """

    lease: str
    step: int
    values: dict[str, float]
    not_finite: dict[str, NotFinite] = {}


class Result(Message, frozen=True, tag="result"):
    """A finished evaluation. Kept by the worker until acknowledged.

    ``value`` and ``variance`` are in the objective's own units and sense; ``factors`` holds one value a
    factor; ``extras`` further named JSON values. Where people compare trials, as the welcome says, there is
    no value, and one that comes is passed over. ``elapsed_s`` is the evaluation's own duration, ``own`` what
    its slot had of its own, as in a hello. ``continued``: it was handed what the trial left that it was to go
    on from, and did not begin from nothing.
    """

    run: str
    lease: str
    trial: int
    value: float | None = None
    variance: float | None = None
    factors: list[float] | None = None
    extras: dict[str, Any] = {}
    elapsed_s: float = 0.0
    own: dict[str, str] = {}
    continued: bool = False


class Failure(Message, frozen=True, tag="failure"):
    """An evaluation that gave no value. ``error``: it raised or exited; ``timeout``: it was killed for its
    time; ``invalid``: it returned what is no result; ``killed``: a signal ended it. ``own`` as in a result.
    """

    run: str
    lease: str
    trial: int
    kind: FailureKind
    message: str
    elapsed_s: float = 0.0
    own: dict[str, str] = {}


class Piece(Message, frozen=True, tag="piece"):
    """A part of a longer message, from either side to one that takes pieces: of a result, a failure, a
    welcome or an evaluate. The ``text`` of all ``pieces``, whose ``number`` counts up from 0, is that
    message, which is ``of`` a lease, or of none, and whose CRC-32, as UTF-8, is ``crc``. They come in order,
    none of another message between them.
    """

    of: str
    number: int
    pieces: int
    crc: int
    text: str


class Taken(Message, frozen=True, tag="taken"):
    """The answer to each piece of a worker's: of that message the pieces up to ``number`` are here, with
    none at -1. Over another connection a worker goes on behind them.
    """

    of: str
    number: int


class Goodbye(Message, frozen=True, tag="goodbye"):
    """The worker leaves of its own will; leases it still holds are given back."""

    reason: str = ""


class Welcome(Message, frozen=True, tag="welcome"):
    """Answer to hello: the run, what is to be evaluated, and how often to beat.

    ``objective`` is what the run calls the value, of several objectives the first: a worker may let its
    evaluators return it under that name, which is empty where only ``value`` will do. On the wire it is
    always the ``value``. ``compared``: people compare what trials come to, or the value is computed from
    outcomes, and no evaluation has to give a value: a result needs none, and whatever else an evaluation
    returns stands among its extras. ``takes_pieces``: whether results and failures may come in pieces.
    """

    protocol: int
    run: str
    experiment: str
    evaluator: str
    options: dict[str, Any] = {}
    parameters: list[str] = []
    heartbeat_s: float = 2.0
    objective: str = ""
    compared: bool = False
    takes_pieces: bool = False


class Evaluate(Message, frozen=True, tag="evaluate"):
    """One attempt at one trial. ``seed`` is for every source of noise in the evaluation: from 0 to 2^31 - 1,
    the same for every attempt. ``accumulates`` is the parameter by which an evaluation may go on from one of
    the same settings that looked less closely: what it leaves is to be kept for others; empty if none is.
    ``continues`` is the trial that it goes on from, 0 if none: where what that left is not there, it begins
    from nothing. ``begun`` are the parameters of that trial, where its settings were other ones; else empty.
    ``slots`` is how many of the worker's it takes.
    """

    run: str
    lease: str
    trial: int
    attempt: int
    parameters: dict[str, Any]
    seed: int
    timeout_s: float | None = None
    accumulates: str = ""
    continues: int = 0
    begun: dict[str, Any] = {}
    slots: int = 1


class Cancel(Message, frozen=True, tag="cancel"):
    """Stop working on a lease; no answer but silence is expected."""

    lease: str
    reason: str = ""


class Acknowledge(Message, frozen=True, tag="acknowledge"):
    """A result or failure is safe on disk: the worker may forget it. ``counted`` is false for a late one."""

    lease: str
    counted: bool = True


class Reject(Message, frozen=True, tag="reject"):
    """A message was refused, with the reason in words. ``code``: ``hello`` (say hello first), ``protocol``,
    ``evaluator`` (not the one wanted), ``name`` (in use by another worker), ``run`` (a result of another
    run: keep it), ``malformed``."""

    code: Literal["hello", "protocol", "evaluator", "name", "run", "malformed"]
    reason: str
    lease: str = ""


class Drain(Message, frozen=True, tag="drain"):
    """Finish what runs, take nothing more, say goodbye. ``now``: stop what runs as well."""

    now: bool = False


FromWorker: TypeAlias = Hello | Heartbeat | Progress | Result | Failure | Piece | Goodbye
FromOrchestrator: TypeAlias = (
    Welcome | Heartbeat | Evaluate | Cancel | Acknowledge | Reject | Drain | Piece | Taken
)
