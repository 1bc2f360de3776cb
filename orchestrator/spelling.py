"""American spellings, and what a person may have meant by a word that is not known."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping

# Not in `size`, `prize` or `resize`, which have their z everywhere.
_AMERICAN = re.compile(r"(?<=[a-z]{3})(?<!res)iz(?=e|ing|ation)")
_OTHERS = {"color": "colour", "behavior": "behaviour", "neighbor": "neighbour", "center": "centre"}
# What other optimisers and statisticians call the things that specs name.
_SYNONYMS = {
    "categorical": "choice",
    "enum": "choice",
    "ordinal": "ordered",
    "real": "float",
    "double": "float",
    "number": "float",
    "uniform": "float",
    "discrete": "int",
    "constant": "fixed",
    "direction": "goal",
    "calculated": "computed",
    "derived": "computed",
    "formula": "value",
    "expression": "value",
    "range": "bounds",
    "low": "bounds",
    "high": "bounds",
    "lower": "bounds",
    "upper": "bounds",
    "min": "bounds",
    "max": "bounds",
    "lb": "bounds",
    "ub": "bounds",
    "log": "scale",
    "increment": "step",
    "resolution": "step",
    "quantisation": "step",
    "q": "step",
    "dtype": "type",
    "value_type": "type",
    "parameter_type": "type",
    "depends_on": "when",
    "condition": "when",
    "conditions": "when",
    "active_if": "when",
    "options": "values",
    "choices": "values",
    "categories": "values",
    "levels": "values",
    "parallel": "synchronous",
    "serial": "sequential",
    "retries": "attempts",
    "max_trials": "trials",
    "iterations": "trials",
    "function": "evaluator",
    "name": "experiment",
}

SURELY_MEANT = 0.9
"""How alike two words are of which one is the other with a slip of the pen, of 1."""


def british(word: str) -> str:
    """The British form of a word: ``maximize`` to ``maximise``, ``neighbors`` to ``neighbours``."""
    word = _AMERICAN.sub("is", word)
    for american, form in _OTHERS.items():
        word = word.replace(american, form)
    return word


def american(word: str) -> str:
    """The American form of a word that `british` would turn back; the word itself if there is none."""
    candidate = re.sub(r"(?<=[a-z]{3})is(?=e|ing|ation)", "iz", word)
    for form, other in _OTHERS.items():
        candidate = candidate.replace(other, form)
    return candidate if british(candidate) == word else word


def near_miss(word: str, known: Iterable[str]) -> str | None:
    """The known word that this one was probably meant to be, or None.

    A beginning (``max`` for ``maximise``) and what other programs say (``categorical`` for ``choice``)
    count as near, as do a few letters' difference, whatever the case.
    """
    by_folded = {candidate.casefold(): candidate for candidate in known}
    folded = british(word.casefold())
    if folded in by_folded:
        return by_folded[folded]
    if (synonym := _SYNONYMS.get(folded)) in by_folded:
        return synonym
    beginnings = [
        c
        for c in by_folded
        if min(len(c), len(folded)) >= 3 and (c.startswith(folded) or folded.startswith(c))
    ]
    if len(beginnings) == 1:
        # Of `reference_tims` `reference` is a beginning, and `reference_times` what was meant.
        return by_folded[slip_of(folded, by_folded) or beginnings[0]]
    close = difflib.get_close_matches(folded, by_folded, n=1, cutoff=0.65)
    return by_folded[close[0]] if close else None


def slip_of(word: str, known: Collection[str]) -> str | None:
    """The known word that this one is with a slip of the pen, or None."""
    found = difflib.get_close_matches(word, known, n=1, cutoff=SURELY_MEANT)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`` (did you mean `maximise`?)``, or nothing where no known word is near."""
    meant = near_miss(word, known)
    return f" (did you mean `{meant}`?)" if meant is not None else ""


def is_it(known: str, told: Iterable[str]) -> str:
    """`` (is it `typ`?)`` of the first word told that was probably meant to be a known one; or nothing."""
    meant = next((word for word in told if near_miss(word, (known,)) is not None), None)
    return f" (is it `{meant}`?)" if meant is not None else ""


def meant_instead(told: object, known: Collection[str]) -> str:
    """`` (did you mean `evenly`?)`` of a word that is told, and ``; not `chancs` (did you mean `chances`?)``
    of a mapping with words for keys, of the first unknown one that is near a known one; or nothing.
    """
    if isinstance(told, str):
        return did_you_mean(told, known)
    words = told if isinstance(told, Mapping) else ()
    unknown = (word for word in words if isinstance(word, str) and word not in known)
    near = ((word, hint) for word in unknown if (hint := did_you_mean(word, known)))
    return next((f"; not `{word}`{hint}" for word, hint in near), "")


def listed(words: Iterable[str], last: str = "or") -> str:
    """```a`, `b` or `c```."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def those_that_are(words: Collection[str]) -> str:
    """`listed`, or that none is: for the brackets behind what was expected."""
    return listed(words) if words else "none is"
