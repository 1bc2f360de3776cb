"""Points that run count as come out in several models at once, for as long as it takes to choose another one.

What it means for one model is that model's own: see `ExactGP.hallucinating`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager


@contextmanager
def in_all(models: Iterable[AbstractContextManager[None]]) -> Iterator[None]:
    """Within the block they do so in all of the models, each of which is given as what its ``hallucinating``
    returns; after it all are as they were.
    """
    with ExitStack() as stack:
        for model in models:
            stack.enter_context(model)
        yield
