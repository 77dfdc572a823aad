"""The file in which scans keep what they found: a small database, shared by all projects of a user.

Each write is one transaction, so that runs at the same time do not disturb each other. Nothing that is wrong
with the file is an error: what cannot be read was never there, a damaged file is made anew.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

import mindport
from mindport.source.document import digest_of

_LOGGER = logging.getLogger(__name__)
FOLDER_VARIABLE = "MINDPORT_CACHE_DIR"
"""The environment variable that says where the file is; by default, where the user's caches are."""
MOST_BYTES = 256 * 1024 * 1024
"""When the records take more than this, those not used for longest are dropped, down to three quarters."""
_NAME = "scan-1.sqlite3"
_PROGRAM = (".py", ".html")
"""Files of mindport that have a say in what it finds and how it is written."""
_CHECK_BYTES = 8
_SECONDS_TO_WAIT = 5.0
_SECONDS_BETWEEN_USES = 24 * 3600
"""Using a record again so soon is not noted: most runs shall not write."""
_AT_ONCE = 500
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS record"
    " (key BLOB PRIMARY KEY, used INTEGER NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL)"
)


def cache_folder() -> Path:
    """The folder of mindport's caches."""
    given = os.environ.get(FOLDER_VARIABLE)
    if given:
        return Path(given)
    import platformdirs

    return platformdirs.user_cache_path("mindport", appauthor=False)


class CacheStore:
    """Records of bytes under keys. Safe to use in many processes at once, each with an own store."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._path = folder / _NAME
        self._most_bytes = most_bytes

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The records that are there and undamaged."""
        found: dict[bytes, bytes] = {}
        wanted = list(keys)
        if not wanted or not self._path.exists():
            return found
        try:
            with closing(self._connect()) as connection:
                for start in range(0, len(wanted), _AT_ONCE):
                    part = wanted[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(part))
                    rows = connection.execute(
                        f"SELECT key, used, content FROM record WHERE key IN ({marks})", part
                    ).fetchall()
                    found.update(_sound(rows))
                    self._note_use(connection, rows)
        except sqlite3.Error as error:
            self._failed(error)
        return found

    def put(self, records: Mapping[bytes, bytes]) -> None:
        """Keep these records, each `compressed`, or none of them if that cannot be done."""
        if not records:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._put(records)
        except sqlite3.Error as error:
            self._failed(error)
            with suppress(sqlite3.Error):
                self._put(records)
        except OSError as error:
            _LOGGER.info("The cache cannot be written: %s", error)

    def _put(self, records: Mapping[bytes, bytes]) -> None:
        now = int(time.time())
        checked = ((key, _check(key, content) + content) for key, content in records.items())
        rows = [(key, now, len(content), content) for key, content in checked]
        with closing(self._connect()) as connection, connection:
            connection.execute(_SCHEMA)
            connection.executemany("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?)", rows)
            self._evict(connection)

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Drop what was not used for longest, if there is too much."""
        (size,) = connection.execute("SELECT total(size) FROM record").fetchone()
        excess = size - self._most_bytes
        if excess <= 0:
            return
        excess += self._most_bytes // 4
        dropped = []
        for key, length in connection.execute("SELECT key, size FROM record ORDER BY used, rowid"):
            if excess <= 0:
                break
            dropped.append((key,))
            excess -= length
        connection.executemany("DELETE FROM record WHERE key = ?", dropped)

    def _note_use(self, connection: sqlite3.Connection, rows: Iterable[tuple[bytes, int, bytes]]) -> None:
        now = int(time.time())
        long_ago = [(now, key) for key, used, _ in rows if now - used > _SECONDS_BETWEEN_USES]
        if long_ago:
            with suppress(sqlite3.OperationalError), connection:  # locked, or not to be written: no matter
                connection.executemany("UPDATE record SET used = ? WHERE key = ?", long_ago)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_SECONDS_TO_WAIT)
        connection.execute("PRAGMA synchronous = OFF")  # what a power failure damages is made anew
        return connection

    def _failed(self, error: sqlite3.Error) -> None:
        """Drop a damaged file; leave one that is locked or not to be read alone."""
        _LOGGER.info("The cache cannot be used: %s", error)
        if not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                self._path.unlink()


def compressed(content: bytes) -> bytes:
    """A record as the store keeps it."""
    return zlib.compress(content, 1)


def _sound(rows: Iterable[tuple[bytes, int, bytes]]) -> dict[bytes, bytes]:
    """The contents of the rows that are as they were written."""
    found = {}
    for key, _, packed in rows:
        with suppress(zlib.error, TypeError):
            content = packed[_CHECK_BYTES:]
            if packed[:_CHECK_BYTES] == _check(key, content):
                found[key] = zlib.decompress(content)
    return found


def _check(key: bytes, content: bytes) -> bytes:
    """What tells a damaged record from a sound one."""
    return hashlib.blake2b(content, key=key[:64], digest_size=_CHECK_BYTES).digest()


@cache
def program() -> str:
    """A name for mindport's own code as this process found it; in a source checkout it changes without its
    version."""
    return digest_of("".join(sorted(_files_of(str(Path(mindport.__file__).parent), ""))).encode())


def _files_of(folder: str, below: str) -> Iterator[str]:
    """What is to be said of the files in a folder of the program."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_PROGRAM):
                status = entry.stat()
                yield f"{below}{entry.name}\0{status.st_size}\0{status.st_mtime_ns}\0"
            elif "." not in entry.name and entry.is_dir():
                yield from _files_of(entry.path, f"{below}{entry.name}/")
