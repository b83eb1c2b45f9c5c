"""The functions whose work is about whole datasets: each runs a command, and returns its tables as objects.

The options are those of the command with the same name; files that the command would write are objects here.
"""

from __future__ import annotations

import csv
import json
import os
from typing import Any, Mapping, Sequence

from sudoku_pipeline import _data
from sudoku_pipeline._errors import UsageError
from sudoku_pipeline._page import Page
from sudoku_pipeline._run import Run
from sudoku_pipeline._table import Audit, Figures, Parts, Table

# Arguments of the functions that are no options of the command.
_OURS = ("data", "sets", "a", "b", "predictions", "against", "blank", "progress", "format")


def dedup(
    data: Any,
    *,
    by: str = "isomorph",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Keeps the first puzzle of each class of equal ones. ``table.duplicates`` has the others, each with the row that it
    repeats.

    :param by: which puzzles are equal: ``"exact"``, ``"isomorph"``, ``"solution"`` or ``"grid"``
    :param blank: the character of an empty cell in the result; or, as a number, that of an empty cell in arrays

    >>> import sudoku_pipeline as sp
    >>> puzzle = sp.Puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> unique = sp.dedup([puzzle, puzzle.isomorph(1)])
    >>> len(unique), len(unique.duplicates)
    (1, 1)
    """
    return _table("dedup", data, locals(), duplicates="duplicates.arrow")


def split(
    data: Any,
    into: Mapping[str, float | int | str] | str | None = None,
    *,
    folds: int | None = None,
    by: str = "grid",
    stratify: str | None = None,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Parts:
    """Splits a dataset into parts that share no puzzle.

    :param into: the parts and their sizes, as in ``{"train": 0.9, "test": 0.1}``: shares, numbers of rows or ``"rest"``
    :param folds: instead of ``into``, this many parts of the same size
    :param by: puzzles that never go to different parts
    :param stratify: a column of which each part gets its share of every value

    >>> import sudoku_pipeline as sp
    >>> parts = sp.split(sp.generate(20, seed=1), {"train": 0.5, "test": 0.5}, seed=3)
    >>> sorted(parts), sum(len(part) for part in parts.values())
    (['test', 'train'], 20)
    """
    run = Run("split")
    given = _given(run, locals())
    inputs = run.input(data, "input.arrow", _blank(blank))
    run.run(inputs, {**given, "output": run.path("parts"), "format": "arrow"}, progress=progress)
    names = run.counts["parts"]
    parts = {name: run.table(os.path.join("parts", f"{name}.arrow")) for name in names}
    return Parts(parts, run.counts, _beside(run, "rejects"))


def audit(
    sets: Mapping[str, Any],
    *,
    duplicates_by: str = "isomorph",
    shared_by: str = "grid",
    prefer: str = "last",
    title: str | None = None,
    solution_limit: int | None = None,
    node_limit: int | None = None,
    with_: str | Sequence[str] = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: str | None = None,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Audit:
    """Finds what is invalid, repeated or shared in several sets. The result has the sets without it, the removed rows
    with the reason, the card of the dataset, and a page with charts.

    :param sets: the sets by their names, the test set last: ``{"train": train, "test": test}``
    :param duplicates_by: the rows of a set of which the first stays: ``"isomorph"``, ``"exact"`` or ``"none"``
    :param shared_by: the rows of several sets that stay in one of them: ``"grid"``, ``"solution"``, ``"isomorph"``,
        ``"exact"`` or ``"none"``
    :param prefer: the set that keeps them: ``"last"`` or ``"first"``

    >>> import sudoku_pipeline as sp
    >>> puzzles = [row.as_py() for row in sp.generate(6, seed=1).to_arrow().column("puzzle")]
    >>> found = sp.audit({"train": puzzles, "test": [sp.Puzzle(puzzles[0]).isomorph(1)]})
    >>> len(found["train"]), len(found["test"]), len(found.removed)
    (5, 1, 1)
    """
    run = Run("audit")
    given = _given(run, locals())
    # Those of an audit are in its folder.
    del given["rejects"]
    inputs = [f"{name}={_one_input(run, data, f'{name}.arrow', _blank(blank))}" for name, data in sets.items()]
    folder = run.path("audit")
    run.run(inputs, {**given, "output": folder, "format": "arrow"}, progress=progress)
    with open(os.path.join(folder, "_audit.json"), encoding="utf-8") as file:
        findings = json.load(file)
    tables = {name: run.table(os.path.join("audit", f"{name}.arrow")) for name in sets}
    removed = run.table(os.path.join("audit", "_removed.arrow"))
    rejects, rejected = os.path.join(folder, "_rejects.csv"), []
    if os.path.exists(rejects):
        with open(rejects, encoding="utf-8", newline="") as file:
            rejected = list(csv.DictReader(file))
    return Audit(
        tables,
        findings,
        rejected=rejected,
        removed=removed,
        card=_text(os.path.join(folder, "README.md")),
        page=Page(_text(os.path.join(folder, "_report.html"))),
        text=run.text,
    )


def overlap(
    a: Any,
    b: Any,
    *,
    by: str = "grid",
    max: int | str | None = None,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Finds the puzzles of ``b`` that ``a`` has too. The table has a row for each pair; ``table.counts`` says how many rows of
    ``b`` have a twin in ``a``.

    :param max: fail if there are more: a number, or a percentage such as ``"0.5%"``
    """
    run = Run("overlap")
    given = _given(run, locals())
    inputs = [_one_input(run, data, name, _blank(blank)) for data, name in ((a, "a.arrow"), (b, "b.arrow"))]
    run.run(inputs, {**given, "output": run.path("output.arrow"), "format": "arrow"}, progress=progress)
    return run.table("output.arrow", rejects="rejects.arrow")


def augment(
    data: Any,
    copies: int,
    *,
    with_original: bool = False,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    schema: str = "input",
    blank: str | int = ".",
    fix_solutions: bool = False,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Makes isomorphs of every puzzle, with the transformation.

    :param copies: how many of each
    :param with_original: also each row itself, before its copies
    """
    return _table("augment", data, locals())


def trace(
    data: Any,
    *,
    node_limit: int | None = None,
    template: Mapping[str, str] | None = None,
    format: str = "table",
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Any:
    """Returns the verified steps that solve each puzzle, as nested columns.

    :param template: texts with the placeholders ``{puzzle}``, ``{solution}`` and ``{steps}``: the result is a list of
        dictionaries with these texts, as in ``{"prompt": "Solve {puzzle}", "answer": "{steps}"}``
    :param format: ``"table"``; or ``"chat"`` for a list of messages for training, a dictionary for each puzzle
    """
    if format not in ("table", "chat"):
        raise UsageError(f'format={format!r}: must be "table" or "chat"')
    if format == "table" and template is None:
        return _table("trace", data, locals())
    run = Run("trace")
    given = _given(run, locals())
    inputs = run.input(data, "input.arrow", _blank(blank))
    if template is None:
        given["format"] = "chat"
    else:
        given["template"] = run.path("template.json")
        with open(given["template"], "w", encoding="utf-8") as file:
            json.dump(dict(template), file)
    run.run(inputs, {**given, "output": run.path("rows.ndjson")}, progress=progress)
    with open(run.path("rows.ndjson"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def compare(
    data: Any,
    *,
    solvers: str | Sequence[str] | None = None,
    label: str | None = None,
    guess_limit: int | None = None,
    solution_limit: int | None = None,
    repeat: int | None = None,
    parallel_runs: int | None = None,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Compares the guesses and times of several solvers. The table has a row for each run; ``table.text`` has the summary.

    :param label: a column that groups the puzzles
    """
    return _table("compare", data, locals())


def evaluate(
    data: Any,
    predictions: Any = None,
    *,
    prediction_column: str | None = None,
    prediction_format: str | None = None,
    key: str | None = None,
    extract: bool = False,
    against: Any = None,
    min_exact: int | str | None = None,
    solution_limit: int | None = None,
    node_limit: int | None = None,
    with_: str | Sequence[str] = (),
    se_max: float | str | None = None,
    se_work: int | None = None,
    hodoku_version: str | None = None,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    where: str | None = None,
    select: str | Sequence[str] | None = None,
    rename: Mapping[str, str] | None = None,
    max_rejects: int | str | None = None,
    max_wrong: int | str | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Table:
    """Judges the predictions of a model. The table has a row for each puzzle, ``table.counts["evaluation"]`` the figures, and
    ``table.text`` their tables.

    :param data: the puzzles
    :param predictions: the predictions row by row, as arrays, texts or a table; without it they are a column of ``data``
    :param extract: take the last board out of each prediction, which is the text of a language model
    :param against: the predictions of another model

    >>> import sudoku_pipeline as sp
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> judged = sp.evaluate([puzzle], sp.solve(puzzle).to_numpy("solution"))
    >>> judged.counts["evaluation"]["exact"]
    1
    """
    run = Run("evaluate")
    given = _given(run, locals())
    inputs = [_one_input(run, data, "input.arrow", _blank(blank))] if predictions is not None else []
    inputs = inputs or run.input(data, "input.arrow", _blank(blank))
    if predictions is not None:
        inputs.append(_one_input(run, predictions, "predictions.arrow", _blank(blank)))
        if prediction_column is None and not _is_path(predictions) and not hasattr(predictions, "schema"):
            given["prediction_column"] = "puzzle"
    if against is not None:
        given["against"] = _one_input(run, against, "against.arrow", _blank(blank))
    run.run(inputs, {**given, "output": run.path("output.arrow"), "format": "arrow"}, progress=progress)
    return run.table("output.arrow", rejects="rejects.arrow")


def stats(
    data: Any,
    *,
    merge: bool = False,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    where: str | None = None,
    by: str | Sequence[str] = (),
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Figures:
    """Computes the statistics of tables: levels, techniques, clues, effort, duplicates, labels and any other column. The
    result is a dictionary that shows itself as tables.

    :param data: a table in memory, a stream, or paths; with ``merge`` paths of statistics as JSON
    :param by: the columns that group the rows
    """
    run = Run("stats")
    given = _given(run, locals())
    inputs = run.input(data, "input.arrow", blank)
    run.run(inputs, {**given, "output": run.path("stats.json"), "format": "json"}, progress=progress)
    with open(run.path("stats.json"), encoding="utf-8") as file:
        figures = json.load(file)
    # The tables of the same figures, which are not counted twice.
    run.run([run.path("stats.json")], {"merge": True, "format": "text"})
    return Figures(figures, run.text)


def report(
    data: Any,
    *,
    against: Any = None,
    title: str | None = None,
    card: bool = False,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
    shard: str | None = None,
    keep_going: bool = False,
    allow_empty: bool = False,
    skip: int = 0,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
    where: str | None = None,
    by: str | Sequence[str] = (),
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: bool = False,
) -> Page:
    """Draws a page with charts of tables, which a notebook shows.

    :param data: a table in memory, a stream, or paths; also the statistics of :func:`stats`
    :param against: another dataset, beside which this one is shown
    :param title: the title of the page
    :param card: return the description of the dataset in Markdown instead of the page
    """
    run = Run("report")
    given = _given(run, locals())
    inputs = _table_input(run, data, "input", blank)
    if against is not None:
        given["against"] = _table_input(run, against, "against", blank)[0]
    if card:
        given.pop("card")
        run.run(inputs, {**given, "card": run.path("card.md")}, progress=progress)
        return Page(_text(run.path("card.md")))
    run.run(inputs, {**given, "output": run.path("report.html")}, progress=progress)
    return Page(_text(run.path("report.html")))


def inspect(
    data: Any,
    *,
    puzzle_column: str | None = None,
    solution_column: str | None = None,
    keep: str | Sequence[str] = "all",
    alphabet: str | None = None,
    blank: int = 0,
    input_format: str | None = None,
    delimiter: str | None = None,
    max_record_bytes: int | str | None = None,
    infer_types: str | None = None,
    types: Mapping[str, str] | None = None,
    token_offset: int | None = None,
) -> Figures:
    """Describes a file: its format, its columns and its first records.

    The result is a dictionary; of several files, that of the first, with the others under ``"others"``.
    """
    run = Run("inspect")
    given = _given(run, {**locals(), "progress": False}, writes_files=False)
    inputs = run.input(data, "input.arrow", blank)
    run.run(inputs, {**given, "format": "json"})
    files = _objects(run.text)
    run.run(inputs, {**given, "format": "text"})
    others = {"others": files[1:]} if len(files) > 1 else {}
    return Figures({**files[0], **others}, run.text)


def _near(given: Mapping[str, Any]) -> Table:
    """Generates the puzzles near others."""
    run = Run("generate")
    options = {name: value for name, value in given.items() if name not in ("count", "near", "progress")}
    for name, default in (("skip", 0), ("size", 9), ("symmetry", "none"), ("solutions", 1), ("max_attempts", 10_000)):
        if options[name] == default:
            del options[name]
    options["near"] = _one_input(run, given["near"], "near.arrow", 0)
    options.update(output=run.path("output.arrow"), format="arrow")
    count = [] if given["count"] is None else [str(given["count"])]
    run.run(count, options, progress=given["progress"])
    return run.table("output.arrow")


def _table(command: str, data: Any, given: Mapping[str, Any], **others: str) -> Table:
    """Runs a command that writes one table."""
    run = Run(command)
    options = _given(run, given)
    inputs = run.input(data, "input.arrow", _blank(given["blank"]))
    for role, name in others.items():
        options[role] = run.path(name)
    options["output"] = run.path("output.arrow")
    run.run(inputs, options, progress=given["progress"])
    return run.table("output.arrow", rejects="rejects.arrow", **others)


def _given(run: Run, given: Mapping[str, Any], *, writes_files: bool = True) -> dict[str, Any]:
    """The options of the command among the arguments of a function."""
    if given.get("select") == []:
        raise UsageError("select=[]: name at least one column")
    options = {name: value for name, value in given.items() if name not in _OURS and name != "run"}
    if isinstance(given.get("blank"), str):
        options["blank"] = given["blank"]
    if options.get("skip") == 0:
        del options["skip"]
    if options.get("seed") == 0 and run.command not in ("augment", "split"):
        del options["seed"]
    if writes_files and run.command not in ("stats", "report"):
        options.update(rejects=run.path("rejects.arrow"), summary=run.path("summary.json"))
    return options


def _blank(blank: str | int) -> int:
    """The number of an empty cell in arrays."""
    return 0 if isinstance(blank, str) else blank


def _one_input(run: Run, data: Any, name: str, blank: int) -> str:
    """The one input that the data is."""
    paths = run.input(data, name, blank)
    if len(paths) != 1:
        raise UsageError(f"{len(paths)} paths where one is needed: give a folder or a pattern")
    return paths[0]


def _table_input(run: Run, data: Any, name: str, blank: int) -> list[str]:
    """The inputs of a report: a table, or statistics."""
    if isinstance(data, Figures):
        path = run.path(f"{name}.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(data.to_json())
        return [path]
    return run.input(data, f"{name}.arrow", blank)


def _is_path(data: Any) -> bool:
    return isinstance(_data.prepared(data), _data.Paths)


def _beside(run: Run, name: str) -> Table | None:
    """A table of this run that may not be there."""
    return run.table(f"{name}.arrow") if os.path.exists(run.path(f"{name}.arrow")) else None


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects that follow each other in a text."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        while at < len(text) and text[at].isspace():
            at += 1
    return found


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
