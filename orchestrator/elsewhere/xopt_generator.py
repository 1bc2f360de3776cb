"""An `Optimiser` as a generator of Xopt, which takes those of its own class alone.

Source: `Generator` of Xopt 3.2.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field, PrivateAttr
from xopt.generator import Generator
from xopt.generators import generators

from orchestrator.elsewhere.generator import OrchestratorGenerator
from orchestrator.elsewhere.vocs_results import ID
from orchestrator.python_interface.optimiser import Optimiser


class OrchestratorXoptGenerator(Generator):
    """The same as `OrchestratorGenerator`, with its ``parameters`` and ``constraints``; the other arguments
    are in ``search``, as ``{"seed": 1}``. Points have no ``_id``: results are known by where they are.
    """

    name: ClassVar[str] = "orchestrator"

    supports_batch_generation: bool = True
    supports_no_objective: bool = False
    supports_single_objective: bool = True
    supports_multi_objective: bool = True
    supports_constraints: bool = True
    supports_discrete_variables: bool = True
    supports_contextual_variables: bool = True

    parameters: dict[str, dict[str, Any]] = Field({}, description="what is said of variables beside the VOCS")
    constraints: list[str] = Field([], description="inequalities between variables")
    search: dict[str, Any] = Field({}, description="how to search, as arguments of an Optimiser")

    _generator: OrchestratorGenerator = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        super().model_post_init(context)
        self._generator = OrchestratorGenerator(
            self.vocs, parameters=self.parameters, constraints=self.constraints, **self.search
        )

    @property
    def optimiser(self) -> Optimiser:
        """As of `OrchestratorGenerator`."""
        return self._generator.optimiser

    def generate(self, n_candidates: int | None) -> list[dict[str, Any]]:
        """So many points, as `OrchestratorGenerator.suggest` has them."""
        # All that was generated is evaluated before more is: what still waits was evaluated elsewhere.
        for trial in self.optimiser.pending:
            self.optimiser.abandon(trial)
        return [
            {name: value for name, value in point.items() if name != ID}
            for point in self._generator.suggest(n_candidates)
        ]

    def add_data(self, new_data: Any) -> None:
        """Results, as a data frame. Raises ValueError as `OrchestratorGenerator.ingest`."""
        self._generator.ingest(new_data.drop(columns=ID, errors="ignore").to_dict(orient="records"))
        super().add_data(new_data)


# So that a dump of Xopt's, and a YAML file of its, may name it once this module is imported.
generators[OrchestratorXoptGenerator.name] = OrchestratorXoptGenerator
