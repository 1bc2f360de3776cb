"""Names of outcomes that constraints can be about, for such as other frameworks allow."""

from __future__ import annotations

from keyword import iskeyword


def nameable(name: str, taken: set[str]) -> str:
    """A name like this one that a constraint can have, and nothing else; it is taken then."""
    plain = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
    if not plain[:1].isalpha() or iskeyword(plain):
        plain = f"outcome_{plain}"
    mine, number = plain, 1
    while mine in taken:
        number += 1
        mine = f"{plain}_{number}"
    taken.add(mine)
    return mine
