"""Folders of files made of templates."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mindport.language import Text
from mindport.source.error import TextError

_SUFFIX: Final = ".jinja"
_NOT_EMPTY = Text(
    "{path} already exists and is not an empty folder. Choose another location.",
    "{path} 已存在，且不是空文件夹。请选择其他位置。",
)
_UNWRITABLE = Text("Cannot write {path}: {reason}", "无法写入 {path}：{reason}")


class NewFolderError(TextError):
    """A folder that cannot be made."""


def new_folder(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write files, given by their names, into a folder, which must not exist or be empty; all of them or
    nothing. Returns the files. Raises NewFolderError."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise NewFolderError(_NOT_EMPTY, path=folder)
        folder.absolute().parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.absolute().parent))
        try:
            made.chmod(0o777 & ~_mask())
            for name, text in texts.items():
                (made / name).write_text(text, encoding="utf-8", newline="\n")
            if folder.exists():
                folder.rmdir()
            made.rename(folder.absolute())
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise NewFolderError(_UNWRITABLE, path=folder, reason=error.strerror or str(error)) from error
    return [folder / name for name in texts]


def rendered(templates: Path, values: Mapping[str, object]) -> dict[str, str]:
    """What the templates in a folder give, by the names of the files to write."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = sorted(each.name for each in templates.glob(f"*{_SUFFIX}"))
    return {
        each.removesuffix(_SUFFIX): environment.get_template(each).render(values).rstrip("\n") + "\n"
        for each in names
    }


def _mask() -> int:
    """The permissions that new folders do not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
