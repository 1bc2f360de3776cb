"""Tables of a page: what may be broken over lines, and what may not."""

from __future__ import annotations

from orchestrator.report.html.parts import pairs, table


def test_a_number_is_not_broken_at_its_sign_and_a_text_may_be() -> None:
    shown = table(["seconds", "profile", "why"], [[5.75e-05, "naca 0012", None]])
    assert "<td class='v'>5.75e-05</td><td>naca 0012</td><td></td>" in shown
    assert "<th>seconds</th>" in shown


def test_a_line_breaks_between_a_name_and_its_number_and_not_amid_the_number() -> None:
    assert "<dt>learning_rate</dt> <dd>0.00111331</dd>" in pairs([("learning_rate", "0.00111331")])
