"""The examples in the documentation run, and the type stubs match the module."""

import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from conftest import EASY

import sudoku_pipeline as sp

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("module", ["sudoku_pipeline", "sudoku_pipeline.polars", "sudoku_pipeline._functions", "sudoku_pipeline._moves", "sudoku_pipeline._stream"])
def test_examples_of_docstrings_run(module):
    if module.endswith(".polars"):
        pytest.importorskip("polars")
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("block", BLOCKS, ids=[block.splitlines()[0] for block in BLOCKS])
def test_examples_of_the_manual_run(block, tmp_path, monkeypatch):
    for name in re.findall(r"^(?:import|from) (\w+)", block, re.MULTILINE):
        if name != "sudoku_pipeline":
            pytest.importorskip(name)
    monkeypatch.chdir(tmp_path)
    table = pa.table({"id": range(50), "puzzle": [EASY] * 49 + ["short"]})
    pq.write_table(table, "puzzles.parquet")
    pa.csv.write_csv(table, "puzzles.csv")
    script = tmp_path / "example.py"
    script.write_text(block)
    # Spark's workers use the python3 in PATH, unless another interpreter is set.
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    run = {"capture_output": True, "text": True, "timeout": 250, "env": environment}
    done = subprocess.run([sys.executable, str(script)], **run)
    assert done.returncode == 0, done.stderr[-3000:]


def test_the_stubs_name_everything_in_the_extension_module():
    from sudoku_pipeline import _native

    stub = (Path(sp.__file__).parent / "_native.pyi").read_text()
    names = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    ours = {name for name in dir(_native) if not name.startswith("__")}
    assert names == ours
    for name in names:
        declared = set(re.findall(rf"^class {name}:.*?(?=^\S|\Z)", stub, re.MULTILINE | re.DOTALL))
        for body in declared:
            for method in re.findall(r"def (\w+)", body):
                assert hasattr(getattr(_native, name), method), f"{name}.{method}"


def test_the_functions_are_those_of_their_description():
    script = ROOT / "python" / "signatures" / "make.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_public_name_explains_itself():
    for name in sp.__all__:
        value = getattr(sp, name)
        if name == "__version__":
            continue
        assert (value.__doc__ or "").strip(), name
        bases = inspect.getmro(value) if inspect.isclass(value) else ()
        for base in (base for base in bases if base.__module__.startswith("sudoku_pipeline")):
            for own, member in vars(base).items():
                if not own.startswith("_"):
                    assert (member.__doc__ or "").strip(), f"{name}.{own}"


def test_types_are_checked(tmp_path):
    pytest.importorskip("mypy")
    modules = [f"sudoku_pipeline{name}" for name in ("", "._arrays", "._errors", "._command", "._data", "._datasets", "._functions", "._generate", "._grids", "._isomorph", "._moves", "._native", "._page", "._rows", "._run", "._show", "._stream", "._table", "._write")]
    options = ["--strict", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir=/dev/null"]
    command = [sys.executable, "-m", "mypy", *options, *(f"-m{module}" for module in modules)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_notebook_runs(tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat", reason="NOT RUN: nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="NOT RUN: nbclient is not installed")
    pytest.importorskip("ipykernel", reason="NOT RUN: ipykernel is not installed")
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    notebook = nbformat.read(ROOT / "python" / "notebook.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    shown = [
        output["data"]["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    assert sum(page.count("data:image/svg+xml") for page in shown) >= 6
    assert any("<table" in page for page in shown) and any("srcdoc=" in page for page in shown)


def test_the_pictures_of_the_readme_are_those_of_the_package():
    puzzle = sp.Puzzle("4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........")
    for name, svg in (("puzzle", puzzle.svg()), ("hint", puzzle.hint().svg())):
        path = ROOT / "python" / "pictures" / f"{name}.svg"
        if os.environ.get("UPDATE_PICTURES"):
            path.write_text(svg)
        assert path.read_text() == svg, "UPDATE_PICTURES=1 writes it"


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types_of_the_manuals_examples_are_checked(checker, tmp_path):
    pytest.importorskip(checker, reason=f"NOT RUN: {checker} is not installed")
    files = []
    for at, block in enumerate(BLOCKS):
        # The type stubs of these libraries lack the namespace of expressions, or return Optional values.
        if not any(word in block for word in ("pyspark", ".sudoku.", "duckdb")):
            path = tmp_path / f"example_{at}.py"
            path.write_text(block)
            files.append(str(path))
    options = {
        "mypy": ["--strict", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir=/dev/null", "--allow-subclassing-any"],
        "pyright": ["--pythonpath", sys.executable],
    }[checker]
    done = subprocess.run([sys.executable, "-m", checker, *options, *files], cwd=tmp_path, capture_output=True, text=True)
    unresolved = ("could not be resolved", "errors,", "Found ", "import-not-found", "import-untyped")
    wrong = [line for line in done.stdout.splitlines() if "error" in line and not any(word in line for word in unresolved)]
    assert not wrong, done.stdout
