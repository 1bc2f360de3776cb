"""What happened to the files that evaluations are made with: an event as those of `events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesEdited:
    """While the run went on, some files of `RunStarted.evaluated_by` became others: ``changed`` are their
    checksums since.
    """

    at: float
    changed: Mapping[str, str]
