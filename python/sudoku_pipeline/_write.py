"""Writes tables in the formats whose table is a folder, and several tables to one folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping

from sudoku_pipeline import _native
from sudoku_pipeline._errors import ReadError, UsageError

if TYPE_CHECKING:
    from sudoku_pipeline._table import Table


def folder_table(path: str, target: str | os.PathLike[str], format: str, overwrite: bool, folder: str) -> None:
    """Writes the table in an Arrow file in a format whose table is a folder, such as ``hrm``.

    :param folder: the folder of the call, which has the Arrow file
    """
    words = [f"--output={os.fspath(target)}", f"--format={format}", *(["--overwrite"] if overwrite else []), "--", path]
    _native.call("convert", words, folder, False)


def parts(tables: Mapping[str, Table], target: str | os.PathLike[str], format: Any, overwrite: bool) -> dict[str, int]:
    """Writes each table to the folder, as a file or a folder with its name. Returns their numbers of rows."""
    root = os.fspath(target)
    above = _native.folder_format(format)
    names = {name: name if above is not None else f"{name}.{format}" for name in tables}
    refuse_existing(root, names.values(), overwrite)
    is_new = not os.path.isdir(root)
    os.makedirs(root, exist_ok=True)
    rows = {}
    try:
        for name, table in tables.items():
            path = os.path.join(root, names[name])
            rows[name] = table.write(path, format=format if above is not None else None, overwrite=overwrite)
    except UsageError:
        # No part is written in a format that is none.
        if is_new and not os.listdir(root):
            os.rmdir(root)
        raise
    if above is not None:
        text(os.path.join(root, above[0]), above[1])
    return rows


def refuse_existing(root: str, names: Iterable[str], overwrite: bool) -> None:
    """Refuses to replace a file or folder, before anything is written."""
    for name in names:
        path = os.path.join(root, name)
        if not overwrite and os.path.exists(path):
            raise ReadError(f"{path} exists already: give overwrite=True to replace it")


def text(path: str, content: str) -> None:
    """Writes a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
