"""The lines of an append-only file of events, each a JSON object with its number and its checksum.

A line is ``{"crc":"xxxxxxxx","n":1,"event":"RunStarted","data":{...}}``; the checksum is the CRC-32 of the
line without its ``"crc":"xxxxxxxx",``.
"""

from __future__ import annotations

import zlib

import msgspec

_PREFIX = len(b'{"crc":"xxxxxxxx",')


class Record(msgspec.Struct, frozen=True):
    """One line, less its checksum."""

    n: int
    event: str
    data: msgspec.Raw


class Damage(ValueError):
    """A line that cannot be believed; the text says why."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def checked_line(record: Record) -> bytes:
    """With its line feed."""
    body = _encoder.encode(record)
    return b'{"crc":"%08x",%s\n' % (zlib.crc32(body), body[1:])


def record_in(line: bytes, number: int) -> Record:
    """What line ``number`` holds, given without its line feed. Raises `Damage`."""
    # A file that was carried as text has them.
    line = line.removesuffix(b"\r")
    if len(line) <= _PREFIX or not line.startswith(b'{"crc":"') or line[_PREFIX - 2 : _PREFIX] != b'",':
        raise Damage("it does not begin with a checksum")
    body = b"{" + line[_PREFIX:]
    if line[8:16] != b"%08x" % zlib.crc32(body):
        raise Damage("its checksum does not match")
    try:
        record = _decoder.decode(body)
    except msgspec.DecodeError as error:
        raise Damage(f"it is no event: {error}") from None
    if record.n != number:
        raise Damage(f"it has number {record.n} where {number} is due")
    return record
