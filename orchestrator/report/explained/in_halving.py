"""Why settings are looked at more closely, or are new: of searches by successive halving."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from orchestrator.scheduler.trial import Trial

PROMOTED = (
    "Its settings were among the best of those looked at as closely: so they are looked at more closely."
)
NEW = (
    "Its settings are new, of a sequence that spreads them: of those looked at by then none that waited was"
    " good enough to be looked at more closely."
)


def in_halving(trial: Trial) -> Iterator[str]:
    """A sentence on how its settings stood, and which rung this is; none of other searches."""
    told = trial.suggested.why.get("halving")
    if not isinstance(told, Mapping):
        return
    rung = f"rung {told.get('rung')} of {told.get('rungs')}, of which the last is full fidelity"
    bracket = f", in bracket {told['bracket']} of {told.get('brackets')}" if "bracket" in told else ""
    if "trial" not in told:
        yield f"It is at {rung}{bracket}."
        return
    stood = f"number {told.get('rank')} of the {told.get('of')} that had come to its rung by then"
    before = told["trial"]
    known = f"Trial {before}" if isinstance(before, int) and before >= 1 else "A result known beforehand"
    yield f"{known}, of the same settings, was {stood}{bracket}; this is at {rung}."
