"""What other optimisers call their algorithms, and what does the same here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from orchestrator.spelling import british, did_you_mean

_BY_MODELS = "here that is `auto`, or `gp-ei`"
_SEVERAL = "`auto` takes several objectives"
_BRED = "here that is `nsga-ii`, or `auto` where evaluations are dear"
_NONE_SUCH = "there is none such here, and `auto` is what to begin with"
_STOPS = "`stop_when` stops evaluations that go badly, beside any algorithm"
_SAID: Mapping[str, str] = {
    **dict.fromkeys(("tpe", "motpe", "hyperopt", "parzen"), "here that is `optuna-tpe`"),
    "gpsampler": "here that is `optuna-gp`, or `auto`",
    **dict.fromkeys(("gp", "bo", "bayesopt", "bayesian", "bayesianoptimisation", "gpminimise"), _BY_MODELS),
    **dict.fromkeys(("botorch", "hebo", "default"), _BY_MODELS),
    **dict.fromkeys(("gpbandit", "gpucbpe", "vizier"), "here that is `auto`, or `gp-ucb`"),
    "scbo": "`auto` takes constraints on outcomes",
    **dict.fromkeys(
        ("mes", "maxvalueentropysearch", "qmaxvalueentropy"),
        "here there is `add-mes`, over groups of parameters",
    ),
    **dict.fromkeys(
        ("ei", "qei", "logei", "qlogei", "qlognei", "expectedimprovement"), "here that is `gp-ei`"
    ),
    **dict.fromkeys(("ucb", "qucb", "lcb", "upperconfidencebound"), "here that is `gp-ucb`"),
    **dict.fromkeys(("ts", "thompson", "thompsonsampling"), "here that is `gp-ts`"),
    **dict.fromkeys(("saas", "saasbo"), "here that is `botorch-saasbo`"),
    **dict.fromkeys(("rf", "forest", "forestminimise", "randomforest"), "here that is `smac`"),
    **dict.fromkeys(("lhs", "latinhypercube", "halton", "qmc", "quasirandom"), "here that is `sobol`"),
    **dict.fromkeys(
        ("activelearning", "bayesianexploration", "explorative", "qnipv", "ivr"), "here that is `explore`"
    ),
    **dict.fromkeys(("nsga2", "nsgaii", "nsga3", "nsgaiii", "cnsga", "moead", "mggpo", "ga"), _BRED),
    **dict.fromkeys(("genetic", "geneticalgorithm"), _BRED),
    **dict.fromkeys(("mobo", "ehvi", "qehvi", "qnehvi"), _SEVERAL),
    **dict.fromkeys(("qlognehvi", "parego", "qparego", "qnparego"), _SEVERAL),
    **dict.fromkeys(
        ("cma", "cmaes", "cmaesmargin", "catcma", "ipopcma", "bipopcma", "es", "evolutionstrategy"),
        "here that is `cma-es`, or `auto` where evaluations are dear",
    ),
    **dict.fromkeys(
        ("de", "pso", "evolution", "differentialevolution", "oneplusone"),
        "there is none such here: `cma-es` is of that kind, and `auto` is what to begin with",
    ),
    **dict.fromkeys(("neldermead", "simplex", "powell", "bfgs", "lbfgsb", "rcds", "anneal"), _NONE_SUCH),
    **dict.fromkeys(("aposmm", "extremumseeking", "annealing", "simulatedannealing", "kg"), _NONE_SUCH),
    **dict.fromkeys(("knowledgegradient", "qkg"), _NONE_SUCH),
    **dict.fromkeys(("populationbasedtraining", "pbt"), "here that is `pbt`, or `pb2`"),
    **dict.fromkeys(("median", "medianpruner", "medianstopping", "medianstoppingrule"), _STOPS),
    **dict.fromkeys(
        ("asha", "ashascheduler", "asynchyperband", "asynchyperbandscheduler", "sha"), "here that is `asha`"
    ),
    **dict.fromkeys(
        ("successivehalving", "successivehalvingpruner", "halvingrandomsearchcv"), "here that is `asha`"
    ),
    **dict.fromkeys(
        ("hyperband", "hyperbandpruner", "hyperbandscheduler", "hyperbandfacade"), "here that is `hyperband`"
    ),
    **dict.fromkeys(
        ("bohb", "hyperbandforbohb", "dehb", "mobster", "multifidelityfacade"),
        "here `hyperband` has no model, and `auto`, which has one, takes a `fidelity`",
    ),
    **dict.fromkeys(
        ("grid", "gridsearch", "bruteforce"),
        "a grid is a table of `candidates`, of which `random` tries each row once",
    ),
    **dict.fromkeys(
        ("multifidelity", "mfkg", "qmfkg", "multifidelityknowledgegradient"),
        "`auto` takes a `fidelity`, which is told beside it",
    ),
    **dict.fromkeys(("levelset", "straddle", "bax"), "`auto` finds where an objective crosses a `threshold`"),
}
_ENDINGS = ("sampler", "generator", "search", "optimiser", "algorithm", "suggest")


def algorithm_elsewhere(name: str, known: Iterable[str]) -> str:
    """``; here that is `gp-ei` ``, of an algorithm of others, or which of the ``known`` ones was meant; or
    nothing.
    """
    folded = british(name.casefold()).replace("-", "").replace("_", "").replace(" ", "")
    shorter = next((folded.removesuffix(end) for end in _ENDINGS if folded.endswith(end)), folded)
    said = _SAID.get(folded) or _SAID.get(shorter)
    return f"; {said}" if said else did_you_mean(name, known)
