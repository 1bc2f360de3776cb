"""What algorithms with additive surrogates say of themselves in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.algorithms.additive.results import AdditiveResults
from orchestrator.algorithms.base import Problem, Refit


def notes(problem: Problem, results: AdditiveResults, refit: Refit, *, may_learn_terms: bool) -> list[str]:
    """For `Insight.notes`, after a ``refit``; ``may_learn_terms``: decomposed outputs are learned from where
    they can be.
    """
    seen = refit.observations
    held = results.most_kept(seen)
    kept = f", of which {held} at most are kept" if held < seen else ""
    return [
        f"refit {refit.number}, from {seen} results{kept}",
        *_of_the_model(results, refit),
        *_of_terms(problem, results, may_learn_terms=may_learn_terms),
    ]


def _of_the_model(results: AdditiveResults, refit: Refit) -> Iterator[str]:
    if refit.payload["of"] == "terms":
        yield "each factor is learned from its own output"
        if left_out := results.history.successes - results.with_terms:
            yield f"results without factor outputs, left out of the model: {left_out}"
    elif refit.payload["weighed"] > 1:
        yield (
            f"{refit.payload['weighed']} structures weighed, {refit.payload['accepted']} of "
            f"{refit.payload['steps']} proposals accepted"
        )


def _of_terms(problem: Problem, results: AdditiveResults, *, may_learn_terms: bool) -> Iterator[str]:
    if may_learn_terms and not results.add_up:
        yield (
            f"factor outputs do not add up to the values: they leave "
            f"{100.0 * results.unaccounted:.0f} % of the variance open; the values themselves are used"
        )
    if results.misfits:
        known = problem.factors is not None
        unlike = "that do not match the known factors" if known else "and no factors are known"
        yield (f"results whose totals are used, as they came with factor outputs {unlike}: {results.misfits}")
