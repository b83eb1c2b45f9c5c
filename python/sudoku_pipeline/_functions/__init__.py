"""The package's functions for many puzzles. The modules are made by ``python/signatures/make.py``."""

from sudoku_pipeline._functions.analytics import inspect, report, stats
from sudoku_pipeline._functions.models import compare, evaluate, trace
from sudoku_pipeline._functions.rows import convert, filter, grade, solve, validate
from sudoku_pipeline._functions.series import generate
from sudoku_pipeline._functions.sets import audit, augment, dedup, overlap, split

__all__ = [
    "audit",
    "augment",
    "compare",
    "convert",
    "dedup",
    "evaluate",
    "filter",
    "generate",
    "grade",
    "inspect",
    "overlap",
    "report",
    "solve",
    "split",
    "stats",
    "trace",
    "validate",
]
