"""`mindport`, and `python -m mindport`."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress


def main() -> int:
    """Run the command line; returns the exit code."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from mindport.cli.console import open_closed_streams

        open_closed_streams()
    gc.disable()  # nearly all that a command makes is kept to its end: looking for garbage only takes time
    from mindport.cli.main import main as run_command

    return run_command(sys.argv[1:])


def run() -> None:
    """What the command `mindport` does: run the command line and end the process. Nothing is left to do then;
    taking the interpreter down would only take time."""
    _end(main())


def _end(code: int) -> None:
    """End the process at once. What a server's worker was at is not waited for, and must not go on while the
    interpreter is taken down around it: native code that it calls would abort the process."""
    with suppress(OSError, ValueError):  # nobody reads any more, or they are closed
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
