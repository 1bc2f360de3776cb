"""The algorithms by the names that a spec uses, loaded when asked for.

Those of other projects (`peers`) need the extra ``[compare]``.

Another package adds its own as entry points of the group ``orchestrator.algorithms``:
``my-algorithm = "my_package.module:MyAlgorithm"``, a class that keeps the protocol of `base.Algorithm`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from pydantic import ValidationError

from orchestrator.algorithms.base import Algorithm, ForeseesGain, Options, Problem, Recommends
from orchestrator.algorithms.peers.offered import PEERS, absence
from orchestrator.errors import SpecError
from orchestrator.spelling import did_you_mean, listed

GROUP = "orchestrator.algorithms"
BUILT_IN: Mapping[str, str] = {
    "add-gp-ucb": "orchestrator.algorithms.add_gp_ucb:AddGpUcb",
    "add-mes": "orchestrator.algorithms.add_mes:AddMes",
    "auto": "orchestrator.algorithms.auto:Auto",
    "bamsoo": "orchestrator.algorithms.bamsoo:Bamsoo",
    "bandit-bo": "orchestrator.algorithms.bandit_bo:BanditBo",
    "boo": "orchestrator.algorithms.boo:Boo",
    "dec-hbo": "orchestrator.algorithms.dec_hbo:DecHbo",
    "direct": "orchestrator.algorithms.direct:DirectSearch",
    "dumbo": "orchestrator.algorithms.dumbo:Dumbo",
    "egp-ts": "orchestrator.algorithms.egp_ts:EgpTs",
    "exp3-bo": "orchestrator.algorithms.exp3_bo:Exp3Bo",
    "explore": "orchestrator.algorithms.explore:Explore",
    "gp-ei": "orchestrator.algorithms.gp_ei:GpEi",
    "gp-ts": "orchestrator.algorithms.gp_ts:GpTs",
    "gp-ts-bayes": "orchestrator.algorithms.gp_ts_bayes:GpTsBayes",
    "gp-ucb": "orchestrator.algorithms.gp_ucb:GpUcb",
    "imgpo": "orchestrator.algorithms.imgpo:Imgpo",
    "line-bo": "orchestrator.algorithms.line_bo:LineBo",
    "ms-ucb": "orchestrator.algorithms.ms_ucb:MsUcb",
    "random": "orchestrator.algorithms.random_search:RandomSearch",
    "rembo": "orchestrator.algorithms.rembo:Rembo",
    "sobol": "orchestrator.algorithms.sobol:Sobol",
    "soo": "orchestrator.algorithms.soo:Soo",
    "turbo": "orchestrator.algorithms.turbo:Turbo",
}
OPTIONS_APART: Mapping[str, str] = {"auto": "orchestrator.algorithms.mixture.options:AutoOptions"}
"""Where options can be read without loading the algorithm itself, which takes long."""


def names() -> tuple[str, ...]:
    """Every name that `load` knows, sorted; nothing is imported."""
    return tuple(sorted({*BUILT_IN, *PEERS, *_third_party()}))


def load(name: str) -> type[Algorithm]:
    """The class of that name. Raises SpecError, with a near miss, for an unknown one, and for a peer whose
    libraries are not installed.
    """
    if name in PEERS and (sentence := absence(name)) is not None:
        raise SpecError(sentence)
    where = PEERS[name].where if name in PEERS else BUILT_IN.get(name)
    if where is not None:
        return cast(type[Algorithm], _named(where))
    found = _third_party().get(name)
    if found is None:
        near = did_you_mean(name, names())
        raise SpecError(f"expected an algorithm ({', '.join(names())}), got `{name}`{near}")
    offered = f"algorithm `{name}` is offered by an installed package as `{found.value}`, which"
    try:
        algorithm = found.load()
    except Exception as error:
        raise SpecError(
            f"{offered} cannot be imported ({error}); repair or uninstall that package"
        ) from error
    taken = getattr(algorithm, "Options", None)
    if not (isinstance(algorithm, type) and isinstance(taken, type) and issubclass(taken, Options)):
        raise SpecError(
            f"{offered} is no algorithm: expected a class with the protocol of"
            f" `orchestrator.algorithms.base.Algorithm`, got {type(algorithm).__name__}; repair or uninstall"
            " that package"
        )
    return cast(type[Algorithm], algorithm)


def options(name: str) -> type[Options]:
    """What an algorithm takes as its options. Raises as `load` does."""
    if (where := OPTIONS_APART.get(name)) is None:
        return load(name).Options
    return cast(type[Options], _named(where))


def _named(where: str) -> object:
    module, _, attribute = where.partition(":")
    return getattr(import_module(module), attribute)


def ours(name: str) -> bool:
    """Whether it is written or wrapped here, so that what it makes no use of is known."""
    return name in BUILT_IN or name in PEERS


def foresees_gain(algorithm: type[Algorithm]) -> bool:
    """Whether it can tell what is left to gain: `base.ForeseesGain`."""
    return issubclass(algorithm, ForeseesGain)


def names_that_foresee_gain() -> tuple[str, ...]:
    """Those of ours that can tell what is left to gain, sorted; all are imported."""
    return tuple(name for name in sorted(BUILT_IN) if foresees_gain(load(name)))


def cannot_recommend(name: str) -> str:
    """Why an algorithm has no best point to recommend, and which ones have. All are imported."""
    able = listed(one for one in sorted(BUILT_IN) if issubclass(load(one), Recommends))
    return (
        f"expected an algorithm that recommends points ({able}), got `{name}`;"
        " `best()` has the best value told"
    )


def cannot_choose_fidelity(name: str) -> str:
    """Why there can be no fidelity with an algorithm, and with which there can. Loads all options."""
    able = those_that(lambda options: options.chooses_fidelity)
    return (
        f"expected an algorithm that chooses how closely to look ({able}), got"
        f" `{name}`; choose that, or leave `fidelity` out and fix its parameter"
    )


def cannot_seek_averages(name: str) -> str:
    """Why no parameter can have a tolerance with an algorithm, and with which it can. Loads all options."""
    able = those_that(lambda options: options.seeks_averages)
    return (
        f"expected an algorithm that looks for what is best on average ({able}), got `{name}`; choose that,"
        " or leave `tolerance` out, and ask afterwards how much good points suffer"
    )


def cannot_hold(name: str) -> str:
    """Why no parameter can be held with an algorithm, and with which it can. Loads all options."""
    able = those_that(lambda options: options.holds_parameters)
    return (
        f"expected an algorithm that holds parameters ({able}), got `{name}`;"
        " choose one of those, or make trials of points of your own with `attach`"
    )


def cannot_trade_off(name: str) -> str:
    """Why there can be no second objective with an algorithm, and which ones trade off. Loads all options."""
    able = those_that(lambda options: options.trades_off)
    return (
        f"expected an algorithm that trades objectives off ({able}), got `{name}`;"
        " choose one of those, or keep one objective and put the others under `constraints`"
    )


def cannot_keep_constraints(name: str) -> str:
    """Why there can be no constraints with an algorithm, and which ones keep to them. Loads all options."""
    able = those_that(lambda options: options.keeps_constraints)
    return (
        f"expected an algorithm that keeps to constraints ({able}), got"
        f" `{name}`; choose one of those, or have the evaluator raise where they do not hold"
    )


def cannot_take_conditions(name: str) -> str:
    """Why no parameter can be conditional with an algorithm, and with which it can. Loads all options."""
    able = those_that(lambda options: options.takes_conditions)
    return (
        f"expected an algorithm for parameters that do not always count ({able}),"
        f" got `{name}`; choose one of those, or leave `when` out"
    )


def those_that(are_able: Callable[[type[Options]], bool]) -> str:
    """The names of ours whose options say so, as a sentence has them."""
    return listed(name for name in sorted(BUILT_IN) if are_able(options(name)))


def build(name: str, problem: Problem, given: Mapping[str, object] | None = None) -> Algorithm:
    """An algorithm for a problem. Raises SpecError for an unknown name and for options that are wrong."""
    algorithm = load(name)
    try:
        checked = algorithm.Options.model_validate(dict(given or {}))
    except ValidationError as error:
        raise SpecError("\n".join(_sentences(name, algorithm.Options, error))) from error
    complaints = checked.check(problem)
    if problem.domain.ties is not None and not algorithm.Options.keeps_constraints:
        complaints = [cannot_keep_constraints(name), *complaints]
    if problem.domain.activity is not None and not algorithm.Options.takes_conditions:
        complaints = [cannot_take_conditions(name), *complaints]
    if problem.further_objectives and not algorithm.Options.trades_off:
        complaints = [cannot_trade_off(name), *complaints]
    if problem.fidelity is not None and not algorithm.Options.chooses_fidelity:
        complaints = [cannot_choose_fidelity(name), *complaints]
    if problem.off is not None and not algorithm.Options.seeks_averages:
        complaints = [cannot_seek_averages(name), *complaints]
    if complaints:
        raise SpecError("\n".join(f"algorithm `{name}`: {complaint}" for complaint in complaints))
    return algorithm(problem, checked)


def _third_party() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _sentences(name: str, options: type[Options], error: ValidationError) -> list[str]:
    """One for each wrong option: its name, what was expected, what came."""
    known = list(options.model_fields)
    sentences = []
    for problem in error.errors():
        key = str(problem["loc"][0]) if problem["loc"] else ""
        if problem["type"] == "extra_forbidden" and len(problem["loc"]) == 1:
            sentences.append(
                f"algorithm `{name}`: expected the options {', '.join(known) or '(none)'}, got `{key}`"
                f"{did_you_mean(key, known)}"
            )
        else:
            message = problem["msg"].removeprefix("Value error, ")
            sentences.append(f"algorithm `{name}`, option `{key}`: {message}; got {problem['input']!r}")
    return sentences
