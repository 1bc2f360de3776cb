"""What a person records as it is kept: with its value, where that is computed, and derivatives together."""

from __future__ import annotations

import msgspec

from orchestrator.runtime.requests.kinds import Record
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.values.named import Values


def valued(record: Record, parameters: Values, wanted: WantedResults) -> Record:
    """A record of a trial with these parameters, as it is where its value is its own; without one where it
    lacks an outcome. Derivatives stand under one name.
    """
    record = msgspec.structs.replace(record, extras=wanted.gathered(record.extras))
    if not wanted.are_computed:
        return record
    return msgspec.structs.replace(record, value=wanted.computed(parameters, record.extras))
