"""What is known of Python's own types and of libraries beside torch, as far as it tells what is a Tensor, and
how MindSpore is imported."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.catalog.differences import text_of
from mindport.catalog.index import Index
from mindport.catalog.names import ApiNames

if TYPE_CHECKING:
    from mindport.catalog.index import Index
    from mindport.catalog.target import Target
    from mindport.language import Text

_TENSOR = "torch.Tensor"
_TELLING = {"tensor_members": _TENSOR, "module_members": "torch.nn.Module"}
_OF_MODULE = "torch.nn.Module."


class Libraries:
    """Reads `mapping_data/libraries/`."""

    def __init__(self, index: Index, torch: ApiNames) -> None:
        data = json.loads(index.text("libraries"))
        self._returns: dict[str, str] = data["libraries"]["returns"]
        self._never_tensors = frozenset(data["libraries"]["never_tensors"])
        self.built_on_torch = frozenset(data["libraries"]["built_on_torch"])
        """The libraries that cannot be imported without torch."""
        self._compiled = tuple(data["libraries"]["compiled"])
        self.named_when_run: dict[str, str] = data["libraries"]["named_when_run"]
        """By a large module of torch's, the helper with what programs name by texts from elsewhere, such as
        a configuration: activations, losses, dtypes."""
        self.annotations: Mapping[str, str] = data["libraries"]["annotations"]
        """What types of libraries for annotations alone stand for, as a type text."""
        self.replacing_builtins = frozenset(data["libraries"]["replacing_builtins"])
        """The modules that export functions by the names of Python's own: `from numpy import *` binds
        `sum`."""
        self._with_tuples: frozenset[str] = frozenset(data["libraries"]["with_tuples_as_shapes"])
        self._counterparts: dict[str, dict[str, str]] = data["libraries"]["counterparts"]
        self._other_types: dict[str, dict[str, list[str]]] = data["other_types"]
        self._telling: dict[str, str] = {}
        self._telling_methods: dict[str, str] = {}
        self._telling_when_converted: dict[str, str] = {}
        for kind, owner in _TELLING.items():
            self._telling.update(dict.fromkeys(data[kind]["read"], owner))
            self._telling_methods.update(dict.fromkeys(data[kind]["called"], owner))
            self._telling_when_converted.update(dict.fromkeys(data[kind]["converted"], owner))
        self._others: dict[str, list[str]] = {}
        for members in (*(data[kind] for kind in _TELLING), *data["class_members"].values()):
            self._others.update(members.get("unless_imported", {}))
        self._unless_of: dict[str, list[str]] = data["tensor_members"]["unless_of"]
        self._like_tensors: list[str] = data["tensor_members"]["like_tensors"]
        arrays: dict[str, list[str]] = data["tensor_members"]["arrays"]
        self.of_arrays = frozenset(arrays["read"])
        """The members that arrays have, whichever library they are of, and hardly anything else."""
        self.with_arrays = frozenset(arrays["unless_imported"])
        """The packages that have other arrays than Tensors, or objects with such members."""
        self._together: dict[str, list[tuple[str, str]]] = {}
        for owner, members in data["class_members"].items():
            self._telling.update(dict.fromkeys(members.get("read", ()), owner))
            self._telling_methods.update(dict.fromkeys(members.get("called", ()), owner))
            for one, other in members.get("together", ()):
                self._together.setdefault(one, []).append((other, owner))
        self.pairs = [(one, other) for one, others in self._together.items() for other, _ in others]
        """The members each two of which tell together what an object is."""
        self.paired = frozenset(chain.from_iterable(self.pairs))
        every = (self._telling, self._telling_methods, self._telling_when_converted, self.of_arrays)
        telling = (name.partition("(")[0] for name in chain.from_iterable(every))
        self.telling_members = frozenset({*telling, "__torch_function__"})
        """The members each of which tells what an object is, unless a class of the project has one of this
        name; and `__torch_function__`."""
        self._members = [
            (frozenset(one["attributes"] + one["methods"]), frozenset(one["attributes"]))
            for one in self._other_types.values()
        ]
        self._torch = torch
        self.separate_modules = frozenset(data["mindspore_modules"]["separate"])
        """The modules of MindSpore that `import mindspore` does not load."""

    def returned(self, name: str) -> str | None:
        """How the result of calling `name` follows from its arguments: a word that
        `mindport.infer.library_calls` knows; None when nothing is known."""
        return self._returns.get(name)

    def is_compiled(self, name: str) -> bool:
        """Whether what the dotted `name` means is not in Python in its library, so that converting the
        library does not give it."""
        return any(name == one or name.startswith(f"{one}.") for one in self._compiled)

    def counterpart(self, name: str) -> Text | None:
        """What MindSpore has in place of the library that the dotted `name` belongs to."""
        while name:
            if name in self._counterparts:
                return text_of(self._counterparts[name])
            name = name.rpartition(".")[0]
        return None

    def never_gives_tensors(self, name: str) -> bool:
        """Whether calls and attributes of the library that the dotted `name` belongs to are no tensors."""
        return name.partition(".")[0] in self._never_tensors

    def owner(self, member: str, is_called: bool) -> str | None:
        """The class, a Tensor or a module, that alone has a member of this name that is read, or called, as
        far as is known; None, where that is no one class. `cpu().numpy` is what is called of the result of
        a method that both classes have, and that gives an object of the same class; for `backward()` and
        `sum(dim)` see `nodes.told_as`."""
        converting, _, then = member.rpartition("().")
        if converting:
            return self._telling_when_converted.get(then)
        found = self._telling.get(member)
        return self._telling_methods.get(member) if found is None and is_called else found

    def others_with(self, member: str) -> Collection[str]:
        """The packages whose objects have a member, too, or are called in this way, that tells what an object
        is otherwise."""
        others = self._others.get(member, ())
        return (*others, *self._like_tensors) if "(" in member else others

    def is_of_others(self, member: str, made_by: str) -> bool:
        """Whether what a method of the name `made_by` gives has a member that tells a Tensor otherwise:
        `frame.groupby(key).size()`."""
        return made_by in self._unless_of.get(member, ())

    def has_tuple_as_shape(self, name: str) -> bool:
        """Whether what is called so is something of another library, whose shape is a tuple of numbers:
        `action_space`."""
        return name.rpartition("_")[2] in self._with_tuples

    def together(self, called: Collection[str]) -> Iterator[tuple[str, str, str]]:
        """The pairs of members that are called, and that only objects of one class have together, each with
        that class."""
        for name in called:
            for other, owner in self._together.get(name, ()):
                if other in called:
                    yield name, other, owner

    def only_tensors_have(self, names: Collection[str], called: Collection[str]) -> bool:
        """Whether an object with all these members, of which some are `called`, is a Tensor: a Tensor has
        them, two at least are given, and no other type that is known has them all, as methods where they are
        called."""
        if len(names) < 2 or not all(self._torch.member(_TENSOR, name) for name in names):
            return False
        return not any(
            members.issuperset(names) and attributes.isdisjoint(called)
            for members, attributes in self._members
        )


class Starting(NamedTuple):
    """What calls a function in other processes or threads: its full `names`, the parameters that it takes the
    `function` and the tuple of its `arguments` for, each with its place, the one for its `keywords` (empty,
    where there is none), and how many arguments the function is given `before` those."""

    names: frozenset[str]
    function: str
    function_place: int
    arguments: str
    arguments_place: int
    keywords: str
    before: int


class Contracts:
    """Reads `mapping_data/libraries/contracts.json`: what PyTorch's documentation promises of its classes and
    their subclasses, and signatures do not say. Types are texts as `Catalog.returns` has them.

    `abstract` are methods that subclasses define: calling the one of the class itself is an error.
    `inputs` are, by the name of a method that subclasses define, the types of its parameters without the
    receiver, of the last one behind a star: of all further ones. `applying` are class methods that call a
    method which the subclass defines, with one argument before those that they are given. `assigned` are
    attributes that code may assign to, which changes the object. `calls` are what calling an instance
    mostly gives of which no more is known than its class. `contexts` are the classes of what the methods
    of a class are given first, and keep attributes in for each other, with the class whose attributes it
    has, too; `contextless` those methods that are not given it where the subclass defines that other one.
    `documented` are the types that docstrings mean by a name.
    `extended` are the types of attributes that most classes which derive from one have, or that libraries
    which are built on torch keep at its objects. `flags` are, of APIs that give either of two types, the
    keyword arguments that have them give the second. `handed` are functions that call their first
    argument, with what they hand to it, the last one behind a star as often as it takes something, unless
    the call has that keyword. `iterated` are what iterating over an instance mostly gives, unless the call
    that makes it has that keyword. What `loading` gives is mostly what the name it is bound to was until
    then. `members` are the types of attributes, `*` that of any other. `passing` are functions that call
    their first argument with the others and give what that gives. `properties` are decorators of methods
    that are called where they are read. `registering` are the types of what methods of a module register
    as an attribute. `scripting` make of their first argument, if it is no function, what has the members of
    a type, too. `starting` are what calls a function in other processes or threads, by its last name.
    `tests` are functions that tell whether their argument is an instance of a type, with that type.
    `wrapping` give their first argument, or what mostly is as that.
    """

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("libraries"))["contracts"]
        self.abstract: frozenset[str] = frozenset(data["abstract"])
        self.inputs: Mapping[str, list[str]] = data["inputs"]
        self.applying: Mapping[str, str] = data["applying"]
        self.assigned: frozenset[str] = frozenset(data["assigned"])
        self.assigned_names = frozenset(name.rpartition(".")[2] for name in self.assigned)
        self.calls: Mapping[str, str] = data["calls"]
        self.contextless: Mapping[str, str] = data["contextless"]
        self.contexts: Mapping[str, str] = data["contexts"]
        self.extended: Mapping[str, str] = data["extended"]
        self.kept_by_modules = {
            name.removeprefix(_OF_MODULE): kept
            for name, kept in self.extended.items()
            if name.startswith(_OF_MODULE)
        }
        """Of `extended`, what modules keep, by the names of the attributes."""
        self.flags: Mapping[str, list[str]] = data["flags"]
        self.handed: Mapping[str, Mapping[str, Any]] = data["handed"]
        self.iterated: Mapping[str, Mapping[str, str]] = data["iterated"]
        self.loading: frozenset[str] = frozenset(data["loading"])
        self.methods = frozenset(name.rpartition(".")[2] for name in self.inputs)
        self.members: Mapping[str, str] = data["members"]
        self.passing: frozenset[str] = frozenset(data["passing"])
        self.properties: frozenset[str] = frozenset(data["properties"])
        self.registering: Mapping[str, str] = data["registering"]
        self.scripting: Mapping[str, str] = data["scripting"]
        self.standing_for: Mapping[str, str] = data["standing_for"]
        """The class whose objects are meant where a module of torch is annotated (`torch.optim`)."""
        self.documented: Mapping[str, str] = data["documented"]
        self.starting = {name: _starting(one) for name, one in data["starting"].items()}
        self.tests: Mapping[str, str] = data["tests"]
        self.wrapping: frozenset[str] = frozenset(data["wrapping"])


def _starting(entry: Mapping[str, Any]) -> Starting:
    function, arguments = entry["function"], entry["arguments"]
    names = frozenset(entry["names"])
    return Starting(
        names, function[0], function[1], arguments[0], arguments[1], entry["keywords"], entry["before"]
    )


class TensorFacts:
    """Reads `mapping_data/libraries/tensors.json`.

    `views` are APIs that give another look at the memory of their receiver or first argument, `same` those
    that give the very same, `references` those that give the parameters and buffers of a module, `metadata`
    the members of a Tensor that tell nothing of what is in it, `operators` the special methods of a Tensor by
    the operators that call them. `gradients_in_place` are named as if they changed their first argument, and
    change the gradients it holds instead.

    `promoting` are APIs whose MindSpore counterparts let Tensors without dimensions count in type promotion,
    each with the parameters (beside a receiver) that are promoted. The rest tells what a Tensor is:
    `literals` are made of data, `sized` of a size, `reductions` have no dimensions unless some are given,
    `counting` and `indices` (also reductions) give integers for integers, or always; `casts` give a dtype,
    `keeping` give what they are given, `elements` a part of it; `dtype_names` are other names of dtypes.
    """

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("libraries"))["tensors"]
        self.views: frozenset[str] = frozenset(data["views"])
        self._mindspore_views = frozenset(name.rpartition(".")[2] for name in self.views)
        self.same: frozenset[str] = frozenset(data["same"])
        self.references: frozenset[str] = frozenset(data["references"])
        self.metadata: frozenset[str] = frozenset(data["metadata"])
        self.operators: Mapping[str, str] = data["operators"]
        self.promoting: Mapping[str, list[str]] = data["promoting"]
        self.literals: frozenset[str] = frozenset(data["literals"])
        self.sized: frozenset[str] = frozenset(data["sized"])
        self.reductions: frozenset[str] = frozenset(data["reductions"])
        self.counting: frozenset[str] = frozenset(data["counting"])
        self.indices: frozenset[str] = frozenset(data["indices"])
        self.keeping: frozenset[str] = frozenset(data["keeping"])
        self.elements: frozenset[str] = frozenset(data["elements"])
        self.casts: Mapping[str, str] = data["casts"]
        self.dtype_names: Mapping[str, str] = data["dtype_names"]
        self._width = {
            dtype: (kind, width)
            for kind, widths in data["dtypes"].items()
            for width, dtypes in enumerate(widths)
            for dtype in dtypes
        }
        self.gradients_in_place: frozenset[str] = frozenset(data["gradients_in_place"])
        self._in_place: list[dict[str, Any]] = data["in_place"]

    def is_view(self, name: str) -> bool:
        """Whether an API gives another look at memory: one of `views`, or what MindSpore calls the same."""
        if name in self.views:
            return True
        return name.startswith("mindspore.") and name.rpartition(".")[2] in self._mindspore_views

    def is_floating(self, dtype: str | None) -> bool:
        """Whether a dtype is one of floating point numbers."""
        return dtype is not None and self._width.get(dtype, ("", 0))[0] == "floating"

    def is_wider(self, dtype: str, other: str) -> bool:
        """Whether both dtypes are of the same kind and the first one has more bits."""
        first, second = self._width.get(dtype), self._width.get(other)
        return first is not None and second is not None and first[0] == second[0] and first[1] > second[1]

    def narrower_float(self, dtype: str) -> str | None:
        """The next narrower dtype of floating point numbers, which mixed precision may give."""
        kind, width = self._width.get(dtype, ("", 0))
        found = (one for one, place in self._width.items() if place == ("floating", width - 1))
        return next(found, None) if kind == "floating" else None

    def is_in_place(self, operator: str, target: Target) -> bool:
        """Whether an augmented assignment changes the Tensor itself in MindSpore, too."""
        return any(
            operator in one["operators"]
            and one["device"] == target.device
            and target.supports(one["since"], None)
            for one in self._in_place
        )
