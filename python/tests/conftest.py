"""Fixtures that the tests share: puzzles of every kind, and the package's own command."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import sudoku_pipeline as sp

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BAD = ["short", None, "", "12345678@" * 9, EASY[:2] + "5" + EASY[3:]]


@pytest.fixture(scope="session")
def puzzles():
    """A table of 3,000 records. Most are puzzles with one solution; others have several solutions or are not
    puzzles."""
    made = pa.table(sp.generate(2500, seed=3)).column("puzzle").to_pylist()
    texts, ids = [], []
    for at in range(3000):
        if at % 50 == 7:
            texts.append(BAD[at // 50 % len(BAD)])
        elif at % 40 == 3:
            texts.append("." * 60 + EASY[60:])
        else:
            texts.append(made[at % len(made)])
        ids.append(at)
    names = ["a", None, "c"]
    return pa.table(
        {
            "id": pa.array(ids, pa.int32()),
            "puzzle": texts,
            "tag": pa.array([names[at % 3] for at in ids]).dictionary_encode(),
            "clues": pa.array([float(at) for at in ids]),
        }
    )


@pytest.fixture(scope="session")
def command():
    """The path of the command `pipeline` in this environment."""
    path = Path(sys.executable).parent / "pipeline"
    assert path.exists(), "the package brings the command along"
    return str(path)


@pytest.fixture
def pipeline(command, tmp_path):
    """Runs the command on a table, and returns the table that it writes."""

    def run(name, table, *options):
        import pyarrow.feather as feather

        source, target = tmp_path / "in.arrow", tmp_path / f"{name}.arrow"
        feather.write_feather(table, source, compression="uncompressed")
        rejects = ["--rejects", str(tmp_path / "rejects.arrow"), "--overwrite"]
        arguments = [command, name, str(source), "-o", str(target), *rejects, *options]
        subprocess.run(arguments, check=True, capture_output=True)
        return feather.read_table(target)

    return run


def same(left, right):
    """Whether two tables are equal, row by row, however their rows are cut into batches."""
    assert left.column_names == right.column_names
    for name in left.column_names:
        a, b = left.column(name).combine_chunks(), right.column(name).combine_chunks()
        assert a.to_pylist() == b.to_pylist(), name
    return True
