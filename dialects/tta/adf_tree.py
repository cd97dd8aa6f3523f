"""XML elements with their locations, for error messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from polycl.errors import SourceError, UnsupportedError


@dataclass
class Node:
    """An element; its location is that of its start tag."""

    tag: str
    attributes: dict[str, str]
    filename: str
    line: int
    col: int
    children: list[Node] = field(default_factory=list["Node"])
    text: str = ""

    def error(self, message: str) -> SourceError:
        return SourceError(self._at(message), self.filename, self.line, self.col)

    def unsupported(self, message: str) -> UnsupportedError:
        return UnsupportedError(self._at(message), self.filename, self.line, self.col)

    def _at(self, message: str) -> str:
        name = f" '{self.attributes['name']}'" if "name" in self.attributes else ""
        return f"element '{self.tag}'{name}: {message}"

    @property
    def name(self) -> str:
        if not self.attributes.get("name"):
            raise self.error("expected an attribute 'name'")
        return self.attributes["name"]

    @property
    def integer_name(self) -> int:
        """The number of an operand, which is the name of the element in ADF."""
        if not self.name.isdecimal():
            raise self.error("expected the number of an operand as its name")
        return int(self.name)

    def allow(self, many: str = "", once: str = "") -> None:
        """Refuses children whose tags are not listed, and repeated children of `once`."""
        seen: set[str] = set()
        for child in self.children:
            if child.tag not in (*many.split(), *once.split()):
                raise child.unsupported(f"not supported in '{self.tag}'")
            if child.tag in seen and child.tag in once.split():
                raise child.unsupported(f"more than one in '{self.tag}' is not supported")
            seen.add(child.tag)

    def all(self, tag: str) -> list[Node]:
        return [child for child in self.children if child.tag == tag]

    def optional(self, tag: str) -> Node | None:
        return next((child for child in self.children if child.tag == tag), None)

    def child(self, tag: str) -> Node:
        found = self.optional(tag)
        if found is None:
            raise self.error(f"expected a child '{tag}'")
        return found

    def number(self, tag: str) -> int:
        """The natural number that is the text of a child."""
        return self.integer_of(self.child(tag))

    def integer_of(self, child: Node) -> int:
        if not child.text.isdecimal():
            raise child.error(f"expected a natural number, found '{child.text}'")
        return int(child.text)


def parse_xml(text: str, filename: str) -> Node:
    """The root element. Raises SourceError if the text is not XML, or declares a DTD."""
    parser = expat.ParserCreate()
    stack: list[Node] = []
    roots: list[Node] = []

    def here() -> tuple[int, int]:
        return parser.CurrentLineNumber, parser.CurrentColumnNumber + 1

    def start(tag: str, attributes: dict[str, str]) -> None:
        node = Node(tag, attributes, filename, *here())
        (stack[-1].children if stack else roots).append(node)
        stack.append(node)

    def end(_tag: str) -> None:
        node = stack.pop()
        node.text = node.text.strip()

    def characters(data: str) -> None:
        stack[-1].text += data

    def doctype(*_: object) -> None:
        raise SourceError("document types are not supported", filename, *here())

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        message = expat.ErrorString(error.code)
        raise SourceError(f"not XML: {message}", filename, error.lineno, error.offset + 1) from None
    return roots[0]
