"""Constraints that were added to a run, or withdrawn, since it began.

Whether they hold only numpy's arithmetic can tell: the events say of which trials they do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class AmendedConstraints:
    """Those ``added`` to the spec's, and those ``withdrawn``, as they were written; and by which ``levels``,
    what was measured of outcomes at the reference, those are judged that are relative to it.
    """

    added: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    levels: tuple[tuple[str, float], ...] = ()

    def after(self, added: Collection[str], withdrawn: Collection[str]) -> AmendedConstraints:
        """What holds once some are added, and some withdrawn."""
        kept = [text for text in self.added if text not in withdrawn]
        gone = [text for text in self.withdrawn if text not in added]
        return AmendedConstraints(tuple(dict.fromkeys([*kept, *added])), (*gone, *withdrawn), self.levels)

    @property
    def known_levels(self) -> Mapping[str, float]:
        """The levels by the names of their outcomes."""
        return dict(self.levels)

    def relative_to(self, levels: Mapping[str, float]) -> AmendedConstraints:
        """The same by what was measured at the reference."""
        return replace(self, levels=tuple(levels.items()))

    def among(self, given: Iterable[str]) -> tuple[str, ...]:
        """All that hold, where a spec has those that are ``given``."""
        return tuple(dict.fromkeys([*(text for text in given if text not in self.withdrawn), *self.added]))


NOTHING_AMENDED = AmendedConstraints()


def constraint_words(added: Iterable[str], withdrawn: Iterable[str]) -> str:
    """``with `a + b <= 3`, without `c < d```."""
    said = [*(f"with `{text}`" for text in added), *(f"without `{text}`" for text in withdrawn)]
    return ", ".join(said)


def unsatisfied_words(broken: Collection[str]) -> str:
    """Why a trial may not wait, for people."""
    hold = "does not hold, as it has" if len(broken) == 1 else "do not hold, as they have"
    return f"where `{'`, `'.join(broken)}` {hold} to by now"
