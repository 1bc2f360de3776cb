"""YAML to a tree with places, safely: nothing is constructed, everything is bounded.

Scalars follow the core schema of YAML 1.2, because that of 1.1, PyYAML's own, makes text of ``1e-6``,
false of ``no``, 5400 of ``1:30:00`` and dates of versions. Merge keys (``<<``) are read, as everyone
expects of YAML.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.tree import Entry, Node, Place, Scalar, Source

NODE_LIMIT = 20_000
"""Nodes of a document after its aliases are followed: a bomb ends here. More data belongs in a CSV file."""
DEPTH_LIMIT = 40

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_WORDS: dict[str, Scalar] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True)
_WORDS |= dict.fromkeys(("false", "False", "FALSE"), False)

# YAML in quotation marks may say so; two of them are one character in JSON, and none in YAML.
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")

_STANDARD_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")}


def scalar(text: str) -> Scalar:
    """What a plain scalar means by YAML 1.2's core schema."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text) and len(text) < 400:
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text


class _Composer(yaml.SafeLoader):
    """PyYAML's own, with its limits: it recurses, and a megabyte of brackets would end the process."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # the superclass's attribute, emptied

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0
        self.nodes = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.depth += 1
        self.nodes += 1
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]  # the stubs leave it out
        if self.depth > DEPTH_LIMIT:
            raise yaml.MarkedYAMLError(problem=f"at most {DEPTH_LIMIT} levels of nesting", problem_mark=mark)
        if self.nodes > NODE_LIMIT:
            raise yaml.MarkedYAMLError(problem=f"at most {NODE_LIMIT} values in a spec", problem_mark=mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def read_tree(text: str, name: str) -> Node:
    """The one document of a text, as a tree.

    Raises:
        SpecError: it is no YAML, empty, more than one document, or holds duplicate keys, tags of its own,
            anchors in a loop or more than `NODE_LIMIT` values.
    """
    tree, complaints = tree_as_far_as_right(text, name)
    if complaints:
        raise refusal(complaints)
    return tree


def tree_as_far_as_right(text: str, name: str) -> tuple[Node, list[Complaint]]:
    """The same without what else is wrong beside it: keys that come again, and that are no names. Raises
    SpecError where there is no tree, or nobody knows what it means.
    """
    # The lines that YAML counts, not those that Python would split.
    source = Source(name, tuple(re.split("\r\n|[\n\r\x85\u2028\u2029]", text)))
    try:
        root = _Composer(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        raise refusal([_syntax_complaint(error, source)]) from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        place = Place(source, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
        sentence = f"expected text, got the control character {error.character!r}"
        if isinstance(error.character, int):
            sentence = f"expected text, got the control character U+{error.character:04X}"
        raise refusal([Complaint(place, sentence)]) from None
    if root is None:
        raise refusal([Complaint(Place(source, 1, 1), "expected a spec, got an empty document")])
    reader = _Reader(source)
    tree = reader.read(root)
    if reader.has_tags:
        raise refusal(reader.complaints)
    return tree, reader.complaints


def _syntax_complaint(error: yaml.MarkedYAMLError, source: Source) -> Complaint:
    mark = error.problem_mark or error.context_mark
    place = Place(source, mark.line + 1, mark.column + 1) if mark else Place(source, 1, 1)
    problem = error.problem or "something that cannot be read"
    if "could not find expected ':'" in problem and (key := error.context_mark) is not None:
        # PyYAML's own place is where it gave up looking, a line below.
        place = Place(source, key.line + 1, key.column + 1)
        return Complaint(place, "expected a key, a colon and a space, as in `budget: 30`, got text alone")
    if "but found another document" in problem:
        return Complaint(place, "expected one YAML document, got the start of another")
    if problem.startswith("at most"):
        return Complaint(place, f"expected {problem}, got more")
    hint = "; YAML is indented with spaces, not tabs" if "'\\t'" in problem else ""
    if "mapping values are not allowed" in problem:
        hint = "; text that contains `: ` needs quotation marks, and keys of one mapping one indentation"
    if "<block end>" in problem:
        hint = "; keys of one mapping need one indentation, and quotation marks come in pairs"
    if "alias" in (error.context or "") or ("cannot start any token" in problem and not hint):
        # As keys of XML and of lists do: `@drag`, `*.drag`.
        hint = "; a text that begins so needs quotation marks"
    if problem.endswith(("but got '['", "but got '{'")):
        hint = "; a text with brackets or braces in it needs quotation marks"
    if problem.endswith(("'<scalar>'", "'<tag>'")) and _after_quotes(place):
        # As in constraints: `"kind != "a" or x < 1"`, or `"a" == kind or x < 1` with none around it.
        hint = (
            "; a text with quotation marks in it, of which one would end it, needs the other kind around it"
        )
    context = f" {error.context}" if error.context else ""
    if context and (began := error.context_mark) is not None and began.line + 1 < place.line:
        context += f" that begins on line {began.line + 1}"
    return Complaint(place, f"expected YAML, got an error{context}: {problem}{hint}")


def _after_quotes(place: Place) -> bool:
    # YAML knows other ends of lines besides.
    before = "".join(place.source.lines[place.line - 1 : place.line])[: place.column - 1]
    return before.rstrip().endswith(('"', "'"))


class _Reader:
    """From PyYAML's nodes to ours, collecting complaints."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.complaints: list[Complaint] = []
        self.has_tags = False
        self._open: set[int] = set()
        self._nodes = 0

    def read(self, node: yaml.Node) -> Node:
        place = self._place(node)
        self._nodes += 1
        if self._nodes > NODE_LIMIT:
            raise refusal(
                [
                    Complaint(
                        place, f"expected at most {NODE_LIMIT} values once aliases are followed, got more"
                    )
                ]
            )
        if id(node) in self._open:
            raise refusal(
                [Complaint(place, "expected an anchor that does not contain itself, got a loop of aliases")]
            )
        self._open.add(id(node))
        try:
            written = self._text(node) if isinstance(node, ScalarNode) else ""
            return Node(place, self._content(node, place), written)
        finally:
            self._open.discard(id(node))

    def _place(self, node: yaml.Node) -> Place:
        return Place(self.source, node.start_mark.line + 1, node.start_mark.column + 1)

    def _text(self, node: ScalarNode) -> str:
        if half := _HALF_A_CHARACTER.search(node.value):
            came = f"`\\u{ord(half[0]):04x}`, which is half of one; write the character itself"
            raise refusal([Complaint(self._place(node), f"expected text of whole characters, got {came}")])
        return str(node.value)

    def _content(self, node: yaml.Node, place: Place) -> Scalar | tuple[Node, ...] | dict[str, Entry]:
        if node.tag not in _STANDARD_TAGS and node.tag != "!":
            self.has_tags, tag = True, node.tag.replace("tag:yaml.org,2002:", "!!")
            self.complaints.append(
                Complaint(place, f"expected a plain value, got the tag `{tag}`; tags are not read")
            )
        if isinstance(node, MappingNode):
            return self._mapping(node)
        if isinstance(node, SequenceNode):
            return tuple(self.read(item) for item in node.value)
        assert isinstance(node, ScalarNode)
        # A style is a quotation mark or a block's sign: such a scalar is text whatever it looks like.
        return scalar(node.value) if node.style is None and node.tag.endswith(":str") else str(node.value)

    def _mapping(self, node: MappingNode) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        for key_node, value_node in node.value:
            key_place = self._place(key_node)
            if not isinstance(key_node, ScalarNode):
                self.complaints.append(
                    Complaint(key_place, "expected a name before the colon, got a list or mapping")
                )
                continue
            key = self._text(key_node)
            value = self.read(value_node)
            if key == "<<" and key_node.style is None:
                parents = value.sequence or (value,)
                if not all(isinstance(parent.content, dict) for parent in parents):
                    sentence = "expected `<<: *name`, with `&name` before a mapping, or a list of such"
                    self.complaints.append(Complaint(key_place, f"{sentence}, got another value"))
                    continue
                for parent in parents:
                    merged = parent.mapping | merged
            elif key in entries:
                first = entries[key].key_place
                sentence = f"expected each key once, got `{key}` again (first on line {first.line})"
                self.complaints.append(Complaint(key_place, sentence))
            else:
                entries[key] = Entry(key_place, value)
        return merged | entries
