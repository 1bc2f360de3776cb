"""What keys of other optimisers are called here, where they are no near misses: Optuna's, Ax's, Ray Tune's,
libEnsemble's, Xopt's, NNI's, scikit-optimize's, SMAC's, Hyperopt's, Dragonfly's and those of W&B's sweeps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orchestrator.spelling import british

_TRIALS = (
    *("ntrials", "numtrials", "maxtrials", "totaltrials", "numsamples", "nsamples", "maxevaluations"),
    *("maxevals", "ncalls", "niter", "iterations", "evaluations", "maxtrialnumber", "simmax", "exitcriteria"),
    *("maxcapital", "runcap"),
)
_TIME = (
    *("timebudgets", "wallclockmax", "maxtime", "maxexperimentduration"),
    *("walltimelimit", "walltime", "wallclock", "timelimit"),
)
_METHOD = (
    *("sampler", "generator", "tuner", "generationstrategy", "searchalg", "genspecs", "genf", "method"),
    *("strategy", "acquisition", "acquisitionfunction", "surrogate", "model"),
)
_AT_A_TIME = (
    *("njobs", "nworkers", "numworkers", "maxworkers", "parallel", "parallelism", "maxparallelism"),
    *("maxconcurrenttrials", "maxconcurrent", "concurrency", "trialconcurrency", "libespecs", "executor"),
)
_STOPPED = (
    *("pruner", "pruning", "scheduler", "earlystopping", "earlystoppingstrategy", "assessor"),
    "earlyterminate",
)
_EVALUATED = ("simspecs", "simf", "trainable", "function", "objectivefunction", "evaluator")
_PROGRAM = ("trialcommand", "program", "executable", "script", "appname")
_SPACE = (
    *("variables", "searchspace", "space", "paramspace", "params", "dimensions", "dofs"),
    *("hyperparameters", "configspace", "domain", "parametrization"),
)
_FIRST = ("pointstoevaluate", "x0", "initialpoints", "enqueue", "enqueuetrial")
_KEPT = ("storage", "storagepath", "loadifexists", "dumpfile", "resume", "outputdirectory", "logdir")
_BESIDE = ("observables", "trackingmetrics", "trackingmetricnames")
_GPUS = ("resources", "resourcespertrial", "gpus", "numgpus", "trialgpunumber")
_PROCESSORS = (
    "numprocs",
    "nprocs",
    "numcores",
    "ncores",
    "cores",
    "cpus",
    "ncpus",
    "numcpus",
    "processors",
    "resourcesets",
)
_TARGET = ("stopval", "stopscore", "valuetoreach", "threshold", "lossthreshold", "terminationcostthreshold")
_INSTANCES = "parameters: {case: {type: choice, values: [a, b], in_use: evenly}}"
_GOOD_ENOUGH = ("referencepoint", "objectivethresholds", "thresholds")

_TOP: Mapping[str, str] = {
    **dict.fromkeys(("study", "studyname", "experimentname", "title"), "experiment: drag-of-a-wing"),
    **dict.fromkeys(
        ("direction", "optimisemode", "metric", "minimise", "maximise"),
        "objective: {name: y, goal: minimise}",
    ),
    "directions": "objectives: {drag: minimise, lift: maximise}",
    **dict.fromkeys(_TRIALS, "budget: {trials: 100}"),
    **dict.fromkeys(_TIME, "budget: {time: 1 h}"),
    **dict.fromkeys(_METHOD, "algorithm: {name: auto}"),
    **dict.fromkeys(_AT_A_TIME, "workers: {local: 4}"),
    **dict.fromkeys(_GPUS, "workers: {local: 2, each: {CUDA_VISIBLE_DEVICES: [0, 1]}}"),
    **dict.fromkeys(_PROCESSORS, "evaluation: {slots: 4}"),
    **dict.fromkeys(_STOPPED, "evaluation: {stop_when: {quantity: loss, chance_below: 0.1}}"),
    **dict.fromkeys(_EVALUATED, 'evaluation: {evaluator: "module:function"}'),
    **dict.fromkeys(_PROGRAM, 'evaluation: {command: [./program, "{x}"]}'),
    **dict.fromkeys(_SPACE, "parameters: {x: {type: float, bounds: [0, 1]}}"),
    "instances": _INSTANCES,
    "vocs": "parameters: {x: {type: float, bounds: [0, 1]}}, with `objective`, `outcomes` and `constraints`",
    **dict.fromkeys(("constants", "constant"), "parameters: {x: {type: fixed, value: 3}}"),
    **dict.fromkeys(("statusquo", "baseline"), "initial: {reference: {x: 0.3}}"),
    **dict.fromkeys(_FIRST, "initial: {points: [{x: 0.3}]}"),
    **dict.fromkeys(("fixedfeatures", "fixedparameters", "context"), "held: {x: 0.3}"),
    **dict.fromkeys(("randomstate", "randomseed"), "seed: 0"),
    **dict.fromkeys(_GOOD_ENOUGH, 'constraints: ["lift >= 0.4"]'),
}
_WITHIN: Mapping[str, Mapping[str, str]] = {
    "objective": {
        **dict.fromkeys(("metric", "metricname"), "name: y"),
        **dict.fromkeys(("mode", "minimise", "maximise", "optimisemode", "sense"), "goal: minimise"),
        **dict.fromkeys(("referencepoint", "atleast", "atmost", "targetvalue"), "budget: {target: 0.4}"),
        **dict.fromkeys(("lossthreshold", "terminationcostthreshold"), "budget: {target: 0.4}"),
    },
    "budget": {
        **dict.fromkeys(_TRIALS, "trials: 100"),
        **dict.fromkeys(_TIME, "time: 1 h"),
        **dict.fromkeys(_TARGET, "target: 0.95"),
        **dict.fromkeys(("plateau", "niternochange", "earlystopping"), "patience: 20"),
    },
    "evaluation": {
        **dict.fromkeys((*_EVALUATED, "objective", "module", "callable"), 'evaluator: "module:function"'),
        **dict.fromkeys(_PROGRAM, 'command: [./program, "{x}"]'),
        **dict.fromkeys(("maxfailures", "maxretries", "retry"), "attempts: 3"),
        **dict.fromkeys(("trialwalltimelimit", "walltime", "walltimelimit", "cutoff"), "timeout: 10 min"),
        **dict.fromkeys(("env", "environment", "envvars"), 'command: [env, A=1, ./program, "{x}"]'),
        **dict.fromkeys(
            ("memory", "memorylimit", "trialmemorylimit"), "command: [prlimit, --as=4000000000, ./program]"
        ),
        **dict.fromkeys(_PROCESSORS, "slots: 4"),
        **dict.fromkeys(_STOPPED, "stop_when: {quantity: loss, chance_below: 0.1}"),
        **dict.fromkeys(_AT_A_TIME, "workers: {local: 4}"),
        **dict.fromkeys(_GPUS, "workers: {local: 2, each: {CUDA_VISIBLE_DEVICES: [0, 1]}}"),
    },
    "workers": {
        **dict.fromkeys((*_AT_A_TIME, *_PROCESSORS, "slots", "count", "number", "n"), "local: 4"),
        **dict.fromkeys(_GPUS, "each: {CUDA_VISIBLE_DEVICES: [0, 1]}"),
    },
    "initial": {
        **dict.fromkeys(_FIRST, "points: [{x: 0.3}]"),
        **dict.fromkeys(
            ("nstartuptrials", "ninitialpoints", "ninitial", "random", "randomevaluate"), "count: 10"
        ),
        **dict.fromkeys(("statusquo", "baseline"), "reference: {x: 0.3}"),
        "data": "results: known.csv",
    },
}
"""By section."""
_NEEDLESS: Mapping[str, str] = {
    **dict.fromkeys(
        _KEPT, "; a run is always kept, in a folder under logs, and `orchestrator resume` goes on"
    ),
    **dict.fromkeys(_BESIDE, "; what else an evaluation returns is kept as it comes, and need not be named"),
}
"""What no key stands for, at the top."""


def of_others(path: Sequence[str | int]) -> str | None:
    """What would be written here in the place of a path's last step, as ``budget: {trials: 100}``; None where
    it is no key of others.
    """
    within = _TOP if len(path) == 1 else _WITHIN.get(str(path[0]), {}) if len(path) == 2 else {}
    return within.get(_folded(path[-1]))


def said_of_others(path: Sequence[str | int]) -> str:
    """`` (here that is `budget: {trials: 100}`)``, or nothing."""
    if (meant := of_others(path)) is not None:
        shown, comma, more = meant.partition(", with ")
        return f" (here that is `{shown}`{comma}{more})"
    return _NEEDLESS.get(_folded(path[-1]), "") if len(path) == 1 else ""


def _folded(key: str | int) -> str:
    """Whatever its case, and whichever way its words are joined."""
    return british(str(key).casefold()).replace("_", "").replace("-", "")
