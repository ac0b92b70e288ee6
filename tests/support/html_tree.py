"""HTML as a tree, for tests: what a page says, and where. Strict: a tag not closed where it was opened is a fault."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

EMPTY_TAGS = ("meta", "link", "input", "img", "br", "hr")


@dataclass
class Node:
    tag: str
    attrs: Mapping[str, str | None]
    parent: "Node | None" = None
    text: str = ""
    children: list["Node"] = field(default_factory=list)

    def all(self, *tags: str, **attrs: str | None) -> list["Node"]:
        found = []
        for child in self.children:
            if (not tags or child.tag in tags) and all(child.attrs.get(key) == attrs[key] for key in attrs):
                found.append(child)
            found += child.all(*tags, **attrs)
        return found

    def one(self, *tags: str, **attrs: str | None) -> "Node":
        (found,) = self.all(*tags, **attrs)
        return found

    def words(self) -> str:
        return " ".join((self.text + "".join(f" {child.words()}" for child in self.children)).split())

    def inside(self, tag: str) -> bool:
        return self.parent is not None and (self.parent.tag == tag or self.parent.inside(tag))

    @property
    def hidden(self) -> bool:
        return "hidden" in self.attrs or (self.parent is not None and self.parent.hidden)


class Reader(HTMLParser):
    """A page as a tree; raises if a tag is not closed where it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = self.at = Node("", {})
        self.feed(text)
        self.close()
        assert self.at is self.root, f"<{self.at.tag}> is never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in <{tag} {attrs}>"
        node = Node(tag, dict(attrs), self.at)
        self.at.children.append(node)
        if tag not in EMPTY_TAGS:
            self.at = node

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag} {self.at.attrs}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.text += data


def read(text: str) -> Node:
    return Reader(text).root


def filled(form: Node) -> dict[str, str]:
    """What a browser sends of a form nobody has touched."""
    found: dict[str, str] = {}
    for node in form.all("input", "select"):
        name, kind = str(node.attrs["name"]), node.attrs.get("type")
        if node.tag == "select":
            options = node.all("option")
            chosen = next((option for option in options if "selected" in option.attrs), options[0])
            found[name] = str(chosen.attrs.get("value", chosen.words()))
        elif kind != "radio" or "checked" in node.attrs:
            found[name] = str(node.attrs.get("value") or "")
    return found


def way_back(page: Node) -> str:
    """The address to which the choice of a language leads back from a page."""
    [link] = [str(node.attrs["href"]) for node in page.all("a") if str(node.attrs["href"]).startswith("/language")]
    return parse_qs(urlsplit(link).query).get("back", ["/"])[0]
