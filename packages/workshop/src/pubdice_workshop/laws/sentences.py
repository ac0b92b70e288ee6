"""The search for sentences to translate. It finds all sentences that a catalogue must hold, by parsing the source.

A sentence is a string that reaches ``say``, ``count`` or ``tell`` of a ``Language`` (``t`` and ``n`` in templates). It
may be a literal, or come through a name, a table, a default or an argument. Strings from other sources are not found.
Tests find these with a strict language. Text that never went through a language is found by ``english_only``.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

import jinja2
import pytest
from jinja2 import nodes

import pubdice
from play import NAMES
from pubdice.games import GAMES
from pubdice.text.catalogues import CODES, LANGUAGE_FOLDERS, PARTS, catalogue_file, has_part, messages
from pubdice.text.language import CONTEXT

SOURCE = Path(pubdice.__file__).parent
ANNEXES = {folder.name: folder for folder in sorted(SOURCE.parents[1].glob("packages/*/src/*")) if folder.is_dir()}
"""The folder of each annex, by the name of its package. Like a game's folder, it holds catalogues of its own."""
LAWS = Path(__file__).parent
WHOLE = [code for code in CODES[1:] if all(has_part(code, part) for part in PARTS)]
"""The languages but English that have every part of the house's catalogues. The others are whole for players."""
Key = str | tuple[str, str]
"""A sentence, or a pair of its singular and plural."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
LEAVES = (ast.Name, ast.Constant, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
"""Types of nodes that contain no names, calls or functions."""

HOUSE = (
    "text/language.py",
    "text/notation.py",
    "typed.py",
    "typed_answers.py",
    "typed_rules.py",
    "match/sealed_sentences.py",
    "match/narrate.py",
    "match/formats/*.py",
    "text/game_words.py",
    "text/move_words.py",
    "text/turn_advice.py",
    "text/turn_words.py",
    "advice/**/*.py",
    "failures.py",
    "command_line.py",
    "annexes.py",
    "terminal/*.py",
    "cli.py",
)
GAMES_FOLDER = "games/*/**/*.py"
WEB = ("room/*.py", "server/**/*.py", "server/pages/*.html", "server/web/templates/*.html")
SCANNED = (*HOUSE, GAMES_FOLDER, *WEB)
"""Files with sentences that have a translation, of the house and its games."""

ONE, PAIR, ROW = {"say", "_say", "t"}, {"count", "n"}, {"tell"}
SAYING = ONE | PAIR | ROW | {"Option", "FormatField", "StandingField", "FormatKind", "Unit", "Flag"}
"""Names of calls that say one of their arguments, in any module."""
PLACES = {"Option": slice(2, None), "FormatField": slice(1, 2), "StandingField": slice(1, 3)}
"""The arguments that hold sentences, in declarations by a game or a format."""
TABLES = {
    "text/language.py": ("OPENERS", "BOTS"),
    "room/*.py": ("REFUSED",),
    "terminal/sentences.py": ("ASKING", "WITHOUT_CHANCES", "ASKING_THE_HOUSE"),
}
"""Tables of sentences that other modules say, by the file that defines them."""


Speaker = tuple[Path | None, str]
"""A function that says one of its arguments, as (module, name). The module is None for a method or its alias."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function, through which its caller passes a sentence."""

    function: Speaker
    place: int
    name: str


@dataclass(eq=False)
class Scope:
    """The names in a module or a function, with the expressions that each may stand for."""

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
                is_method = spots[0] == "self"
                speaker = (None if is_method else self.module.path, self.function.name)
                yield Parameter(speaker, spots.index(name) - is_method, name)
        if name in self.names:
            yield from ((value, self) for value in self.names[name])
        elif self.outer is not None:
            yield from self.outer.find(name)
        elif name in self.module.imports:
            yield from self.module.imported(name)


class Module:
    """A parsed module, with the scopes of its functions."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        self.path = path
        self.calls: list[tuple[ast.Call, Scope]] = []
        self.imports: dict[str, tuple[str, str]] = {}
        self.functions: set[str] = set()
        self.classes: list[ast.ClassDef] = []
        self.top = Scope(self)
        self._walk(tree, self.top)

    def imported(self, name: str) -> Iterator[tuple[ast.expr, Scope] | Parameter]:
        module, named = self.imports[name]
        if (path := _file(module, self.path)) is not None:
            top = read(path).top
            yield from ((value, top) for value in top.names.get(named, []))

    def speaker(self, name: str) -> Speaker:
        """Return the function that this module calls by a name. The search follows imports through packages that
        re-export the name.
        """
        if name in self.functions:
            return self.path, name
        module, named = self.imports.get(name, ("", ""))
        path = _file(module, self.path)
        return (None, name) if path is None else read(path).speaker(named)

    def _walk(self, node: ast.AST, scope: Scope) -> None:
        for part in vars(node).values():  # visits the same nodes as ast.iter_child_nodes, in half the time
            for child in part if isinstance(part, list) else (part,):
                if isinstance(child, ast.AST) and not isinstance(child, LEAVES):
                    self._enter(child, scope)

    def _enter(self, node: ast.AST, scope: Scope) -> None:
        inner = scope
        if isinstance(node, Function):
            inner = Scope(self, scope, node)
            self.functions.add(node.name)
            named = [*node.args.posonlyargs, *node.args.args]
            spots = named[len(named) - len(node.args.defaults) :]
            for spot, default in zip(spots, node.args.defaults, strict=True):
                inner.names.setdefault(spot.arg, []).append(default)
        self._note(node, inner)
        self._walk(node, inner)

    def _note(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Call):
            self.calls.append((node, scope))
        elif isinstance(node, ast.ClassDef):
            self.classes.append(node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                scope.bind(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            scope.bind(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            scope.bind(node.target, node.iter)
        elif isinstance(node, ast.ImportFrom) and (node.module or node.level):
            named = ".".join(filter(None, [_package(self.path, node.level), node.module]))
            self.imports |= {name.asname or name.name: (named, name.name) for name in node.names}


def _package(path: Path, level: int) -> str:
    """Return the package that a relative import means. ``level`` is the number of its leading dots."""
    names: list[str] = []
    folder = path.parent
    while level and (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names[: len(names) + 1 - level])


def _file(module: str, asking: Path) -> Path | None:
    """Return the file of a dotted module name, if it is in ``pubdice`` or in the importing package. Otherwise return
    None.
    """
    top = asking.parent
    while (top / "__init__.py").is_file():
        top = top.parent
    first = module.partition(".")[0]
    roots = [SOURCE.parent] if first == SOURCE.name else [top] if (top / first / "__init__.py").is_file() else []
    bases = [root / module.replace(".", "/") for root in roots]
    found = [path for base in bases for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()]
    return found[0] if found else None


@cache
def read(path: Path) -> Module:
    return Module(path)


def _written(expr: ast.expr, scope: Scope, seen: frozenset[int] = frozenset()) -> Iterator[Key | Parameter]:
    """Yield the sentences that an expression may stand for."""
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
    """Return the singular and plural of a tuple of three strings. The third is the name of the fact that selects
    between them. Return None for any other expression.
    """
    match expr:
        case ast.Tuple(elts=[ast.Constant(str(one)), ast.Constant(str(many)), ast.Constant(str(fact))]):
            return (one, many) if fact.isidentifier() else None
    return None


def _inside(expr: ast.expr) -> list[ast.expr]:
    """Return the parts of an expression that may be its value."""
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
    """Return the possible argument lists of a call. A starred name stands for each row that it may be."""
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
    """Yield the possible values of an expression. For a condition these are both branches."""
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


@cache
def _speaker(call: ast.Call, scope: Scope) -> Speaker:
    """Return the function that is called, as (module, name). For a method the module is None, since the type of the
    object is unknown.
    """
    match call.func:
        case ast.Name(id=name):
            return scope.module.speaker(name)
        case ast.Attribute(value=ast.Name(id=alias), attr=name) if alias in scope.module.imports:
            path = _file(".".join(scope.module.imports[alias]), scope.module.path)
            return (None, name) if path is None else read(path).speaker(name)
    return None, _called(call)


def _spoken(
    call: ast.Call, scope: Scope, speakers: Mapping[Speaker, set[tuple[int, str]]]
) -> Iterator[Key | Parameter]:
    """Yield the sentences that a call says. ``speakers`` has the functions that say one of their arguments."""
    for arg in call.args if _called(call).endswith("Words") else ():  # the arguments are a game's title and tagline
        yield from _written(arg, scope)
    if _called(call) == "DieFaces":
        yield from _of_faces(call)
    if _called(call) not in SAYING and _speaker(call, scope) not in speakers:
        return
    for arguments in _arguments(call, scope):
        yield from _said(call, arguments, scope, speakers)


def _said(
    call: ast.Call, arguments: list[ast.expr], scope: Scope, speakers: Mapping[Speaker, set[tuple[int, str]]]
) -> Iterator[Key | Parameter]:
    name = _called(call)
    if (name in ONE and arguments) or (name in ROW and len(arguments) == 2):
        yield from _written(arguments[0], scope)
    elif name in PAIR and len(arguments) >= 3:
        yield from _pairs(arguments, scope)
    elif name in PLACES:
        for arg in arguments[PLACES[name]]:
            yield from _written(arg, scope)
        yield from _named(call, scope)
    elif name in ("FormatKind", "Unit"):
        for key in call.keywords:
            if key.arg in ("label", "meaning"):
                yield from _written(key.value, scope)
    elif name == "Flag":
        yield from _of_flag(arguments, scope)
    for place, word in speakers.get(_speaker(call, scope), ()):
        given = [key.value for key in call.keywords if key.arg == word] or arguments[place : place + 1]
        for arg in given:
            yield from _written(arg, scope)


def _of_faces(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield the singular and plural of each face of a die."""
    given = [key.value for key in call.keywords if key.arg == "words"] or call.args[1:2]
    for pair in [pair for words in given if isinstance(words, ast.Tuple) for pair in words.elts]:
        one, many = ast.literal_eval(pair)
        yield one, many


def _of_flag(arguments: list[ast.expr], scope: Scope) -> Iterator[Key | Parameter]:
    """Yield the sentences of a flag: its label, the meanings of its choices, and its own meaning if that is a
    literal.
    """
    if isinstance(arguments[2], ast.Constant):
        yield from _written(arguments[2], scope)
    for arg in arguments[3:]:
        yield from _meanings(arg, scope)


def _named(call: ast.Call, scope: Scope) -> Iterator[Key | Parameter]:
    for key in call.keywords:
        if key.arg in ("words", "form"):
            yield from _written(key.value, scope)
        if key.arg == "named" and isinstance(key.value, ast.Tuple):
            for each in key.value.elts:
                yield from _written(each, scope)


def _meanings(arg: ast.expr, scope: Scope) -> Iterator[Key | Parameter]:
    """Yield the label of a field, or the meaning of each of its choices."""
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


Speakers = dict[Speaker, set[tuple[int, str]]]


@cache
def _speakers_of(paths: tuple[Path, ...]) -> Speakers:
    """Return the functions of these modules that say one of their arguments. The search repeats until it finds
    no more.
    """
    speakers: Speakers = {}
    known = -1
    while known != sum(map(len, speakers.values())):
        known = sum(map(len, speakers.values()))
        for path in paths:
            module = read(path)
            for call, scope in module.calls:
                for key in list(_spoken(call, scope, speakers)):
                    if isinstance(key, Parameter) and key.function[1] not in ONE | PAIR | ROW:
                        speakers.setdefault(key.function, set()).add((key.place, key.name))
    return speakers


def _of_python(paths: list[Path]) -> Iterator[Key]:
    yield from _said_in(paths, _speakers_of(tuple(paths)))


def _said_in(paths: list[Path], speakers: Speakers) -> Iterator[Key]:
    for path in paths:
        module = read(path)
        for call, scope in module.calls:
            yield from (key for key in _spoken(call, scope, speakers) if not isinstance(key, Parameter))
        tables = [name for place, names in TABLES.items() if path.match(str(SOURCE / place)) for name in names]
        yield from _words([value for name in tables for value in module.top.names.get(name, ())], module.top)
        for kind in module.classes:
            yield from _words(list(_of_help(kind)), module.top)
            if kind.name.endswith("Words"):  # the class has a game's title and tagline
                yield from _words(list(_of_words(kind)), module.top)


def _of_help(kind: ast.ClassDef) -> Iterator[ast.expr]:
    """Yield the help sentence of a command's class."""
    for part in kind.body:
        if (
            isinstance(part, ast.Assign)
            and ast.unparse(part.targets[0]) == "help"
            and isinstance(part.value, ast.Tuple)
        ):
            yield part.value.elts[-1]


def _of_words(kind: ast.ClassDef) -> Iterator[ast.expr]:
    """Yield the sentences in the class of a game's words. The letters that choose moves (``keys``) are left out."""
    for part in kind.body:
        targets = (
            part.targets if isinstance(part, ast.Assign) else [part.target] if isinstance(part, ast.AnnAssign) else []
        )
        named = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(part, ast.Assign | ast.AnnAssign) and part.value is not None and named != ["keys"]:
            yield part.value


def _words(values: list[ast.expr], scope: Scope) -> Iterator[Key]:
    for value in values:
        yield from (key for key in _written(value, scope) if not isinstance(key, Parameter))


@cache
def of_template(path: Path) -> frozenset[Key]:
    """Return every sentence of a template."""
    return frozenset(_said_in_template(path))


def _said_in_template(path: Path) -> Iterator[Key]:
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
    """Return every sentence of the files that match these patterns. The patterns are relative to the folder of
    ``pubdice``.
    """
    return _of_files(tuple(sorted({path for pattern in patterns for path in SOURCE.glob(pattern)})))


def modules(folder: Path) -> list[Path]:
    """Return the modules of a game or an annex, sorted. The laws in the workshop are left out, since players never see
    them.
    """
    found = sorted(path for path in folder.rglob("*.py") if path.is_file())
    return found if folder.is_relative_to(LAWS) else [path for path in found if not path.is_relative_to(LAWS)]


@cache
def in_folder(folder: Path) -> frozenset[Key]:
    """Return every sentence that a game's package says, wherever its folder is. The house's modules are read too,
    because they say strings that the game passes to them.
    """
    house = {path for pattern in HOUSE for path in SOURCE.glob(pattern)}
    mine = set(modules(folder))
    speakers = _speakers_of(tuple(sorted(house | mine)))
    return frozenset(_said_in(sorted(mine), speakers))


def _of_files(paths: tuple[Path, ...]) -> frozenset[Key]:
    found = set(_of_python([path for path in paths if path.suffix == ".py"]))
    for path in paths:
        if path.suffix == ".html":
            found |= set(of_template(path))
    return frozenset(found)


def homes(code: str) -> list[str]:
    """Return the packages of games and annexes that have a catalogue in this language. The first entry, "", stands for
    the house.
    """
    brought = [*sorted({kit.home for kit in GAMES.values()} - {""}), *ANNEXES]
    return ["", *(home for home in brought if catalogue_file(code, home).is_file())]


def translations(code: str, home: str) -> Iterator[tuple[str, str]]:
    """Yield every sentence of a catalogue, without its context, with its translation. Each plural form comes as a pair
    of its own.
    """
    read = messages(code, home)
    yield from ((key.rpartition(CONTEXT)[2], text) for key, text in read.texts.items())
    for (one, many), forms in read.forms.items():
        yield from ((one if numbers_of(code, at) == (1,) else many, form) for at, form in enumerate(forms))


@cache
def numbers_of(code: str, form: int) -> tuple[int, ...]:
    """Return the numbers below 200 that a plural form is for. In French, for example, the first form is for 0 and 1."""
    rule = messages(code).form
    return tuple(number for number in range(200) if rule(number) == form)


def facts_in(text: str) -> frozenset[tuple[str, str]]:
    """Return the facts of a sentence: each ``{name}`` with its format."""
    return frozenset((name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name is not None)


def misfits(code: str, home: str) -> list[str]:
    """Return the translations in a catalogue whose facts are not those of their sentence.

    A plural form for one number alone may leave the figure out: "one round". So may a form for 0 and 1 where the
    English singular does. A strict language raises if such a form is said of 0.
    """
    read = messages(code, home)
    found = [text for key, text in read.texts.items() if facts_in(text) != facts_in(key)]
    for (one, many), forms in read.forms.items():
        for at, text in enumerate(forms):
            numbers = numbers_of(code, at)
            figure = {("number", "")} if len(numbers) == 1 else set[tuple[str, str]]()
            keys = [one, many] if 1 in numbers else [many]
            if facts_in(text) - figure not in [facts_in(key) - figure for key in keys]:
                found.append(text)
    return found


@cache
def own_laws(code: str) -> dict[str, Any]:
    """Return a language's own rules for the tests, from its ``laws.toml`` (docs/contribute/translating.md)."""
    file = LANGUAGE_FOLDERS / code / "laws.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def at_length(codes: Iterable[str]) -> list[Any]:
    """Return test parameters for a slow test, or for a test of every sentence. German runs in every run, the other
    languages at night. So the author of a sentence needs no language that they do not speak.
    """
    return [pytest.param(code, marks=() if code in ("en", "de") else pytest.mark.nightly) for code in codes]


def unsaid(code: str) -> list[re.Pattern[str]]:
    """Return patterns that no text in this language may match: the wrong form of "you", and stilted words."""
    own = own_laws(code)
    return [re.compile(own[key]) for key in ("address", "stiff") if key in own]


@lru_cache(100_000)
def letters(text: str) -> frozenset[str]:
    """Return the words of a text in lower case. Facts in braces and addresses of tables are left out."""
    return frozenset(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{[^}]*\}|\S*/t/\S+", " ", text).lower()))


@cache
def english_only(code: str) -> frozenset[str]:
    """Return the words that occur in English sentences but in no translation and no name. If such a word is in a text,
    the text is not translated.
    """
    told = [pair for home in homes(code) for pair in translations(code, home)]
    keys = frozenset().union(*(letters(key) for key, _ in told))
    written = (name for kit in GAMES.values() for name in (*kit.bots, *(form.name for form in kit.formats)))
    names = letters(" ".join((*NAMES, *written)))
    return keys - names - frozenset().union(*(letters(text) for _, text in told))
