"""Every sentence the source says, found by reading it: what a catalogue must hold.

A sentence is a string that reaches ``say``, ``count`` or ``tell`` of a ``Language`` (``t`` and ``n`` in templates):
written there, or in a name, a table, a default or an argument that leads there. Strings from elsewhere are not seen;
speaking a strict language finds those, and ``english_only`` what was never said through a language at all.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

import jinja2
from jinja2 import nodes

import pubdice
from play import NAMES
from pubdice.games import GAMES
from pubdice.text.catalogues import messages

SOURCE = Path(pubdice.__file__).parent
Key = str | tuple[str, str]
"""A sentence, or the one and the many."""
Function = ast.FunctionDef | ast.AsyncFunctionDef

HOUSE = (
    "text/language.py",
    "typed.py",
    "match/sealed_record.py",
    "match/narrate.py",
    "match/formats/*.py",
    "text/answers.py",
    "text/game_words.py",
    "text/turn_words.py",
    "advice/**/*.py",
    "failures.py",
    "games/*/**/*.py",
)
WEB = ("room/*.py", "server/**/*.py", "server/pages/*.html", "server/web/templates/*.html")
SCANNED = (*HOUSE, *WEB)
"""Where the sentences that have a translation are."""

ONE, PAIR, ROW = {"say", "_say", "t"}, {"count", "n"}, {"tell"}
TABLES = {"text/language.py": ("OPENERS", "BOTS")}
"""Tables of sentences, which other modules say, by the module that has them."""


@dataclass(frozen=True)
class Parameter:
    """A sentence that the caller of the function brings."""

    function: str
    place: int
    name: str


@dataclass
class Scope:
    """What names stand for in a module or a function."""

    module: "Module"
    outer: "Scope | None" = None
    function: Function | None = None
    names: dict[str, list[ast.expr]] = field(default_factory=dict)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.names.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple):
            parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            for at, part in enumerate(target.elts):
                self.bind(part, parts[at] if parts else value)

    def find(self, name: str) -> "Iterator[tuple[ast.expr, Scope] | Parameter]":
        if self.function is not None:
            given = self.function.args
            spots = [spot.arg for spot in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            if name in spots:
                yield Parameter(self.function.name, spots.index(name) - (spots[0] == "self"), name)
        if name in self.names:
            yield from ((value, self) for value in self.names[name])
        elif self.outer is not None:
            yield from self.outer.find(name)
        elif name in self.module.imports:
            yield from self.module.imported(name)


class Module:
    """A module, with the scopes of its functions."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        self.calls: list[tuple[ast.Call, Scope]] = []
        self.imports: dict[str, str] = {}
        self.classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.top = Scope(self)
        self._walk(tree, self.top)

    def imported(self, name: str) -> Iterator[tuple[ast.expr, Scope] | Parameter]:
        path = SOURCE.parent / (self.imports[name].replace(".", "/") + ".py")
        if path.is_file():
            top = read(path).top
            yield from ((value, top) for value in top.names.get(name, []))

    def _walk(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            inner = scope
            if isinstance(child, Function):
                inner = Scope(self, scope, child)
                named = [*child.args.posonlyargs, *child.args.args]
                spots = named[len(named) - len(child.args.defaults) :]
                for spot, default in zip(spots, child.args.defaults, strict=True):
                    inner.names.setdefault(spot.arg, []).append(default)
            self._note(child, inner)
            self._walk(child, inner)

    def _note(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Call):
            self.calls.append((node, scope))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                scope.bind(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            scope.bind(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            scope.bind(node.target, node.iter)
        elif isinstance(node, ast.ImportFrom) and node.module:
            self.imports |= {name.asname or name.name: node.module for name in node.names}


@cache
def read(path: Path) -> Module:
    """The module in this file, read once."""
    return Module(path)


def _written(expr: ast.expr, scope: Scope, seen: frozenset[int] = frozenset()) -> Iterator[Key | Parameter]:
    """The sentences an expression may stand for."""
    if id(expr) in seen:
        return
    seen |= {id(expr)}
    if isinstance(expr, ast.Constant):
        if isinstance(expr.value, str) and expr.value:
            yield expr.value
    elif (row := _row(expr)) is not None:
        yield row
    elif isinstance(expr, ast.Name):
        for found in scope.find(expr.id):
            if isinstance(found, Parameter):
                yield found
            else:
                yield from _written(*found, seen)
    else:
        for part in _inside(expr):
            yield from _written(part, scope, seen)


def _row(expr: ast.expr) -> Key | None:
    """One and many, in a row with the fact that decides between them."""
    match expr:
        case ast.Tuple(elts=[ast.Constant(str(one)), ast.Constant(str(many)), ast.Constant(str(fact))]):
            return (one, many) if fact.isidentifier() else None
    return None


def _inside(expr: ast.expr) -> list[ast.expr]:
    """The parts of an expression of which it may be one."""
    match expr:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts) | ast.BoolOp(values=parts):
            return parts
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.Subscript(value=value) | ast.Starred(value=value) | ast.NamedExpr(value=value):
            return [value]
        case ast.Call(func=ast.Attribute(value=value, attr="items" | "values" | "get"), args=arguments):
            return [value, *arguments[1:]]
    return []


def _arguments(call: ast.Call, scope: Scope) -> list[list[ast.expr]]:
    """What a call may be given; a starred name stands for each of the rows it names."""
    given: list[list[ast.expr]] = [[]]
    for arg in call.args:
        rows: list[list[ast.expr]] = [[arg]]
        if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Name):
            named = [found[0] for found in scope.find(arg.value.id) if not isinstance(found, Parameter)]
            parts = [part for row in named for part in _branches(row)]
            rows = [row.elts for row in parts if isinstance(row, ast.Tuple)] or rows
        given = [[*before, *row] for before in given for row in rows]
    return given


def _branches(expr: ast.expr) -> Iterator[ast.expr]:
    """What a row may be, of one thing or another."""
    if isinstance(expr, ast.IfExp):
        yield from _branches(expr.body)
        yield from _branches(expr.orelse)
    else:
        yield expr


def _pairs(arguments: list[ast.expr], scope: Scope) -> Iterator[Key]:
    one, many = (list(_written(arg, scope)) for arg in arguments[:2])
    assert len(one) == len(many), f"line {arguments[0].lineno}: as many of one as of many"
    for pair in zip(one, many, strict=True):
        if isinstance(pair[0], str) and isinstance(pair[1], str):
            yield pair[0], pair[1]


def _called(call: ast.Call) -> str:
    func = call.func
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _spoken(call: ast.Call, scope: Scope, speakers: Mapping[str, set[tuple[int, str]]]) -> Iterator[Key | Parameter]:
    """The sentences a call says; ``speakers`` are functions that say an argument of theirs."""
    for arguments in _arguments(call, scope):
        yield from _said(call, arguments, scope, speakers)


def _said(
    call: ast.Call, arguments: list[ast.expr], scope: Scope, speakers: Mapping[str, set[tuple[int, str]]]
) -> Iterator[Key | Parameter]:
    name = _called(call)
    if (name in ONE and arguments) or (name in ROW and len(arguments) == 2):
        yield from _written(arguments[0], scope)
    elif name in PAIR and len(arguments) >= 3:
        yield from _pairs(arguments, scope)
    elif name == "Option":
        for arg in arguments[2:]:
            yield from _written(arg, scope)
    elif name in ("FormatField", "StandingField"):
        yield from _written(arguments[1], scope)
    elif name in ("FormatKind", "Unit"):
        for key in call.keywords:
            if key.arg in ("label", "meaning"):
                yield from _written(key.value, scope)
    for arg in arguments[3:] if name == "Flag" else ():
        yield from _meanings(arg, scope)
    for place, word in speakers.get(name, ()):
        given = [key.value for key in call.keywords if key.arg == word] or arguments[place : place + 1]
        for arg in given:
            yield from _written(arg, scope)


def _meanings(arg: ast.expr, scope: Scope) -> Iterator[Key | Parameter]:
    """A field's label, or what each of its choices means."""
    named = (
        [found[0] for found in scope.find(arg.id) if not isinstance(found, Parameter)]
        if isinstance(arg, ast.Name)
        else [arg]
    )
    for value in named:
        if isinstance(value, ast.Tuple):
            for pair in value.elts:
                if isinstance(pair, ast.Tuple):
                    yield from _written(pair.elts[1], scope)
        else:
            yield from _written(value, scope)


def _of_python(paths: list[Path]) -> Iterator[Key]:
    modules = [(path, read(path)) for path in paths]
    speakers: dict[str, set[tuple[int, str]]] = {}
    found: set[Key] = set()
    known = -1
    while known != sum(map(len, speakers.values())):
        known = sum(map(len, speakers.values()))
        for _, module in modules:
            for call, scope in module.calls:
                for key in list(_spoken(call, scope, speakers)):
                    if not isinstance(key, Parameter):
                        found.add(key)
                    elif key.function not in ONE | PAIR | ROW:
                        speakers.setdefault(key.function, set()).add((key.place, key.name))
    yield from found
    for path, module in modules:
        tables = TABLES.get(path.relative_to(SOURCE).as_posix(), ())
        yield from _words([value for name in tables for value in module.top.names[name]], module.top)
        for kind in module.classes:
            if kind.name.endswith("Words"):  # a game's title and tagline
                parts = [part.value for part in kind.body if isinstance(part, ast.Assign | ast.AnnAssign)]
                yield from _words([part for part in parts if part is not None], module.top)


def _words(values: list[ast.expr], scope: Scope) -> Iterator[Key]:
    for value in values:
        yield from (key for key in _written(value, scope) if not isinstance(key, Parameter))


def _of_template(path: Path) -> Iterator[Key]:
    tree = jinja2.Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
    for call in tree.find_all(nodes.Call):
        name = call.node.name if isinstance(call.node, nodes.Name) else ""
        if name in ONE and call.args:
            yield from _consts(call.args[0])
        elif name in PAIR:
            yield from zip(_consts(call.args[0]), _consts(call.args[1]), strict=True)


def _consts(expr: nodes.Expr) -> Iterator[str]:
    if isinstance(expr, nodes.Const):
        yield str(expr.value)
    elif isinstance(expr, nodes.CondExpr):
        yield from _consts(expr.expr1)
        if expr.expr2 is not None:
            yield from _consts(expr.expr2)


@cache
def sentences(*patterns: str) -> frozenset[Key]:
    """Every sentence of the files that the patterns name, from the package's folder."""
    paths = sorted({path for pattern in patterns for path in SOURCE.glob(pattern)})
    found = set(_of_python([path for path in paths if path.suffix == ".py"]))
    for path in paths:
        if path.suffix == ".html":
            found |= set(_of_template(path))
    return frozenset(found)


def translations(code: str) -> Iterator[tuple[str, str]]:
    """Every sentence with its translation; each form with the sentence it stands for."""
    read = messages(code)
    yield from read.texts.items()
    for pair, forms in read.forms.items():
        yield pair[0], forms[0]
        yield from ((pair[1], form) for form in forms[1:])


@lru_cache(100_000)
def letters(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{[^}]*\}", " ", text).lower()))


@cache
def english_only(code: str) -> frozenset[str]:
    """Words of the keys that no translation has, nobody is called and no record is written with."""
    keys = frozenset().union(*(letters(key) for key, _ in translations(code)))
    written = (name for kit in GAMES.values() for name in (*kit.bots, *(form.name for form in kit.formats)))
    names = letters(" ".join((*NAMES, *written)))
    return keys - names - frozenset().union(*(letters(text) for _, text in translations(code)))
