"""A run that a story waits for in vain: the story tells where it was at."""

from __future__ import annotations

import pytest
from run_lab import RunLab, spec


def test_a_run_that_does_not_end_tells_where_it_was(lab: RunLab) -> None:
    run = lab.run(spec("gated", options={"folder": str(lab.directory)}))
    run.opened()
    with pytest.raises(pytest.fail.Exception, match=r"did not end within 0\.1 s(.|\n)+in run_experiment"):
        run.ends(0, within_s=0.1)
