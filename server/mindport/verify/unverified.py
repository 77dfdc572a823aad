"""Which torch APIs with a counterpart have no evidence, and why: `evidence/calls/*.unverified.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from mindport.language import Text

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.target import Target
    from mindport.verify.run import Verified
    from mindport.verify.table import InputTable

Reason = Literal["not_run", "no_inputs", "torch_refuses", "not_converted"]
REASONS: Mapping[Reason, Text] = {
    "not_run": Text("Not run.", "不运行。"),
    "no_inputs": Text("No test arguments.", "没有测试参数。"),
    "torch_refuses": Text("PyTorch rejects all arguments tried.", "PyTorch 不接受所尝试的参数。"),
    "not_converted": Text("Not converted automatically: manual decision needed.", "不自动转换：需人工处理。"),
}


class Unverified(NamedTuple):
    """Why an API has no evidence; `because` is the beginning of a name in `not_run` of the input table."""

    reason: Reason
    because: str | None = None

    def text(self) -> str:
        """As the file has it: `not_run: torch.distributed`."""
        return f"{self.reason}: {self.because}" if self.because else self.reason

    @classmethod
    def of_text(cls, text: str) -> Unverified:
        """From the file."""
        reason, _, because = text.partition(": ")
        return cls(cast("Reason", reason), because or None)


def why(found: Sequence[Verified]) -> Unverified:
    """Why what was tried with an API is no evidence."""
    kinds = {outcome.kind for verified in found for outcome in verified.outcomes}
    if "not_converted" in kinds:
        return Unverified("not_converted")
    return Unverified("torch_refuses" if kinds else "no_inputs")


def not_run(
    catalog: Catalog, table: InputTable, target: Target, beginnings: Sequence[str] = ()
) -> Iterable[tuple[str, Unverified]]:
    """The public APIs with a counterpart that are not run at all; those whose names begin so, if any
    beginnings are given."""
    for name in catalog.torch_names:
        if not name.startswith(tuple(beginnings) or "torch"):
            continue
        if catalog.is_documented(name) and catalog.answer(name, target).status in ("equivalent", "differs"):
            because = table.not_run_by(name)
            if because is not None:
                yield name, Unverified("not_run", because)
