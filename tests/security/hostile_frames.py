"""Frames that no honest worker sends: malformed, oversized, deep, hostile, and merely strange."""

from __future__ import annotations

import functools
import json
import random
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestrator.wire.messages import FRAME_LIMIT, PROTOCOL

STRANGE_NAMES = ["w", "person", "local-1", "", "\x1b[2J", "a" * 5_000]
STRANGE_LEASES = ["", "1", "1.", ".1", "0.0", "-1.1", "1.1.1", "١.١", "1." + "9" * 6_000, "9" * 5_000 + ".1"]
PIECES = [b'"', b"{", b"[", b"\\u0000", b"1e999", b",", b"\xff", b"-"]
_A_RESULT = '{"type":"result","run":"another","lease":"1.1","trial":1,"value":1.0,"extras":{"a":"é"}}'
NAMES = st.one_of(st.text(max_size=40), st.sampled_from(STRANGE_NAMES))
LEASES = st.one_of(
    st.from_regex(r"[0-9]{1,4}\.[0-9]{1,3}", fullmatch=True),
    st.sampled_from(STRANGE_LEASES),
    st.text(max_size=10),
)
NUMBERS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(),
    st.sampled_from([0, -1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**300, 1e308, 5e-324]),
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def anything_or(right: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly what is due, and sometimes anything."""
    return st.one_of(right, right, right, JSON)


def messages(run: str, evaluator: str) -> st.SearchStrategy[dict[str, Any]]:
    """Of a worker that knows the run and its evaluator, with any part missing, wrong, extreme or added."""
    runs = st.sampled_from([run, run, "another", ""])
    offered = st.lists(st.sampled_from([evaluator, "x:y", "z" * 3_000]), max_size=5)
    outcome = {"run": anything_or(runs), "lease": anything_or(LEASES), "trial": anything_or(NUMBERS)}
    kinds: list[dict[str, st.SearchStrategy[Any]]] = [
        {
            "type": st.just("hello"),
            "protocol": anything_or(st.sampled_from([PROTOCOL, PROTOCOL, 0, 2])),
            "worker": anything_or(NAMES),
            "session": anything_or(NAMES),
            "evaluators": anything_or(offered),
            "slots": anything_or(st.sampled_from([1, 1, 2, 4, 0, -5, 10**9])),
            "leases": anything_or(st.lists(LEASES, max_size=30)),
            "host": anything_or(NAMES),
            "pid": anything_or(NUMBERS),
        },
        {
            "type": st.just("heartbeat"),
            "leases": anything_or(st.lists(LEASES, max_size=50)),
            "draining": anything_or(st.booleans()),
        },
        {
            "type": st.just("progress"),
            "lease": anything_or(LEASES),
            "step": anything_or(NUMBERS),
            "values": anything_or(st.dictionaries(NAMES, NUMBERS, max_size=5)),
        },
        {
            "type": st.just("result"),
            **outcome,
            "value": anything_or(NUMBERS),
            "variance": anything_or(NUMBERS),
            "factors": anything_or(st.lists(NUMBERS, max_size=5)),
            "extras": anything_or(st.dictionaries(st.text(max_size=8), JSON, max_size=4)),
            "elapsed_s": anything_or(NUMBERS),
        },
        {
            "type": st.just("failure"),
            **outcome,
            "kind": anything_or(st.sampled_from(["error", "timeout", "invalid", "killed", "sabotage"])),
            "message": anything_or(st.text(max_size=50)),
            "elapsed_s": anything_or(NUMBERS),
        },
        {
            "type": st.just("piece"),
            "of": anything_or(LEASES),
            "number": anything_or(st.integers(-1, 3)),
            "pieces": anything_or(st.integers(-1, 3)),
            "crc": anything_or(st.sampled_from([zlib.crc32(_A_RESULT.encode()), 0])),
            "text": anything_or(
                st.sampled_from([_A_RESULT, _A_RESULT[:60], _A_RESULT[60:], '{"type":"piece"}'])
            ),
        },
        {"type": st.just("goodbye"), "reason": anything_or(st.text(max_size=50))},
        {"type": JSON},
        {"type": st.sampled_from(["welcome", "evaluate", "acknowledge", "drain", "reject", "cancel"])},
    ]

    def partly(kind: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
        required = {"type": kind["type"]}
        others = {name: value for name, value in kind.items() if name != "type"}
        whole = st.fixed_dictionaries({**required, **others})
        return st.one_of(whole, whole, st.fixed_dictionaries(required, optional={**others, "\ud7ff": JSON}))

    return st.one_of([partly(kind) for kind in kinds])


def frame_of(message: Any) -> bytes:
    """As Python writes JSON: NaN and infinities too, which JSON does not have."""
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")


@functools.cache
def structured_frames(run: str, evaluator: str, count: int) -> tuple[bytes, ...]:
    """Frames that hypothesis makes of `messages`, always the same ones."""
    made: list[bytes] = []

    @settings(
        max_examples=count,
        database=None,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(messages(run, evaluator))
    def collect(message: dict[str, Any]) -> None:
        made.append(frame_of(message))

    collect()
    return tuple(made)


def monsters(run: str) -> list[list[bytes]]:
    """Large and deep ones, and messages of no or many frames."""
    near = FRAME_LIMIT - 200
    result = b'{"type":"result","run":"%s","lease":"1.1","trial":1,"value":1,"extras":' % run.encode()
    return [
        [b""],
        [b"", b""],
        [b"{}"] * 500,
        [b"\0" * near],
        [b"[" * near],
        [b'{"type":"heartbeat","leases":' + b"[" * (near // 2)],
        [b'{"type":"heartbeat","leases":[' + b'"1.1",' * (near // 6) + b'"1.1"]}'],
        [b'{"type":"progress","lease":"' + b"9" * near + b'","step":1,"values":{}}'],
        [result + b'{"a":"' + b"x" * (near - 200) + b'"}}'],
        [result + b'{"a":' * 2_000 + b"1" + b"}" * 2_001],
        [result + b'{"a":' + b"1" * 4_000 + b"}}"],
        [b'{"type":"piece","of":"1.1","number":0,"pieces":9,"crc":1,"text":"' + b"x" * near + b'"}'],
        [b'{"type":"piece","of":"' + b"9" * near + b'","number":0,"pieces":2,"crc":1,"text":"x"}'],
        [b"x" * (FRAME_LIMIT + 1)],
        [b"x" * (3 * FRAME_LIMIT)],
        [b'{"type":"hello","protocol":1,"worker":"w","session":"s","evaluators":["' + b"z" * near + b'"]}'],
    ]


def mutated(frame: bytes, rng: random.Random) -> bytes:
    """Some bytes changed, taken out, doubled or put in."""
    content = bytearray(frame)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(content) + 1)
        match rng.randrange(5):
            case 0 if place < len(content):
                content[place] ^= 1 << rng.randrange(8)
            case 1:
                del content[place : place + rng.randint(1, 20)]
            case 2:
                content[place:place] = content[max(0, place - 30) : place]
            case 3:
                content[place:place] = rng.randbytes(rng.randint(1, 8))
            case _:
                content[place:place] = rng.choice(PIECES)
    return bytes(content)


def onslaught(run: str, frames: Sequence[bytes], seed: int) -> Iterator[list[bytes]]:
    """Messages without an end, of frames and what mutations make of them, a few in a thousand monsters."""
    rng = random.Random(seed)
    giants = monsters(run)
    while True:
        draw = rng.random()
        if draw < 0.004:
            yield rng.choice(giants)
        elif draw < 0.5:
            yield [rng.choice(frames)]
        elif draw < 0.97:
            yield [mutated(rng.choice(frames), rng)]
        else:
            yield [rng.randbytes(rng.randrange(200)) for _ in range(rng.randint(1, 4))]
