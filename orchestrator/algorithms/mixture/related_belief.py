"""How far related experiments are believed: by the evidence of the hypotheses that know of them, and as which
multiples of what they found.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from orchestrator.algorithms.mixture.belief import Member
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.related import RelatedKernel
from orchestrator.surrogates.mixtures.ensemble import normalised
from orchestrator.surrogates.posteriors.exact import ExactGP

FORM = "related "
"""What the names of hypotheses that know of related experiments begin with."""
BELIEVED = 0.05
"""Of the evidence: members of the mixture have as much."""
HARDLY = 0.1
"""Deviations for each of a related experiment's own: a hypothesis that makes less of it is as good as its
detail alone, and has evidence by that.
"""


def share_of_evidence(considered: tuple[tuple[str, float], ...]) -> float:
    """That of the hypotheses that know of related experiments, of all that were weighed."""
    weights = np.exp(normalised(np.array([odds for _, odds in considered])))
    return float(sum(w for (name, _), w in zip(considered, weights, strict=True) if name.startswith(FORM)))


def multiples(learned: Learned) -> FloatArray | None:
    """(J,) of each related experiment the multiple that is believed in, in deviations of this function's
    values for one of that one's, as members see them; None where none of them knows of any.
    """
    weighed = zip(learned.belief.members, learned.belief.weights, strict=True)
    told = [(_multiples(m), w) for m, w in weighed if m.found.hypothesis.form == "related"]
    if not told:
        return None
    own, weights = np.array([one for one, _ in told]), np.array([weight for _, weight in told])
    return np.asarray(weights @ own / weights.sum())


def of_related(learned: Learned) -> Iterator[str]:
    """In sentences."""
    standing, several = learned.standing, len(learned.problem.related)
    if not several or not standing.considered:
        return
    share = share_of_evidence(standing.considered)
    them = "the related experiment" if several == 1 else f"the {several} related experiments"
    doubted = "" if share > BELIEVED else f": {them} {'is' if several == 1 else 'are'} not believed"
    had = f"had {100.0 * share:.0f} % of the evidence at {standing.weighed} results"
    yield f"hypotheses that know of {them} {had}{doubted}"
    believed = multiples(learned)
    for number, multiple in enumerate(() if believed is None else believed, 1):
        it = "the related experiment" if several == 1 else f"related experiment {number}"
        yield multiple_words(multiple, it)


def multiple_words(multiple: float, it: str) -> str:
    """What is believed of an experiment, as ``it`` is called, in a sentence."""
    way = "up" if multiple >= 0 else "down"
    hardly = "" if abs(multiple) >= HARDLY else f": next to nothing of {it} is believed"
    return (
        f"values go {way} where those of {it} go up, by {abs(multiple):.2g} deviations for each of its"
        f" own{hardly}"
    )


def _multiples(member: Member) -> FloatArray:
    """(J,) the expected ones, given the values that it was told."""
    posterior = member.drawable
    assert isinstance(posterior, ExactGP)
    covariance = posterior.covariance
    assert isinstance(covariance, RelatedKernel)
    known = np.array([known.values(posterior.inputs) for known in covariance.known])
    return np.asarray(covariance.variances * (known @ posterior.alpha))
