"""Implements the functions over whole datasets. Each runs a command, and returns its tables as objects.

The functions have the arguments of those with the same names in ``_functions.py``. The options are those of the
command. Files that the command would write are returned as objects.
"""

from __future__ import annotations

import csv
import json
import os
import re
from typing import Any, Mapping

from sudoku_pipeline import _answers, _data, _labels
from sudoku_pipeline._errors import DataError, RejectsWarning, UsageError, for_python, warn
from sudoku_pipeline._page import Page
from sudoku_pipeline._positions import Positions
from sudoku_pipeline._run import Run
from sudoku_pipeline._table import Audit, Figures, Parts, Table

# Arguments of the functions that are not options of the command.
_OURS = ("data", "sets", "a", "b", "predictions", "against", "near", "count", "blank", "progress", "format")

Arguments = Mapping[str, Any]

# The arguments that are data.
_DATA = ("data", "a", "b", "predictions", "against")
# For each command, the most rows, with their copies and predictions, that run on the caller's thread. Starting other threads takes about as long,
# and much longer on a machine whose cores are busy. The hardest of these puzzles take a second, in which no signal is handled.
_FEW_ROWS = {"augment": 1024, "dedup": 256, "split": 256, "overlap": 256, "audit": 64, "evaluate": 128, "trace": 16}
# Options of functions whose default is that of the command.
_DEFAULTS = (("schema", "input"), ("blank", "."), ("keep", "all"))
# The name of a set, which is also the name of a file.
_NAME = re.compile(r"\w[\w.-]*")
# Options with which a row can take seconds.
_SLOW = ("node_limit", "solution_limit")


class _Call(Run):
    """The run of a command for one function call."""

    def __init__(self, command: str, arguments: Arguments) -> None:
        is_slow = any(arguments.get(name) is not None for name in _SLOW) or arguments.get("with_") or arguments.get("progress")
        is_quick = command in _FEW_ROWS and not is_slow
        copies = arguments.get("copies", 1)
        self._few_rows = _FEW_ROWS[command] // max(copies, 1) if is_quick and isinstance(copies, int) else 0
        super().__init__(command, self._few_rows > 0 and _most_rows(arguments) <= self._few_rows)
        if arguments.get("select") in ([], ()):
            raise UsageError("select=[]: name at least one column")
        options = {name: value for name, value in arguments.items() if name not in _OURS}
        blank = arguments.get("blank")
        blank = 0 if blank is None else blank
        if isinstance(blank, str):
            options["blank"] = blank
        if options.get("skip") == 0:
            del options["skip"]
        for name, default in _DEFAULTS:
            if options.get(name) == default:
                del options[name]
        if options.get("seed") == 0 and command not in ("augment", "generate", "split"):
            del options["seed"]
        self.has_counts = command not in ("generate", "inspect", "report", "stats")
        if self.has_counts:
            options["rejects"] = self.path("rejects.arrow")
        self.options = options
        # The number that stands for an empty cell in arrays.
        self.blank = 0 if isinstance(blank, str) else blank
        self._progress = bool(arguments.get("progress"))

    def inputs(self, data: Any, name: str = "input", *, keeps_labels: bool = False) -> list[str]:
        """The inputs of the command: the paths in the data, or a temporary file with the data."""
        return self.input(data, name, self.blank, labels=_labels.Labels.of_data(data, self.options) if keeps_labels else None)

    def one(self, data: Any, name: str, *, keeps_labels: bool = False) -> str:
        """The single input for the data."""
        return self.one_input(data, name, self.blank, labels=_labels.Labels.of_data(data, self.options) if keeps_labels else None)

    def warn_of_rejects(self) -> None:
        """Warns that records were rejected and are not in the result."""
        number = self.counts.get("rejected", 0)
        if number:
            were = "s were" if number > 1 else " was"
            warn(
                f"{number:,} record{were} rejected and {'are' if number > 1 else 'is'} not in the result of {self.command}(); .rejects "
                "has the positions and the errors",
                RejectsWarning,
            )

    def positions(self, arguments: Arguments, inputs: list[str]) -> Positions:
        """Where the rows of the result are in the data.

        :param inputs: those of the data
        """
        several_files = len(inputs) != 1 or not os.path.isfile(inputs[0])
        return Positions(self.command, arguments, several_files)

    def execute(self, inputs: list[str], **more: Any) -> None:
        """Runs the command with its own options and ``more``."""
        on_caller = self.rows is not None and self.rows <= self._few_rows
        self.run(inputs, {**self.options, **more}, progress=self._progress, on_caller=on_caller)

    def read(self, name: str) -> str:
        """The text in a file that the command wrote."""
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


def _most_rows(arguments: Arguments) -> float:
    """A number that the rows of all data do not exceed; infinity if none is known."""
    given = [arguments[name] for name in _DATA if arguments.get(name) is not None]
    return sum(map(_data.most_rows, [*given, *arguments.get("sets", {}).values()]))


def table(command: str, arguments: Arguments, **others: str) -> Table:
    """Runs a command that writes a table, and optionally other tables."""
    call = _Call(command, arguments)
    files = {role: call.path(name) for role, name in others.items()}
    # The rows of a comparison are several for each record.
    inputs = call.inputs(arguments["data"], keeps_labels=command != "compare")
    call.execute(inputs, output=call.path("output.arrow"), **files)
    if command in ("augment", "dedup"):
        call.warn_of_rejects()
    return call.table("output.arrow", positions=call.positions(arguments, inputs), rejects="rejects.arrow", **others)


def split(arguments: Arguments) -> Parts:
    call = _Call("split", arguments)
    call.execute(call.inputs(arguments["data"], keeps_labels=True), output=call.path("parts"), format="arrow")
    call.warn_of_rejects()
    parts = {name: call.table(os.path.join("parts", f"{name}.arrow")) for name in call.counts["parts"]}
    has_rejects = os.path.exists(call.path("rejects.arrow"))
    return Parts(parts, call.counts, call.table("rejects.arrow") if has_rejects else None)


def _by_name(sets: Any) -> Mapping[str, Any]:
    """The sets of an audit by name. Data of one set, also as a dictionary of columns, has the name ``data``."""
    if sets is None:
        raise TypeError('sets: datasets by name are needed, such as {"train": a, "test": b}, or one dataset, and not None')
    if not isinstance(sets, Mapping) or "puzzle" in sets:
        return {"data": sets}
    if not sets:
        raise UsageError("sets={}: give at least one dataset")
    for name in sets:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise UsageError(f"sets: the name {name!r} has other characters than letters, digits, - and _")
    return sets


def audit(arguments: Arguments) -> Audit:
    sets = _by_name(arguments["sets"])
    call = _Call("audit", {**arguments, "sets": sets})
    # An audit writes its rejects to its own folder.
    del call.options["rejects"]
    inputs = [f"{name}={call.one(data, name, keeps_labels=True)}" for name, data in sets.items()]
    call.execute(inputs, output=call.path("audit"), format="arrow")
    rejects, rejected = call.path(os.path.join("audit", "_rejects.csv")), []
    if call.counts["rejected"] and os.path.exists(rejects):
        with open(rejects, encoding="utf-8", newline="") as file:
            rejected = list(csv.DictReader(file))
    return Audit(
        {name: call.table(os.path.join("audit", f"{name}.arrow"), labels_of=name) for name in sets},
        call.counts["audit"],
        rejected=rejected,
        # Its rows are those of several sets.
        removed=call.table(os.path.join("audit", "_removed.arrow"), labels_of=""),
        texts=call.audit,
        folder=call.path("audit"),
        text=call.text,
    )


def overlap(arguments: Arguments) -> Table:
    call = _Call("overlap", arguments)
    inputs = [call.one(arguments[name], name) for name in ("a", "b")]
    call.execute(inputs, output=call.path("output.arrow"), format="arrow")
    return call.table("output.arrow", rejects="rejects.arrow")


def trace(arguments: Arguments) -> Any:
    format, template = arguments["format"], arguments["template"]
    if format not in ("table", "chat", "steps-npy"):
        raise UsageError(f'format={format!r}: must be "table", "chat" or "steps-npy"')
    if format == "steps-npy":
        return _step_arrays(arguments)
    if format == "table" and template is None:
        return table("trace", arguments)
    call = _Call("trace", arguments)
    if template is None:
        call.options["format"] = "chat"
    else:
        call.options["template"] = call.path("template.json")
        with open(call.options["template"], "w", encoding="utf-8") as file:
            json.dump(dict(template), file)
    call.execute(call.inputs(arguments["data"]), output=call.path("rows.ndjson"))
    return [json.loads(line) for line in call.read("rows.ndjson").splitlines()]


def _step_arrays(arguments: Arguments) -> Any:
    import numpy

    if arguments["template"] is not None:
        raise UsageError('format="steps-npy" has no texts, so leave template= out')
    call = _Call("trace", arguments)
    call.options["format"] = "steps-npy"
    call.execute(call.inputs(arguments["data"]), output=call.path("steps.npy"))
    return numpy.load(call.path("steps.npy"))


def evaluate(arguments: Arguments) -> Table:
    call = _Call("evaluate", arguments)
    takes_all = all(arguments[name] in (None, 0) for name in ("skip", "limit", "sample", "shard"))
    by_row = takes_all and arguments["key"] is None
    data, predictions, against = (arguments[name] for name in ("data", "predictions", "against"))
    predictions, against = _answers.completions(predictions), _answers.completions(against)
    steps = arguments["steps"]
    if steps is not None and not isinstance(steps, str):
        if predictions is not None:
            raise UsageError("steps= has the moves, so give no predictions; or name their column: steps='moves'")
        # The format is not recognised: one object with a list can also be a file of records.
        call.options.update(steps="steps", prediction_format="ndjson")
        steps = _answers.sequences(steps)
        with open(call.path("steps.ndjson"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"steps": moves}) + "\n" for moves in steps)
        inputs = [call.one(data, "input", keeps_labels=True), call.path("steps.ndjson")]
        puzzles = call.rows
        if by_row:
            _refuse_fewer(puzzles, len(steps), "sequences of steps")
    elif predictions is None:
        inputs = call.inputs(data, keeps_labels=True)
        puzzles = call.rows
    else:
        ready = _data.prepared(predictions, call.blank)
        inputs = [call.one(data, "input", keeps_labels=True)]
        puzzles = call.rows
        inputs.append(call.one(ready, "predictions"))
        if by_row and puzzles is not None and call.rows is not None:
            _refuse_fewer(puzzles, call.rows - puzzles, "predictions")
        if arguments["prediction_column"] is None and steps is None:
            names = _data.column_names(ready)
            if names is None and not isinstance(ready, _data.Paths):
                call.options["prediction_column"] = "puzzle"
            elif names is not None and len(names) == 1:
                call.options["prediction_column"] = names[0]
    positions = call.positions(arguments, inputs if predictions is None and not isinstance(steps, list) else inputs[:1])
    if against is not None:
        before = call.rows
        call.options["against"] = call.one(against, "against")
        if by_row and before is not None and call.rows is not None:
            _refuse_fewer(puzzles, call.rows - before, "predictions in against=")
    call.execute(inputs, output=call.path("output.arrow"), format="arrow")
    return call.table("output.arrow", positions=positions, rejects="rejects.arrow")


def _refuse_fewer(puzzles: int | None, answers: int, what: str) -> None:
    """Refuses data in memory with fewer answers than puzzles: their rows are hardly those of the first puzzles."""
    if puzzles is not None and answers < puzzles:
        raise DataError(
            f"{answers:,} {what} for {puzzles:,} puzzles: give one for each, with None where the model gave none, or the column "
            "that joins them, key=; limit= judges the first puzzles only"
        )


def stats(arguments: Arguments) -> Figures:
    call = _Call("stats", arguments)
    call.execute(call.inputs(arguments["data"]), output=call.path("stats.json"), format="json")
    figures = json.loads(call.read("stats.json"))
    # The second run makes the tables from the same statistics, without counting again.
    call.run([call.path("stats.json")], {"merge": True, "format": "text"})
    return Figures(figures, call.text())


def report(arguments: Arguments) -> Page:
    call = _Call("report", arguments)
    inputs = call.inputs(arguments["data"])
    if arguments["against"] is not None:
        call.options["against"] = call.inputs(arguments["against"], "against")[0]
    output = "card" if call.options.pop("card") else "output"
    call.execute(inputs, **{output: call.path("page")})
    # The page names the version of the command that made it; the others are advice.
    return Page(for_python(call.read("page"), "grade|audit|explain"))


def inspect(arguments: Arguments) -> Figures:
    call = _Call("inspect", arguments)
    inputs = call.inputs(arguments["data"])
    call.execute(inputs, format="json")
    files = _objects(call.text())
    call.execute(inputs, format="text")
    text = call.text()
    if not isinstance(_data.prepared(arguments["data"]), _data.Paths):
        # The data is in memory, and the file is temporary.
        shown = os.path.splitext(os.path.basename(inputs[0]))[0]
        files = [{**file, "source": shown, "convert": None} for file in files]
        text = text.replace(inputs[0], shown).partition("\nconvert ")[0] + "\n"
    others = {"others": files[1:]} if len(files) > 1 else {}
    return Figures({**files[0], **others}, text)


def near(arguments: Arguments) -> Table:
    """Generates the puzzles that are near the given ones."""
    call = _Call("generate", arguments)
    for name, default in (("size", 9), ("symmetry", "none"), ("solutions", 1), ("max_attempts", 10_000)):
        if call.options[name] == default:
            del call.options[name]
    call.options["near"] = call.one(arguments["near"], "near")
    count = [] if arguments["count"] is None else [str(arguments["count"])]
    call.execute(count, output=call.path("output.arrow"), format="arrow")
    return call.table("output.arrow")


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects in a text, one after the other."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        while at < len(text) and text[at].isspace():
            at += 1
    return found
