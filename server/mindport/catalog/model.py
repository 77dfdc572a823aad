"""The format of the mapping data as pydantic models: used by `mapping check`, tests and builds, never by the
running server."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from mindport.catalog.differences import TEXTS


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
    platforms: list[Literal["ascend", "gpu", "cpu"]] = []
    exports: list[str] = []


class NoteRecord(Strict):
    """A hand-written sentence, in both languages."""

    en: str = Field(min_length=1)
    zh_cn: str = Field(min_length=1, alias="zh-cn")


class FactRecord(Strict):
    """A parameter fact, or a curated difference. `code` is one of `differences.TEXTS`."""

    code: str = Field(pattern=f"^({'|'.join(sorted(TEXTS))})$")
    torch: str | None = None
    mindspore: str | None = None
    default: str | None = None
    torch_default: str | None = None
    mindspore_default: str | None = None
    device: Literal["ascend", "gpu", "cpu"] | None = None
    note: NoteRecord | None = None


_VERSION = r"^\d+\.\d+$"


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


class Correction(Strict):
    """What a person says about one torch API."""

    status: Literal["equivalent", "differs", "missing", "not_needed"] | None = None
    note: NoteRecord | None = None
    candidates: dict[str, CandidateCorrection] = {}
    order: list[str] = []


class ResultRecord(Strict):
    """What happened when an API was run."""

    result: Literal["equal", "partly", "differs", "dtype_differs", "runs", "unsupported", "fails"]
    calls: int = Field(ge=0)


class EvidenceRecord(ResultRecord):
    """One line of `evidence/*.jsonl`."""

    mindspore: str = Field(min_length=1)


CORRECTIONS = TypeAdapter(dict[str, Correction])
CURATED_EVIDENCE = TypeAdapter(dict[str, ResultRecord])
