"""What `auto` considers of a function: how its parameters act together, how smooth it is, how values look.

A hypothesis is a form, a kernel and a scale of the outputs. Values, no algorithm: `hypothesis_fitter` finds
their hyperparameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from orchestrator.algorithms.gaussian_process.kernel_dictionary import FAMILIES
from orchestrator.arrays import FloatArray
from orchestrator.surrogates.covariances.covariance import Covariance
from orchestrator.surrogates.covariances.kernel_families import KernelFamily
from orchestrator.surrogates.covariances.posterior_mean import PosteriorMean
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.hyperparameters.interaction import InteractionHyperparameters
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters, KernelTemplate
from orchestrator.surrogates.hyperparameters.paraboloid import ParaboloidHyperparameters
from orchestrator.surrogates.hyperparameters.related import RelatedHyperparameters
from orchestrator.surrogates.hyperparameters.trend import TrendHyperparameters
from orchestrator.surrogates.hyperparameters.wave import WaveHyperparameters
from orchestrator.surrogates.mixtures.ensemble import normalised
from orchestrator.unit_cube.domain import Domain

Form = Literal["joint", "trend", "paraboloid", "expansion", "waves", "pairs", "factors", "related"]
Fitted = (
    Hyperparameters
    | TrendHyperparameters
    | ParaboloidHyperparameters
    | WaveHyperparameters
    | InteractionHyperparameters
    | AdditiveHyperparameters
    | RelatedHyperparameters
)
OF_FORM: Mapping[Form, type[Fitted]] = {
    "joint": Hyperparameters,
    "trend": TrendHyperparameters,
    "paraboloid": ParaboloidHyperparameters,
    "expansion": ParaboloidHyperparameters,
    "waves": WaveHyperparameters,
    "pairs": InteractionHyperparameters,
    "factors": AdditiveHyperparameters,
    "related": RelatedHyperparameters,
}
FAMILY_NAMES = ("rbf", "matern-5/2")
# Forms with one way of sharing length-scales. The factors of a decomposition differ in what they see; they
# are not one another's likeness. What is left upon a paraboloid seldom tells parameters apart.
NEVER_SHARED: tuple[Form, ...] = ("factors",)
ALWAYS_SHARED: tuple[Form, ...] = ("paraboloid",)


@dataclass(frozen=True, order=True)
class Hypothesis:
    """``form``: all parameters act *joint*ly; so too, upon a wide *trend* or a *paraboloid*; as an
    *expansion* about a region's centre, a paraboloid that the function leaves the more the farther away;
    upon a trend with *waves* along each of them; alone and in *pairs*; in *factors*, known or learned; or,
    jointly, upon multiples of what *related* experiments found.

    ``shared``: one length-scale (and, in factors, one variance) for all. ``warped``: heavy tails drawn in.
    """

    form: Form
    family_name: str
    shared: bool
    warped: bool

    @property
    def name(self) -> str:
        """As `Insight` has it."""
        shared = ", shared" if self.shared else ""
        return f"{self.form} {self.family_name}{shared}{', warped' if self.warped else ''}"

    @property
    def family(self) -> KernelFamily:
        """The shape of its kernel."""
        return FAMILIES[self.family_name]

    @property
    def template(self) -> KernelTemplate:
        """Its kernel, to be fitted."""
        return KernelTemplate(self.name, self.family, shared=self.shared)


def hypotheses(aspects: int, factors: bool, warped: bool, *, related: bool = False) -> list[Hypothesis]:
    """All that make sense: with ``factors`` if a decomposition is at hand, ``warped`` if a warp is, and
    ``related`` if there are related experiments.

    Without waves: these are upon a trend, where the values show them (`HypothesisFitter.waves_upon`). Without
    the expansion: that is of a region.
    """
    forms: list[Form] = ["joint", "trend", "paraboloid"]
    if aspects > 1:
        forms.append("pairs")
        if factors:
            forms.append("factors")
    if related:
        forms.append("related")
    return [
        Hypothesis(form, family, shared, warp)
        for form in forms
        for family in FAMILY_NAMES
        for shared in _sharing(form, aspects)
        for warp in ((False, True) if warped else (False,))
    ]


def on_either_scale(*seen: Hypothesis) -> tuple[Hypothesis, ...]:
    """These, with values as they are and then with heavy tails drawn in."""
    return tuple(replace(hypothesis, warped=warped) for warped in (False, True) for hypothesis in seen)


def _sharing(form: Form, aspects: int) -> tuple[bool, ...]:
    if aspects == 1 or form in NEVER_SHARED:
        return (False,)
    return (True,) if form in ALWAYS_SHARED else (False, True)


@dataclass(frozen=True)
class Found:
    """A hypothesis with its hyperparameters, and log p(values) up to a constant common to all.

    ``factors`` is the decomposition, where the form has one.
    """

    hypothesis: Hypothesis
    hyperparameters: Fitted
    log_probability: float

    @property
    def noise_variance(self) -> float:
        """Shared by all values, standardised."""
        return self.hyperparameters.noise_variance

    @property
    def frequency(self) -> float:
        """How many fast waves there are across a parameter's range; 0 without any."""
        own = self.hyperparameters
        return own.fast.frequency if isinstance(own, WaveHyperparameters) else 0.0

    @property
    def factors(self) -> Decomposition | None:
        """The decomposition of a hypothesis that has one."""
        own = self.hyperparameters
        return own.factors if isinstance(own, AdditiveHyperparameters) else None

    def covariance(self, domain: Domain, known: Sequence[PosteriorMean] = ()) -> Covariance:
        """Its covariance function on embedded inputs; ``known`` is what related experiments found."""
        own, family = self.hyperparameters, self.hypothesis.family
        if isinstance(own, AdditiveHyperparameters):
            return own.kernel(FactorGraph(own.factors, domain.dimension, nested=True), domain, family)
        if isinstance(own, RelatedHyperparameters):
            return own.kernel(family, domain.embedded_aspect, known)
        return own.kernel(family, domain.embedded_aspect)

    def to_json(self) -> dict[str, Any]:
        """JSON values, exact to the bit."""
        return {
            "form": self.hypothesis.form,
            "family": self.hypothesis.family_name,
            "shared": self.hypothesis.shared,
            "warped": self.hypothesis.warped,
            "hyperparameters": self.hyperparameters.to_json(),
            "log_probability": self.log_probability,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Found:
        """What `to_json` wrote."""
        hypothesis = Hypothesis(payload["form"], payload["family"], payload["shared"], payload["warped"])
        own = OF_FORM[hypothesis.form].from_json(payload["hyperparameters"])
        return cls(hypothesis, own, float(payload["log_probability"]))


def probabilities(found: list[Found]) -> FloatArray:
    """(M,) by evidence, all alike beforehand."""
    logs = np.array([f.log_probability for f in found])
    return np.exp(normalised(logs))
