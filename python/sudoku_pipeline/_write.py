"""Writes tables in the formats whose table is a folder, and several tables to one folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Mapping

from sudoku_pipeline import _native

if TYPE_CHECKING:
    from sudoku_pipeline._table import Table


def folder_table(path: str, target: str | os.PathLike[str], format: str, overwrite: bool, folder: str) -> None:
    """Writes the table in an Arrow file in a format whose table is a folder, such as ``hrm``.

    :param folder: the folder of the call, which has the Arrow file
    """
    words = [f"--output={os.fspath(target)}", f"--format={format}", *(["--overwrite"] if overwrite else []), "--", path]
    _native.call("convert", words, folder, False)


def parts(tables: Mapping[str, Table], target: str | os.PathLike[str], format: str, overwrite: bool) -> dict[str, int]:
    """Writes each table to the folder, as a file or a folder with its name. Returns their numbers of rows."""
    root = os.fspath(target)
    os.makedirs(root, exist_ok=True)
    above = _native.folder_format(format)
    rows = {}
    for name, table in tables.items():
        if above is None:
            rows[name] = table.write(os.path.join(root, f"{name}.{format}"), overwrite=overwrite)
        else:
            rows[name] = table.write(os.path.join(root, name), format=format, overwrite=overwrite)
    if above is not None:
        text(os.path.join(root, above[0]), above[1])
    return rows


def text(path: str, content: str) -> None:
    """Writes a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
