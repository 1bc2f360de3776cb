"""What the runtime and the optimiser's process say to each other: JSON lines over a pair of pipes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from orchestrator.scheduler.commands import (
    AdoptRefit,
    Ask,
    EstimateGain,
    OptimiserCommand,
    Rebuild,
    TakeStock,
    Tell,
    TellComparison,
)
from orchestrator.scheduler.event_parts import PartLeftOut, Suggested


@dataclass(frozen=True, slots=True)
class Block:
    """So many requests follow that belong together, as a history does, though they may come in pieces."""

    requests: int


@dataclass(frozen=True, slots=True)
class End:
    """The run is over, not merely this process's life: nodes elsewhere may go."""


Request: TypeAlias = OptimiserCommand | Block | End


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """The suggestions of an ask, the beliefs behind them, the seconds they took, and which parts of points
    have nothing that could be beside them.
    """

    ask: int
    suggestions: list[Suggested]
    seconds: float
    insight: dict[str, Any]
    left_out: list[PartLeftOut] = []


class RefitBegun(msgspec.Struct, frozen=True, tag="refit begun"):
    """A refit is being computed, beside everything else."""

    number: int
    observations: int


class RefitDone(msgspec.Struct, frozen=True, tag="refit done"):
    """A refit is computed; it waits to be adopted. ``model`` counts how often there was a new beginning."""

    number: int
    observations: int
    payload: Mapping[str, Any]
    seconds: float
    model: int = 0


class RefitFailed(msgspec.Struct, frozen=True, tag="refit failed"):
    """A refit could not be computed; the model goes on with what it had."""

    number: int
    message: str


class GainEstimated(msgspec.Struct, frozen=True, tag="gain estimated"):
    """What is left to gain by refit ``number``, as equally likely draws; ``model`` as in `RefitDone`."""

    number: int
    observations: int
    draws: tuple[float, ...]
    seconds: float
    model: int = 0


class GainFailed(msgspec.Struct, frozen=True, tag="gain failed"):
    """What is left to gain by refit ``number`` could not be estimated."""

    number: int
    message: str


class Stock(msgspec.Struct, frozen=True, tag="stock"):
    """What is believed of so many observations; ``model`` as in `RefitDone`."""

    observations: int
    insight: dict[str, Any]
    model: int = 0


class NodesNoted(msgspec.Struct, frozen=True, tag="nodes noted"):
    """Something about nodes elsewhere, in words. ``waiting``: the ask under way does, until the next word."""

    sentence: str
    waiting: bool = False


class Trouble(msgspec.Struct, frozen=True, tag="trouble"):
    """The algorithm raised; the process ends after this."""

    message: str


Reply: TypeAlias = (
    Answer | RefitBegun | RefitDone | RefitFailed | GainEstimated | GainFailed | Stock | NodesNoted | Trouble
)


def as_json(value: object) -> object:
    """numpy's scalars and arrays as what JSON knows; algorithms may leave them in what they report."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"expected JSON values, got a {type(value).__name__}")


_encoder = msgspec.json.Encoder(enc_hook=as_json)
_replies: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)
# What the lines of requests call them.
_NAMES: Mapping[type[Request], str] = {
    Ask: "ask",
    Tell: "tell",
    TellComparison: "compare",
    AdoptRefit: "adopt",
    EstimateGain: "estimate gain",
    TakeStock: "take stock",
    Rebuild: "rebuild",
    Block: "block",
    End: "end",
}


class _Named(msgspec.Struct, frozen=True):
    name: str
    request: msgspec.Raw


_named = msgspec.json.Decoder(_Named)
_requests: Mapping[str, msgspec.json.Decoder[Request]] = {
    name: msgspec.json.Decoder(kind) for kind, name in _NAMES.items()
}


def encode_request(request: Request) -> bytes:
    """One line."""
    return _encoder.encode({"name": _NAMES[type(request)], "request": request}) + b"\n"


def encode_requests(commands: Iterable[OptimiserCommand]) -> bytes:
    """One line each, and before several one that says how many; nothing for none."""
    lines = [encode_request(command) for command in commands]
    block = [encode_request(Block(len(lines)))] if len(lines) > 1 else []
    return b"".join([*block, *lines])


def decode_request(line: bytes) -> Request:
    """The request in a line."""
    named = _named.decode(line)
    return _requests[named.name].decode(named.request)


def encode_reply(reply: Reply) -> bytes:
    """One line."""
    return _encoder.encode(reply) + b"\n"


def decode_reply(line: bytes) -> Reply:
    """The reply in a line."""
    return _replies.decode(line)
