"""The algorithms by the names that a spec uses, loaded when asked for.

Those of other projects (`peers`) need the extra ``[compare]``.

Another package adds its own as entry points of the group ``orchestrator.algorithms``:
``my-algorithm = "my_package.module:MyAlgorithm"``, a class that keeps the protocol of `base.Algorithm`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from pydantic import ValidationError

from orchestrator.algorithms.base import Algorithm, ForeseesGain, Options, Problem, Recommends
from orchestrator.algorithms.names_elsewhere import algorithm_elsewhere
from orchestrator.algorithms.peers.offered import PEERS, absence
from orchestrator.errors import SpecError
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.quoted import quoted

GROUP = "orchestrator.algorithms"
BUILT_IN: Mapping[str, str] = {
    "add-gp-ucb": "orchestrator.algorithms.add_gp_ucb:AddGpUcb",
    "add-mes": "orchestrator.algorithms.add_mes:AddMes",
    "asha": "orchestrator.algorithms.asha:Asha",
    "auto": "orchestrator.algorithms.auto_on_scales:AutoOnScales",
    "bamsoo": "orchestrator.algorithms.bamsoo:Bamsoo",
    "bandit-bo": "orchestrator.algorithms.bandit_bo:BanditBo",
    "boo": "orchestrator.algorithms.boo:Boo",
    "cma-es": "orchestrator.algorithms.cma_es:CmaEs",
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
    "hyperband": "orchestrator.algorithms.hyperband:Hyperband",
    "imgpo": "orchestrator.algorithms.imgpo:Imgpo",
    "line-bo": "orchestrator.algorithms.line_bo:LineBo",
    "ms-ucb": "orchestrator.algorithms.ms_ucb:MsUcb",
    "nsga-ii": "orchestrator.algorithms.nsga_ii:NsgaII",
    "pb2": "orchestrator.algorithms.pb2:Pb2",
    "pbt": "orchestrator.algorithms.pbt:Pbt",
    "posterior": "orchestrator.algorithms.posterior_search:PosteriorSearch",
    "random": "orchestrator.algorithms.random_search:RandomSearch",
    "rembo": "orchestrator.algorithms.rembo:Rembo",
    "sobol": "orchestrator.algorithms.sobol:Sobol",
    "soo": "orchestrator.algorithms.soo:Soo",
    "turbo": "orchestrator.algorithms.turbo:Turbo",
}
OF_A_FIT = ("posterior",)
"""Those of no other objective than one that fits outcomes to what was measured."""
IN_PIECES = ("pb2", "pbt")
"""Those of evaluations alone that go on from one another."""
BY_RUNGS = ("asha", "hyperband")
"""Those of evaluations alone that may look less closely, whether or not they go on from one another."""
OF_ANY_OBJECTIVE = tuple(name for name in BUILT_IN if name not in {*OF_A_FIT, *IN_PIECES, *BY_RUNGS})
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
        near = algorithm_elsewhere(name, names())
        raise SpecError(f"expected an algorithm ({', '.join(names())}), got {quoted(name)}{near}")
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


@dataclass(frozen=True)
class Ability:
    """Something that an algorithm may be able to do, or not: ``of`` says so of one by its name. ``words`` are
    what is said of those that are, and ``advice`` is what to do about one that is not. ``beside``: those of
    special problems that are worth naming all the same.
    """

    words: str
    advice: str
    of: Callable[[str], bool]
    beside: tuple[str, ...] = ()

    def able(self) -> tuple[str, ...]:
        """Those of ours that are, sorted, whatever is sought. All are loaded, or their options."""
        return tuple(name for name in sorted((*OF_ANY_OBJECTIVE, *self.beside)) if self.of(name))

    def lacking(self, name: str) -> str:
        """Why an algorithm, which is not, will not do, and which ones will. As `able`."""
        return f"expected an algorithm {self.words} ({listed(self.able())}), got `{name}`; {self.advice}"


FORESEES_GAIN = Ability(
    "that can tell what is left to gain",
    "choose one of those, or another budget",
    lambda name: issubclass(load(name), ForeseesGain),
)
RECOMMENDS = Ability(
    "that recommends points",
    "`best()` has the best value told",
    lambda name: issubclass(load(name), Recommends),
)
CHOOSES_FIDELITY = Ability(
    "that chooses how closely to look",
    "choose one of those, or leave `fidelity` out and fix its parameter",
    lambda name: options(name).chooses_fidelity,
    BY_RUNGS,
)
SEEKS_AVERAGES = Ability(
    "that looks for what is best on average",
    "choose that, or leave `tolerance` out, and ask afterwards how much good points suffer",
    lambda name: options(name).seeks_averages,
)
INFERS_OFFSETS = Ability(
    "that takes off what results of a block share",
    "choose one of those, or leave `blocks` out",
    lambda name: options(name).infers_offsets,
)
LEARNS_FROM_RELATED = Ability(
    "that learns from related experiments",
    "choose that, or leave them out",
    lambda name: options(name).learns_from_related,
)
HEEDS_HUNCHES = Ability(
    "that begins where settings are said to be promising",
    "choose that, or leave `promising` out, and say first points or narrower bounds",
    lambda name: options(name).heeds_hunches,
)
CHOOSES_ROWS = Ability(
    "that chooses among candidates",
    "choose one of those, or leave `candidates` out",
    lambda name: options(name).chooses_rows,
)
LEARNS_COMPARISONS = Ability(
    "that learns from comparisons",
    "choose that, or have the objective measured",
    lambda name: options(name).learns_comparisons,
)
KEEPS_LIMITS = Ability(
    "that keeps limits on outcomes in every trial",
    "choose that, or write the limit without `probability`, for the best trial alone",
    lambda name: options(name).keeps_limits,
)
HEEDS_USE = Ability(
    "that looks for what is best over what varies in use",
    "choose that, or leave `in_use` out and fix those parameters, or average in the evaluation",
    lambda name: options(name).heeds_use,
)
FINDS_CROSSINGS = Ability(
    "that looks for where values cross a threshold",
    "choose one of those, or leave `threshold` out",
    lambda name: options(name).finds_crossings,
)
LEARNS_DERIVATIVES = Ability(
    "that makes use of derivatives",
    "choose that, or leave `derivatives` out: a run keeps what evaluations return of them all the same",
    lambda name: options(name).learns_derivatives,
)
HOLDS_PARAMETERS = Ability(
    "that holds parameters",
    "choose one of those, or make trials of points of your own with `attach`",
    lambda name: options(name).holds_parameters,
)
TRADES_OFF = Ability(
    "that trades objectives off",
    "choose one of those, or keep one objective and put the others under `constraints`",
    lambda name: options(name).trades_off,
)
KEEPS_CONSTRAINTS = Ability(
    "that keeps to constraints",
    "choose one of those, or have the evaluator raise where they do not hold",
    lambda name: options(name).keeps_constraints,
)
TAKES_CONDITIONS = Ability(
    "for parameters that do not always count",
    "choose one of those, or leave `when` out",
    lambda name: options(name).takes_conditions,
)


@dataclass(frozen=True)
class StandIn:
    """What stands for algorithms in ``problems`` of a kind: ``where``, by their names. Others that have the
    ``ability`` take such a problem themselves, and those that do not are refused; where there is no such
    ability, to all others it is a problem like any.
    """

    problems: Callable[[Problem], bool]
    where: Mapping[str, str]
    ability: Ability | None


STAND_INS = (
    StandIn(
        lambda problem: problem.compared,
        {"auto": "orchestrator.algorithms.by_comparison:ByComparison"},
        LEARNS_COMPARISONS,
    ),
    StandIn(
        lambda problem: bool(problem.kept),
        {"auto": "orchestrator.algorithms.safe_search:SafeSearch"},
        KEEPS_LIMITS,
    ),
    StandIn(
        lambda problem: problem.composite is not None,
        {"auto": "orchestrator.algorithms.composite_search:CompositeSearch"},
        None,
    ),
    StandIn(
        lambda problem: problem.in_use is not None and problem.in_use.over.each,
        {"auto": "orchestrator.algorithms.best_for_each:BestForEach"},
        HEEDS_USE,
    ),
    StandIn(
        lambda problem: problem.in_use is not None,
        {"auto": "orchestrator.algorithms.best_in_use:BestInUse"},
        HEEDS_USE,
    ),
    StandIn(
        lambda problem: problem.threshold is not None,
        dict.fromkeys(("auto", "explore"), "orchestrator.algorithms.boundary_search:BoundarySearch"),
        FINDS_CROSSINGS,
    ),
    StandIn(
        lambda problem: bool(problem.derivatives),
        {"auto": "orchestrator.algorithms.search_with_derivatives:SearchWithDerivatives"},
        LEARNS_DERIVATIVES,
    ),
)
"""The first that is for a problem counts."""


def has_stand_in(name: str, problem: Problem) -> bool:
    """Whether something else, whose options are its own, stands for the algorithm in such a problem."""
    first = next((one for one in STAND_INS if one.problems(problem)), None)
    return first is not None and name in first.where


def _class_for(name: str, problem: Problem) -> type[Algorithm]:
    """The algorithm, or what stands for it in such a problem. Raises SpecError where it will not do."""
    algorithm = load(name)
    for one in STAND_INS:
        if not one.problems(problem):
            continue
        if name in one.where:
            return cast(type[Algorithm], _named(one.where[name]))
        if one.ability is not None:
            if not one.ability.of(name):
                raise SpecError(f"algorithm `{name}`: {one.ability.lacking(name)}")
            return algorithm
    return algorithm


def build(name: str, problem: Problem, given: Mapping[str, object] | None = None) -> Algorithm:
    """An algorithm for a problem. Raises SpecError for an unknown name and for options that are wrong."""
    algorithm = _class_for(name, problem)
    try:
        checked = algorithm.Options.model_validate(dict(given or {}))
    except ValidationError as error:
        raise SpecError("\n".join(_sentences(name, algorithm.Options, error))) from error
    needed = {
        SEEKS_AVERAGES: problem.off is not None,
        CHOOSES_FIDELITY: problem.fidelity is not None,
        TRADES_OFF: problem.further_objectives > 0,
        INFERS_OFFSETS: problem.blocks,
        LEARNS_FROM_RELATED: bool(problem.related),
        HEEDS_HUNCHES: problem.hunch is not None,
        TAKES_CONDITIONS: problem.domain.activity is not None,
        KEEPS_CONSTRAINTS: problem.domain.ties is not None and problem.domain.rows is None,
        CHOOSES_ROWS: problem.domain.rows is not None,
    }
    complaints = [one.lacking(name) for one, is_needed in needed.items() if is_needed and not one.of(name)]
    complaints += checked.check(problem)
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
