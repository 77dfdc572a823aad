"""How much source a scan keeps, by the memory that there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from mindport.scan import memory
from mindport.scan.memory import LEAST_BYTES_KEPT, bytes_kept

_GIGABYTE = 1024**3


@pytest.mark.parametrize("written", [None, "max\n", "9223372036854771712\n", "\x00\x01"])
def test_without_a_limit_the_memory_is_that_of_the_machine(
    written: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_LIMITS", ())
    physical = memory.memory()
    limit = tmp_path / "limit"
    if written is not None:
        limit.write_text(written, encoding="ascii")
    monkeypatch.setattr(memory, "_LIMITS", (str(limit),))
    assert memory.memory() == physical


def test_a_container_may_have_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not memory.memory():
        pytest.skip("this machine does not say how much memory it has")
    limit = tmp_path / "limit"
    limit.write_text("1000000\n", encoding="ascii")
    monkeypatch.setattr(memory, "_LIMITS", (str(tmp_path / "none"), str(limit)))
    assert memory.memory() == 1_000_000


def test_processes_share_a_part_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory", lambda: 24 * _GIGABYTE)
    one, two = bytes_kept(1), bytes_kept(2)
    assert one // 2 == two
    assert one * 50 <= 6 * _GIGABYTE < (one + 1) * 50


@pytest.mark.parametrize("there_is", [0, _GIGABYTE // 4])
def test_some_source_is_always_kept(there_is: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory", lambda: there_is)
    assert bytes_kept(8) == LEAST_BYTES_KEPT
