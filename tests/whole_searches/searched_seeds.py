"""The whole search of a seed."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from compared_search import by_comparison, compared
from drawn_search import NotTaken, be_random, drawn
from driven_search import DrivenSearch
from ended import Ended
from in_processes import lived_in_processes
from rough_fits import rough_fits
from searched_by_a_run import SearchedByARun, done_in_ways, said_by_a_spec

TRIALS = (14, 14, 15, 16, 17, 20, 20, 26, 45)
SHORT = 14
"""From the twelfth result on it is asked which are wild."""
QUESTIONS = 2
EXACT = 10
"""Of so many seeds, one has its models fitted as they always are."""

BY_COMPARISON = 6
"""And one is by comparisons, where these take its parameters."""
IN_PROCESSES = 20
"""Of as many, one has workers of its own, where it is of no certain length."""
AS_A_RUN = 4
"""And one, the last of each four, is a run of a spec that says the same, where one does."""


def searched(
    seed: int, *, trials: int | None = None, questions: int = QUESTIONS, at_random: bool = False
) -> Ended:
    """How it went; so many ``trials`` in the place of what is drawn. ``at_random``: points are, wherever that
    is taken, so that what is about journals, desks and tables shows in a fraction of the time.
    """
    wanted = Random(f"length {seed}").choice(TRIALS) if trials is None else trials
    try:
        draft = drawn(seed)
    except NotTaken as refused:
        return Ended((), faults=[str(refused)])
    if at_random:
        be_random(draft)
    with TemporaryDirectory() as folder, nullcontext() if seed % EXACT == 0 else rough_fits():
        if seed % BY_COMPARISON == 0 and (told := by_comparison(draft)) is not None:
            return compared(draft, told, wanted, Path(folder))
        dear = trials is None and seed % IN_PROCESSES == IN_PROCESSES - 1
        if dear and (loaded := said_by_a_spec(draft, wanted, Path(folder))) is not None:
            return lived_in_processes(draft, seed, loaded, Path(folder))
        if seed % AS_A_RUN == AS_A_RUN - 1 and (run := done_in_ways(draft, wanted, Path(folder))):
            spec, ways = run
            return SearchedByARun(draft, spec, wanted, questions, Path(folder), ways).run()
        return DrivenSearch(draft, wanted, questions, Path(folder)).run()
