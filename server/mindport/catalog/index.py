"""Reading the compact index: one file that holds everything the catalog knows.

Layout: one line of JSON (format, fingerprint of the sources, checksum, sections), then the sections one
after the other. A section is either plain compressed text or a table: its names, one a line, and its
records in compressed blocks. Names are read at once; a block is unpacked when one of its records is asked
for. `mindport.catalog.build` writes it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

INDEX_NAME = "index.bin"
KIND_LETTERS = {
    "module": "m",
    "class": "c",
    "function": "f",
    "method": "d",
    "property": "p",
    "attribute": "a",
    "constant": "k",
    "dtype": "t",
}
MAGIC = "mindport-index"
FORMAT = 6
BLOCK = 8
"""Records per compressed block."""

_MOST_UNPACKED: Final = 32
"""As many blocks are kept unpacked."""
_decoder: Final = json.JSONDecoder()  # `json.loads` takes twice as long for short texts

Record = Mapping[str, Any]
"""A record; those of the table `reverse` are lists of names."""


class IndexFileError(Exception):
    """The index file is absent, cut off, damaged, or of another format; the message says which."""


class Table:
    """Named records. Only the names are in memory; records are unpacked on demand and kept."""

    def __init__(self, names: list[str], blocks: Sequence[bytes]) -> None:
        self.names = names
        self.rows = dict(zip(names, range(len(names)), strict=True))
        self._blocks = blocks
        self._records: dict[str, Record] = {}
        self._unpacked: dict[int, list[bytes]] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def get(self, name: str) -> Record | None:
        """The record called `name`, or None."""
        record = self._records.get(name)
        if record is None:
            row = self.rows.get(name)
            if row is None:
                return None
            record, _ = _decoder.raw_decode(self._lines(row // BLOCK)[row % BLOCK].decode())
            self._records[name] = record
        return record

    def _lines(self, block: int) -> list[bytes]:
        """The records of a block as text. Those looked at last are kept: what is used together has names
        that are alike."""
        found = self._unpacked.get(block)
        if found is None:
            if len(self._unpacked) >= _MOST_UNPACKED:
                self._unpacked.clear()
            found = self._unpacked[block] = zlib.decompress(self._blocks[block]).split(b"\n")
        return found


class Index:
    """The sections of an index file."""

    def __init__(self, data: bytes) -> None:
        """Check `data` and read its header. Raises `IndexFileError` if it is not a sound index."""
        line, _, self._body = data.partition(b"\n")
        try:
            header = json.loads(line)
        except ValueError:
            raise IndexFileError("the catalog index has no readable header") from None
        if not isinstance(header, dict) or header.get("magic") != MAGIC:
            raise IndexFileError("the file is not a catalog index")
        if header.get("format") != FORMAT:
            raise IndexFileError(f"the catalog index has format {header.get('format')}, expected {FORMAT}")
        if header["checksum"] != zlib.adler32(self._body):
            raise IndexFileError("the catalog index is damaged: its checksum does not match")
        self.fingerprint: str = header["fingerprint"]
        self._sections: dict[str, list[int]] = header["sections"]

    @classmethod
    def read(cls, path: Path) -> Index:
        """Read the file at `path`. Raises `IndexFileError` if it is absent, unreadable or damaged."""
        try:
            return cls(path.read_bytes())
        except OSError as error:
            raise IndexFileError(f"the catalog index cannot be read: {error}") from error

    def section_names(self) -> list[str]:
        """The names of all sections."""
        return list(self._sections)

    def text(self, section: str) -> str:
        """The text of a plain section; empty when the index has none of that name."""
        start, length, *_ = self._sections.get(section, [0, 0])
        return zlib.decompress(self._body[start : start + length]).decode() if length else ""

    def table(self, section: str) -> Table:
        """The table in a section; empty when the index has none of that name."""
        start, length, *blocks = self._sections.get(section, [0, 0])
        names = self.text(section).split("\n") if length else []
        pieces, position = [], start + length
        for size in blocks:
            pieces.append(self._body[position : position + size])
            position += size
        return Table(names, pieces)
