"""A process of its own in which jedi says what our own reading of a package does not: what is in stubs, in
docstrings, or needs deeper inference. Run as a script, by `mindport.project.jedi_answers`.

Arguments: the folder for jedi's cache, the folders to import jedi from, then "--", then the folders of the
packages. Reads dotted names, one per line; answers each with a line of JSON: the full names of the types that
calling it gives; null, if that is not known. No code of a package is run: modules that are compiled are
loaded from Python's own folders only, which is what the path of this process is reduced to.
"""

from __future__ import annotations

import json
import pickle
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

_Result = TypeVar("_Result")
_TRIES = 5
_SECONDS_BETWEEN_TRIES = 0.1


def main() -> None:
    """Answer until the input ends."""
    place = sys.argv.index("--")
    cache, tools, folders = sys.argv[1], sys.argv[2:place], sys.argv[place + 1 :]
    own = [path for path in sys.path if "site-packages" not in path and "dist-packages" not in path]
    sys.path[:] = [*own, *tools]
    import jedi
    from jedi.api.environment import InterpreterEnvironment

    jedi.settings.auto_import_modules = []
    jedi.settings.cache_directory = cache
    _with_cache(cache, lambda: jedi.preload_module("builtins"))
    sys.path[:] = own
    project = jedi.Project("/", added_sys_path=folders, smart_sys_path=False, load_unsafe_extensions=False)
    environment = InterpreterEnvironment()
    for line in sys.stdin:
        try:
            answer = _with_cache(cache, partial(_types, jedi, project, environment, line.strip()))
        except Exception:  # noqa: BLE001 - jedi fails on code that it does not understand
            answer = None
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _with_cache(cache: str, work: Callable[[], _Result]) -> _Result:
    """Do what may read and write jedi's cache. jedi writes files in place: another process may be about to
    write one, or was ended before it was done. Such files are waited for, then the cache is made anew."""
    for _ in range(_TRIES):
        try:
            return work()
        except (EOFError, OSError, pickle.UnpicklingError):
            time.sleep(_SECONDS_BETWEEN_TRIES)
    shutil.rmtree(cache, ignore_errors=True)
    return work()


def _types(jedi: Any, project: Any, environment: Any, dotted: str) -> list[str] | None:
    """The full names of the types that calling `dotted` gives."""
    module, _, name = dotted.rpartition(".")
    code = f"from {module} import {name} as asked\nasked"
    script = jedi.Script(code, project=project, environment=environment)
    for prefer_stubs in (True, False):
        found = script.infer(2, 1, prefer_stubs=prefer_stubs)
        if not found or any(one.type != "function" for one in found):
            continue
        given = [result for one in found for result in one.execute()]
        if given and all(one.type == "instance" and one.full_name for one in given):
            return sorted({one.full_name for one in given})
    return None


if __name__ == "__main__":
    main()
