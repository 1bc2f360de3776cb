"""The journal gives back what was committed, cuts what was torn, and refuses what was damaged."""

from __future__ import annotations

import json
import types
import typing
import zlib
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_events import a_few_events, journal_of

from orchestrator import __version__
from orchestrator.errors import JournalError
from orchestrator.runtime.folder.journal import (
    Header,
    JournalReader,
    JournalWriter,
    Reading,
    decode_line,
    encode_line,
    read_header,
    read_journal,
)
from orchestrator.scheduler.events import (
    Event,
    LeaseExpired,
    WorkerLeft,
)

texts = st.text(st.characters(codec="utf-8"), max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)
leaves = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | numbers | texts
mappings = st.dictionaries(
    texts, st.recursive(leaves, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
)


def event_of(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any event of a kind, every field drawn."""
    hints = typing.get_type_hints(kind)
    return st.builds(kind, **{name: _field(hint) for name, hint in hints.items()})


def _field(hint: Any) -> st.SearchStrategy[Any]:
    if hint in (str, float):
        return texts if hint is str else numbers
    if hint is Any:
        return leaves | mappings
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Mapping:
        return mappings if inner[1] in (Any, object) else st.dictionaries(texts, _field(inner[1]), max_size=3)
    if origin is tuple and inner[-1] is not ...:
        return st.tuples(*(_field(part) for part in inner))
    if origin is tuple:
        return st.lists(_field(inner[0]), max_size=2).map(tuple)
    if origin is types.UnionType:
        return st.one_of(*(_field(part) for part in inner))
    return event_of(hint) if is_dataclass(hint) else st.from_type(hint)


any_event = st.one_of([event_of(kind) for kind in typing.get_args(Event)])


@given(st.lists(any_event, max_size=5))
@settings(max_examples=60)
def test_every_kind_of_event_comes_back_as_it_was(tmp_path_factory: Any, events: list[Event]) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    journal_of(path, events).close()
    reading = read_journal(path)
    # Through JSON once: tuples inside free-form values are lists there.
    assert [msgspec.json.encode(event) for event in reading.events] == [
        msgspec.json.encode(event) for event in events
    ]
    assert [type(event) for event in reading.events] == [type(event) for event in events]
    assert reading.length == path.stat().st_size
    assert all(json.loads(line)["n"] == n for n, line in enumerate(path.read_bytes().splitlines()))


def test_a_lease_that_expired_before_any_was_let_off_counts_as_it_did() -> None:
    body = b'{"n":7,"event":"LeaseExpired","data":{"at":1.0,"lease":"1.1","reason":"late"}}'
    line = b'{"crc":"%08x",%s' % (zlib.crc32(body), body[1:])
    assert decode_line(line, 7) == LeaseExpired(at=1.0, lease="1.1", reason="late", counts=True)


def test_a_journal_cut_at_any_byte_of_its_last_records_gives_the_whole_lines_and_goes_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.jsonl"
    events = a_few_events()
    journal_of(path, events).close()
    whole = path.read_bytes()
    ends = [n for n, byte in enumerate(whole, start=1) if byte == ord("\n")]
    more = WorkerLeft(at=9.0, worker="after", lost=False)
    for cut in range(ends[-4], len(whole)):
        path.write_bytes(whole[:cut])
        reader = JournalReader(path)
        kept = sum(1 for end in ends if end <= cut) - 1
        assert list(reader) == events[:kept]
        assert reader.length == ends[kept]
        writer = JournalWriter(path, length=reader.length, next_number=reader.lines)
        writer.append([more])
        writer.commit()
        writer.close()
        assert read_journal(path).events == (*events[:kept], more)


@given(st.data())
@settings(max_examples=150)
def test_damage_before_the_last_line_is_refused_with_its_line_and_nothing_is_changed(
    tmp_path_factory: Any, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    journal_of(path, a_few_events()).close()
    content = bytearray(path.read_bytes())
    last_line = content.rstrip(b"\n").rfind(b"\n") + 1
    place = data.draw(st.integers(0, last_line - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    line = bytes(content).count(b"\n", 0, place) + 1
    with pytest.raises(JournalError) as refusal:
        read_journal(path)
    assert f"line {line} is damaged" in str(refusal.value)
    assert "Nothing was changed" in str(refusal.value)
    assert "fsck" in str(refusal.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("damage", ["the last line feed but one", "a bit of the last line"])
def test_what_may_have_been_acknowledged_is_never_taken_for_torn(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.jsonl"
    journal_of(path, a_few_events()).close()
    content = bytearray(path.read_bytes())
    last_line = content.rstrip(b"\n").rfind(b"\n") + 1
    content[last_line - 1 if "feed" in damage else last_line + 40] ^= 1
    path.write_bytes(content)
    with pytest.raises(JournalError, match="is damaged"):
        read_journal(path)
    assert path.read_bytes() == content


def test_a_last_line_of_which_a_part_never_reached_the_disk_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    events = a_few_events()
    journal_of(path, events).close()
    content = bytearray(path.read_bytes())
    content[-60:-20] = bytes(40)
    path.write_bytes(content)
    reading = read_journal(path)
    assert reading.events == tuple(events[:-1])
    assert reading.length < path.stat().st_size - 60


def test_a_line_lost_from_the_middle_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal_of(path, a_few_events()).close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    with pytest.raises(JournalError, match="line 3 is damaged: it has number 3 where 2 is due"):
        read_journal(path)


def test_a_journal_that_was_carried_as_text_is_read(tmp_path: Path) -> None:
    path, events = tmp_path / "journal.jsonl", a_few_events()
    journal_of(path, events).close()
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_journal(path) == Reading(tuple(events), path.stat().st_size)


def test_a_journal_of_another_format_is_left_to_the_version_that_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal_of(path, []).close()
    path.write_bytes(encode_line(0, Header(99, "orchestrator 9.0")))
    with pytest.raises(
        JournalError, match=r"expected journal format 1, got 99, written by orchestrator 9\.0"
    ):
        read_journal(path)
    assert read_header(path) is None, "nor is the spec taken that it began with"


def test_an_event_of_a_later_version_is_not_taken_for_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal_of(path, []).close()
    body = b'{"n":1,"event":"MoonRose","data":{}}'
    with path.open("ab") as file:
        file.write(b'{"crc":"%08x",%s\n' % (zlib.crc32(body), body[1:]))
    with pytest.raises(JournalError) as refused:
        read_journal(path)
    said = f"line 2: expected an event that version {__version__} knows, got a MoonRose"
    assert said in str(refused.value)
    assert "Use the version that wrote it" in str(refused.value)
    assert "damage" not in str(refused.value).replace(str(path), "")


def test_what_is_appended_shows_up_when_the_reader_is_asked_again(tmp_path: Path) -> None:
    events = a_few_events()
    writer = journal_of(tmp_path / "journal.jsonl", events[:2])
    reader = JournalReader(tmp_path / "journal.jsonl")
    assert list(reader) == events[:2]
    writer.append(events[2:4])
    assert list(reader) == [], "it is not committed"
    writer.commit()
    assert list(reader) == events[2:4]
    writer.close()


def test_a_second_journal_is_never_begun_over_a_first(tmp_path: Path) -> None:
    journal_of(tmp_path / "journal.jsonl", []).close()
    with pytest.raises(JournalError, match="orchestrator resume"):
        JournalWriter.create(tmp_path / "journal.jsonl", "test")
