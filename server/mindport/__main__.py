"""`mindport`, and `python -m mindport`."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Run the command line; returns the exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["serve"]:  # without the library for command lines: editors wait
        from mindport.cli.serve import quick_arguments

        plain = quick_arguments(arguments)
        if plain is not None:
            return _serve(*plain)
    from mindport.cli.app import main as run

    code = run(arguments)
    gc.freeze()  # the process ends: looking for garbage among all that was made would only take time
    return code


def _serve(stdio: bool, tcp: str | None) -> int:
    from mindport.cli.console import UsageError, error, message_language
    from mindport.cli.serve import serve

    language = message_language([])
    try:
        return serve(stdio, tcp, language)
    except UsageError as wrong:
        error(str(wrong), language)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
