"""What is in XML under a path, as in `tripinfo/@duration` or `energy/i[@name='total']`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

from evaluators.errors import EvaluationError, NothingFound
from evaluators.programs.written_number import read_number
from orchestrator.spelling import did_you_mean

_BEGINS: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<[?!A-Za-z_]|(?:\xff\xfe)?<\0|(?:\xfe\xff)?\0<")
"""In UTF-8, or what has its letters, or in UTF-16, as programs of Windows write."""
_OF_A_NAMESPACE: Final = re.compile(r"^\{[^}]*\}")
_ATTRIBUTE: Final = re.compile(r"(?P<element>.*?)(?P<slashes>/{0,2})@(?P<name>[\w:.-]+)")
"""At the end of a path; brackets have attributes as well, which end with one."""


@dataclass(frozen=True, slots=True)
class Xml:
    """Such a text, without its namespaces."""

    root: ElementTree.Element

    @classmethod
    def begins(cls, content: bytes) -> bool:
        """Whether that is no JSON."""
        return _BEGINS.match(content) is not None

    @classmethod
    def read(cls, content: bytes, name: str) -> Xml:
        """``name`` is the file's. Raises `EvaluationError` (invalid)."""
        try:
            root = ElementTree.fromstring(content)
        except (ElementTree.ParseError, ValueError, LookupError) as error:
            raise EvaluationError("invalid", f"expected XML in {name}: {error}") from None
        for element in root.iter():
            if isinstance(element.tag, str):
                element.tag = _OF_A_NAMESPACE.sub("", element.tag)
        return cls(root)

    def under(self, key: str, told: str) -> object:
        """The number in the one element, or attribute, that a path leads to, or a list of those in several;
        several numbers in an element are a list, too. What is no number is a text.

        The path is XPath as `xml.etree` has it, from the outermost element or, with a `/` before it, from
        above that; at its end there may be an attribute. Raises `EvaluationError` (invalid), which is
        `NothingFound` where it leads nowhere.
        """
        try:
            texts = self._texts(key)
        except (SyntaxError, KeyError, TypeError) as error:
            # Of others than the first it says what a program does, and not what a person wrote.
            why = f": {error}" if isinstance(error, SyntaxError) and error.msg else ""
            raise EvaluationError("invalid", f"expected {told} `{key}`, got no path of XML{why}") from None
        if not texts:
            raise NothingFound(f"expected {told} `{key}`{self._instead(key)}")
        found = [one for text in texts for one in _values(text)]
        if not found:
            raise EvaluationError("invalid", f"expected {told} `{key}`, a value, got nothing in it")
        return found[0] if len(found) == 1 else found

    def _texts(self, key: str) -> list[str]:
        attribute = _ATTRIBUTE.fullmatch(key)
        if attribute is None:
            return ["".join(element.itertext()) for element in self._elements(key)]
        name, path = attribute["name"], attribute["element"]
        every = self._elements(path) if path.strip(".") else [self.root]
        if attribute["slashes"] == "//":
            # Those that lie within one another are found once, too.
            every = list(dict.fromkeys(one for element in every for one in element.iter()))
        return [element.attrib[name] for element in every if name in element.attrib]

    def _elements(self, path: str) -> list[ElementTree.Element]:
        if not path.startswith("/"):
            return self.root.findall(path)
        above = ElementTree.Element("")
        above.append(self.root)
        return above.findall(f".{path}")

    def _instead(self, key: str) -> str:
        """What there is where the last part of a path is not, for which there is one before it."""
        parts = key.split("/")
        for count in range(len(parts) - 1, -1, -1):
            path = "/".join(parts[:count])
            try:
                found = self._elements(path) if path.strip("./") else [self.root]
            except (SyntaxError, KeyError, TypeError):
                continue
            if found:
                names = list(dict.fromkeys(name for element in found for name in _names(element)))
                listed = ", ".join(f"`{name}`" for name in names[:10]) or "nothing"
                outermost = f"in the outermost element, `{self.root.tag}`"
                place = f"under `{path}`" if path.strip("./") else outermost
                near = did_you_mean(parts[count], names)
                if "/" not in key and "." in key:
                    near = "; in XML parts of a key have `/` between them, and attributes `@` before them"
                return f", got {listed}{', …' if len(names) > 10 else ''} {place}{near}"
        return ""


def _names(element: ElementTree.Element) -> Iterator[str]:
    # Where a schema lies is of no use here.
    yield from (f"@{name}" for name in element.attrib if not name.startswith("{"))
    yield from (child.tag for child in element)


def _values(text: str) -> list[object]:
    """Several numbers in one text are as many; another text is one."""
    numbers = [read_number(word) for word in text.split()]
    if numbers and None not in numbers:
        return list(numbers)
    return [text.strip()] if text.strip() else []
