"""The JSON Schema of every message, for people who write the other side in another language.

python -m orchestrator.wire.schema                       prints it
python -m orchestrator.wire.schema docs/protocol.md      puts it between the markers of a document
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from orchestrator.wire import messages

BEGIN: Final = "<!-- schema: written by `python -m orchestrator.wire.schema docs/protocol.md` -->\n```json\n"
END: Final = "```\n<!-- end of schema -->\n"


def schema() -> dict[str, object]:
    """One JSON Schema with a definition for each message, and for what either side may send."""
    kinds = [kind for kind in messages.Message.__subclasses__() if kind.__module__ == messages.__name__]
    _, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for definition in definitions.values():
        # Docstrings are indented as in the source, or not, as the Python version likes.
        definition["description"] = " ".join(definition["description"].split())
    for side, union in (
        ("FromWorker", messages.FromWorker),
        ("FromOrchestrator", messages.FromOrchestrator),
    ):
        names = [kind.__name__ for kind in union.__args__]
        definitions[side] = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Messages of protocol {messages.PROTOCOL}",
        "oneOf": [{"$ref": "#/$defs/FromWorker"}, {"$ref": "#/$defs/FromOrchestrator"}],
        "$defs": definitions,
    }


def with_schema(document: str) -> str:
    """A document with the present schema between its markers. Raises `ValueError` if it has none."""
    begin = document.find(BEGIN)
    end = document.find(END, begin)
    if begin < 0 or end < 0:
        raise ValueError(f"expected a document with the markers {BEGIN!r} and {END!r}")
    text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    return document[: begin + len(BEGIN)] + text + document[end:]


def main(arguments: Sequence[str]) -> None:
    """Print the schema, or update the documents named."""
    if not arguments:
        print(json.dumps(schema(), indent=2, ensure_ascii=False))
    for name in arguments:
        path = Path(name)
        path.write_text(with_schema(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
