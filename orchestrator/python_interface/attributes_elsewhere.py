"""Attributes that an Optimiser does not have, as users of others ask for them, and what that is here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

WRITTEN: Sequence[tuple[str, Sequence[str]]] = (
    ("best().parameters", ("best_params", "best_parameters", "get_best_parameters")),
    ("best().value", ("best_value", "fun")),
    ("best()", ("best_trial", "get_best_trial", "get_best_result", "get_best_parameterization")),
    ("front()", ("best_trials", "pareto_front", "get_pareto_frontier", "get_pareto_optimal_parameters")),
    ("results()", ("trials", "trials_dataframe", "get_trials", "get_trials_data_frame", "data", "summarize")),
    ("ask()", ("suggest", "get_next_trial", "get_next_trials", "generate")),
    ("tell(trial, value)", ("register", "observe", "complete_trial", "add_data", "ingest")),
    ("attach(parameters)", ("enqueue_trial", "attach_trial", "probe")),
    ("learn(parameters, value)", ("add_trial",)),
    ("watch(trial), beside tell(trial, value)", ("attach_data",)),
    ("learn_all(results)", ("add_trials",)),
    ("tell(trial, None)", ("log_trial_failure", "mark_trial_failed")),
    ("abandon(trial)", ("abandon_trial", "mark_trial_abandoned")),
    ("minimise(function, optimiser, 40), or maximise", ("optimize", "optimise", "run", "fit", "minimize")),
    ("minimise(function, optimiser, 40, until=…)", ("stop",)),
    ('report("search.html")', ("plot", "show", "compute_analyses")),
    ("sensitivity()", ("get_param_importances", "feature_importances")),
    ("predict(points)", ("model", "get_model_predictions")),
    ('Optimiser(…, store="search.jsonl")', ("save", "dump", "load", "save_to_json_file", "storage")),
)
"""Each with what others call it."""
_HERE = {name: here for here, names in WRITTEN for name in names}


class SaysWhere:
    """Where an attribute is asked for that others have, it is said what that is here.

    Not of trials and answers: a notebook completes nothing of what they hold where they have this.
    """

    if not TYPE_CHECKING:
        # To what checks types, an attribute that is not there is none.
        def __getattr__(self, name: str) -> object:
            if (here := _HERE.get(name)) is not None:
                words = f"{type(self).__name__!r} object has no attribute {name!r}; here that is {here}"
                raise AttributeError(words)
            # As Python says it, also of what a property asked for.
            return object.__getattribute__(self, name)
