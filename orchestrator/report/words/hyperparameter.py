"""What a model believed of the objective, in words: its hyperparameters, whatever form it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from orchestrator.report.words.wording import NAMED, finite_number, number, plainly

# What is not among the other hyperparameters, as a sentence of its own says it or nobody could read it.
SAID_IN_WORDS = (
    "length_scales",
    "frequency",
    "factors",
    "log_evidence",
    "centre",
    "radius",
    "expanded",
    "crossing",
)


def hyperparameters_in_words(
    names: Sequence[str], told: Mapping[str, object], aspects: Sequence[str] = ()
) -> Iterator[str]:
    """Sentences on what a member ``told`` of itself, over parameters of these ``names``, or over ``aspects``
    of them.
    """
    told = _flattened(told)
    scales = told.get("length_scales")
    frequency = finite_number(told.get("frequency"))
    others = [
        f"{key.replace('_', ' ')} {plainly(value)}" for key, value in told.items() if key not in SAID_IN_WORDS
    ]
    owners = next((own for own in (names, aspects) if _is_of_each(scales, own)), None)
    if isinstance(scales, list | tuple) and owners is not None and len(set(scales)) > 1:
        ranked = sorted(zip(scales, owners, strict=True))
        named = [f"{name} {number(float(scale), 2)}" for scale, name in ranked[:NAMED]]
        more = "" if len(ranked) <= NAMED else f" and {len(ranked) - NAMED:,} more"
        yield (
            "Length-scales, in shares of each parameter's range (the shorter, the more the parameter "
            f"matters): {', '.join(named)}{more}."
        )
    elif scales:
        scale = scales[0] if isinstance(scales, list | tuple) else scales
        yield f"One length-scale for all parameters, in shares of their ranges: {plainly(scale)}."
    if told.get("expanded"):
        yield (
            "It believed in a paraboloid about the middle of the region, which the objective leaves the more "
            "the farther away."
        )
        # Where it was not learned, all directions are alike.
        if (crossing := finite_number(told.get("crossing"))) is not None and crossing != 1.0:
            yield (
                f"What two parameters do to its curvature together weighed {number(crossing, 2)} of what "
                "each does alone."
            )
    elif "steepness" in told:
        yield "It believed in a paraboloid over all parameters, and in what is left upon it."
    if frequency is not None:
        yield f"It believed in waves along each number, {number(frequency, 3)} of them from end to end."
    if others:
        yield f"Its other hyperparameters, for standardised values: {', '.join(others)}."
    if (evidence := finite_number(told.get("log_evidence"))) is not None:
        yield f"Its log evidence was {number(evidence, 3)}."


def _is_of_each(scales: object, owners: Sequence[str]) -> bool:
    return isinstance(scales, list | tuple) and len(scales) == len(owners)


def _flattened(told: Mapping[str, object]) -> dict[str, object]:
    """Groups of hyperparameters dissolved: what a member nests is its own affair."""
    flat: dict[str, object] = {}
    for key, value in told.items():
        flat |= _flattened(value) if isinstance(value, Mapping) else {key: value}
    return flat
