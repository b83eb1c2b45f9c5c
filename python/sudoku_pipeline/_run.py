"""Runs the command that the package brings along, for the functions whose work is about whole datasets.

Data in memory is written to a temporary Arrow file, and the tables of the command are read from Arrow files, so that the
results are those of the command. It runs in a process of its own: Ctrl-C ends it, and what it cannot free is freed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping

from sudoku_pipeline import _data, _native
from sudoku_pipeline._errors import UsageError, exception
from sudoku_pipeline._table import Figures, Table

# Other variables of the command are removed: they could change where its results go.
_KEPT_VARIABLES = ("PIPELINE_KERNEL", "PIPELINE_STORE_TIMEOUT")


class Run:
    """A run of a command, with a folder for its files."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.folder = tempfile.TemporaryDirectory(prefix="sudoku-pipeline-")
        self.counts: dict[str, Any] = {}
        self.text = ""

    def path(self, name: str) -> str:
        """The path of a file in the folder of this run."""
        return os.path.join(self.folder.name, name)

    def input(self, data: Any, name: str, blank: int = 0) -> list[str]:
        """The inputs of the command: the paths in the data, or a temporary file with the data."""
        if isinstance(data, Figures):
            path = self.path(f"{name}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(data.to_json())
            return [path]
        prepared = _data.prepared(data, blank)
        if isinstance(prepared, _data.Paths):
            return prepared._sudoku_pipeline_paths
        path = self.path(f"{name}.arrow")
        _native.spool(prepared, blank, path)
        return [path]

    def one_input(self, data: Any, name: str, blank: int = 0) -> str:
        """The single input for the data."""
        paths = self.input(data, name, blank)
        if len(paths) != 1:
            raise UsageError(f"{len(paths)} paths where one is needed: give a folder or a pattern")
        return paths[0]

    def run(self, inputs: Iterable[str], options: Mapping[str, Any], *, progress: bool = False) -> None:
        """Runs the command, and keeps what it prints.

        :raises PipelineError: the command failed
        """
        words = [self.command, *(word for name, value in options.items() for word in argument(name, value))]
        words += ["--log-format=json"] if not progress else ["--progress=always"]
        # Damaged inputs are in the counts, and are no error if the caller goes on.
        words += ["--max-damaged=100%"] if options.get("keep_going") else []
        command = [sys.executable, "-m", "sudoku_pipeline._called", *words, "--", *inputs]
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("PIPELINE_") or name in _KEPT_VARIABLES
        }
        # A new interpreter may not have the path on which the package was found.
        package = str(Path(__file__).resolve().parents[1])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH")]))
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if progress else subprocess.PIPE,
            env=environment,
        )
        try:
            out, err = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGTERM)
            process.wait()
            raise
        self.text = out.decode("utf-8", "replace")
        if process.returncode != 0:
            message = _message((err or b"").decode("utf-8", "replace"), self.folder.name)
            raise exception(message, max(process.returncode, 1))
        summary = self.path("summary.json")
        if os.path.exists(summary):
            with open(summary, encoding="utf-8") as file:
                self.counts = json.load(file)

    def table(self, name: str, **others: str) -> Table:
        """The table in a file of this run, together with the other tables that have rows."""
        beside = {}
        for role, path in others.items():
            if os.path.exists(self.path(path)):
                table = Table(self.path(path), self.folder)
                if table.num_rows:
                    beside[role] = table
        return Table(self.path(name), self.folder, counts=self.counts, text=self.text, others=beside)


def argument(name: str, value: Any) -> list[str]:
    """An option, as the command line expects it."""
    option = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    quoted = _quoted if name in ("keep", "rename", "select") else str
    if isinstance(value, Mapping):
        value = ",".join(f"{quoted(key)}={quoted(own)}" for key, own in value.items())
    elif name == "keep" and isinstance(value, (list, tuple)) and list(value) in ([], ["all"], ["none"]):
        value = value[0] if value else "none"
    elif isinstance(value, (list, tuple)):
        value = ",".join(map(quoted, value))
    return [f"{option}={value}"] if value != "" else []


def _quoted(name: Any) -> str:
    """The name of a column in quotes, as the command line expects names with any characters."""
    return '"' + str(name).replace('"', '""') + '"'


def _message(log: str, folder: str) -> str:
    """The last error in a log, or the message about wrong arguments."""
    found = ""
    plain = []
    for line in log.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            plain.append(line)
            continue
        if str(entry.get("level", "")).lower() == "error":
            found = entry.get("message") or entry.get("fields", {}).get("message", "")
    if not found:
        found = "\n".join(plain).split("\n\n")[0].strip() or "the command failed without a message"
    found = found.removeprefix("error: ")
    return " ".join(found.replace(folder + os.sep, "").split())
