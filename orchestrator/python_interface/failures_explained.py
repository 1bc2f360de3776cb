"""What is added to an error that ends a search, of what usually lies behind it."""

from __future__ import annotations

from collections.abc import Mapping

OF_PROCESSES = (
    "Processes import the function from its module: what a notebook, or another function, defines is in none,"
    ' and a script searches under `if __name__ == "__main__":`. Threads take any function.'
)
OF_PICKLING = ("pickle", "local object")
"""What Python says of a function that cannot be sent to a process: before 3.14, of some, the latter alone."""
OF_SUGGESTIONS = "attribute 'suggest"
STATED_BEFOREHAND = (
    'Parameters are stated beforehand, as {"x": (0.0, 1.0)}, and the function is given a mapping of them:'
    ' parameters["x"]. What counts only beside some values of another one has a `when`.'
)
"""Of a function whose parameter is a trial of Optuna's."""


def explain_that_none_succeeded(error: Exception, parameters: Mapping[str, object]) -> None:
    """Notes on what a function raised, given these, before any evaluation had succeeded."""
    error.add_note(
        "Raised because no evaluation has succeeded yet; where a point has no value, return None. The"
        f" function was given {parameters}."
    )
    if any(words in str(error) for words in OF_PICKLING):
        error.add_note(OF_PROCESSES)
    if OF_SUGGESTIONS in str(error):
        error.add_note(STATED_BEFOREHAND)


def explain_that_processes_ended(error: BaseException) -> None:
    """A note on an executor that broke: nothing had succeeded in its processes."""
    error.add_note(OF_PROCESSES)
