"""Runs commands, for the functions whose work is about whole datasets.

A command runs in this process. Data in memory is written to a temporary Arrow file, and the tables of the command are read from
Arrow files, so that the results are those of the command line, in bounded memory. A run over a few rows takes place on the
caller's thread, and its files are in memory where the system has a folder for that.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

from sudoku_pipeline import _data, _labels, _native
from sudoku_pipeline._errors import DataWarning, PipelineError, UsageError, for_python, warn
from sudoku_pipeline._positions import UNKNOWN, Positions
from sudoku_pipeline._table import Figures, Table


# A folder of the system whose files are in memory.
_MEMORY = "/dev/shm"


class Folder:
    """A temporary folder, which is removed with the last object that has it.

    :param is_small: whether the files are few and small, so that they may be in memory
    """

    def __init__(self, is_small: bool = False) -> None:
        self.name = _new_folder(is_small)
        weakref.finalize(self, _remove, self.name, os.getpid())


def _new_folder(is_small: bool) -> str:
    prefix = "sudoku-pipeline-"
    # A folder for temporary files that the user has chosen has all of them.
    if is_small and tempfile.gettempdir() == "/tmp":
        # A name that exists is as improbable as a folder that cannot be made, and mkdtemp takes three times as long.
        name = f"{_MEMORY}/{prefix}{os.urandom(8).hex()}"
        try:
            os.mkdir(name, 0o700)
            return name
        except OSError:
            pass
    return tempfile.mkdtemp(prefix=prefix)


def _remove(name: str, process: int) -> None:
    # A forked child has a copy of the object, and the folder belongs to its parent.
    if os.getpid() != process:
        return
    try:
        # A fraction of the time of rmtree, which is for folders that change meanwhile.
        _remove_entries(name)
    except OSError:
        shutil.rmtree(name, ignore_errors=True)


def _remove_entries(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _remove_entries(entry.path)
            else:
                os.unlink(entry.path)
    os.rmdir(folder)


class Run:
    """A run of a command, with a folder for its files."""

    def __init__(self, command: str, is_small: bool = False) -> None:
        self.command = command
        self.folder = Folder(is_small)
        # The number of rows of the inputs; None if they are files, whose rows are not known.
        self.rows: int | None = 0
        # The summary of the run, unless its figures are not those of the result.
        self.has_counts = True
        self.counts: dict[str, Any] = {}
        # What the command prints.
        self.printed: _native.Printed | None = None
        # The results of an audit, which make its texts.
        self.audit: _native.AuditTexts | None = None
        # The labels of the inputs that are frames, by their names.
        self.labels: dict[str, _labels.Labels] = {}

    def path(self, name: str) -> str:
        """The path of a file in the folder of this run."""
        return f"{self.folder.name}{os.sep}{name}"

    def input(self, data: Any, name: str, blank: int = 0, *, labels: _labels.Labels | None = None) -> list[str]:
        """The inputs of the command: the paths in the data, or a temporary file with the data.

        :param labels: those of the data, if it is a frame and the rows of the result get them
        """
        if isinstance(data, Figures):
            path = self.path(f"{name}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(data.to_json())
            self.rows = None
            return [path]
        if labels is not None:
            self.labels[name] = labels
        prepared = _data.prepared(data, blank) if labels is None else _labels.numbered(data, blank)
        if isinstance(prepared, _data.Paths):
            self.rows = None
            return prepared._sudoku_pipeline_paths
        path = self.path(f"{name}.arrow")
        rows = _native.spool(prepared, blank, path)
        self.rows = None if self.rows is None else self.rows + rows
        return [path]

    def one_input(self, data: Any, name: str, blank: int = 0, *, labels: _labels.Labels | None = None) -> str:
        """The single input for the data."""
        paths = self.input(data, name, blank, labels=labels)
        if len(paths) != 1:
            raise UsageError(f"{len(paths)} paths where one is needed: give a folder or a pattern")
        return paths[0]

    def run(self, inputs: Iterable[str], options: Mapping[str, Any], *, progress: bool = False, on_caller: bool = False) -> None:
        """Runs the command, and keeps what it prints.

        :param on_caller: whether it runs on this thread, without any other, and cannot be interrupted
        :raises PipelineError: the command failed
        """
        if self.labels:
            options = _labels.with_positions(options, is_command_line=True)
        words = [word for name, value in options.items() for word in argument(name, value)]
        words += ["--progress=always"] if progress else []
        # Damaged inputs are in the counts, and are no error if the caller goes on.
        words += ["--max-damaged=100%"] if options.get("keep_going") else []
        try:
            called = _native.call(self.command, [*words, "--", *inputs], self.folder.name, progress, on_caller)
        except PipelineError as error:
            error.args = (self._with_names(str(error)),)
            _labels.hide(error)
            if isinstance(error, UsageError):
                raise _with_values(error, options) from None
            raise
        self.printed, warnings, summary, self.audit = called
        for message in warnings:
            if _NO_WARNINGS.search(message):
                continue
            warn(for_python(self._with_names(message)), DataWarning)
        if summary is not None and self.has_counts:
            self.counts = json.loads(summary)

    def _with_names(self, message: str) -> str:
        """A message in which the temporary files with the data are called as the arguments are."""
        folder = re.escape(self.folder.name + os.sep)
        return re.sub(rf"(\w+=)?{folder}(\w[\w.-]*)\.arrow", lambda file: _ARGUMENTS.get(file[2], file[2]), message)

    def text(self) -> str:
        """Makes the text that the command prints."""
        text = "" if self.printed is None else self.printed.text()
        # `inspect` shows a command line.
        return text if self.command == "inspect" else for_python(text)

    def table(self, name: str, *, positions: Positions = UNKNOWN, labels_of: str = "input", **others: str) -> Table:
        """The table in a file of this run, together with the other tables that have rows.

        :param positions: where the rows are in the data
        :param labels_of: the name of the input with the rows
        """
        beside = {}
        frame: dict[str, Any] = {"is_numbered": bool(self.labels), "labels": self.labels.get(labels_of)}
        for role, path in others.items():
            # The counts of most runs say that there are none, so that no file is opened.
            has_rows = self.counts.get({"rejects": "rejected"}.get(role, role)) != 0
            if has_rows and os.path.exists(self.path(path)):
                table = Table(self.path(path), self.folder, **frame)
                if table.num_rows:
                    beside[role] = table
        more: dict[str, Any] = {"counts": self.counts, "text": self.text, "others": beside, "positions": positions}
        return Table(self.path(name), self.folder, **more, **frame)


# The arguments whose temporary files have other names.
_ARGUMENTS = {"input": "data"}
# Warnings that are none here: about answers that are None or have no moves, since the verdicts say so, and in training some always
# are; and about the format of temporary files.
_NO_WARNINGS = re.compile("no prediction: |no sequence of moves: | in arrow$")


def argument(name: str, value: Any) -> list[str]:
    """An option, as the command line expects it."""
    if value is None or value is False:
        return []
    option = "--" + name.rstrip("_").replace("_", "-")
    if value is True:
        return [option]
    if name in _SHARES and isinstance(value, float):
        return [f"{option}={_percentage(name, value)}"]
    quoted = _quoted if name in ("keep", "rename", "select") else str
    if isinstance(value, Mapping):
        value = ",".join(f"{quoted(key)}={quoted(own)}" for key, own in value.items())
    elif name == "keep" and isinstance(value, (list, tuple)) and list(value) in ([], ["all"], ["none"]):
        value = value[0] if value else "none"
    elif isinstance(value, (list, tuple)):
        value = ",".join(map(quoted, value))
    return [f"{option}={value}"] if value != "" else []


# Options that are a number of records, or a share of them as a float.
_SHARES = ("max", "max_rejects", "max_wrong", "min_exact")


def _percentage(name: str, share: float) -> str:
    if not 0 <= share <= 1:
        raise UsageError(f"{name}={share}: a float is a share from 0.0 to 1.0; an integer is a number of records")
    return f"{share * 100:.10g}%"


def _with_values(error: UsageError, options: Mapping[str, Any]) -> UsageError:
    """The error with the values of options as the caller has written them, and not as the command line does."""
    message = str(error)
    for name, value in options.items():
        if isinstance(value, (Mapping, list, tuple)) and f" for {name.rstrip('_')}=" in message:
            for word in argument(name, value):
                message = message.replace(f"'{word.partition('=')[2]}'", repr(value))
    return UsageError(message)


def _quoted(name: Any) -> str:
    """The name of a column in quotes, as the command line expects names with any characters."""
    return '"' + str(name).replace('"', '""') + '"'
