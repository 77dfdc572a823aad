"""Record what really runs in a package: every call, and every attribute of torch that is read, in its files.

    python scripts/record_truth.py PACKAGE --release NAME-VERSION --output DIR \\
        [--source DIR] [--seconds N] -- SCRIPT.py|MODULE [ARGUMENT...]

Run in a Python that has torch and what the package needs. PACKAGE is a folder with `__init__.py`, or one
file, in `--source` (else where Python finds it). What follows `--` is run in this process: a script, or a
module such as `pytest` with its arguments. The files of the package are changed in memory on import, so that
each call says which object it calls, and each attribute from which object it is read. What other processes
run is not seen.

Two files are written, NAME-VERSION.jsonl.gz and NAME-VERSION.nontorch.jsonl.gz, a row for each place that
ran:

- `file`, `sha256`, `line`, `col`, `end_line`, `end_col` (1-based lines, columns in bytes as `ast` counts
  them), and where the callee ends: `callee_end_line`, `callee_end_col`
- `api`: the public names of what was called or read there, none in the second file; `aliases`: names as right
- `kind`: `call` or `attr`; `recv`: the form of the receiver; `bind`: what binds a callee that is a name;
  `via`: `partial` where a `functools.partial` was called

A call of a module's object (`self.conv(x)`) is none of torch. Left out: functions of torch without a name
(closures, `torch.ops` packets), what is read from objects whose class has no public name, calls of other
objects of torch's classes, attributes with two underscores around, annotations, and what stands in f-strings.
A place that did not run has no row.
"""

from __future__ import annotations

import _thread
import argparse
import ast
import builtins
import functools
import gzip
import hashlib
import importlib.machinery
import json
import runpy
import sys
import threading
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch_names import Called, TorchNames

ROOT = Path(__file__).resolve().parent.parent
CALL: Final = "__record_call__"
READ: Final = "__record_read__"
_ENOUGH: Final = 500
"""What is seen at a place so many times is not looked at again."""

Row = dict[str, Any]


@dataclass
class Place:
    """A call or an attribute of a file, and what was seen there."""

    file: str
    sha256: str
    node: ast.Call | ast.Attribute
    form: Row
    by_super: bool
    apis: set[str] = field(default_factory=set)
    aliases: set[str] = field(default_factory=set)
    via: set[str] = field(default_factory=set)
    others: int = 0
    untold: int = 0
    seen: int = 0
    of_module: bool = False
    """Whether the callee was read from a module of torch, just now."""

    def add(self, called: Called | None) -> None:
        """Note an API, or that what was seen is none."""
        if called is None and self.of_module:
            self.untold += 1
            return
        if called is None:
            self.others += 1
            return
        self.apis.add(called.api)
        self.aliases |= called.aliases

    def row(self) -> Row | None:
        """What is written of it."""
        is_call = isinstance(self.node, ast.Call)
        if not self.apis and (self.untold or not self.others or not is_call):
            return None
        callee = self.node.func if isinstance(self.node, ast.Call) else self.node
        row: Row = {"file": self.file, "sha256": self.sha256, "line": self.node.lineno}
        row |= {
            "col": self.node.col_offset,
            "end_line": self.node.end_lineno,
            "end_col": self.node.end_col_offset,
        }
        row |= {"callee_end_line": callee.end_lineno, "callee_end_col": callee.end_col_offset}
        row["api"] = sorted(self.apis)
        if self.aliases - self.apis:
            row["aliases"] = sorted(self.aliases - self.apis)
        row |= {"kind": "call" if is_call else "attr", **self.form}
        return {**row, "via": sorted(self.via)} if self.via else row


class Forms(ast.NodeVisitor):
    """How names are bound in each function, as far as `recv` and `bind` tell."""

    def __init__(self, tree: ast.Module) -> None:
        self._scopes: list[dict[str, str]] = [_bound(tree.body, "module")]
        self.of: dict[ast.AST, Row] = {}
        self.visit(tree)

    def _in_scope(self, node: ast.AST, names: dict[str, str]) -> None:
        self._scopes.append(names)
        self.generic_visit(node)
        self._scopes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._in_scope(node, _of_function(node.args, node.body))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._in_scope(node, _of_function(node.args, []))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._in_scope(node, _bound(node.body, "class"))

    def visit_Call(self, node: ast.Call) -> None:
        callee = node.func
        if isinstance(callee, ast.Name):
            self.of[node] = {"bind": self._binding(callee.id)}
        elif isinstance(callee, ast.Attribute):
            self.of[node] = {"recv": self._form(callee.value)}
        else:
            self.of[node] = {}
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.of[node] = {"recv": self._form(node.value)}
        self.generic_visit(node)

    def _binding(self, name: str) -> str:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return "builtin" if hasattr(builtins, name) else "local"

    def _form(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return self._binding(name)
            case ast.Attribute(value=owner):
                of_owner = self._form(owner)
                return (
                    f"{of_owner}_attr"
                    if of_owner in ("self", "import")
                    else _OF_ATTRIBUTE.get(of_owner, "attr")
                )
            case ast.Call():
                return "call"
            case ast.Subscript():
                return "subscript"
            case ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                return "op"
            case ast.Constant():
                return "const"
        return "other"


_OF_ATTRIBUTE = {"self_attr": "self_attr", "import_attr": "import_attr"}


def _of_function(arguments: ast.arguments, body: Sequence[ast.stmt]) -> dict[str, str]:
    names = _bound(body, "local")
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    for index, argument in enumerate(each for each in every if each):
        own = index == 0 and argument.arg in ("self", "cls")
        rebound = "param_rebound" if argument.arg in names else "param"
        names[argument.arg] = "self" if own else rebound
    return names


def _bound(body: Sequence[ast.stmt], kind: str) -> dict[str, str]:
    """What statements bind, without those of the functions and classes in them."""
    names: dict[str, str] = {}
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update({(name.asname or name.name).split(".")[0]: "import" for name in node.names})
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[node.name] = kind
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, kind)
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return names


class Marking(ast.NodeTransformer):
    """Puts a note around what is called, and around what attributes are read from."""

    def __init__(self, places: list[Place], file: str, sha256: str, forms: Forms) -> None:
        self._places, self._file, self._sha256, self._forms = places, file, sha256, forms

    def _place(self, node: ast.Call | ast.Attribute) -> int:
        callee = node.func if isinstance(node, ast.Call) else node
        owner = callee.value if isinstance(callee, ast.Attribute) else None
        by_super = isinstance(owner, ast.Call) and getattr(owner.func, "id", "") == "super"
        form = self._forms.of[node]
        self._places.append(Place(self._file, self._sha256, _copied(node), form, by_super))
        return len(self._places) - 1

    def _noted(self, function: str, number: int, what: ast.expr) -> ast.Call:
        name = ast.copy_location(ast.Name(function, ast.Load()), what)
        constant = ast.copy_location(ast.Constant(number), what)
        return ast.copy_location(ast.Call(name, [constant, what], []), what)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        callee = node.func
        number = self._place(node)
        if isinstance(callee, ast.Attribute):
            owner = self._noted(READ, number, self._owner(callee.value))
            inner: ast.expr = ast.copy_location(ast.Attribute(owner, callee.attr, callee.ctx), callee)
        else:
            inner = self.visit(callee)
        noted = self._noted(CALL, number, inner)
        arguments = [self.visit(argument) for argument in node.args]
        keywords = [ast.keyword(keyword.arg, self.visit(keyword.value)) for keyword in node.keywords]
        for new, old in zip(keywords, node.keywords, strict=True):
            ast.copy_location(new, old)
        return ast.copy_location(ast.Call(noted, arguments, keywords), node)

    def _owner(self, node: ast.expr) -> ast.expr:
        """What a callee is read from. The class in `nn.Module.train(x)` belongs to the callee's name."""
        if isinstance(node, ast.Attribute) and node.attr[:1].isupper():
            return ast.copy_location(ast.Attribute(self.visit(node.value), node.attr, node.ctx), node)
        found: ast.expr = self.visit(node)
        return found

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load) and not node.attr.startswith("__"):
            value = self._noted(READ, self._place(node), value)
        return ast.copy_location(ast.Attribute(value, node.attr, node.ctx), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.target = self.visit(node.target)
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = self.visit(node.guard) if node.guard else None
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node


def _copied(node: Any) -> Any:
    """The node with its positions, whose parts may be replaced."""
    copy = type(node)(**{name: getattr(node, name, None) for name in node._fields})
    return ast.copy_location(copy, node)


class Recorder:
    """Notes what runs in the files of a package."""

    def __init__(self, names: TorchNames) -> None:
        self.places: list[Place] = []
        self._names = names

    def code(self, data: bytes, file: str, path: str) -> types.CodeType:
        """The code of a file that tells what runs in it."""
        tree = ast.parse(data, path)
        marking = Marking(self.places, file, hashlib.sha256(data).hexdigest(), Forms(tree))
        return compile(marking.visit(tree), path, "exec", dont_inherit=True)

    def call(self, number: int, callee: Any) -> Any:
        """A call is about to be made."""
        place = self.places[number]
        if place.seen < _ENOUGH:
            place.seen += 1
            self._note_call(place, callee)
        return callee

    def _note_call(self, place: Place, callee: Any) -> None:
        while isinstance(callee, functools.partial):
            callee = callee.func
            place.via.add("partial")
        owner = getattr(callee, "__self__", None) if isinstance(callee, _BOUND) else None
        if isinstance(callee, type):
            place.add(self._names.of_object(callee))
        elif owner is not None and not isinstance(owner, types.ModuleType):
            self._note_method(place, owner, callee)
        elif isinstance(callee, _FUNCTIONS):
            self._note_function(place, callee)
        elif self._is_untold(callee):
            place.untold += 1
        else:
            place.add(self._names.of_object(callee))

    def _is_untold(self, callee: object) -> bool:
        if isinstance(callee, torch.nn.Module) or self._names.of_object(callee) is not None:
            return False
        return self._names.is_of_torch(type(callee))

    def _note_function(self, place: Place, callee: Any) -> None:
        found = self._names.of_function(callee)
        if found is None and _module(callee).split(".")[0] == "torch":
            place.untold += 1
        else:
            place.add(found)

    def _note_method(self, place: Place, owner: Any, callee: Any) -> None:
        function = getattr(callee, "__func__", callee)
        spelled = (
            place.node.func.attr if isinstance(getattr(place.node, "func", None), ast.Attribute) else None
        )
        name = spelled or getattr(callee, "__name__", "")
        cls = owner if isinstance(owner, type) else type(owner)
        definer, name = _definer(cls, function, name)
        if definer is None:
            self._note_function(place, function)
        elif self._names.is_of_torch(definer):
            place.add(self._names.of_member(definer, name, place.by_super))
        else:
            place.add(None)

    def read(self, number: int, owner: Any) -> Any:
        """An attribute is about to be read."""
        place = self.places[number]
        if isinstance(place.node, ast.Call):
            place.of_module = isinstance(owner, types.ModuleType) and owner.__name__.split(".")[0] == "torch"
        elif place.seen < _ENOUGH:
            place.seen += 1
            self._note_read(place, owner, place.node.attr)
        return owner

    def _note_read(self, place: Place, owner: Any, name: str) -> None:
        if isinstance(owner, types.ModuleType):
            found = self._of_module(owner, name)
        elif isinstance(owner, super):
            found = None
        else:
            found = self._of_class(
                owner if isinstance(owner, type) else type(owner), owner, name, place.by_super
            )
        place.add(found)

    def _of_module(self, module: types.ModuleType, name: str) -> Called | None:
        if module.__name__.split(".")[0] != "torch":
            return None
        value = vars(module).get(name)
        if isinstance(value, types.ModuleType):
            return None
        if isinstance(value, _PLAIN):
            return self._names.of_constant(module, name, value)
        return self._names.of_function(value)

    def _of_class(self, cls: type, owner: Any, name: str, by_super: bool) -> Called | None:
        if not isinstance(owner, type) and name in getattr(owner, "__dict__", ()):
            return None
        definer = next((each for each in cls.__mro__ if name in vars(each)), None)
        if definer is None or not self._names.is_of_torch(definer):
            return None
        found = self._names.of_member(definer, name, by_super)
        is_private = any(part.startswith("_") for part in found.api.split(".")[:-1])
        return None if is_private and (not found.aliases or found.api.startswith("torch._C.")) else found

    def rows(self) -> Iterator[Row]:
        """What was seen, in the order of the files."""
        rows = [row for row in (place.row() for place in self.places) if row]
        yield from sorted(
            rows, key=lambda row: (row["file"], row["line"], row["col"], row["end_line"], row["end_col"])
        )


_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)
_BOUND = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)
_PLAIN = (bool, int, float, str, tuple, types.NoneType, torch.dtype)


def _module(function: Any) -> str:
    return getattr(function, "__module__", None) or ""


def _definer(cls: type, function: object, name: str) -> tuple[type | None, str]:
    """The class that defines a bound method, and its name there."""
    for base in cls.__mro__:
        for key in (name, *(() if name in vars(base) else vars(base))):
            member = vars(base).get(key)
            if member is not None and getattr(member, "__func__", member) is function:
                return base, key
    if isinstance(function, (types.BuiltinMethodType, types.MethodWrapperType)):  # none written in Python
        return next((base for base in cls.__mro__ if _is_compiled(vars(base).get(name))), None), name
    return None, name


def _is_compiled(member: object) -> bool:
    function = getattr(member, "__func__", member)
    return member is not None and not isinstance(function, (types.FunctionType, property))


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a file of the package so that it tells what runs in it. No compiled file is read or written."""

    recorder: Recorder
    root: Path

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> types.CodeType:  # type: ignore[override]
        """The code of a module."""
        return self.recorder.code(
            bytes(data), Path(path).resolve().relative_to(self.root).as_posix(), str(path)
        )

    def path_stats(self, path: Any) -> Any:
        """None: so Python takes no compiled file for this source."""
        raise OSError


class Finder(importlib.machinery.PathFinder):
    """Finds the modules of one package in its folder, whatever else is on the path."""

    package: str

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        """As Python would, with a loader that records."""
        if fullname.split(".")[0] != cls.package:
            return None
        where = [str(Loader.root)] if path is None else path
        spec = importlib.machinery.PathFinder.find_spec(fullname, where, target)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            spec.loader = Loader(fullname, spec.loader.path)
        return spec


def record(package: str, root: Path, run: Sequence[str], seconds: int) -> Recorder:
    """Run a script or a module; what ran in the package is in the recorder."""
    version = ".".join(torch.__version__.split(".")[:2])
    recorder = Recorder(TorchNames(ROOT / "mapping_data" / "catalog" / f"torch-{version}.jsonl"))
    Loader.recorder, Loader.root, Finder.package = recorder, root.resolve(), package
    vars(builtins).update({CALL: recorder.call, READ: recorder.read})
    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]  # a class may be a finder
    sys.argv = list(run)
    stopping = threading.Timer(seconds or threading.TIMEOUT_MAX, _thread.interrupt_main)
    stopping.daemon = True
    stopping.start()
    try:
        if run[0].endswith(".py"):
            runpy.run_path(run[0], run_name="__main__")
        else:
            runpy.run_module(run[0], run_name="__main__", alter_sys=True)
    except (SystemExit, KeyboardInterrupt) as stopped:
        print(f"ended: {stopped!r}", file=sys.stderr)
    stopping.cancel()
    return recorder


def write(rows: Iterator[Row], output: Path, release: str) -> None:
    """The two files of a release."""
    files: dict[bool, list[str]] = {True: [], False: []}
    for row in rows:
        files[bool(row["api"])].append(json.dumps(row) + "\n")
    output.mkdir(parents=True, exist_ok=True)
    for is_torch, lines in files.items():
        name = f"{release}.jsonl.gz" if is_torch else f"{release}.nontorch.jsonl.gz"
        with gzip.GzipFile(output / name, "wb", mtime=0) as file:
            file.write("".join(lines).encode("utf-8"))
        print(f"{name}: {len(lines)} rows", file=sys.stderr)


def _root_of(package: str) -> Path:
    spec = importlib.machinery.PathFinder.find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed; --source names the folder that holds it")
    found = Path(spec.origin)
    return found.parent.parent if found.name == "__init__.py" else found.parent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package")
    parser.add_argument("--release", required=True, metavar="NAME-VERSION", help="how the files are called")
    parser.add_argument("--output", required=True, type=Path, metavar="DIR")
    parser.add_argument("--source", type=Path, metavar="DIR", help="the folder that holds the package")
    parser.add_argument("--seconds", type=int, default=0, help="stop what runs after so long")
    parser.add_argument("run", nargs="+")
    options = parser.parse_args()
    root = options.source or _root_of(options.package)
    recorder = record(options.package, root, options.run, options.seconds)
    write(recorder.rows(), options.output, options.release)


if __name__ == "__main__":
    main()
