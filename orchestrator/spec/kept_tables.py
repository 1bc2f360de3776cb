"""The text of a spec with the tables in it that it names: what a run keeps depends on no file beside it.

In the place of a table's file stands the table itself, as one text in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.named_tables import TableRead

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^']|'')*'")
_ESCAPES = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def with_tables(text: str, tables: Sequence[TableRead], limit: int) -> str:
    """Raises SpecError where a file's name is not written out where it is meant, or all is longer than
    ``limit`` bytes.
    """
    if not tables:
        return text
    lines = re.split("(\r\n|[\n\r\x85\u2028\u2029])", text)
    by_place = {(table.named_at.place.line, table.named_at.place.column): table for table in tables}
    for (line, column), table in sorted(by_place.items(), reverse=True):
        here = lines[2 * (line - 1)]
        written = _as_written(here[column - 1 :], table.named_at.written)
        if written is None:
            sentence = "expected the name of the file as it is, in quotation marks or without"
            raise refusal([Complaint(table.named_at.place, sentence)])
        rest = here[column - 1 + len(written) :]
        lines[2 * (line - 1)] = here[: column - 1] + _quoted(table.text) + rest
    kept = "".join(lines)
    if len(kept.encode()) > limit:
        sentence = f"expected at most {limit:,} bytes of a spec and its tables, which a run keeps, got more"
        raise refusal([Complaint(tables[0].named_at.place, sentence)])
    return kept


def _as_written(text: str, meant: str) -> str | None:
    """What at the beginning of a text stands for what is meant."""
    if text.startswith(meant):
        return meant
    found = _QUOTED.match(text)
    return None if found is None else found[0]


def _quoted(table: str) -> str:
    # With its end, so that a table of one line is no name of a file either.
    whole = re.sub("\r\n?", "\n", table).rstrip("\n") + "\n"
    return f'"{"".join(map(_escaped, whole))}"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else f"\\U{ord(character):08x}"
