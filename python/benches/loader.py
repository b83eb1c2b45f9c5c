"""Rows a second of a torch DataLoader whose workers augment on the fly.

    python python/benches/loader.py [ROWS]
"""

import sys
import time

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

import sudoku_pipeline as sp


class Pairs(Dataset):
    """Pairs of puzzle and solution, each time as another isomorph. A batch of indices is one call."""

    def __init__(self, puzzles, solutions, by_batch):
        self.puzzles, self.solutions, self.by_batch = puzzles, solutions, by_batch
        self.epoch = 0

    def __len__(self):
        return len(self.puzzles)

    def isomorphs(self, rows):
        seeds = self.epoch * len(self) + np.asarray(rows)
        x = sp.isomorph(self.puzzles[rows], seeds, threads=1)
        return torch.from_numpy(x), torch.from_numpy(sp.isomorph(self.solutions[rows], seeds, threads=1))

    def __getitem__(self, row):
        x, y = self.isomorphs([row])
        return x[0], y[0]

    def __getitems__(self, rows):
        return self.isomorphs(rows) if self.by_batch else [self[row] for row in rows]


def rate(data, workers, method):
    collate = (lambda batch: batch) if data.by_batch else None
    context = method if workers else None
    loader = DataLoader(data, batch_size=256, shuffle=True, num_workers=workers, multiprocessing_context=context, collate_fn=collate)
    batches = iter(loader)
    next(batches)
    start, rows = time.perf_counter(), 0
    for x, y in batches:
        rows += len(x)
    return rows / (time.perf_counter() - start)


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    puzzles = sp.generate(rows, seed=1).to_numpy("puzzle")
    solutions = sp.solve(puzzles).to_numpy("solution")
    print("| items | workers | pairs a second |\n|---|---|---|")
    for by_batch in (True, False):
        data = Pairs(puzzles, solutions, by_batch)
        for workers in (0, 1, 2, 4):
            print(f"| {'a batch' if by_batch else 'a pair'} a call | {workers} | {rate(data, workers, 'fork'):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
