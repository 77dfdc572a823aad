"""The language server: its parts put together, and how it is started."""

from __future__ import annotations

import logging
import sys

from mindport.lsp import (
    class_command,
    code_actions,
    commands,
    completion,
    configuration,
    convert_commands,
    convert_preview,
    debug_command,
    error_command,
    export_command,
    file_events,
    findings_tree,
    hover,
    new_project_command,
    notebooks,
    scan_command,
    scan_results,
    target_choices,
    text_synchronization,
)
from mindport.lsp.arguments import CallArguments
from mindport.lsp.configuration import Configuration
from mindport.lsp.diagnostics import Diagnostics
from mindport.lsp.packages import Packages
from mindport.lsp.state import ServerState
from mindport.lsp.transport import accept_one, serve_streams, socket_streams, standard_streams
from mindport.lsp.workspace_diagnostics import WorkspaceDiagnostics


class MindportServer(ServerState):
    """The server with all its parts."""

    def __init__(self) -> None:
        super().__init__()
        for part in (Diagnostics, WorkspaceDiagnostics, CallArguments, Packages, Configuration):
            self.add(part(self))
        for handlers in _HANDLERS:
            handlers.register(self)


_HANDLERS = (
    configuration,
    text_synchronization,
    notebooks,
    file_events,
    hover,
    code_actions,
    completion,
    commands,
    convert_commands,
    convert_preview,
    class_command,
    debug_command,
    error_command,
    export_command,
    new_project_command,
    scan_command,
    findings_tree,
    scan_results,
    target_choices,
)


def serve_stdio() -> int:
    """Serve one client over the process's standard streams. Returns the exit code."""
    _log_to_standard_error()
    return serve_streams(MindportServer(), standard_streams())


def serve_tcp(host: str, port: int) -> int:
    """Serve the first client that connects to `host` and `port` (0: a free one, told on standard error).
    Returns the exit code. Raises OSError when the address cannot be used."""
    _log_to_standard_error()

    def announce(waiting_host: str, waiting_port: int) -> None:
        print(f"mindport: {waiting_host}:{waiting_port}", file=sys.stderr, flush=True)

    with accept_one(host, port, announce) as connection:
        return serve_streams(MindportServer(), socket_streams(connection))


def _log_to_standard_error() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    # It tells of malformed messages with tracebacks; ours says in a line what it does with them.
    logging.getLogger("pygls.protocol").setLevel(logging.CRITICAL)
