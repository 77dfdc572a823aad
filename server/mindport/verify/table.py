"""The input table: what arguments to try, by parameter names and types, and for APIs whose arguments must be
particular. It is data (`mapping_data/verification`, described in `docs/verification.md`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mindport.language import Text

if TYPE_CHECKING:
    from mindport.catalog.api import Parameter
    from mindport.catalog.catalog import Catalog


@dataclass(frozen=True, slots=True)
class ApiInputs:
    """What the table says about one API.

    `calls` are texts of arguments; of a class `make` those of its constructor and `run` those of the call of
    what it makes. `code` are whole expressions. `initial` are arguments of a constructor whose fresh
    parameters are compared. `also` are kinds of inputs (names of makers) that the first call is tried with
    too. `is_random`: compared by distribution; `random_by_default`: so is a layer in training that is made
    with required arguments alone (it has dropout). `magnitude`: signs are arbitrary. `loose`: tolerances are
    multiplied by it. `gradient`: whether gradients are compared. `as_parameters`: inputs are parameters, not
    Tensors. `as_arrays`: the counterpart is a step of a data pipeline, which takes and gives NumPy arrays.
    `uninitialized`: the numbers of the result mean nothing.
    """

    calls: tuple[str, ...] = ()
    make: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    initial: tuple[str, ...] = ()
    also: tuple[str, ...] | None = None
    is_random: bool = False
    random_by_default: bool = False
    magnitude: bool = False
    loose: float = 1.0
    gradient: bool = True
    as_parameters: bool = False
    as_arrays: bool = False
    uninitialized: bool = False


@dataclass(frozen=True, slots=True)
class InputTable:
    """The whole table. `parameters` are values by parameter name, `types` by patterns of the type's text,
    `never` the parameters that are never given. `parameter_names` are MindSpore's names of a layer's weights
    with torch's, `no_state` those that are not compared. `not_run` says of APIs by the beginning of their
    names why they are not run."""

    parameters: Mapping[str, Sequence[str]]
    types: Sequence[tuple[str, Sequence[str]]]
    never: frozenset[str]
    parameter_names: Mapping[str, str]
    no_state: tuple[str, ...]
    not_run: Mapping[str, Text]
    apis: Mapping[str, ApiInputs] = field(default_factory=dict)
    seen: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    """The shapes of calls in published code: per API the parameters that are given, with their forms."""

    @classmethod
    def of(cls, catalog: Catalog) -> InputTable:
        """The table that the catalog's data carry."""
        return cls.from_data(catalog.verification())

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> InputTable:
        """From the merged files of `mapping_data/verification`."""
        general = data["general"]
        return cls(
            general["parameters"],
            [(pattern, values) for pattern, values in general["types"]],
            frozenset(general["never"]),
            general["parameter_names"],
            tuple(general["no_state"]),
            {name: Text(said["en"], said["zh-cn"]) for name, said in general["not_run"].items()},
            {name: _api(record) for name, record in data["apis"].items()},
            data.get("seen", {}),
        )

    def api(self, name: str) -> ApiInputs:
        """What is said about an API. A method of Tensor has what is said of the function of its name (the
        receiver is the first argument), an in-place one that of the other. Nothing, if none is there."""
        alike = name.replace("torch.Tensor.", "torch.")
        names = (name, name.rstrip("_"), alike, alike.rstrip("_"))
        return next((self.apis[each] for each in names if each in self.apis), _NOTHING)

    def not_run_by(self, name: str) -> str | None:
        """The beginning of a name in `not_run` that says why an API is not run, None if it is."""
        found = [prefix for prefix in self.not_run if name == prefix or name.startswith(f"{prefix}.")]
        return max(found, key=len) if found and name not in self.apis else None

    def why_not(self, name: str) -> Text | None:
        """Why an API is not run, None if it is."""
        because = self.not_run_by(name)
        return self.not_run[because] if because is not None else None

    def values(self, parameter: Parameter) -> Sequence[str]:
        """Texts of values for a parameter; none where nothing is known."""
        if parameter.name in self.never:
            return ()
        known = self.parameters.get(parameter.name)
        if known is None and parameter.type is not None:
            known = next((v for pattern, v in self.types if re.search(pattern, parameter.type)), None)
        return known or ()


_NOTHING = ApiInputs()


def _api(record: Mapping[str, Any]) -> ApiInputs:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}
    return ApiInputs(**values)
