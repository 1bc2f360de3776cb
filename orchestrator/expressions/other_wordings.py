"""How people write that one thing holds or another where this is no arithmetic: told with what to write."""

from __future__ import annotations

import re

from orchestrator.expressions.alternatives import FORM, NO_OTHERWISE, instead_of_if, without_texts
from orchestrator.expressions.arithmetic import OPPOSITE_ADVICE, SEVERAL_ADVICE, ArithmeticMistake

_OTHERWISE = r"(?P<held>.+?)(?:\belse\b(?P<otherwise>.+))?$"
_IF_THEN = re.compile(
    rf"\s*(?P<word>if)\b(?P<where>.+?)(?:\bthen\b|:){_OTHERWISE}", re.IGNORECASE | re.DOTALL
)
_IMPLIES = re.compile(rf"(?P<where>.+?)(?P<word>=>|->|\bimplies\b){_OTHERWISE}", re.IGNORECASE | re.DOTALL)
SMALL_ADVICE = f"; it is written in small letters, as in {FORM}"
_LARGE = re.compile(r"\b(OR|Or|AND|And|NOT|Not)\b")


def refuse_other_wording(text: str) -> None:
    """Raises ArithmeticMistake for ``if solver == "direct" then size <= 2000``, ``=>`` and ``OR``."""
    plain = without_texts(text)
    for form in (_IF_THEN, _IMPLIES):
        if found := form.match(plain):
            _refuse_implication(text, found)
    if found := _LARGE.search(plain):
        advice = {"and": SEVERAL_ADVICE, "not": OPPOSITE_ADVICE}.get(found[0].lower(), SMALL_ADVICE)
        sentence = f"expected one inequality, or several with `or` between them, got `{found[0]}`"
        raise ArithmeticMistake(sentence, found.start(), advice)


def _refuse_implication(text: str, found: re.Match[str]) -> None:
    parts = (text[slice(*found.span(part))].strip() for part in ("where", "held", "otherwise"))
    if instead := instead_of_if(*parts):
        sentence = NO_OTHERWISE.format(text.strip()[:60])
        raise ArithmeticMistake(sentence, found.start("word"), f"; write {instead}")
