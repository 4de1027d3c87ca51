"""The code of both arms, taken from the practice files of this checkout without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.collect import SUITES, practice_files
from bench.pair import ANTI_PATTERN, RECOMMENDED


@dataclass(frozen=True)
class PairCode:
    """Each arm's source by name, the anti-pattern first, and what they share from the same file; where it stands."""

    file: str
    arms: Mapping[str, str]
    shared: str


def code_by_pair(files: Iterable[Path] | None = None, root: Path = SUITES.parent) -> dict[str, PairCode]:
    """Every pair's code by its id. A file that is no Python any more is left out: the numbers stand without it."""
    found: dict[str, PairCode] = {}
    for file in practice_files() if files is None else files:
        try:
            text = file.read_text(encoding="utf-8")
            module = ast.parse(text)
        except (OSError, SyntaxError, UnicodeDecodeError):
            continue
        name = str(file.relative_to(root)) if file.is_relative_to(root) else file.name
        stem = file.stem.replace("_", "-")
        for call in _pairs(module):
            found[f"{file.parent.name}/{_name(call) or stem}"] = _code(call, module, text.encode().split(b"\n"), name)
    return found


def _pairs(module: ast.Module) -> list[ast.Call]:
    """The calls of Pair that are assigned to a name of the module."""
    values = [node.value for node in module.body if isinstance(node, ast.Assign) and _called(node) == "Pair"]
    return [value for value in values if isinstance(value, ast.Call)]


def _called(node: ast.Assign) -> str:
    """The name of what is called for the assigned value; empty when it is no call of a name."""
    called = node.value.func if isinstance(node.value, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else ""


def _name(call: ast.Call) -> str | None:
    given = _argument(call, "name")
    return str(given.value) if isinstance(given, ast.Constant) and given.value else None


def _argument(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def _code(call: ast.Call, module: ast.Module, lines: Sequence[bytes], file: str) -> PairCode:
    given = {name: _argument(call, name) for name in (ANTI_PATTERN, RECOMMENDED)}
    variants = _argument(call, "variants")
    if isinstance(variants, ast.Dict):
        keyed = zip(variants.keys, variants.values, strict=True)
        given |= {str(k.value): v for k, v in keyed if isinstance(k, ast.Constant)}
    definitions = _definitions(module)
    arms = {name: _source(value, definitions, lines) for name, value in given.items() if value is not None}
    own = {v.id for v in given.values() if isinstance(v, ast.Name)}
    inputs = _argument(call, "inputs")
    roots = [definitions[n] for n in own if n in definitions] + ([inputs] if inputs is not None else [])
    shared = _reached(roots, definitions) - own
    pieces = [_segment(node, lines) for name, node in definitions.items() if name in shared]
    return PairCode(file, arms, "\n\n".join(pieces))


def _definitions(module: ast.Module) -> dict[str, ast.stmt]:
    """What the module's top level names: functions, classes and constants, but no pair and no usage, in their order."""
    found: dict[str, ast.stmt] = {}
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and _called(node) not in ("Pair", "AsWritten"):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found |= dict.fromkeys(names, node)
    return found


def _reached(roots: Iterable[ast.AST], definitions: Mapping[str, ast.stmt]) -> set[str]:
    """The names of definitions that the roots use, directly or through one another."""
    waiting, reached = list(roots), set()
    while waiting:
        for node in ast.walk(waiting.pop()):
            if isinstance(node, ast.Name) and node.id in definitions and node.id not in reached:
                reached.add(node.id)
                waiting.append(definitions[node.id])
    return reached


def _source(value: ast.expr, definitions: Mapping[str, ast.stmt], lines: Sequence[bytes]) -> str:
    """A named function's whole source; of anything else the expression."""
    named = definitions.get(value.id) if isinstance(value, ast.Name) else None
    return _segment(named if named is not None else value, lines)


def _segment(node: ast.expr | ast.stmt, lines: Sequence[bytes]) -> str:
    decorated: list[ast.expr] = getattr(node, "decorator_list", [])
    return "\n".join([*(f"@{_cut(d, lines)}" for d in decorated), _cut(node, lines)])


def _cut(node: ast.expr | ast.stmt, lines: Sequence[bytes]) -> str:
    """What ``ast.get_source_segment`` gives, which splits the whole file for every node; columns count bytes."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    found = list(lines[first : last + 1])
    found[-1] = found[-1][: node.end_col_offset]
    found[0] = found[0][node.col_offset :]
    return b"\n".join(found).decode()
