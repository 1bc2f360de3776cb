"""What of an experiment is at odds with what, and why: for a spec, for what is amended, and for Python."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal, TypeAlias

Said: TypeAlias = Literal[
    "algorithm: posterior",
    "an objective that is computed",
    "blocks",
    "candidates",
    "chance_below",
    "change",
    "clock",
    "constraints on outcomes",
    "cost",
    "derivatives",
    "expected_gain",
    "factors",
    "fidelity",
    "fidelity: continues",
    "further objectives",
    "held",
    "in_use",
    "limits kept in every trial",
    "limits relative to the reference",
    "outcomes",
    "over: each",
    "parts of points",
    "patience",
    "prior",
    "promising",
    "reference",
    "related",
    "results",
    "sharing",
    "slots",
    "stop_when",
    "target",
    "threshold",
    "told: by comparison",
    "tolerance",
    "travel",
]
"""By the key that says it, where one does."""
_NO_KEYS: Final = (
    "an objective that is computed",
    "constraints on outcomes",
    "further objectives",
    "limits kept in every trial",
    "limits relative to the reference",
    "parts of points",
)

BUDGETS_BY_VALUE: Final[tuple[Said, ...]] = ("target", "patience", "expected_gain")

_LIMIT = "; say `above` or `below`"
_BUDGET = "; say `trials` or `time`"
_UNFORESEEN: Mapping[Said, str] = {"expected_gain": "what is left to gain is not estimated there"}

WHY: Mapping[Said, Mapping[Said, str]] = {
    "change": {
        "travel": "how far a setting goes at once is one thing, and what that takes another, and no search"
        " here heeds both; leave one of them out",
        "sharing": "what a round shares is changed once for all of it; leave one of them out",
        "candidates": "a row is tried as it is, whatever changes with it; leave `change` out",
        "fidelity": "what a cheaper look saves is not weighed against what changes take; fix its parameter",
        "clock": "what was best earlier says little of what a change is worth now",
        "in_use": "evaluations are where they tell most of a design, whatever changes with that",
        "over: each": "evaluations are where they tell most of all conditions, whatever changes with that",
        "tolerance": "evaluations are where they tell most of an average, whatever changes with that",
        "limits kept in every trial": "the safe search looks where trials are safe, whatever that changes",
        "derivatives": "the search that makes use of them looks anywhere; leave `derivatives` out",
        "told: by comparison": "the search by comparisons does not heed it",
    },
    "algorithm: posterior": dict.fromkeys(
        ("target", "patience"),
        f"trials are for which parameters are plausible, and not for a better fit{_BUDGET}",
    ),
    "an objective that is computed": {
        "promising": "its search models outcomes, and does not heed where the best is believed to lie; say"
        " first `points`",
        "further objectives": "a search by what outcomes mean has one objective; put the others under"
        " `constraints`, or have all of them returned",
        "limits kept in every trial": "the safe search has no model of what the value is computed from; say"
        " `constraints` on outcomes without a probability",
        "fidelity": "outcomes are modelled as they are at full fidelity; fix its parameter",
        "clock": "outcomes are modelled as functions that do not drift",
        "blocks": "offsets are taken off the value alone, and not off outcomes",
        "factors": "no model of a sum is made of the value, but one of each outcome",
        "tolerance": "what is best on average is sought among values that are returned",
        "related": "what is known of related experiments is one value of each result",
        "told: by comparison": "who compares heeds what matters; leave `value` and `fit` out",
        "stop_when": "what an evaluation that was stopped would have returned is not foreseen",
        **_UNFORESEEN,
    },
    "derivatives": {
        "promising": "the search that makes use of them does not heed where the best is believed to lie; say"
        " first `points`",
        "an objective that is computed": "outcomes have models of their own, which learn from no derivatives;"
        " have the evaluation return the value",
        "further objectives": "the search that makes use of them has one objective; put the others under"
        " `constraints`",
        "limits kept in every trial": "the safe search makes no use of them; say `constraints` on outcomes"
        " without a probability",
        "in_use": "what a design is worth over all conditions is learned from values; leave `derivatives`"
        " out",
        "fidelity": "a derivative that is of a cheaper look is another function's; fix its parameter",
        "clock": "a function that drifts is learned from values",
        "blocks": "an offset that values share is no part of their derivatives, and is inferred from values"
        " alone",
        "factors": "no model of a sum is made of derivatives",
        "tolerance": "what is best on average is sought among values",
        "travel": "the search that makes use of them looks anywhere; leave `derivatives` out",
        "related": "what is known of related experiments is one value of each result",
        "candidates": "along a row there is nothing to follow a derivative to; leave `derivatives` out",
        "told: by comparison": "nobody can say by how much a trial would be better; leave `derivatives` out",
        "expected_gain": "what is left to gain is not estimated there",
    },
    "in_use": {
        "promising": "its search is for a design that is best over what varies, and does not heed it; say"
        " first `points`",
        "an objective that is computed": "what a design is worth over all conditions is modelled as one"
        " value; have the evaluator return it",
        "further objectives": "one value is to be best over what varies; put the others under `outcomes`",
        "constraints on outcomes": "the search is for the objective alone over what varies; have the"
        " evaluator return a value that is poor where they do not hold",
        "fidelity": "how closely to look is not chosen there; fix its parameter",
        "clock": "what is best over all conditions does not follow the time",
        "held": "what is known of the conditions for now is no part of a design for all; fix the parameter",
        "parts of points": "in which condition to evaluate is chosen with the design; say all of each point",
        "sharing": "evaluations are under the conditions in which they tell most of a design; leave `sharing`"
        " out",
        "travel": "evaluations are where they tell most of a design, and cannot be approached",
        "tolerance": "what a setting is off by is a condition of its own; say one or the other",
        "blocks": "an offset cannot be told from what conditions do",
        "related": "what is best over all conditions is sought among models of this experiment alone",
        "candidates": "a row is tried once, and a design under several conditions",
        "factors": "no model of a sum is made over conditions",
        "reference": "it would be compared under one condition; say `initial: {points: ...}`",
        "told: by comparison": "the search by comparisons does not heed it",
        "stop_when": "what is poor under its conditions may be good over all",
        **dict.fromkeys(
            BUDGETS_BY_VALUE,
            f"it is about one value under one condition, and none of those is the best{_BUDGET}",
        ),
    },
    "over: each": {
        "promising": "each condition has a best of its own; say first `points`",
        "an objective that is computed": "what is best in each condition is sought among models of one value;"
        " have the evaluator return it",
        "further objectives": "one value is to be best in each condition; put the others under `outcomes`",
        "constraints on outcomes": "the search is for the objective alone; have the evaluator fail where they"
        " do not hold",
        "fidelity": "how closely to look is not chosen there; fix its parameter",
        "clock": "what is best in each condition does not follow the time",
        "tolerance": "what is best on average is sought among values as they are set",
        "blocks": "an offset cannot be told from what conditions do",
        "related": "what is best in each condition is sought among models of this experiment alone",
        "candidates": "a row is tried once, and settings in several conditions",
        "reference": "it would be compared in one condition; say `initial: {points: ...}`",
        "threshold": "it is sought where the value crosses that, and no best settings",
        "derivatives": "the search that makes use of them is for one best point; leave `derivatives` out",
        "told: by comparison": "the search by comparisons does not heed it",
        "stop_when": "what is poor in one condition need not be so among what was tried in it",
        **dict.fromkeys(
            ("target", "patience"),
            "it is about one value in one condition, and each has its own best; say `expected_gain`, which is"
            " on average over all, `trials` or `time`",
        ),
    },
    "threshold": {
        "promising": "no best settings are sought, but where the value crosses that",
        "an objective that is computed": "on which side of it the value lies is modelled of the value alone;"
        " have the evaluator return it",
        "in_use": "it is sought point by point where the value crosses it; leave `in_use` out, and take what"
        " varies for a parameter",
        "further objectives": "it is of one value; put the others under `outcomes`",
        "constraints on outcomes": "all of the domain is looked at; have the evaluator fail where they do not"
        " hold",
        "limits kept in every trial": "what lies beyond it has to be tried, too",
        "fidelity": "how closely to look is not chosen there; fix its parameter",
        "clock": "what is above it now need not be so later",
        "tolerance": "it is crossed by values as they are set; leave `tolerance` out",
        "related": "where it is crossed is sought among models of this experiment alone",
        "reference": "there is no best point that could be compared; say `initial: {points: ...}`",
        "derivatives": "on which side of it the value lies is modelled of values; leave `derivatives` out",
        "told: by comparison": "no trial has a value that could be above it",
        "stop_when": "what is far from the best may lie at the threshold",
        **dict.fromkeys(
            ("target", "patience"),
            "no value is sought that is the best; say `expected_gain`, the share of the domain that may be"
            " classified wrongly, `trials` or `time`",
        ),
    },
    "further objectives": {
        "clock": "which trials are trade-offs now is not known from what they were; keep one objective and"
        " put the others under `constraints`",
        "target": "no trial is the best; what is good enough of each can be said under `constraints`",
        "fidelity: continues": "what an earlier evaluation left is weighed by one objective",
        "chance_below": f"a trial's chances are those of one value{_LIMIT}",
        **_UNFORESEEN,
    },
    "outcomes": {"chance_below": f"a trial's chances are those of the value alone{_LIMIT}"},
    "constraints on outcomes": _UNFORESEEN,
    "held": _UNFORESEEN,
    "limits kept in every trial": {
        "promising": "the safe search looks where trials are safe, wherever the best may lie; say first"
        " `points`",
        "further objectives": "the search along a front knows of no safe ground; keep one objective and put"
        " the others under `constraints`",
        "fidelity": "what looks less closely says too little of whether a limit is kept; fix its parameter",
        "clock": "what was safe earlier need not be so now",
        "travel": "what lies on the way to a safe point need not be safe",
        "factors": "no model of a sum is made of what the limits are about",
        "related": "what is safe is known from this experiment's results alone",
    },
    "fidelity": {
        "travel": "how closely to look is chosen for where the optimiser would look at once",
        "chance_below": "how an evaluation will end is foreseen by others, which looked more or less closely"
        f"{_LIMIT}",
    },
    "clock": {
        "promising": "where good settings lie now need not be where they lie later; say first `points`",
        "limits relative to the reference": "what it had at one time it need not have at another; write the"
        " number",
        "fidelity: continues": "what an earlier evaluation left is of another time",
        "chance_below": f"the best values of before say nothing of a trial's chances now{_LIMIT}",
        **dict.fromkeys(
            BUDGETS_BY_VALUE, f"no trial is the best, for its value may be another by now{_BUDGET}"
        ),
    },
    "blocks": {
        "further objectives": "offsets are taken off the value alone",
        "constraints on outcomes": "offsets are taken off the value alone, and not off outcomes",
        "tolerance": "what is best on average is sought among values as they are",
        "fidelity": "what a cheap look is off by is learned as part of the function",
        "clock": "an offset that changes from block to block cannot be told from the drift",
        "stop_when": "what is poor in its block may be good without the offset",
        **dict.fromkeys(
            BUDGETS_BY_VALUE,
            "it is about values as they are told, and the best of a block with a high offset need not be good"
            f"{_BUDGET}",
        ),
    },
    "candidates": {
        "held": "which rows may be tried would hang on it; leave the other rows out of the table",
        "sharing": "rows are tried as they are, and few may have anything in common; leave `sharing` out",
        "fidelity": "how closely to look is chosen for where the optimiser would look at once",
        "clock": "a row has no time; leave `clock` out",
        "travel": "a row is not approached: it is tried or it is not",
        "tolerance": "what is best on average is sought between the rows, too",
        "told: by comparison": "the search by comparisons does not keep to rows",
    },
    "tolerance": {
        "further objectives": "it is one average that is to be best; put the others under `constraints`"
        " without tolerances, and ask afterwards what these make of it",
        "constraints on outcomes": "the search is for the best average of the objective alone; leave"
        " `tolerance` out, and ask afterwards how likely they hold",
        "fidelity": "how closely to look is chosen for values as set",
        "travel": "evaluations are where they tell most of an average, and cannot be approached",
        "stop_when": "what is no best as set may be the best on average",
        **dict.fromkeys(
            BUDGETS_BY_VALUE,
            f"it is about the best value as set, and what is sought is best on average{_BUDGET}",
        ),
    },
    "related": {
        "further objectives": "what is known of related experiments is one value of each result; keep one"
        " objective and put the others under `constraints`",
        "fidelity": "how closely a related experiment looked is not told; fix its parameter",
        "clock": "what a related experiment found does not drift with this one",
        "tolerance": "what is best on average is sought among models of this experiment alone",
        "told: by comparison": "what is known of related experiments has values, and trials have none",
    },
    "told: by comparison": {
        "promising": "the search by comparisons does not heed it; say first `points`",
        "further objectives": "of several, what is better is for whoever compares to weigh",
        "outcomes": "whoever compares heeds what matters; what evaluations return is kept all the same",
        "fidelity": "trials are compared as they are; fix its parameter",
        "clock": "what was better earlier is compared with what is later",
        "blocks": "no trial has a value that could be off",
        "factors": "no model of a sum is made of comparisons",
        "held": "trials are compared wherever they are; fix the parameter instead",
        "parts of points": "trials are compared wherever they are; say all of each point",
        "sharing": "trials are compared wherever they are; leave `sharing` out",
        "reference": "by how much one trial is better than another nobody says; say `initial: {points: ...}`",
        "results": "what is known has values, and trials have none; say `initial: {points: ...}`",
        "slots": "a trial keeps its place among those under way until it is compared, whatever it takes;"
        " leave `slots` out",
        "chance_below": f"no value is foreseen{_LIMIT}",
        **dict.fromkeys(("tolerance", "travel"), "the search by comparisons does not heed it"),
        "prior": "no trial has a value that could be spread, or be held against what was measured",
        **dict.fromkeys(("cost", *BUDGETS_BY_VALUE), f"no trial has a value{_BUDGET}"),
    },
}
"""Of what is kept, why something else is refused beside it."""


def sentence_of(kept: Said, refused: Said) -> str:
    """Why one is refused beside the other."""
    return f"expected no {_words(refused).removeprefix('an ')} beside {_words(kept)}: {WHY[kept][refused]}"


def at_odds(kept: Collection[Said], new: Collection[Said]) -> Iterator[tuple[Said, str]]:
    """What of ``new`` is refused beside what is ``kept``, with the sentence that says why."""
    for one, refused in WHY.items():
        for other in refused:
            if one in kept and other in new:
                yield other, sentence_of(one, other)


def _words(said: Said) -> str:
    return said if said in _NO_KEYS else f"`{said}`"
