"""docs/protocol.md says what the code does: its schema is current and its examples are messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from orchestrator.wire.codec import decode_from_orchestrator, decode_from_worker
from orchestrator.wire.messages import FromOrchestrator, FromWorker
from orchestrator.wire.schema import with_schema

DOCUMENT = Path(__file__).parents[3] / "docs" / "protocol.md"
_EXAMPLE = re.compile(r"^(W→O|O→W) (\{.*\})$", re.MULTILINE)


def test_its_schema_is_current() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert with_schema(text) == text, "run python -m orchestrator.wire.schema docs/protocol.md"


def test_every_example_is_a_message_of_its_direction_and_every_message_has_one() -> None:
    shown: dict[str, set[type]] = {"W→O": set(), "O→W": set()}
    for direction, frame in _EXAMPLE.findall(DOCUMENT.read_text("utf-8")):
        decode = decode_from_worker if direction == "W→O" else decode_from_orchestrator
        shown[direction].add(type(decode(frame.encode())))
    assert shown["W→O"] == set(FromWorker.__args__)
    assert shown["O→W"] == set(FromOrchestrator.__args__)


def test_a_document_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a document with the markers"):
        with_schema("# no markers\n")
