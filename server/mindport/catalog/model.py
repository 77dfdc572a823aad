"""The format of the mapping data as pydantic models: used by `mapping check`, tests and builds, never by the
running server."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from mindport.catalog.differences import DIFFERENCE_KINDS


class Strict(BaseModel):
    """Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ParameterRecord(Strict):
    """One parameter of a signature."""

    name: str
    kind: Literal["positional", "keyword", "star", "double_star"] | None = None
    default: str | None = None
    type: str | None = None


class SignatureRecord(Strict):
    """One overload."""

    parameters: list[ParameterRecord]
    returns: str | None = None


class ApiRecord(Strict):
    """One line of `catalog/*.jsonl`."""

    name: str = Field(min_length=1)
    kind: Literal["module", "class", "function", "method", "property", "attribute", "constant", "dtype"]
    aliases: list[str] = []
    bases: list[str] = []
    lineage: list[str] = []
    signatures: list[SignatureRecord] = []
    returns: str | None = None
    value: str | None = None
    deprecated: bool = False
    documented: bool = False
    platforms: list[Literal["ascend", "gpu", "cpu"]] = []
    exports: list[str] = []


class AbsentRecord(Strict):
    """An API of the latest version that an older one does not have."""

    name: str = Field(min_length=1)
    absent: Literal[True]


OLDER: TypeAdapter[ApiRecord | AbsentRecord] = TypeAdapter(ApiRecord | AbsentRecord)
"""One line of `catalog/older/*.jsonl`."""


class NoteRecord(Strict):
    """A hand-written sentence, in both languages."""

    en: str = Field(min_length=1)
    zh_cn: str = Field(min_length=1, alias="zh-cn")


class FactRecord(Strict):
    """A parameter fact, or a curated difference. `code` is one of `differences.DIFFERENCE_KINDS`."""

    code: str = Field(pattern=f"^({'|'.join(sorted(DIFFERENCE_KINDS))})$")
    torch: str | None = None
    mindspore: str | None = None
    default: str | None = None
    torch_default: str | None = None
    mindspore_default: str | None = None
    device: Literal["ascend", "gpu", "cpu"] | None = None
    only_given: bool = False
    minor: bool = False
    unless_of: str | None = None
    note: NoteRecord | None = None


InputKind = Literal[
    "float32",
    "float64",
    "int64",
    "bool",
    "special",
    "saturated",
    "0-d",
    "3-d",
    "empty",
    "initial",
    "gradient",
    "some",
]
"""The keys of `differences.INPUTS`."""
_VERSION = r"^\d+\.\d+$"


class EarlierRecord(Strict):
    """The parameter facts of versions up to `until`, where they are others."""

    until: str = Field(pattern=_VERSION)
    parameters: list[FactRecord]


class CandidateRecord(Strict):
    """A candidate of the generated correspondences."""

    target: str = Field(min_length=1)
    style: Literal["mint", "classic", "any"]
    source: Literal["official", "signature"]
    since: str = Field(pattern=_VERSION)
    until: str | None = Field(default=None, pattern=_VERSION)
    category: (
        Literal["consistent", "name_differs", "param_differs", "default_differs", "function_differs", "other"]
        | None
    ) = None
    parameters: list[FactRecord] | None = None
    earlier: list[EarlierRecord] = []


class CorrespondenceRecord(Strict):
    """One line of `correspondences/*.jsonl`."""

    torch: str = Field(min_length=1)
    candidates: list[CandidateRecord] = Field(min_length=1)


class CandidateCorrection(Strict):
    """What a person says about one candidate: see `docs/mapping.md`."""

    style: Literal["mint", "classic", "any"] | None = None
    since: str | None = Field(default=None, pattern=_VERSION)
    until: str | None = Field(default=None, pattern=_VERSION)
    remove: bool = False
    verified: bool = False
    drop: list[dict[str, str]] = []
    parameters: list[FactRecord] | None = None
    differences: list[FactRecord] = []


class WhenRecord(Strict):
    """The calls a template is for: those that give these parameters and leave out those."""

    given: list[str] = []
    omitted: list[str] = []


class RanRecord(Strict):
    """A comparison with torch that a person ran."""

    device: Literal["ascend", "gpu", "cpu"]
    version: str = Field(pattern=_VERSION)
    calls: int = Field(ge=1)
    largest_difference: float | None = Field(default=None, ge=0)


class EquivalentRecord(Strict):
    """An expression over MindSpore APIs that stands for a torch API."""

    template: str = Field(min_length=1)
    style: Literal["mint", "classic", "any"]
    since: str | None = Field(default=None, pattern=_VERSION)
    until: str | None = Field(default=None, pattern=_VERSION)
    when: WhenRecord | None = None
    differences: list[FactRecord] = []
    ran: RanRecord | None = None


class WayOutRecord(Strict):
    """What to do about a missing API, by one of the four official strategies."""

    strategy: Literal["equivalent", "package", "custom_operator", "community"]
    text: NoteRecord
    code: str | None = Field(default=None, min_length=1)


class Correction(Strict):
    """What a person says about one torch API."""

    status: Literal["equivalent", "differs", "missing", "not_needed"] | None = None
    removable: bool | None = None
    overrides: dict[str, str] = {}
    note: NoteRecord | None = None
    reason: NoteRecord | None = None
    way_out: WayOutRecord | None = None
    equivalents: list[EquivalentRecord] = []
    candidates: dict[str, CandidateCorrection] = {}
    order: list[str] = []


class ResultRecord(Strict):
    """What happened when an API was run."""

    result: Literal["equal", "partly", "differs", "dtype_differs", "runs", "unsupported", "fails"]
    calls: int = Field(ge=0)


class CallEvidenceRecord(Strict):
    """One line of `evidence/calls/*.jsonl`: see `docs/verification.md`."""

    torch: str = Field(min_length=1)
    target: str = Field(min_length=1)
    result: Literal["equal", "partly", "differs", "dtype_differs", "unsupported", "fails"]
    calls: int = Field(ge=1)
    largest_difference: float | None = Field(default=None, ge=0)
    shapes: list[Literal["positional", "keyword", "shuffled", "omitted"]] = []
    gradient: bool = False
    aspects: list[Literal["value", "shape", "dtype", "structure", "gradient", "distribution", "default"]] = []
    inputs: list[InputKind] = []
    refused: list[InputKind] = []
    detail: str | None = None
    tried: dict[
        Literal["equal", "differs", "raises", "no_gradient", "unsupported"], list[dict[str, str]]
    ] = {}

    @property
    def pair(self) -> str:
        """What it is about; lines are sorted by it."""
        return f"{self.torch} {self.target}"


class SeenCallsRecord(Strict):
    """One line of `verification/seen/calls.jsonl`: the shapes that calls of an API have in published code."""

    torch: str = Field(min_length=1)
    shapes: list[dict[str, str]]


class VersionsRecord(Strict):
    """`evidence/calls/*.versions.json`: what the evidence was made with."""

    torch: str
    mindspore: str
    numpy: str
    python: str


class RunRecord(Strict):
    """`evidence/calls/*.run.json`: the candidates when the evidence was made, each with a text for its facts,
    and texts for what was written into the files beside it."""

    evidence: str
    unverified: str
    candidates: dict[str, dict[str, str]]


class ApiInputsRecord(Strict):
    """What to call an API with: see `docs/verification.md`."""

    calls: list[str] = []
    make: list[str] = []
    run: list[str] = []
    code: list[str] = []
    initial: list[str] = []
    also: list[str] | None = None
    is_random: bool = False
    random_by_default: bool = False
    magnitude: bool = False
    loose: float = Field(default=1.0, ge=1)
    gradient: bool = True
    as_parameters: bool = False
    as_arrays: bool = False
    uninitialized: bool = False


class GeneralInputsRecord(Strict):
    """`verification/general.json`: see `docs/verification.md`."""

    parameters: dict[str, list[str]]
    types: list[tuple[str, list[str]]]
    never: list[str]
    parameter_names: dict[str, str]
    no_state: list[str]
    not_run: dict[str, NoteRecord]


class EvidenceRecord(ResultRecord):
    """One line of `evidence/*.jsonl`."""

    mindspore: str = Field(min_length=1)


CORRECTIONS = TypeAdapter(dict[str, Correction])
CURATED_EVIDENCE = TypeAdapter(dict[str, ResultRecord])
INPUTS_BY_API = TypeAdapter(dict[str, ApiInputsRecord])
GENERAL_INPUTS = TypeAdapter(GeneralInputsRecord)
VERSIONS_OF_RUN = TypeAdapter(VersionsRecord)
RUN = TypeAdapter(RunRecord)
UNVERIFIED = TypeAdapter(
    dict[
        str,
        Annotated[str, Field(pattern=r"^(no_inputs|torch_refuses|not_converted|not_run: torch[\w.]*)$")],
    ]
)
OFFICIAL_EXCEPTIONS = TypeAdapter(dict[str, dict[str, NoteRecord]])
"""By torch name and target of the official tables: why the row is not followed."""
