"""What a run found so far in a few words, whatever stands for a best value in it."""

from __future__ import annotations

from typing import Any

from orchestrator.report.seen.view import View
from orchestrator.report.words.wording import counted, where_words
from orchestrator.values.percent import fine_percentage, percent
from orchestrator.values.printable import printable


def best_in_short(view: View) -> tuple[float | None, str, dict[str, Any] | None]:
    """The best value, or what is expected of settings where no trial is the best; the same in words, or how
    many trade-offs there are, which trial people prefer, or how much lies above a threshold; and the
    settings. The words are empty where there is nothing yet.
    """
    found = view.found
    if found.best is not None:
        words = printable(f"{view.objective} = {view.best_value}")
        return found.best.value, words, dict(found.best.settings)
    if found.best_now is not None:
        words = f"{printable(found.best_now.words)} as believed"
        return found.best_now.value, words, dict(found.best_now.settings)
    if found.crossing is not None:
        words = f"{fine_percentage(found.crossing.above)} above {found.crossing.threshold}"
        return None, words, None
    if found.preferred is not None:
        chance = found.preferred.chance
        surely = "" if chance is None else f", with a chance of {percent(chance, 2)}"
        return None, f"{where_words(found.preferred.trial)}{surely}", dict(found.preferred.settings)
    if found.trade_offs:
        return None, counted(len(found.trade_offs), "trade-off"), None
    return None, "", None
