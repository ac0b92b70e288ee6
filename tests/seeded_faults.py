"""Seeds faults in `src`, one at a time, and tells which the tests find: docs/contribute/testing.md has the outcome.

    python tests/seeded_faults.py draw --number 300 > faults.jsonl
    python tests/seeded_faults.py reach faults.jsonl CLONE > reached.json
    python tests/seeded_faults.py run faults.jsonl reached.json CLONE > found.jsonl

A fault is one place of one function: a condition negated, a comparison or a number off by one, two arguments swapped, a
statement dropped, ``and`` for ``or``. They are drawn by kind, at most one a function. CLONE is a checkout of the same
revision with an environment of its own (``make .venv/.dev``), whose files are written over; it can be used by one at a
time. `reach` runs the default tests once with each such function saying by which test it is entered; in a process that
a test has started, by which file of tests, since several tests may share it. `run` seeds a fault and runs those, of the
fault's own room first, then the cheapest, until a test fails or they have cost the budget. A fault that no test enters,
or none finds, stays for the whole suite (``--whole``).
"""

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from xml.etree import ElementTree

from support.paths import LAWS

HERE = Path(__file__).parents[1]
PACKAGE = "src/pubdice"
FOLDERS = (HERE / PACKAGE, *sorted(HERE.glob("packages/*/src")))
OFF_BY_ONE: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
WRITES = (ast.Attribute, ast.Subscript)
FIRST_S, FIRST_TESTS = 10.0, 300
"""The first of two runs, which finds most faults: as many s of processor, and as many tests."""
DEAR_S = 20.0
"""A test, or a file of tests, that costs more comes last (s of processor)."""
MOST_S, MOST_WHOLE_S = 300, 7_200
"""A run of a few files, or of all, that takes longer hangs: the fault is found."""
PROBE = '''"""Says which test enters the functions that have a fault."""
import os, sys
seen = set()
def reached(fault):
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if (fault, test) not in seen:
        seen.add((fault, test))
        test = test.rpartition(" (")[0] if "_pytest" in sys.modules else test.partition("::")[0]
        try:
            with open(os.environ["FAULTS_REACHED"], "a") as file:
                file.write(f"{fault} {test}\\n")
        except (KeyError, OSError):
            pass
'''


@dataclass(frozen=True, slots=True)
class Fault:
    """One place of one function, and what stands there instead. begin, end: characters of the file's text."""

    file: str
    function: str
    line: int
    kind: str
    begin: int
    end: int
    instead: str


Function = ast.FunctionDef | ast.AsyncFunctionDef


class Places:
    """Where a file's syntax tree stands in its text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0]
        for line in text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """The character at a line, from 1, and a column in bytes, as `ast` counts them."""
        begin = self._lines[line - 1]
        return begin + len(self._text[begin : self._lines[line]].encode()[:column].decode())

    def of(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)


def _inside(function: Function) -> Iterator[ast.AST]:
    """A function's nodes without those of functions in it, its signature and its docstring."""
    docstring = ast.get_docstring(function, clean=False) is not None
    todo: list[ast.AST] = list(function.body[1:] if docstring else function.body)
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.JoinedStr):
            yield node
            todo.extend(ast.iter_child_nodes(node))


def _conditions(node: ast.AST) -> Sequence[ast.expr]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return [] if isinstance(test, ast.Constant) else [test]
        case ast.comprehension(ifs=ifs):
            return ifs
    return []


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """The faults that a node can have: kind, what is replaced, by what."""
    for test in _conditions(node):
        yield "negated", test, f"(not ({ast.unparse(test)}))"
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if other := OFF_BY_ONE.get(type(operator)):
            yield "off by one", node, f"({ast.unparse(ast.Compare(left, [other()], [right]))})"
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield "off by one", node, str(value + 1)
        case ast.BoolOp(op=operator, values=values):
            yield (
                "and for or",
                node,
                f"({ast.unparse(ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values))})",
            )
        case ast.Call(func=func, args=[first, second, *others], keywords=keywords) if not any(
            isinstance(argument, ast.Starred) for argument in node.args
        ) and ast.dump(first) != ast.dump(second):
            yield "swapped", node, ast.unparse(ast.Call(func, [second, first, *others], keywords))
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign():
            yield "dropped", node, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "dropped", node, "pass"


def _functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    todo: list[tuple[str, ast.AST]] = [("", tree)]
    while todo:
        name, node = todo.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if not isinstance(child, ast.ClassDef):
                    yield f"{name}{child.name}", child
                todo.append((f"{name}{child.name}.", child))
            elif isinstance(child, ast.stmt):
                todo.append((name, child))


def faults_of(file: str, text: str) -> Iterator[Fault]:
    """Every fault that can be seeded in a file."""
    places = Places(text)
    for name, function in _functions(ast.parse(text)):
        for node in _inside(function):
            for kind, replaced, instead in _changes(node):
                yield Fault(file, name, replaced.lineno, kind, *places.of(replaced), instead)


def draw(number: int, seed: int, folders: Sequence[Path] = FOLDERS) -> list[Fault]:
    """As many faults of each kind, at most one a function; the same number and seed give the same faults."""
    chance = Random(seed)
    kinds: dict[str, list[Fault]] = defaultdict(list)
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        if path.is_relative_to(LAWS):
            continue
        for fault in faults_of(path.relative_to(HERE).as_posix(), path.read_text()):
            kinds[fault.kind].append(fault)
    for faults in kinds.values():
        chance.shuffle(faults)
    drawn: dict[tuple[str, str], Fault] = {}
    while len(drawn) < number and any(kinds.values()):
        for kind in sorted(kinds):
            while kinds[kind]:
                fault = kinds[kind].pop()
                if (fault.file, fault.function) not in drawn and len(drawn) < number:
                    drawn[fault.file, fault.function] = fault
                    break
    return sorted(drawn.values(), key=lambda fault: (fault.file, fault.line))


def seeded(fault: Fault, text: str) -> str:
    changed = text[: fault.begin] + fault.instead + text[fault.end :]
    ast.parse(changed)
    return changed


def probed(text: str, faults: Mapping[int, Fault]) -> str:
    """A file whose functions with a fault say that they are entered."""
    numbers = {fault.function: number for number, fault in faults.items()}
    places, inserted, tree = Places(text), [], ast.parse(text)
    compiled = set[str]()  # by numba, which knows no import
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "compile_all":
            compiled |= {argument.id for argument in call.args if isinstance(argument, ast.Name)}
    for name, function in _functions(tree):
        begin = 0 if ast.get_docstring(function, clean=False) is None else 1
        if name in numbers and name not in compiled and function.body[begin:]:
            first: ast.expr | ast.stmt = function.body[begin]
            column = first.col_offset
            if isinstance(first, Function | ast.ClassDef) and first.decorator_list:
                first = first.decorator_list[0]  # a decorated function begins at its decorator's name, behind the @
            inserted.append((places.at(first.lineno, column), numbers[name]))
    for at, number in sorted(inserted, reverse=True):
        indent = text[text.rindex("\n", 0, at) + 1 : at]
        text = f"{text[:at]}__import__('pubdice.faults_reached', fromlist='_').reached({number})\n{indent}{text[at:]}"
    return text


def _pytest(clone: Path, arguments: Sequence[str], **environment: str) -> int:
    """The exit status of a run of tests in a clone, 1 if it hangs."""
    command = [str(clone / ".venv/bin/pytest"), "--quiet", "--no-header", "-p", "no:cacheprovider", *arguments]
    most_s = MOST_WHOLE_S if "--dist=worksteal" in arguments else MOST_S
    try:
        run = subprocess.run(
            command, cwd=clone, env=os.environ | environment, stdout=sys.stderr, timeout=most_s, check=False
        )
    except subprocess.TimeoutExpired:
        return 1
    return run.returncode


def _there(clone: Path) -> set[str]:
    """The tests that a clone has, and their files."""
    command = [str(clone / ".venv/bin/pytest"), "--collect-only", "--quiet", "-p", "no:cacheprovider"]
    told = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name for line in told if "::" in line for name in (line, line.partition("::")[0])}


def _restored(clone: Path) -> None:
    subprocess.run(["git", "checkout", "--quiet", "--", PACKAGE, "packages"], cwd=clone, check=True)


def reach(faults: Sequence[Fault], clone: Path) -> dict[str, dict[str, float]]:
    """For each fault the tests, and files of tests, that enter its function, with the processor seconds each costs."""
    reached, costs = clone.parent / f"{clone.name}.reached", clone.parent / f"{clone.name}.costs"
    for file in reached, costs:
        file.unlink(missing_ok=True)
    by_file: dict[str, dict[int, Fault]] = defaultdict(dict)
    for number, fault in enumerate(faults):
        by_file[fault.file][number] = fault
    probe = clone / PACKAGE / "faults_reached.py"
    probe.write_text(PROBE)
    for name, some in by_file.items():
        path = clone / name
        changed = probed(path.read_text(), some)
        ast.parse(changed)
        path.write_text(changed)
    arguments = ["--numprocesses=3", "--dist=worksteal", "-p", "support.costs_of_tests", f"--costs-of-tests={costs}"]
    _pytest(clone, arguments, FAULTS_REACHED=str(reached), PYTHONPATH=str(clone / "tests"))
    _restored(clone)
    probe.unlink()
    seconds: dict[str, float] = defaultdict(float)
    for line in costs.read_text().splitlines():
        part, name, _, processor = json.loads(line)
        if part != "fixture":
            seconds[name] += processor
            seconds[name.partition("::")[0]] += processor
    found: dict[str, dict[str, float]] = {str(number): {} for number in range(len(faults))}
    for line in reached.read_text().splitlines():
        entered, _, test = line.partition(" ")
        if test:
            found[entered][test] = round(seconds[test], 3)
    return found


def _batches(fault: Fault, tests: Mapping[str, float], budget: float) -> Iterator[list[str]]:
    """The tests that enter a fault's function: those of its own room first, then the cheapest, as many as cost no more
    than the budget (s of processor), and one at least. A file of tests stands for all that it has.
    """
    room = fault.file.removeprefix(PACKAGE).split("/")[1]  # of an annex its own name

    def order(name: str) -> tuple[bool, bool, float]:
        return (
            tests[name] > DEAR_S,
            not name.startswith((f"tests/{room}", f"packages/{room}/", fault.file)),
            tests[name],
        )

    first: list[str] = []
    others: list[str] = []
    spent = 0.0
    for name in sorted(tests, key=order):
        if (file := name.partition("::")[0]) != name and file in tests:
            continue
        spent += tests[name]
        if not first or (spent <= FIRST_S and len(first) < FIRST_TESTS):
            first.append(name)
        elif spent <= budget:
            others.append(name)
    yield from filter(None, (first, others))


def _uncompiled(path: Path) -> None:
    """Forget what is compiled of a file: Python takes it for this text's if size and second of writing are the same."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def found_by(fault: Fault, tests: Mapping[str, float], clone: Path, budget: float, *, whole: bool) -> str | None:
    """The test that finds a fault, or "whole", or None. SystemExit: that test fails without the fault too."""
    found = _failing(fault, tests, clone, budget, whole=whole)
    module, _, name = (found or "").partition("::")
    if module and name:  # a file that could not be read has no module
        file = Path(*module.split(".")).with_suffix(".py")
        if (clone / file).exists() and _pytest(clone, ["--numprocesses=0", f"{file}::{name}"]) == 1:
            raise SystemExit(f"{found} fails without a fault: what this clone tells is worth nothing")
    return found


def _failing(fault: Fault, tests: Mapping[str, float], clone: Path, budget: float, *, whole: bool) -> str | None:
    path = clone / fault.file
    path.write_text(seeded(fault, path.read_text()))
    _uncompiled(path)
    try:
        if whole:
            return "whole" if _pytest(clone, ["-x", "--numprocesses=3", "--dist=worksteal"]) else None
        chosen, failed = clone.parent / f"{clone.name}.chosen", clone.parent / f"{clone.name}.failed"
        for batch in _batches(fault, tests, budget):
            chosen.write_text("\n".join(batch))
            failed.unlink(missing_ok=True)
            if _pytest(clone, ["-x", f"--junit-xml={failed}", f"@{chosen}"]) not in (0, 5):  # 5: all are left out
                return _first_failed(failed)
    finally:
        _restored(clone)
        _uncompiled(path)
    return None


def _numbers(told: str) -> set[int]:
    """3,5,10-20 as numbers."""
    parts = [part.partition("-") for part in told.split(",")]
    return {number for first, _, last in parts for number in range(int(first), int(last or first) + 1)}


def _first_failed(report: Path) -> str:
    """The first test that failed by a report as JUnit writes it; a run without one hung, or its tests are gone."""
    if report.exists():
        for case in ElementTree.parse(report).iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                return f"{case.get('classname')}::{case.get('name')}"
    return "no report"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    drawn = commands.add_parser("draw")
    drawn.add_argument("--number", type=int, default=300)
    drawn.add_argument("--seed", type=int, default=420)
    for name in "reach", "run":
        command = commands.add_parser(name)
        command.add_argument("faults", type=Path)
        if name == "run":
            command.add_argument("reached", type=Path)
            command.add_argument("--only", help="numbers of faults, from 0: 3,5,10-20")
            command.add_argument("--every", default="1/1", help="2/3: the second of each three")
            command.add_argument("--budget", type=float, default=60.0, help="seconds of processor of tests for a fault")
            command.add_argument("--whole", action="store_true", help="the whole suite for each, without a budget")
        command.add_argument("clone", type=Path)
    asked = parser.parse_args()
    if asked.command == "draw":
        for fault in draw(asked.number, asked.seed):
            print(json.dumps(asdict(fault)))
        return
    faults = [Fault(**json.loads(line)) for line in asked.faults.read_text().splitlines()]
    clone = asked.clone.absolute()
    if asked.command == "reach":
        print(json.dumps(reach(faults, clone)))
        return
    there = _there(clone)  # a test that a process has made up, or that is gone, finds nothing
    reached = {
        fault: {test: seconds for test, seconds in tests.items() if test in there}
        for fault, tests in json.loads(asked.reached.read_text()).items()
    }
    mine, of = map(int, asked.every.split("/"))
    chosen = _numbers(asked.only) if asked.only else range(len(faults))
    for number, fault in enumerate(faults):
        if number in chosen and number % of == mine - 1:
            by = found_by(fault, reached[str(number)], clone, asked.budget, whole=asked.whole)
            print(json.dumps({"fault": number, "found": by, **asdict(fault)}), flush=True)


if __name__ == "__main__":
    main()
