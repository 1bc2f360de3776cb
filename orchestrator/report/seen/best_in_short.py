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
    if view.found.best is not None:
        return (
            view.found.best.value,
            printable(f"{view.objective} = {view.best_value}"),
            dict(view.found.best.settings),
        )
    if view.found.best_now is not None:
        words = f"{printable(view.found.best_now.words)} as believed"
        return view.found.best_now.value, words, dict(view.found.best_now.settings)
    if view.found.crossing is not None:
        words = f"{fine_percentage(view.found.crossing.above)} above {view.found.crossing.threshold}"
        return None, words, None
    if view.found.preferred is not None:
        chance = view.found.preferred.chance
        surely = "" if chance is None else f", with a chance of {percent(chance, 2)}"
        return None, f"{where_words(view.found.preferred.trial)}{surely}", dict(view.found.preferred.settings)
    if view.found.trade_offs:
        return None, counted(len(view.found.trade_offs), "trade-off"), None
    return None, "", None
