"""Where a point comes from: a person, the start design or a model, and what made it the one to evaluate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orchestrator.algorithms.ask_and_tell.start_design import OF_DESIGN
from orchestrator.report.explained.in_a_population import AS_IT_WAS
from orchestrator.report.explained.in_halving import NEW, PROMOTED
from orchestrator.report.searches.sources import CALLER
from orchestrator.report.words.amendment import added_words
from orchestrator.report.words.goals import threshold_words
from orchestrator.report.words.travel import on_the_way_words
from orchestrator.report.words.wording import finite_number, number
from orchestrator.scheduler.event_parts import ADDED, OF_REFERENCE, OF_SPEC, ON_THE_WAY
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.values.percent import percentage

PROMISED = "It is where the model, given every result so far, promised most."
ON_AVERAGE = (
    "It is where the model, given every result so far, promised most on average, settings being a little off."
)
BESIDE = (
    "It lies where settings may come out that, being a little off, promised most on average by the model,"
    " given every result so far."
)
DESIGNED = "It belongs to the start design, which spreads points until there is a model."
RELATED = (
    "It belongs to the start design: a related experiment was best there, or best away from its best point."
)
PROMISING = "It belongs to the start design: there, or about there, good settings were said to lie."
IN_USE = (
    "Its design promised most over what varies in use, by the model, given every result so far; its"
    " conditions are those in which an evaluation was to take away {share} of the variance of what that"
    " design is worth over them, the most of any."
)
FOR_EACH = (
    "It is where an evaluation, given every result so far, was expected to add most to the best of each"
    " condition{gain}."
)
AT_A_BOUNDARY = (
    "It is where an evaluation, given every result so far, was expected to take most of the doubt of where"
    " the value is above {threshold}."
)
DRAWN = (
    "It is the top of a function drawn from the model: given every result so far, it may be the best point "
    "there is."
)
OF_A_POSTERIOR = (
    "It is where an evaluation, given every result so far, was expected to tell most of how likely what was"
    " measured is, wherever parameters are plausible."
)
OF_THE_FIT = (
    "It is where the model, given every result so far, promised the best fit: while more of the likelihood of"
    " what was measured is not known than is, every other trial is for that, as what is plausible may be"
    " narrow, and is to be found first."
)
OF_A_TREE = (
    "The domain is cut into cells, most often where values were good: it is the middle of a"
    " cell{level}{ahead}."
)
OF_A_DISTRIBUTION = (
    "It was drawn from a normal distribution about where results ranked best{generation}, as wide and as"
    " stretched as those that did well have made it."
)
OF_PARENTS = (
    "It is bred from two of the best results, winners of tournaments between two each{front}, and differs"
    " from both in a setting at least."
)
LEARNED = "It is where an evaluation, given every result so far, tells the model most of the whole function."


def whence(spec: Spec, trial: Trial, source: str) -> str:
    """Who or what brought a trial's point forward, by the ``source`` among its reasons, in a sentence."""
    why = trial.suggested.why
    return {
        OF_SPEC: "The spec lists it among the points to start from.",
        OF_REFERENCE: "It is the reference, which is tried first: the best is measured against it.",
        ADDED: f"It was {added_words(trial)}.",
        OF_DESIGN: _of_design(why),
        ON_THE_WAY: f"It is {on_the_way_words(trial)}: {_led(why)}",
        CALLER: "The program that searches attached it, in the place of one that it asked for.",
        "random": "It was drawn at random: no model had a say in it.",
        "model": _of_a_model(spec, why),
        "tree": _of_a_tree(why),
        "training": AS_IT_WAS,
        "halving": PROMOTED,
        "distribution": _of_a_distribution(why),
        "parents": _of_parents(why),
    }.get(source, f"Its source: {source}." if source else "The optimiser gave no reason for it.")


def _of_a_model(spec: Spec, why: Mapping[str, Any]) -> str:
    if "crossing" in why and spec.objective.threshold is not None:
        return AT_A_BOUNDARY.format(threshold=threshold_words(spec))
    if isinstance(for_each := why.get("for_each"), Mapping):
        return FOR_EACH.format(gain=_gained(spec, finite_number(for_each.get("gain"))))
    if isinstance(in_use := why.get("in_use"), Mapping):
        return IN_USE.format(share=percentage(finite_number(in_use.get("told")) or 0.0))
    if isinstance(posterior := why.get("posterior"), Mapping):
        return OF_A_POSTERIOR if "learned" in posterior else OF_THE_FIT
    return DRAWN if why.get("drawn") else LEARNED if "learned" in why else _promised(why)


def _of_design(why: Mapping[str, Any]) -> str:
    if "halving" in why:
        return NEW
    return RELATED if "related" in why else PROMISING if "promising" in why else DESIGNED


def _of_a_tree(why: Mapping[str, Any]) -> str:
    level = f" of level {depth}" if isinstance(depth := why.get("depth"), int) else ""
    return OF_A_TREE.format(level=level, ahead=", ahead of its turn" if why.get("ahead") else "")


def _of_a_distribution(why: Mapping[str, Any]) -> str:
    generation, start = why.get("generation"), why.get("start")
    if not (isinstance(generation, int) and isinstance(start, int)):
        return OF_A_DISTRIBUTION.format(generation="")
    return OF_A_DISTRIBUTION.format(generation=f" (generation {generation} of start {start})")


def _of_parents(why: Mapping[str, Any]) -> str:
    front = why.get("front")
    said = f", the first of them of front {front}" if isinstance(front, int) else ""
    return OF_PARENTS.format(front=said)


def _gained(spec: Spec, gain: float | None) -> str:
    if gain is None:
        return ""
    unit = f" {spec.objective.unit}" if spec.objective.unit else ""
    return f": {number(gain, 2)}{unit} on average over what comes up in use"


def _promised(why: Mapping[str, object]) -> str:
    off = why.get("off")
    if not isinstance(off, Mapping):
        return PROMISED
    return BESIDE if off.get("beside") else ON_AVERAGE


def _led(why: Mapping[str, object]) -> str:
    """What a trial on the way leads to."""
    what = {
        OF_DESIGN: "there the start design has a point, which spreads them until there is a model",
        "model": "there the model, given every result so far, promised most",
    }.get(str(why.get("for")), "there the optimiser would look")
    return f"{what}, and it lies as far on that way as settings may travel at once."
