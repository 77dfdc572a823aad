"""Requests to the application: what is open in the editor goes into them, and a thread of their own carries
them out while what is edited is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pygls.exceptions import JsonRpcException

from mindport.app.request import Folder, OpenDocument, Request
from mindport.lsp.commands import REQUEST_FAILED
from mindport.lsp.uris import file_of
from mindport.lsp.worker import Worker
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.lsp.documents import Snapshot
    from mindport.lsp.progress import Steps
    from mindport.lsp.state import ServerState
    from mindport.scan.scan import Progress

_Result = TypeVar("_Result")
_Made = TypeVar("_Made")


def request_for(
    ls: ServerState, folders: Sequence[Folder], paths: Sequence[Path], documents: Iterable[Snapshot] = ()
) -> Request:
    """A request about files and folders and about documents, with what is open now. `folders` are those of
    the workspace."""
    named = [_open_document(ls, document) for document in documents]
    open_files = {document.path: _open_document(ls, document) for document in ls.documents.snapshots()}
    return Request(folders, paths, named, open_files)


def request_now(ls: ServerState, request: Request) -> Request:
    """The same request, with what is open now."""
    now = request_for(ls, request.folders, ())
    closed = [document for document in request.documents if document.path not in now.open_files]
    files = [file for file in (file_of(document.uri) for document in closed) if file is not None]
    documents = [now.open_files[each.path] for each in request.documents if each.path in now.open_files]
    return replace(now, paths=[*request.paths, *files], documents=documents)


async def run_apart(ls: ServerState, steps: Steps, run: Callable[[Progress], _Result]) -> _Result:
    """What `run` gives, on a thread of its own. It is told to stop when `steps` are, and when nobody waits
    for it any more. Raises JsonRpcException where it raises TextError."""
    from mindport.scan.scan import Progress

    progress = Progress(
        lambda number, total: ls.on_loop(steps.done, number, total),
        lambda number, total: ls.on_loop(steps.reading, number, total),
    )
    if steps.stop is not None:
        steps.stop.add_done_callback(lambda _: progress.stop.set())
    worker = Worker()
    worker.start()
    try:
        return await asyncio.wrap_future(worker.submit(lambda: run(progress)))
    except TextError as error:
        raise JsonRpcException(error.render(ls.language), REQUEST_FAILED) from error
    finally:
        progress.stop.set()
        worker.stop()


def _open_document(ls: ServerState, snapshot: Snapshot) -> OpenDocument:
    notebook = snapshot.notebook
    uri = snapshot.uri if notebook is None else notebook.uri
    text = snapshot.document.data if notebook is None else None
    return OpenDocument(uri, snapshot.path, text, partial(_analyse, ls, snapshot))


def _analyse(ls: ServerState, snapshot: Snapshot, make: Callable[[FileFindings], _Made]) -> _Made:
    """What `make` makes of what is found in a document: on the worker's thread, when nothing else is to be
    done there."""

    def work() -> _Made:
        try:
            return make(ls.engine.analyse(snapshot.path, snapshot.whole()))
        except TextError:
            raise
        except Exception as error:
            ls.report_internal_error(error, snapshot.uri)
            raise

    return ls.worker.submit(work, background=True).result()
