"""The combinations that may be tried, as a spec has them: see `orchestrator.values.candidates`."""

from __future__ import annotations

from pydantic import Field

from orchestrator.spec.document.section import Section
from orchestrator.spec.sections.parameter_keys import Scalar
from orchestrator.values.candidates import Candidates


class CandidateTable(Section):
    """A list of the only combinations that may be tried, such as the samples in a freezer."""

    columns: dict[str, list[Scalar]] = Field(min_length=1)
    """Each column's values, as many as there are rows; or, as `table`, a CSV file beside the spec, or a list
    of rows."""
    given: list[str] = Field(default_factory=list)
    """Columns that evaluations are given with the row that is tried, and models do not see, as a barcode."""
    seen: list[str] = Field(default_factory=list)
    """Columns that models see and evaluations are not given, such as the properties of a sample."""
    again: bool = False
    """Whether a row may be tried more than once; if not, the run ends once every row was."""

    @property
    def candidates(self) -> Candidates:
        """The table itself."""
        return Candidates.of(self.columns, self.given, self.seen, self.again)
