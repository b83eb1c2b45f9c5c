"""Streams in training loops: forked and spawned workers, and libraries that feed models."""

import multiprocessing
import os

import pyarrow as pa
import pytest
from conftest import EASY

import sudoku_pipeline as sp

try:
    import torch
    from torch.utils.data import IterableDataset
except ImportError:
    torch, IterableDataset = None, object

WORKERS = 4


def part_of_worker(worker):
    """The first puzzles in one worker's part of an endless series."""
    puzzles = []
    for batch in sp.generate(seed=5, skip=worker * 10**12, level="medium", threads=1):
        puzzles += pa.record_batch(batch).column("puzzle").to_pylist()
        if len(puzzles) >= 20:
            return puzzles[:20]


@pytest.mark.parametrize("method", [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()])
def test_workers_make_puzzles_of_their_own(method):
    # The parent has already used threads when it forks.
    next(sp.generate(10, seed=1))
    context = multiprocessing.get_context(method)
    with context.Pool(WORKERS) as pool:
        parts = pool.map_async(part_of_worker, range(WORKERS)).get(timeout=200)
    everything = [puzzle for part in parts for puzzle in part]
    assert len(set(everything)) == WORKERS * 20
    assert all(sp.Puzzle(puzzle).grade().level == "medium" for puzzle in everything)


def test_a_puzzle_goes_to_a_worker_and_back():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(sp.Puzzle, [EASY]) == sp.Puzzle(EASY)


class Puzzles(IterableDataset):
    """The puzzles of a torch worker."""

    def __iter__(self):
        puzzles = part_of_worker(torch.utils.data.get_worker_info().id)
        yield from sp.convert(puzzles, threads=1).to_numpy("puzzle")


@pytest.mark.skipif(torch is None, reason="NOT RUN: torch is not installed (its wheel is larger than all others)")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_torch_loads_puzzles(method):
    next(sp.generate(10, seed=1))
    loader = torch.utils.data.DataLoader(Puzzles(), batch_size=5, num_workers=WORKERS, multiprocessing_context=method)
    rows = torch.cat(list(loader))
    assert rows.shape == (WORKERS * 20, 81) and len({tuple(row.tolist()) for row in rows}) == WORKERS * 20


def test_datasets_of_hugging_face(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    path = tmp_path / "made.arrow"
    made = pa.table(sp.generate(100, seed=3))
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, made.schema) as writer:
        writer.write_table(made)
    data = datasets.Dataset.from_file(str(path))

    def grade(rows):
        return sp.grade(rows["puzzle"], select=["technique", "level"], threads=1).to_arrow().to_pydict()

    graded = data.map(grade, batched=True, batch_size=30)
    expected = pa.table(sp.grade(made, select=["level"])).column("level").to_pylist()
    assert graded["level"][:] == expected and len(sp.solve(data.data.table).to_arrow()) == 100

    def rows():
        for batch in sp.generate(50, seed=3):
            yield from pa.record_batch(batch).to_pylist()

    made_here = datasets.Dataset.from_generator(rows, cache_dir=str(tmp_path))
    assert made_here["puzzle"][:] == made.column("puzzle").to_pylist()[:50]


def test_lazy_frames_of_polars(tmp_path):
    pl = pytest.importorskip("polars")
    from sudoku_pipeline.polars import scan

    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join([EASY] * 50 + ["." * 81] * 50))
    frame = scan("grade", path)
    assert frame.select("status").collect()["status"].value_counts().height == 2
    assert frame.filter(pl.col("status") == "unique").select("level").head(3).collect()["level"].to_list() == ["easy"] * 3
    assert frame.head(7).collect().height == 7 and frame.collect().height == 100
    assert frame.collect_schema().names() == sp.schema("grade", path).names
    with pytest.raises(sp.UsageError, match="must be one of grade"):
        scan("grades", path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_fork_while_a_stream_is_read():
    stream = sp.grade([EASY] * 20_000)
    next(stream)
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        parts = pool.map_async(part_of_worker, range(2)).get(timeout=100)
    assert len(parts) == 2 and sum(map(len, stream)) > 0
