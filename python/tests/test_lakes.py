"""The cookbook's programs that append each night's files to a Delta table and to an Iceberg table."""

import contextlib
import gzip
import io
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import EASY

COOKBOOK = Path(__file__).parents[2] / "docs" / "cookbook.md"
BLOCKS = re.findall(r"```python\n(.*?)```", COOKBOOK.read_text(), re.DOTALL)

# Does something when the program has asked the table for its files, before it reads the new ones.
BEFORE_READING = """
import subprocess, sys
import sudoku_pipeline
graded = sudoku_pipeline.grade
def grade(*arguments, **options):
    {action}
    return graded(*arguments, **options)
sudoku_pipeline.grade = grade
"""
# Does something when the program has read all rows, before it commits them.
AFTER_READING = """
import os, signal, subprocess, sys
import pyarrow
import sudoku_pipeline
graded = sudoku_pipeline.grade
def grade(*arguments, **options):
    reader = pyarrow.RecordBatchReader.from_stream(graded(*arguments, **options))
    def batches():
        yield from reader
        {action}
    return pyarrow.RecordBatchReader.from_batches(reader.schema, batches())
sudoku_pipeline.grade = grade
"""
KILL = "os.kill(os.getpid(), signal.SIGKILL)"
KILL_AT_COMMIT = f"""
import os, signal
from pyiceberg.catalog.sql import SqlCatalog
SqlCatalog.commit_table = lambda *arguments, **options: {KILL}
"""


class Lake:
    """A folder with the program of a recipe, its inputs and its table."""

    def __init__(self, folder, package):
        pytest.importorskip(package, reason=f"NOT RUN: {package} is not installed")
        self.folder = folder
        self.package = package
        (found,) = [block for block in BLOCKS if re.search(rf"^from {package}\b", block, re.MULTILINE)]
        # pyiceberg appends the few rows of a test in several parts.
        self.program = found.replace("islice(reader, 250)", "islice(reader, 1)")
        (folder / "night.py").write_text(self.program)
        (folder / "incoming").mkdir()

    def arrive(self, name, columns, *rows):
        """Writes an input with these rows beside the puzzle in each of them."""
        lines = [",".join([*columns, "puzzle"]), *(",".join([*row, EASY]) for row in rows)]
        (self.folder / "incoming" / name).write_bytes(gzip.compress("\n".join(lines).encode() + b"\n", mtime=0))

    def run(self, before=""):
        """Runs the program in a process of its own, after these lines."""
        command = [sys.executable, "-c", before + self.program]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=250)

    def night(self):
        """Runs the program in this process, which has imported the packages, and returns what it prints."""
        printed = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
            patch.chdir(self.folder)
            runpy.run_path("night.py")
        return printed.getvalue().strip()

    def table(self):
        """The table, opened with its own package."""
        if self.package == "deltalake":
            from deltalake import DeltaTable

            return DeltaTable(self.folder / "lake" / "graded")
        from pyiceberg.catalog import load_catalog

        return load_catalog("lake", type="sql", uri=f"sqlite:///{self.folder}/catalog.db").load_table("sudoku.graded")

    def commits(self):
        """How many commits there are after the creation of the table."""
        table = self.table()
        return table.version() if self.package == "deltalake" else len(table.metadata.metadata_log)

    def arrow(self):
        """All rows, as the package reads them."""
        table = self.table()
        return table.to_pyarrow_table() if self.package == "deltalake" else table.scan().to_arrow()

    def query(self, query):
        """The result of a query of DuckDB's over the rows."""
        duckdb = pytest.importorskip("duckdb")
        connection = duckdb.connect()
        connection.register("graded", self.arrow())
        return connection.sql(query).fetchall()

    def rows(self):
        """The files and the ids of all rows, in order."""
        return self.query("select parse_filename(source), id from graded order by all")


@pytest.fixture(params=["deltalake", "pyiceberg"])
def lake(request, tmp_path):
    return Lake(tmp_path, request.param)


def test_two_nights_with_a_new_column_and_an_old_file(lake):
    lake.arrive("a.csv.gz", ["id", "tag"], ["1", "x"], ["2", "y"])
    assert lake.night() == "1 new files"
    lake.arrive("b.csv.gz", ["id", "author"], ["3", "me"])
    (lake.folder / "incoming" / "a.csv.gz").touch()
    assert lake.night() == "1 new files"
    assert lake.rows() == [("a.csv.gz", "1"), ("a.csv.gz", "2"), ("b.csv.gz", "3")]
    found = lake.query("select id, tag, author, status, technique, rank, clues, effort > 0 from graded order by id")
    same = ("unique", "naked_single", 2, 30, True)
    assert found == [("1", "x", None, *same), ("2", "y", None, *same), ("3", None, "me", *same)]
    assert lake.commits() == 2


def test_the_same_night_twice_adds_nothing(lake):
    assert lake.night() == "0 new files"
    lake.arrive("a.csv.gz", ["id"], ["1"])
    assert [lake.night(), lake.night()] == ["1 new files", "0 new files"]
    # Also in another process.
    assert lake.run().stdout == "0 new files\n"
    assert lake.rows() == [("a.csv.gz", "1")]
    assert lake.commits() == 1


def test_a_damaged_file_adds_no_row_of_its_night(lake):
    lake.arrive("a.csv.gz", ["id"], ["1"])
    lake.night()
    lake.arrive("b.csv.gz", ["id"], ["2"])
    lake.arrive("c.csv.gz", ["id"], *([str(at)] for at in range(3, 5000)))
    damaged = lake.folder / "incoming" / "c.csv.gz"
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[: len(whole) // 2])
    done = lake.run()
    assert done.returncode != 0 and "c.csv.gz" in done.stderr
    assert lake.rows() == [("a.csv.gz", "1")]
    assert lake.commits() == 1
    damaged.write_bytes(whole)
    assert lake.night() == "2 new files"
    assert lake.query("select count(*), count(distinct id) from graded") == [(4999, 4999)]
    assert lake.commits() == 2
    if lake.package == "pyiceberg":
        assert len(lake.table().snapshots()) > 3, "a part is a snapshot"


def test_a_kill_before_the_commit_adds_no_row(lake):
    lake.arrive("a.csv.gz", ["id"], ["1"])
    lake.night()
    lake.arrive("b.csv.gz", ["id", "author"], ["2", "me"])
    kills = [AFTER_READING.format(action=KILL)]
    # The commit of deltalake is one call, in which no Python can end the process.
    kills += [KILL_AT_COMMIT] if lake.package == "pyiceberg" else []
    for before in kills:
        assert lake.run(before).returncode == -9
        assert lake.rows() == [("a.csv.gz", "1")]
        assert "author" not in lake.arrow().column_names
    assert lake.night() == "1 new files"
    assert lake.rows() == [("a.csv.gz", "1"), ("b.csv.gz", "2")]


@pytest.mark.parametrize("moment", ["before reading", "after reading"])
@pytest.mark.parametrize("is_first_night", [True, False])
def test_of_two_runs_at_the_same_time_one_fails(lake, is_first_night, moment):
    if not is_first_night:
        lake.arrive("a.csv.gz", ["id"], ["1"])
        lake.night()
    lake.arrive("b.csv.gz", ["id"], ["2"])
    # The first run has asked the table for its files. A whole second run follows before the first one goes on.
    second = "subprocess.run([sys.executable, 'night.py'], check=True)"
    done = lake.run((BEFORE_READING if moment == "before reading" else AFTER_READING).format(action=second))
    assert "1 new files" in done.stdout
    assert done.returncode == 1 and "CommitFailed" in done.stderr
    assert lake.night() == "0 new files"
    assert lake.rows() == [("a.csv.gz", "1")] * (not is_first_night) + [("b.csv.gz", "2")]


def test_a_changed_file_is_named_and_adds_nothing(lake):
    lake.arrive("a.csv.gz", ["id"], ["1"])
    lake.night()
    lake.arrive("a.csv.gz", ["id"], ["1"], ["2"])
    lake.arrive("b.csv.gz", ["id"], ["3"])
    done = lake.run()
    assert done.returncode == 1 and "['incoming/a.csv.gz']" in done.stderr
    assert lake.rows() == [("a.csv.gz", "1")]


def test_a_value_that_does_not_fit_the_column_adds_nothing(lake):
    program = lake.program
    for name, value, kind in (("a", "1", "int64"), ("b", "1.5", "float64"), ("b", "x", "text")):
        lake.program = program.replace('rejects="rows"', f'rejects="rows", types={{"id": "{kind}"}}')
        assert lake.program != program
        lake.arrive(f"{name}.csv.gz", ["id"], [value])
        done = lake.run()
        assert (done.returncode == 0) == (name == "a"), done.stderr
        assert lake.rows() == [("a.csv.gz", 1)]


def test_rejected_records_are_rows(lake):
    lake.arrive("a.csv.gz", ["id"], ["1"])
    (lake.folder / "incoming" / "b.csv.gz").write_bytes(gzip.compress(f"id,puzzle\n2,{EASY}\n3,short\n".encode()))
    assert lake.night() == "2 new files"
    assert lake.query("select id, status, error from graded order by id") == [
        ("1", "unique", None),
        ("2", "unique", None),
        ("3", "rejected", "wrong_length"),
    ]


def test_the_files_are_known_after_the_tables_maintenance(lake):
    for name in ("a", "b", "c"):
        lake.arrive(f"{name}.csv.gz", ["id"], [name])
        lake.night()
    table = lake.table()
    if lake.package == "deltalake":
        table.create_checkpoint()
        log = lake.folder / "lake" / "graded" / "_delta_log"
        last = json.loads((log / "_last_checkpoint").read_text())["version"]
        for path in log.glob("*.json"):
            if int(path.stem) < last:
                path.unlink()
    else:
        expire = table.maintenance.expire_snapshots()
        for snapshot in table.snapshots()[:-1]:
            expire.by_id(snapshot.snapshot_id)
        expire.commit()
        assert len(lake.table().snapshots()) == 1
    assert lake.night() == "0 new files"
    lake.arrive("d.csv.gz", ["id"], ["d"])
    assert lake.night() == "1 new files"
    assert lake.rows() == [(f"{name}.csv.gz", name) for name in "abcd"]
