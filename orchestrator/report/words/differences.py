"""By how much points differ, in words, and what the figures are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from orchestrator.report.words.prediction import Chances
from orchestrator.report.words.wording import listed, number_beside, settings_words, uncertain
from orchestrator.scheduler.words.trial_names import trial_name
from orchestrator.sensitivity.differences import HIGH, LOW, Difference, Share
from orchestrator.values.named import Values
from orchestrator.values.percent import percent
from orchestrator.values.printable import printable
from orchestrator.values.read_in_percent import is_read_in_percent, shares_seen

BOUNDS = f"{100 * LOW:.1f} to {100 * HIGH:.1f} %"
PERCENT_DIGITS = 3


def apart(told: Difference) -> str:
    """``+2.1 ± 0.4``."""
    words = uncertain(told.mean, told.deviation)
    return words if words.startswith("0 ") else _signed(told.mean, words)


def bounds(told: Difference) -> str:
    """``+1.3 to +2.9``."""
    low, high = number_beside(told.low, told.high, 3), number_beside(told.high, told.low, 3)
    return f"{_signed(told.low, low)} to {_signed(told.high, high)}"


def share_words(share: Share | None) -> str:
    """``+5.3 % (+3.2 to +7.4)``, or nothing."""
    shares = () if share is None else (share.mean, share.low, share.high)
    if not shares or not is_read_in_percent(shares):
        return ""
    mean, low, high = (percent(one, PERCENT_DIGITS, signed=True) for one in shares_seen(shares))
    return f"{mean} ({low.removesuffix(' %')} to {high.removesuffix(' %')})"


def _signed(value: float, text: str) -> str:
    return f"+{text}" if value > 0.0 else text


def where_words(
    called: str, trial: int | None, measured: str, settings: Values, units: Mapping[str, str]
) -> str:
    """``best: trial 17, measured 3.2, at span = 4 m, sweep = 10 deg``."""
    named = [] if trial is None or called == trial_name(trial) else [trial_name(trial)]
    named += [f"measured {measured}"] if measured else []
    return f"{called}: {', '.join([*named, f'at {settings_words(settings, units)}'])}"


def moved_words(called: str, moved: Mapping[str, str]) -> str:
    """That a trial is not taken as it was; ``moved`` says of parameters how each is instead."""
    taken = listed([f"{printable(name)} {how}" for name, how in moved.items()])
    return f"{called}: {taken}, and not as its trial had it"


def left_out_words(called: str, left_out: Sequence[str]) -> str:
    """What nobody told of settings."""
    names = listed([printable(name) for name in left_out])
    return f"{called}: {names} as in the best"


def taken_for_exact_words(name: str, *called: str, of_python: bool) -> str:
    """Of a quantity of which no noise is told or seen, at two trials that are ``called`` so."""
    again = " ".join(f"--try {one.removeprefix('trial ')}" for one in called)
    how = "have an Optimiser of this file attach the parameters of each once more, evaluate and tell"
    return (
        f"nothing is told of noise in {name}, and these results show none, so that both are taken for exactly"
        " what was measured; where the same settings may come to another value, as measured times do, see if"
        f" they do: {how if of_python else f'orchestrator amend {again} --times 3'}"
    )


def sentences(
    against: str,
    goals: Mapping[str, str],
    chances: Chances,
    *,
    averages: bool,
) -> Iterator[str]:
    """What the columns are."""
    yield (
        f"difference: the value there less that of {against}, ± its deviation; {BOUNDS}: nineteen times out"
        " of twenty it lies in there, as far as results can tell. It is of both points together: what the two"
        " err alike by does not count. All of it is without noise"
    )
    if goals:
        better = listed(
            [f"{'lower' if goal == 'minimise' else 'higher'} {name}" for name, goal in goals.items()]
        )
        yield f"better: how likely the point is better than {against}, {better} being so"
    if averages:
        yield "all values are averages over settings that are off within the spec's tolerances"
    yield from chances.sentences
