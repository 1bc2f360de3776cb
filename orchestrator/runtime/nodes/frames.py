"""What crosses between the one who asks and the nodes of a factor graph: JSON objects with a ``type``.

Floats are written with as many digits as bring them back to the bit, or as `packed_triangle` has them. A node
hears of its own factors and of nothing else; letters are passed on by the asker unread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar

import msgspec
import numpy as np

from orchestrator.maximisers.message_passing.nodes import FactorPlace, Mail, Message, VariablePlace

NODE_PROTOCOL = 4
NODE_FRAME_LIMIT = 1 << 28
"""Bytes: a factor with 2,000 results takes about 21 MB, one with 7,000 about all of it."""
PART_LIMIT = 1 << 14
"""Bytes of a frame that go at a time, which a line of 64 kbit/s carries in two seconds: who hears nothing for
fifteen takes the connection to be cut, and of a part nothing is heard before it is whole.
"""

Arrays: TypeAlias = dict[str, Any]
"""A message between nodes: nested lists of numbers, by name."""

Letters: TypeAlias = dict[str, dict[str, Arrays]]
"""Recipient -> sender -> message."""


class NodeFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Root of all frames."""


class NodeHello(NodeFrame, frozen=True, tag="hello"):
    """A node is ready; after each connection that it made, and every few seconds that it hears nothing.

    ``version`` is its `node_version`, as nodes of another might compute other numbers; ``factors`` how many
    it holds at most; ``connection`` counts those that it made: what was said over an earlier one may be lost.
    """

    protocol: int
    version: str
    name: str
    factors: int
    host: str
    pid: int
    connection: int


class NodeGoodbye(NodeFrame, frozen=True, tag="goodbye"):
    """The node goes, and answers nothing more."""


class NodeReport(NodeFrame, frozen=True, tag="report"):
    """After a start, a phase or a delivery: whether the nodes here would end the phase, and what they say."""

    run: int
    step: int
    finished: bool
    letters: Letters


class NodeResults(NodeFrame, frozen=True, tag="results"):
    """What the nodes here found, by name."""

    run: int
    results: dict[str, Arrays]


class NodeAssigned(NodeFrame, frozen=True, tag="assigned"):
    """The factors given were understood."""

    assignment: int


class NodeFault(NodeFrame, frozen=True, tag="fault"):
    """Something asked of this process could not be done; it goes on living.

    ``about`` is the run or assignment it was asked in, None if that cannot be told.
    """

    reason: str
    about: int | None = None


class AssignedFactor(msgspec.Struct, frozen=True):
    """A factor's place in the graph and its function, as in `factor_description`."""

    place: FactorPlace
    description: dict[str, Any]


class Assign(NodeFrame, frozen=True, tag="assign"):
    """This factor and these parameters are yours now, beside those of the same assignment and no others.

    A factor may take many megabytes, so that each has a frame of its own.
    """

    assignment: int
    factor: AssignedFactor
    variables: list[VariablePlace]


class Start(NodeFrame, frozen=True, tag="start"):
    """Build the nodes of a program, with settings and inputs by node; answered with a report."""

    run: int
    program: str
    settings: dict[str, float]
    inputs: dict[str, Arrays]


class Phase(NodeFrame, frozen=True, tag="phase"):
    """A phase begins; answered with a report."""

    run: int
    step: int
    phase: int


class Deliver(NodeFrame, frozen=True, tag="deliver"):
    """One round's messages for the nodes there; answered with a report."""

    run: int
    step: int
    letters: Letters


class Finish(NodeFrame, frozen=True, tag="finish"):
    """The run is over; answered with results."""

    run: int


class NodeWelcome(NodeFrame, frozen=True, tag="welcome"):
    """Answers a hello."""


class Probe(NodeFrame, frozen=True, tag="probe"):
    """Finds out whether a connection still stands, by being sent; it is not answered."""


class NodeRefused(NodeFrame, frozen=True, tag="refused"):
    """Answers a hello that is not welcome. ``final``: nor will it ever be."""

    reason: str
    final: bool


class Leave(NodeFrame, frozen=True, tag="leave"):
    """Nothing more will be asked: a process may end."""


FromNode: TypeAlias = NodeHello | NodeGoodbye | NodeReport | NodeResults | NodeAssigned | NodeFault
Request: TypeAlias = Assign | Start | Phase | Deliver | Finish
"""What is asked of a node's factors, and answered with a report, with results, or with `NodeAssigned`."""
FromAsker: TypeAlias = Request | NodeWelcome | NodeRefused | Probe | Leave

_encoder = msgspec.json.Encoder()
_from_node: msgspec.json.Decoder[FromNode] = msgspec.json.Decoder(FromNode)
_from_asker: msgspec.json.Decoder[FromAsker] = msgspec.json.Decoder(FromAsker)
F = TypeVar("F")


class MalformedFrame(ValueError):
    """A frame that is none of the protocol; the text says why."""


def encode_frame(frame: NodeFrame) -> bytes:
    """The frame's bytes."""
    return _encoder.encode(frame)


def decode_from_node(data: bytes) -> FromNode:
    """A node's frame. Raises `MalformedFrame`."""
    return _decode(_from_node, data)


def decode_from_asker(data: bytes) -> FromAsker:
    """The asker's frame. Raises `MalformedFrame`."""
    return _decode(_from_asker, data)


def _decode(decoder: msgspec.json.Decoder[F], data: bytes) -> F:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedFrame(str(error) or type(error).__name__) from None


def write_arrays(message: Message) -> Arrays:
    """Arrays as nested lists. Raises ValueError where a number is not finite, which JSON cannot carry."""
    written: Arrays = {}
    for name, array in message.items():
        if not math.isfinite(float(np.sum(array))) and not np.isfinite(array).all():
            raise ValueError(f"expected finite numbers between nodes, got some that are not in {name!r}")
        written[name] = array.tolist()
    return written


def read_arrays(written: Arrays) -> Message:
    """The arrays again. Raises ValueError for what is not numbers."""
    return {name: np.asarray(values, dtype=float) for name, values in written.items()}


def write_letters(letters: Mapping[str, Mail]) -> Letters:
    """All messages of a round."""
    return {
        recipient: {sender: write_arrays(message) for sender, message in mail.items()}
        for recipient, mail in letters.items()
    }


def read_letters(letters: Letters) -> dict[str, dict[str, Message]]:
    """All messages of a round again."""
    return {
        recipient: {sender: read_arrays(message) for sender, message in mail.items()}
        for recipient, mail in letters.items()
    }


def in_parts(data: bytes) -> list[bytes]:
    """A frame as the parts of one message of ZeroMQ, which comes whole or not at all."""
    return [data[start : start + PART_LIMIT] for start in range(0, len(data), PART_LIMIT)]
