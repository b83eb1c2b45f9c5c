"""Type checkers accept a script with every function, and find values that do not exist."""

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import sudoku_pipeline as sp
from sudoku_pipeline import _native, options

SCRIPT = Path(__file__).parent / "typed.py"

# Each line is wrong, and the checkers must find it.
WRONG = """
sp.grade(boards, ladder="ful")
sp.grade(boards, ladder=["x-wing"])
sp.grade(boards, with_=["see"])
sp.grade(boards, with_="see")
sp.grade(boards, hodoku_version="2.4")
sp.grade(boards, rejects="row")
sp.grade(boards, input_format="xlsx")
sp.grade(boards, types={"id": "int"})
sp.grade(boards, threds=2)
sp.convert(boards, schema="inputs")
sp.generate(10, level="mediun")
sp.generate(10, technique="xwing")
sp.generate(10, symmetry="rotation")
sp.dedup(boards, by="isomorphs")
sp.split(boards, {"a": 1.0}, by="rows")
sp.audit({"a": boards}, prefer="middle")
sp.trace(boards, format="tables")
sp.evaluate(boards, boards, prediction_format="xlsx")
sp.check_moves(boards, boards, ladder="ful")
sp.explain(puzzle, format="md")
sp.explain(puzzle, rating="ser")
sp.schema("grades")
sp.grade(boards).to_arrow(rejects="nulls")
sp.grade(boards).write("a", format="excel")
sp.solve(boards).to_numpy(["puzzle"]).shape
puzzle.grade(ladder="ful")
puzzle.hint(technique="xwing")
puzzle.svg("board")
puzzle.candidates + "a"
puzzle.count().exakt
"""


def checked(checker, path):
    """The lines of a script in which a checker finds an error."""
    options = {
        "mypy": ["--strict", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir=/dev/null"],
        "pyright": ["--pythonpath", sys.executable],
    }[checker]
    command = [sys.executable, "-m", checker, *options, path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True)
    found = re.findall(rf"{path.name}:(\d+):.*error", done.stdout)
    return {int(line) for line in found}, done.stdout


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_script_of_all_functions_has_no_type_error(checker, tmp_path):
    pytest.importorskip(checker, reason=f"NOT RUN: {checker} is not installed")
    path = tmp_path / "typed.py"
    path.write_text(SCRIPT.read_text())
    lines, output = checked(checker, path)
    assert not lines, output


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_values_that_do_not_exist_are_type_errors(checker, tmp_path):
    pytest.importorskip(checker, reason=f"NOT RUN: {checker} is not installed")
    head = 'import numpy as np\nimport sudoku_pipeline as sp\n\nboards = np.zeros((2, 81), dtype=np.uint8)\npuzzle = sp.Puzzle("")\n'
    path = tmp_path / "wrong.py"
    path.write_text(head + WRONG.lstrip("\n"))
    lines, output = checked(checker, path)
    first = head.count("\n") + 1
    wrong = WRONG.strip().splitlines()
    missed = [line for at, line in enumerate(wrong) if at + first not in lines]
    assert not missed, output


def test_the_script_calls_every_function_and_runs(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    script = SCRIPT.read_text()
    functions = [name for name in sp.__all__ if inspect.isroutine(getattr(sp, name))]
    methods = [name for name in dir(sp.Puzzle) if not name.startswith("_")]
    missing = [name for name in functions if f"sp.{name}(" not in script] + [name for name in methods if f"puzzle.{name}" not in script]
    assert not missing
    monkeypatch.chdir(tmp_path)
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize(
    ("literal", "kind"),
    [
        (options.Technique, "techniques"),
        (options.Level, "levels"),
        (options.WithColumn, "with"),
        (options.Symmetry, "symmetries"),
        (options.InputFormat, "input_formats"),
        (options.OutputFormat, "output_formats"),
    ],
)
def test_the_types_have_the_names_of_the_tool(literal, kind):
    assert sorted(get_args(literal)) == sorted(_native.ids(kind))


def test_the_verdicts_have_the_names_of_the_tool():
    assert set(get_args(options.Verdict)) == set(_native.move_verdicts())


def test_help_describes_every_option():
    for name in sp.__all__:
        function = getattr(sp, name)
        if not inspect.isroutine(function):
            continue
        described = set(re.findall(r":param (\w+):", function.__doc__ or ""))
        parameters = {name for name in inspect.signature(function).parameters if name not in ("kwargs", "options")}
        if len(parameters) > 3:
            assert described >= parameters, (name, parameters - described)
