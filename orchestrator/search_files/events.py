"""What happens in a search that is kept, as its file has it: an event a line.

``at`` is the time of day in seconds since 1970: that of when the search was opened, and what passed since by
a clock that nobody sets; 0 in files of before it was told.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from orchestrator.curves.curve import Readings
from orchestrator.system.checked_lines import Damage, Record, checked_line, record_in

FORMAT = 1


class Began(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line: the ``format``, the version that wrote it, and which ``problem`` the search is of."""

    format: int
    software: str
    problem: Mapping[str, Any]


class Opened(msgspec.Struct, frozen=True, omit_defaults=True):
    """A process takes it up, at a time of day in ISO 8601. ``trials`` are those that it plans, and ``cost``
    what they may cost together, as far as it does; ``when`` has, by name, when parameters count that do not
    always, as a spec has it.
    """

    at: str
    host: str
    pid: int
    trials: int | None = None
    when: Mapping[str, Any] = msgspec.field(default_factory=dict)
    cost: float | None = None


class AskedFor(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trial of an ask; ``predicted`` is a mean and a deviation. ``aside``: it is as good as another only
    where the same parameters are held, or leads to another point. ``continues`` is the trial that it goes on
    from, if any, which had the same settings unless they are ``changed``.
    """

    trial: int
    parameters: Mapping[str, Any]
    cost: float = 1.0
    predicted: tuple[float, float] | None = None
    aside: bool = False
    why: Mapping[str, Any] = msgspec.field(default_factory=dict)
    continues: int | None = None
    changed: bool = False


class TrialsAsked(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ask was answered, while parameters were ``held``."""

    trials: Sequence[AskedFor]
    held: Mapping[str, Any] = msgspec.field(default_factory=dict)
    at: float = 0.0


class TrialAttached(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trial at a point of the caller's."""

    trial: int
    parameters: Mapping[str, Any]
    cost: float = 1.0
    at: float = 0.0


class TrialTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a trial, ``value`` None of what failed, for a ``reason`` in a line, if it was said;
    ``curve`` is what it reported on its way, and ``not_finite_at`` the first step at which that was NaN or
    infinite; ``extras`` are what else came with it.
    """

    trial: int
    value: float | None
    variance: float | None = None
    factors: Sequence[float] | None = None
    outcomes: Mapping[str, float | Sequence[float]] = msgspec.field(default_factory=dict)
    foreseen: bool = False
    seconds: float | None = None
    curve: Readings = ()
    not_finite_at: int | None = None
    stopped: str = ""
    block: str | None = None
    at: float = 0.0
    reason: str = ""
    derivatives: Mapping[str, float] = msgspec.field(default_factory=dict)
    extras: Mapping[str, Any] = msgspec.field(default_factory=dict)


class TrialAbandoned(msgspec.Struct, frozen=True, omit_defaults=True):
    """Nothing will come of a trial."""

    trial: int
    at: float = 0.0


class ResultLearned(msgspec.Struct, frozen=True, omit_defaults=True):
    """A result from elsewhere."""

    parameters: Mapping[str, Any]
    value: float | None
    variance: float | None = None
    factors: Sequence[float] | None = None
    outcomes: Mapping[str, float | Sequence[float]] = msgspec.field(default_factory=dict)
    held: bool = False
    block: str | None = None
    at: float = 0.0
    derivatives: Mapping[str, float] = msgspec.field(default_factory=dict)
    seconds: float | None = None


class RefitAdopted(msgspec.Struct, frozen=True, omit_defaults=True):
    """The model took new hyperparameters over, at this place in the order of events."""

    number: int
    observations: int
    payload: Mapping[str, Any]


class StockTaken(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was believed of so many ``results`` in blocks: which one is best without its offset, by its trial,
    or by 0, -1 and so on of those that were learned, with the mean and the deviation that were ``predicted``
    there; and by block the mean and the deviation of its offset. Or the shares of a ``crossing``: above, low,
    high and misclassified.
    """

    results: int
    trial: int | None = None
    predicted: tuple[float, float] | None = None
    offsets: Mapping[str, tuple[float, float]] = msgspec.field(default_factory=dict)
    crossing: tuple[float, float, float, float] | None = None
    at: float = 0.0


class TrialsCompared(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person found one trial better than another, or them ``alike``."""

    better: int
    worse: int
    alike: bool = False
    at: float = 0.0


class ComparisonsTakenBack(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whatever was said of how two trials compare does not hold."""

    trial: int
    other: int
    at: float = 0.0


class TrialFailed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trial that was to be compared could not be made, for a ``reason``, if it was said."""

    trial: int
    at: float = 0.0
    reason: str = ""


Event: TypeAlias = (
    Began
    | Opened
    | TrialsAsked
    | TrialAttached
    | TrialTold
    | TrialAbandoned
    | ResultLearned
    | RefitAdopted
    | StockTaken
    | TrialsCompared
    | ComparisonsTakenBack
    | TrialFailed
)


class UnknownEvent(Damage):
    """A sound line of a kind that this version does not have."""


def _as_json(value: object) -> object:
    """Scalars and arrays of numpy, which algorithms may leave in what they say, and a caller's own kinds of
    text.
    """
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"expected JSON values, got a {type(value).__name__}")


_encoder = msgspec.json.Encoder(enc_hook=_as_json)
_decoders: Mapping[str, msgspec.json.Decoder[Event]] = {
    kind.__name__: msgspec.json.Decoder(kind) for kind in typing.get_args(Event)
}


def encode_event(number: int, event: Event) -> bytes:
    """Line ``number`` of the file, with its line feed."""
    return checked_line(Record(number, type(event).__name__, msgspec.Raw(_encoder.encode(event))))


def decode_event(line: bytes, number: int) -> Event:
    """The event of line ``number``, given without its line feed. Raises `Damage`."""
    record = record_in(line, number)
    if record.event not in _decoders:
        raise UnknownEvent(f"it holds a {record.event}, which this version does not know")
    try:
        return _decoders[record.event].decode(record.data)
    except msgspec.DecodeError as error:
        raise Damage(f"it is no event: {error}") from None
