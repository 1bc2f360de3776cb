"""What is known of parameters beforehand, as it was typed, and as files of draws that were named have it."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.command_line.files import say_remarks
from orchestrator.errors import UsageError
from orchestrator.spelling import listed
from orchestrator.values.typed_priors import OfFile

if TYPE_CHECKING:
    from orchestrator.report.following.run_so_far import RunSoFar


def priors_asked(
    parsed: argparse.Namespace, run: RunSoFar, exact: Collection[str] = ()
) -> Mapping[str, object]:
    """By the parameters of a run, as a spec would say it. Of those that are ``exact`` what files have of all
    of theirs is left alone. Raises UsageError for what is said twice, and for
    files of which no column is a parameter's; SpecError for files that are no tables, and for gaps in them.
    """
    typed = {name: one for name, one in parsed.prior if not isinstance(one, OfFile)}
    files = [one for _, one in parsed.prior if isinstance(one, OfFile)]
    if len(typed) + len(files) < len(parsed.prior):
        raise UsageError("expected --prior once for each parameter, got one twice")
    known = dict[str, object]()
    for file in files:
        for name, draws in _draws(file, run, {*typed, *exact}).items():
            if name in known:
                raise UsageError(f"expected draws of `{name}` in one file, got them in several")
            known[name] = {"draws": draws}
    return {**known, **typed}


def _draws(file: OfFile, run: RunSoFar, besides: Collection[str]) -> dict[str, list[object]]:
    """Of the parameter that is meant, or of all that have a column but for some ``besides``."""
    from orchestrator.spec.candidate_table import rows_of_csv
    from orchestrator.spec.document.chain_table import read_chain
    from orchestrator.spec.document.text_file import read_text
    from orchestrator.spec.document.tree import Node, Place, Source
    from orchestrator.spec.drawn_priors import weights_left_alone
    from orchestrator.spec.named_columns import column_of
    from orchestrator.spec.results.headings import CSV_LIMIT, Headings
    from orchestrator.spec.sections.parameters import FloatParameter, IntParameter

    csv = read_chain(read_text(Path(file.path), CSV_LIMIT), file.path)
    table = rows_of_csv(replace(csv, header=Headings.of(run.spec).called(csv.header)))
    chosen = [n for n, one in run.spec.parameters.items() if isinstance(one, FloatParameter | IntParameter)]
    names = [file.name] if file.name else [n for n in chosen if n in table.columns and n not in besides]
    if not names:
        raise UsageError(
            f"expected columns of {file.path} that are numbers which are chosen ({listed(chosen)}), got"
            f" {listed(list(table.columns), 'and')}"
        )
    others = [name for name in table.columns if name not in run.spec.parameters]
    said = weights_left_alone(file.path, others).values()
    say_remarks(f"{one} have rows drawn by that first" for one in said)
    at = Node(Place(Source(file.path, ()), 1, 1), file.path)
    return {name: [cell.content for cell in column_of(table, name, at, "draws")] for name in names}
