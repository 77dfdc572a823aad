"""Runners without any framework: they run snippets with tiny stand-ins for torch and mindspore."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Observed = dict[str, Any]


def tensor(*numbers: float, dtype: str = "float32", shape: list[int] | None = None) -> Observed:
    return {"kind": "tensor", "dtype": dtype, "shape": shape or [len(numbers)], "numbers": list(numbers)}


class FakeRunner:
    """Answers each snippet by `answer`, which is given the text."""

    def __init__(self, answer: Callable[[str], Mapping[str, Any]]) -> None:
        self.answer = answer
        self.sources: list[str] = []

    def run(self, task: Mapping[str, Any]) -> Mapping[str, Any]:
        self.sources.append(task["source"])
        return self.answer(task["source"])


def always(value: Observed, gradient: Observed | None = None) -> FakeRunner:
    """A runner with one result for everything."""
    reply: dict[str, Any] = {"value": value}
    if gradient is not None:
        reply["gradient"] = gradient
    return FakeRunner(lambda source: reply)


def fails(error: str, message: str) -> FakeRunner:
    """A runner that can do nothing."""
    return FakeRunner(lambda source: {"error": error, "message": message})
