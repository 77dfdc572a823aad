"""What the migration guide asks of a project beside its APIs: `mapping_data/migration`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase, translate
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mindport.catalog.jsonl import read_json
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.catalog.index import Index

LOADED: Final = ".from_pretrained"
"""How the names of methods end that give what was trained before."""
_TENSOR: Final = "torch.Tensor"
_VISION: Final = "torchvision."
_EXCEPTIONS: Final = ("Error", "Exception", "Warning")
_FILES: Final = ("recipe", "packages")
_MOST_KNOWN: Final = 8_192


def read_migration_facts(source_dir: Path) -> str:
    """The facts in a folder of mapping data, as the index keeps them."""
    paths = {name: source_dir / "migration" / f"{name}.json" for name in _FILES}
    kept = {name: read_json(path) if path.exists() else {} for name, path in paths.items()}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


class ChosenParameters(NamedTuple):
    """The parameters of an API that tell something, unless one of others is given, or they have no value
    `but` these; where others are given, those that tell it `instead`."""

    names: tuple[str, ...]
    unless: frozenset[str]
    but: frozenset[str]
    instead: tuple[str, ...] = ()


class RecipeItem:
    """An item of the training recipe, and how code that belongs to it is recognised.

    `apis` are torch APIs and `libraries` functions and classes of other libraries (the last part of a name
    may have wildcards), `bases` torch classes whose subclasses belong to it, as those of its APIs do. The
    rest are patterns: `classes`, `functions` and `loops` for the names of the project's own classes and
    functions and of loop variables, `calls` for the dotted names of calls as written, `assigned` for names
    that are assigned what is computed, `calculated` for those where that has an operator in it, `results` for
    those that are assigned what a call gives, `targets` for what is assigned to, as written, `keys` for those
    of dictionaries, `names` for options and settings, in lower case with underscores, `options` for those of
    the command line and configuration files alone, and `hints` for names that belong to it where something
    else does. `without` are names that do not belong to it, whatever they fit. `set_to` are settings that do
    with some values alone, `arguments` APIs of which some parameters alone belong to it, `random` functions
    that do in the methods of a data set. `minimized` are functions that take gradients of what belongs to it;
    `mixes`: what mixes weights with others does, `cuts`: what cuts or draws batches out of data; what is
    put together for calls of the item `joined_for` does; `steps` are
    methods that change weights by the gradients that they are given; `loading` are functions, the names of
    what they give, and those of files that are opened. `tells_calls`, `tells_body` and `tells_returns`: what
    its functions are called with, compute and give; `conditions` are names in conditions that belong to it.
    `has_layers`: its `classes` may be modules. `reads` says which attributes functions of other libraries
    read of their first argument; `only_training`: what merely evaluates does not belong to it. `outside`:
    in functions of these names nothing does. `library_bases` are classes of other libraries; so do what
    derives from these and what they load. `files` are names of files whose classes belong to it,
    `not_under` other items whose settings in configuration files do not, nor options that what belongs to
    them is given alone (as of those that it is `not_given_to`), `not_read` options that do not, although
    its classes read them; `has_paths`: options that are paths may. Of its `functions`, those count in
    whose source one of its `words` stands, if it has such; of classes that have a name alone, those with
    its `class_words`. `assembled` are APIs that do where programs put them together. `shows` says which
    functions are told with it as a whole (see `ShownFunctions`).
    """

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self._known: dict[tuple[str, int], bool] = {}
        """Whether names fit patterns, by the name and the patterns' identity; dropped when there are many."""
        self.name: str = entry["item"]
        self.title = Text(entry["title"]["en"], entry["title"]["zh-cn"])
        self.bases: frozenset[str] = frozenset(entry.get("bases", ()))
        self.arguments = {
            api: ChosenParameters(
                tuple(one["names"]),
                frozenset(one["unless"]),
                frozenset(one.get("but", ())),
                tuple(one.get("instead", ())),
            )
            for api, one in entry.get("arguments", {}).items()
        }
        self.has_layers: bool = entry.get("has_layers", False)
        self.minimized: tuple[str, ...] = tuple(entry.get("minimized", ()))
        self.mixes: bool = entry.get("mixes", False)
        self._loading = tuple(entry.get("loading", {}).get("functions", ()))
        self._loaded = tuple(entry.get("loading", {}).get("names", ()))
        self._opened = tuple(entry.get("loading", {}).get("files", ()))
        self._steps = tuple(entry.get("steps", ()))
        self.cuts: bool = entry.get("cuts", False)
        self.joined_for: str = entry.get("joined_for", "")
        self.assembled: frozenset[str] = frozenset(entry.get("assembled", ()))
        self.tells_calls: bool = entry.get("tells_calls", False)
        self.tells_returns: bool = entry.get("tells_returns", False)
        self.tells_super: frozenset[str] = frozenset(entry.get("tells_super", ()))
        self.not_copies: bool = entry.get("not_copies", False)
        self._words = tuple(entry.get("words", ()))
        self._class_words = tuple(entry.get("class_words", ()))
        self.tells_body: bool = entry.get("tells_body", False)
        self.reads: Mapping[str, Sequence[str]] = entry.get("reads", {})
        self.not_under: frozenset[str] = frozenset(entry.get("not_under", ()))
        self.not_given_to: frozenset[str] = frozenset(entry.get("not_given_to", ()))
        self.has_paths: bool = entry.get("has_paths", False)
        self._not_read = tuple(entry.get("not_read", ()))
        self._outside = tuple(entry.get("outside", ()))
        self._files = tuple(entry.get("files", ()))
        self.counts: bool = entry.get("counts", False)
        self.only_training: bool = entry.get("only_training", False)
        self.shows: frozenset[str] = frozenset(entry.get("shows", ()))
        self._results = tuple(entry.get("results", ()))
        self._conditions = tuple(entry.get("conditions", ()))
        self._without = tuple(entry.get("without", ()))
        self._set_to: Mapping[str, Sequence[str]] = entry.get("set_to", {})
        self._calculated = tuple(entry.get("calculated", ()))
        self._targets = tuple(entry.get("targets", ()))
        self._keys = tuple(entry.get("keys", ()))
        self._options = tuple(entry.get("options", ()))
        self._hints = tuple(entry.get("hints", ()))
        self._random = tuple(entry.get("random", ()))
        self._names = tuple(entry.get("names", ()))
        self._calls = tuple(entry.get("calls", ()))
        self._assigned = tuple(entry.get("assigned", ()))
        self.apis = tuple(entry.get("apis", ()))
        self._libraries = tuple(entry.get("libraries", ()))
        self._bases_of_libraries = tuple(entry.get("library_bases", ()))
        self._classes = tuple(entry.get("classes", ()))
        self._functions = tuple(entry.get("functions", ()))
        self._loops = tuple(entry.get("loops", ()))

    def has_api(self, name: str) -> bool:
        """Whether a torch API belongs to it."""
        return fits(name, self.apis)

    def has_name(self, name: str) -> bool:
        """Whether a setting does, by its name."""
        return self._has(name, self._names)

    def has_option(self, name: str) -> bool:
        """Whether an option or a setting of a configuration file does, by its name."""
        return self._has(name, self._options)

    def has_hint(self, name: str) -> bool:
        """Whether a setting does, by its name, where something else belongs to the item."""
        return self._has(name, self._hints)

    def is_set_to(self, name: str, value: str) -> bool:
        """Whether a setting does, by its name and its value."""
        return value in self._set_to.get(name, ())

    def is_set(self, name: str) -> bool:
        """Whether a setting does with some values, by its name."""
        return name in self._set_to

    def is_named(self, name: str) -> bool:
        """Whether a setting does, by a name that is written out in the data."""
        return name in self._names

    def has_call(self, name: str) -> bool:
        """Whether a call does, by how the function is written."""
        return self._has(name, self._calls)

    def has_assigned(self, name: str, written: str, *, is_computed: bool) -> bool:
        """Whether what is assigned does, by the name, and by what is `written` there; `is_computed`: it has
        an operator in it."""
        if self.has_target(written) or self._has(name, self._assigned):
            return True
        return is_computed and self.has_calculated(name)

    def has_target(self, written: str) -> bool:
        """Whether what is assigned does, by how that is written."""
        return self._has(written, self._targets)

    def has_calculated(self, name: str) -> bool:
        """Whether what is computed does, by the name that it is assigned to."""
        return self._has(name, self._calculated)

    def has_result(self, name: str) -> bool:
        """Whether what a call gives does, by the name that it is assigned to."""
        return self._has(name, self._results)

    def has_condition(self, name: str) -> bool:
        """Whether a condition does, by a name in it."""
        return self._has(name, self._conditions)

    def has_key(self, name: str) -> bool:
        """Whether a dictionary does, by one of its keys."""
        return self._has(name, self._keys)

    def is_random(self, name: str) -> bool:
        """Whether a call in the method of a data set does, by the dotted name of the function."""
        return fits(name, self._random)

    def leaves_out(self, name: str) -> bool:
        """Whether a name does not belong to it, whatever else says that it does."""
        return _fits(name, self._without)

    def _has(self, name: str, patterns: Sequence[str]) -> bool:
        key = name, id(patterns)  # these patterns are kept as long as the item
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = _fits(name, patterns) and not _fits(name, self._without)
        return known

    def has_library(self, name: str) -> bool:
        """Whether a dotted name of another library belongs to it, also where it loads what was trained."""
        return fits(name, self._libraries) or self.has_library_base(name.removesuffix(LOADED))

    def has_library_base(self, name: str) -> bool:
        """Whether the classes do that derive from a class of another library, by its dotted name; that may be
        in any module of the library."""
        library, _, rest = name.partition(".")
        return fits(f"{library}.{rest.rpartition('.')[2]}", self._bases_of_libraries)

    def is_read(self, name: str) -> bool:
        """Whether an option does that its classes read, by its name."""
        return not _fits(name, self._not_read)

    @property
    def is_reading(self) -> bool:
        """Whether options do that its classes read."""
        return bool(self._not_read)

    def is_outside(self, function: str) -> bool:
        """Whether nothing in a function does, by the function's name."""
        return _fits(function, self._outside)

    def has_file(self, stem: str) -> bool:
        """Whether the classes of a file do, by its name without its ending."""
        return _fits(stem, self._files)

    def is_loading(self, function: str) -> bool:
        """Whether a function may load what does, by its dotted name."""
        return function in self._loading

    @property
    def has_loading(self) -> bool:
        """Whether there are functions that load what does."""
        return bool(self._loading)

    def is_loaded(self, name: str) -> bool:
        """Whether what is loaded does, by the name that it is assigned to."""
        return self._has(name, self._loaded)

    def is_opened(self, file: str) -> bool:
        """Whether a file that is opened does, by its name."""
        return _fits(file.lower(), self._opened)

    def is_step(self, method: str) -> bool:
        """Whether a method of weights does where it is given gradients, by its name."""
        return method in self._steps

    @property
    def has_steps(self) -> bool:
        """Whether what changes weights by their gradients does."""
        return bool(self._steps)

    def has_module(self, name: str) -> bool:
        """Whether all of a torch module belongs to it, be it a part of one of torchvision's."""
        around = name.rpartition(".")[0] if name.startswith(_VISION) else name
        return f"{name}.*" in self.apis or f"{around}.*" in self.apis

    def has_class(self, name: str) -> bool:
        """Whether a class of the project does, by its name; exceptions never do."""
        return self._has(name, self._classes) and not name.endswith(_EXCEPTIONS)

    def has_function(self, name: str) -> bool:
        """Whether a function of the project does, by its name."""
        return self._has(name, self._functions)

    def is_meant(self, source: str) -> bool:
        """Whether a function of a name that may mean other things does, by the words in its source."""
        text = source.lower()
        return not self._words or any(word in text for word in self._words)

    def is_meant_class(self, body: str) -> bool:
        """Whether a class of a name that may mean other things does, by the words in its body."""
        text = body.lower()
        return not self._class_words or any(word in text for word in self._class_words)

    @property
    def has_class_words(self) -> bool:
        """Whether the names of classes alone do not tell that they do."""
        return bool(self._class_words)

    def has_loop(self, name: str, counted_to: str) -> bool:
        """Whether a loop does, by the name of its variable, or by that of the setting that it counts to."""
        return _fits(name, self._loops) or (bool(self._loops) and self.has_name(counted_to))


class MigrationFacts:
    """Reads `mapping_data/migration`: the `recipe`'s items in their order, and what to use `instead` of a
    package that carries torch code, by the name it is imported by."""

    def __init__(self, index: Index) -> None:
        self._data = json.loads(index.text("migration"))
        recipe = self._data["recipe"]
        self._settings: Mapping[str, Any] = recipe.get("settings", {})
        self._batches: Mapping[str, Any] = recipe.get("batches", {})
        self._code: Mapping[str, Any] = recipe.get("code", {})

    @cached_property
    def recipe(self) -> tuple[RecipeItem, ...]:
        """The items of the training recipe, in the order in which they are shown."""
        return tuple(RecipeItem(entry) for entry in self._data["recipe"]["items"])

    def is_setting(self, written: str) -> bool:
        """Whether what is assigned to is a setting of the training, by how it is written (`args.lr`)."""
        return _fits(written, self._settings["kept_in"])

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """The short names by which libraries are known, with their own."""
        aliases: Mapping[str, str] = self._settings["aliases"]
        return aliases

    def is_data_class(self, name: str) -> bool:
        """Whether a class is a data set, by its own name or that of its base."""
        return _fits(name, self._settings["data_classes"])

    def is_set_aside(self, folder: str) -> bool:
        """Whether what is in a folder is no longer in use, by its name."""
        return _fits(folder.lower(), self._settings["set_aside"])

    def is_written(self, folder: str) -> bool:
        """Whether programs write what is in a folder where they run, by its name."""
        return _fits(folder.lower(), self._settings["written"])

    def says_nothing(self, call: str) -> bool:
        """Whether a statement that only calls this, as written, does nothing for the training."""
        return _fits(call, self._code["nothing"])

    @cached_property
    def taking_steps(self) -> tuple[str, ...]:
        """The last names of what changes weights, and gradients before that."""
        return tuple(self._code["taking_steps"])

    @cached_property
    def filling(self) -> tuple[str, ...]:
        """How the methods end that change what they are called on."""
        return tuple(self._code["filling"])

    def is_network(self, name: str) -> bool:
        """Whether a name is that of a network that samples are given to."""
        return _fits(name.rpartition(".")[2].lower(), self._code["networks"])

    def is_aside(self, function: str) -> bool:
        """Whether a function does nothing to samples and networks, by its name."""
        return _fits(function, self._code["aside"])

    def tells_time(self, call: str) -> bool:
        """Whether a function tells how late it is, as written."""
        return _fits(call, self._code["clocks"])

    def makes_parser(self, call: str) -> bool:
        """Whether a function makes what takes the options of a program, or a part of it."""
        return _fits(call, self._code["parsers"])

    def parses_options(self, code: str) -> bool:
        """Whether a function reads the options of a program, by its code."""
        return any(sign in code for sign in self._code["parsing"])

    def only_places(self, name: str) -> bool:
        """Whether a function gives what it is given, in another place or type, by its last name."""
        return name in self._code["placing"]

    def is_method_of_many(self, name: str) -> bool:
        """Whether objects of Python, NumPy and torch have a method of this name."""
        return name in self._code["methods"]

    def is_builtin(self, name: str) -> bool:
        """Whether a function of Python itself gives something else of a batch."""
        return name in self._code["builtins"]

    @cached_property
    def training(self) -> tuple[str, ...]:
        """How the calls end that train a network."""
        return tuple(self._settings["training"])

    def evaluates(self, name: str) -> bool:
        """Whether a function evaluates a network, by its name."""
        return _fits(name, self._settings["evaluating"])

    def only_evaluates(self, name: str) -> bool:
        """Whether a function evaluates a network and does not train one, by its name."""
        return self.evaluates(name) and not _fits(name, self._settings["also_training"])

    def only_logs(self, name: str) -> bool:
        """Whether a class keeps and shows how a training goes, by its name in lower case; parameters are no
        meters."""
        return _fits(name.replace("parameter", ""), self._settings["logging"])

    def gives_data(self, name: str) -> bool:
        """Whether a function may make data with a network, by its name."""
        return _fits(name, self._settings["making_data"])

    def shows(self, name: str) -> bool:
        """Whether a function makes something with a network that is trained, by its name."""
        return _fits(name, self._settings["showing_results"])

    def only_shows(self, name: str) -> bool:
        """Whether a function shows something, whatever it does for that, by its name."""
        return _fits(name, self._settings["only_showing"])

    def reads(self, name: str) -> bool:
        """Whether a function may give what something has, by its name."""
        return _fits(name, self._settings["reading"])

    def samples(self, name: str) -> bool:
        """Whether a function makes samples of data, by its name."""
        return _fits(name, self._settings["sampling"])

    def reads_files(self, name: str, method: str) -> bool:
        """Whether a function reads files or finds them, by its dotted name, or a method of paths does."""
        return fits(name, self._reading_files) or method in self._settings["reading_methods"]

    @cached_property
    def _reading_files(self) -> tuple[str, ...]:
        return tuple(self._settings["reading_files"])

    def changes_plainly(self, method: str) -> bool:
        """Whether a method changes texts without being given anything."""
        return method in self._settings["changing_plain"]

    def changes_read(self, method: str) -> bool:
        """Whether a method changes a sample where that is read."""
        return method in self._settings["changing_read"]

    def holds_networks(self, base: str) -> bool:
        """Whether a class of another library is a network that others are kept in, by its last name."""
        return base in self._settings["holders"]

    def is_reader(self, name: str) -> bool:
        """Whether a function of the project reads something, by its last name."""
        return _fits(name.lower(), self._settings["readers"])

    def is_reward(self, name: str) -> bool:
        """Whether something is what an environment rewards, by its name."""
        return _fits(name, self._settings["rewards"])

    def shows_progress(self, function: str) -> bool:
        """Whether a function gives what it is given and shows how far it is, by its last name."""
        return _fits(function.lower(), self._settings["showing"])

    def observes(self, method: str) -> bool:
        """Whether a method of an environment, or of what wraps it, gives what it shows, by its name."""
        return _fits(method, self._settings["observing"])

    def only_turns(self, function: str) -> bool:
        """Whether a function only gives samples another type or shape, puts them together, or is about where
        they are, by its last name."""
        return function in self._turning

    @cached_property
    def _turning(self) -> frozenset[str]:
        return frozenset(self._settings["turning"])

    @cached_property
    def computing(self) -> frozenset[str]:
        """The functions that formulas have, by their last names."""
        return frozenset(self._settings["computing"])

    @cached_property
    def going_on(self) -> frozenset[str]:
        """The methods that leave a loss what it is, but for its shape, mean, place and type, or compute with
        it further."""
        return frozenset(self._settings["going_on"])

    @cached_property
    def combining(self) -> frozenset[str]:
        """The functions that put losses together, or change one."""
        return frozenset(self._settings["combining"])

    @cached_property
    def keeping_values(self) -> frozenset[str]:
        """The methods that change a Tensor in place, but none of its values."""
        return frozenset(self._settings["keeping_values"])

    @cached_property
    def registering(self) -> frozenset[str]:
        """The methods that keep what they are given as an attribute."""
        return frozenset(self._settings["registering"])

    @cached_property
    def computing_layers(self) -> frozenset[str]:
        """The layers without weights that formulas have, by their last names."""
        return frozenset(self._settings["computing_layers"])

    def is_noise(self, name: str) -> bool:
        """Whether a parameter of a network is what is drawn at random, by its name."""
        return _fits(name, self._settings["noise"])

    def draws_noise(self, name: str, method: str) -> bool:
        """Whether a function draws noise, by its dotted name, or a method of Tensors fills them with it."""
        drawing = self._settings["drawing_noise"]
        return name in drawing or f"{_TENSOR}.{method}" in drawing

    def prepares(self, method: str) -> bool:
        """Whether a method of an image changes it, by its name."""
        return method in self._settings["preparing"]

    def paints(self, function: str) -> bool:
        """Whether a function paints something for others to see, by its last name."""
        return function in self._settings["painting"]

    def is_scale(self, name: str) -> bool:
        """Whether samples are shifted or scaled with something, by its name."""
        return _fits(name, self._settings["scales"])

    @cached_property
    def plain(self) -> frozenset[str]:
        """What functions of torch and methods of Tensors end with that compute nothing of a formula."""
        return frozenset(self._settings["plain"])

    @cached_property
    def shaping(self) -> frozenset[str]:
        """The methods that give Tensors another shape, by their last names."""
        return frozenset(self._settings["shaping"])

    @cached_property
    def counting(self) -> tuple[str, ...]:
        """What stands in assignments that sum up or show what was computed before."""
        return tuple(self._settings["counters"])

    def counts(self, source: str) -> bool:
        """Whether an assignment sums up or shows what was computed before, by what stands in it: not the
        mathematics that formulas have of their numbers (`np.log(2 * np.pi)`)."""
        rest = self._of_numbers.sub("", source)
        return any(part in rest for part in self.counting)

    @cached_property
    def _of_numbers(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, self._settings['of_numbers']))})\b")

    def is_given_settings(self, function: str) -> bool:
        """Whether the arguments of a function or class are settings of the training, by its name."""
        return _fits(function, self._settings["given_to"])

    def keeps_settings(self, name: str) -> bool:
        """Whether the attributes of a class are settings of the training, by its name."""
        return _fits(name, self._settings["in_classes"])

    def only_keeps_settings(self, name: str) -> bool:
        """Whether a class does nothing but keep settings, by its name."""
        return _fits(name, self._settings["only_settings"])

    def is_store(self, name: str) -> bool:
        """Whether an object keeps what was seen, to draw batches from, by its name."""
        return _fits(name.lower(), self._batches["stores"])

    def draws_batches(self, name: str) -> bool:
        """Whether a class says which samples batches have, by its name."""
        return _fits(name, self._batches["samplers"])

    def draws(self, function: str) -> bool:
        """Whether a function draws the places of samples, by its last name."""
        return function in self._batches["drawing"]

    def counts_samples(self, source: str) -> bool:
        """Whether an expression may say how many samples there are."""
        return _fits(source, self._batches["all_samples"])

    def has_own_attributes(self, name: str) -> bool:
        """Whether the attributes of an object are no settings, by its name."""
        return _fits(name.lower(), self._settings["not_kept_in"])

    def may_give_settings(self, source: str) -> bool:
        """Whether an expression may give settings, by what stands in it."""
        return _fits(source.lower(), self._settings["given_by"])

    @cached_property
    def exact(self) -> frozenset[str]:
        """The names of settings that are written out, of all items."""
        written = [name for entry in self._data["recipe"]["items"] for name in entry.get("names", ())]
        return frozenset(name for name in written if "*" not in name)

    @cached_property
    def instead(self) -> Mapping[str, Text]:
        """What to do about packages that are built on PyTorch, by the name they are imported by."""
        return {
            name: Text(entry["instead"]["en"], entry["instead"]["zh-cn"])
            for entry in self._data["packages"]["packages"]
            for name in entry["names"]
        }


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return bool(patterns) and _fits_any(name, tuple(patterns))


@lru_cache(maxsize=65_536)
def _fits_any(name: str, patterns: tuple[str, ...]) -> bool:
    return _any_of(patterns).match(name) is not None


@lru_cache(maxsize=512)
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """An expression that fits what one of the patterns does."""
    return re.compile("|".join(map(translate, patterns)))


@lru_cache(maxsize=65_536)
def fits(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a dotted name is of the owner of one of the patterns, and its last part fits that of it."""
    owner, _, last = name.rpartition(".")
    for pattern in patterns:
        of, _, ending = pattern.rpartition(".")
        if of == owner and fnmatchcase(last, ending):
            return True
    return False
