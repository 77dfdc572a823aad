"""The catalog: one object that answers every question about APIs and their correspondence."""

from __future__ import annotations

import json
import logging
import threading
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from mindport.catalog.answer import Answer
from mindport.catalog.api import Api, ApiKind
from mindport.catalog.correspondence import Correspondences
from mindport.catalog.feature_facts import FeatureFacts
from mindport.catalog.graph_facts import GraphFacts
from mindport.catalog.helper_table import HelperTable
from mindport.catalog.index import INDEX_NAME, Index, IndexFileError
from mindport.catalog.libraries import Contracts, Libraries, TensorFacts
from mindport.catalog.links import mindspore_link, torch_link
from mindport.catalog.names import ApiNames, mindspore_names
from mindport.catalog.second_order_facts import SecondOrderFacts
from mindport.catalog.sparse_facts import SparseFacts
from mindport.catalog.statement_facts import StatementFacts
from mindport.catalog.target import DEVICES, LATEST, VERSIONS, Device, Target
from mindport.language import Language

if TYPE_CHECKING:
    from mindport.catalog.migration_facts import MigrationFacts
    from mindport.catalog.official import OfficialPair
    from mindport.catalog.other_frameworks import OtherFrameworks
    from mindport.catalog.search import Search, SearchResult

_LOGGER = logging.getLogger(__name__)
_TORCH = "torch-2.13"
_lock = threading.Lock()
_FOLDER: Final = Path(__file__).resolve().parent
_loaded: list[Catalog] = []


class Catalog:
    """Lookup of torch and MindSpore APIs. Names are in memory, details are read on demand."""

    def __init__(self, index: Index) -> None:
        self._torch = ApiNames(index, _TORCH, "torch")
        self._index = index
        self._versions: dict[str, ApiNames] = {}
        self._correspondences: Correspondences | None = None
        self._search: Search | None = None
        self._reverse = index.table("reverse")
        self._libraries: Libraries | None = None
        self._contracts: Contracts | None = None
        self._helpers: HelperTable | None = None
        self._names_in: dict[str, Sequence[str]] = {}
        self._tensors: TensorFacts | None = None
        self._graph: GraphFacts | None = None
        self._migration: MigrationFacts | None = None
        self._second_order: SecondOrderFacts | None = None
        self._sparse: SparseFacts | None = None
        self._features: FeatureFacts | None = None
        self._statements: StatementFacts | None = None
        self._other_frameworks: OtherFrameworks | None = None

    @classmethod
    def load(cls) -> Catalog:
        """The catalog of this installation, loaded once per process.

        In a source checkout the index is built first when it is absent, damaged or older than
        `mapping_data`. Raises `IndexFileError` when there is neither a sound index nor its sources.
        """
        with _lock:
            if not _loaded:
                _loaded.append(cls(open_index(_FOLDER / INDEX_NAME, _FOLDER.parents[2] / "mapping_data")))
            return _loaded[0]

    @property
    def fingerprint(self) -> str:
        """A name for all that the catalog says: another one, as soon as anything in it differs."""
        return self._index.fingerprint

    def canonical(self, dotted: str) -> str | None:
        """The public name of the torch API that `dotted` means, through aliases, modules, base classes and
        attributes whose type is known; None when there is no such API."""
        return self._torch.canonical(dotted)

    def kind(self, name: str) -> ApiKind | None:
        """What the torch API is, None when unknown."""
        return self._torch.kind(name)

    def is_documented(self, name: str) -> bool:
        """Whether the torch API is public in the sense of torch's documentation (see `docs/mapping.md`)."""
        return self._torch.is_documented(name)

    def is_module(self, dotted: str) -> bool:
        """Whether `dotted` is a module of torch, by any of its names."""
        return self._torch.kind(dotted) == "module"

    def public_names(self, module: str) -> Sequence[str]:
        """The names that `from module import *` binds; empty for an unknown module."""
        return self._torch.exports(module)

    def names_in(self, owner: str) -> Sequence[str]:
        """The names that are directly in a torch module or class: its public ones, and what the catalog has
        below it. Of a class, without what it inherits."""
        if owner not in self._names_in:
            names, prefix = self._torch.names, f"{owner}."
            first = bisect_left(names, prefix)
            last = bisect_left(names, f"{owner}/", first)  # the character behind the dot
            inside = (name[len(prefix) :] for name in names[first:last])
            found = dict.fromkeys(name for name in inside if "." not in name)
            self._names_in[owner] = tuple(dict.fromkeys([*self._torch.exports(owner), *found]))
        return self._names_in[owner]

    def member(self, class_name: str, attribute: str) -> str | None:
        """The public name of a member of a torch class: that of the class that defines it."""
        return self._torch.member(class_name, attribute)

    def lineage(self, class_name: str) -> Sequence[str]:
        """The base classes of a torch class, the nearest first."""
        return self._torch.lineage(class_name)

    def verification(self) -> Mapping[str, Any]:
        """The input table for running APIs in both frameworks (`mapping_data/verification`)."""
        table: Mapping[str, Any] = json.loads(self._index.text("verification"))
        return table

    def returns(self, name: str) -> str | None:
        """The type a torch API gives, as a normalised text (`Tensor`, `tuple[Tensor, int]`, `Self`, a class
        name, unions with ` | `): what a call returns; for a class, itself; for an attribute, its type."""
        return self.contracts.members.get(name) or self._torch.returns(name)

    def bases(self, class_name: str) -> Sequence[str]:
        """The direct base classes of a torch class; `tuple[...]` for named tuples such as the result of
        `torch.max`."""
        return self._torch.bases(class_name)

    @property
    def libraries(self) -> Libraries:
        """What is known of Python's own types and of libraries beside torch."""
        if self._libraries is None:
            self._libraries = Libraries(self._index, self._torch)
        return self._libraries

    def promised(self, class_name: str, attribute: str) -> str | None:
        """The type of an attribute that the documentation promises of a torch class, or of one of its bases,
        though it is no API of its own: of that attribute, else of any that the class has not."""
        members = self.contracts.members
        owners = (class_name, *self.lineage(class_name))
        for name in (attribute, "*"):
            for owner in owners:
                if f"{owner}.{name}" in members:
                    return members[f"{owner}.{name}"]
        return None

    @property
    def helpers(self) -> HelperTable:
        """What converted code may use that is written beside it."""
        if self._helpers is None:
            self._helpers = HelperTable(self._index)
        return self._helpers

    @property
    def contracts(self) -> Contracts:
        """What PyTorch's documentation promises of its classes."""
        if self._contracts is None:
            self._contracts = Contracts(self._index)
        return self._contracts

    @property
    def tensors(self) -> TensorFacts:
        """What torch's results have to do with the Tensors they are made of."""
        if self._tensors is None:
            self._tensors = TensorFacts(self._index)
        return self._tensors

    @property
    def graph(self) -> GraphFacts:
        """What graph mode does otherwise."""
        if self._graph is None:
            self._graph = GraphFacts(self._index)
        return self._graph

    @property
    def second_order(self) -> SecondOrderFacts:
        """What takes gradients of gradients, and what MindSpore does not differentiate twice."""
        if self._second_order is None:
            self._second_order = SecondOrderFacts(self._index)
        return self._second_order

    @property
    def sparse(self) -> SparseFacts:
        """What to do about sparse Tensors."""
        if self._sparse is None:
            self._sparse = SparseFacts(self._index)
        return self._sparse

    @property
    def features(self) -> FeatureFacts:
        """Features of training that MindSpore has in another form."""
        if self._features is None:
            self._features = FeatureFacts(self._index)
        return self._features

    @property
    def other_frameworks(self) -> OtherFrameworks:
        """Names of frameworks other than torch."""
        if self._other_frameworks is None:
            from mindport.catalog.other_frameworks import OtherFrameworks

            self._other_frameworks = OtherFrameworks(self._index)
        return self._other_frameworks

    @property
    def statements(self) -> StatementFacts:
        """Statements that behave differently."""
        if self._statements is None:
            self._statements = StatementFacts(self._index)
        return self._statements

    @property
    def migration(self) -> MigrationFacts:
        """What the migration guide asks of a project beside its APIs."""
        if self._migration is None:
            from mindport.catalog.migration_facts import MigrationFacts

            self._migration = MigrationFacts(self._index)
        return self._migration

    def is_deprecated(self, name: str) -> bool:
        """Whether the torch API is deprecated."""
        details = self.api(name)
        return details is not None and details.deprecated

    def api(self, name: str) -> Api | None:
        """Signatures and other details of a torch API."""
        return self._torch.api(name)

    def mindspore_api(self, name: str, version: str = LATEST) -> Api | None:
        """Signatures and other details of a MindSpore API; of a version without a catalog of its own, those
        of the oldest one that has."""
        return self._mindspore(version).api(name)

    def answer(self, name: str, target: Target) -> Answer:
        """What a torch API (by its public name) means for a target: its status and the candidates in order,
        the chosen one first."""
        return self.correspondences.answer(name, target)

    @property
    def known_errors(self) -> str:
        """The table of errors that MindSpore raises, as `known_errors.errors_in` takes it."""
        return self._index.text("errors")

    def search(self, query: str, limit: int = 20) -> list[SearchResult]:
        """The pairs that fit a query, best first, in both directions: by a part of the name, by words, with
        typing errors. Names of TensorFlow are looked for in a table of their own."""
        others = self.other_frameworks.find(query, limit)
        if others is not None:
            return others
        if self._search is None:
            from mindport.catalog.search import Search

            self._search = Search(self._index, self._counterparts, self.correspondences.is_needed)
        return self._search.find(query, limit)

    def counterparts(self, name: str) -> Sequence[str]:
        """The torch APIs that a MindSpore API is the counterpart of, alone or in a template."""
        return cast("Sequence[str]", self._reverse.get(name) or ())

    def _counterparts(self, name: str) -> Sequence[str]:
        return self.counterparts(name) or self.correspondences.targets(name)

    def torch_link(self, name: str) -> str:
        """The address of a torch API's documentation."""
        return torch_link(name, self._torch)

    def mindspore_link(self, name: str, version: str, language: Language) -> str:
        """The address of a MindSpore API's documentation, for a version and in a language."""
        return mindspore_link(name, self._mindspore(version), version, language)

    def official_pairs(self, source: Path) -> Iterator[OfficialPair]:
        """The pairs of the official tables in a folder of mapping data, judged by this catalog."""
        from mindport.catalog.official import official_pairs

        return official_pairs(source, self.correspondences.table, self._torch, self._mindspore(LATEST))

    @property
    def versions(self) -> tuple[str, ...]:
        """The MindSpore versions that may be asked for."""
        return VERSIONS

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices that may be asked for."""
        return DEVICES

    @property
    def torch_names(self) -> Sequence[str]:
        """The public names of all torch APIs, sorted."""
        return self._torch.names

    @property
    def correspondences(self) -> Correspondences:
        """The correspondence table, read when first needed."""
        if self._correspondences is None:
            self._correspondences = Correspondences(self._index, self._torch, self._mindspore(LATEST))
        return self._correspondences

    def _mindspore(self, version: str) -> ApiNames:
        if version not in self._versions:
            self._versions[version] = mindspore_names(self._index, version)
        return self._versions[version]


def open_index(path: Path, source: Path) -> Index:
    """The index at `path`, rebuilt from `source` first if need be (see `Catalog.load`)."""
    if not source.is_dir():
        return Index.read(path)
    from mindport.catalog.build import build_index, fingerprint, index_bytes

    try:
        index = Index.read(path)
        if index.fingerprint == fingerprint(source):
            return index
    except IndexFileError as error:
        _LOGGER.info("%s; building it", error)
    try:
        build_index(source, path)
        return Index.read(path)
    except OSError:
        return Index(index_bytes(source))
