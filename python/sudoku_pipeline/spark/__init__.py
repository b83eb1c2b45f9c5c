"""Puzzles on Spark: the same rows as everywhere else, made by the executors.

``grade(df)`` is a lazy DataFrame. It runs the package's batch function on the executors by
``DataFrame.mapInArrow``, also under Spark Connect: the executors need this package and pyarrow. No batch
depends on another one, so that a task that is repeated gives the same rows.

``python -m sudoku_pipeline.spark grade INPUT -o OUTPUT`` is the same as a job.
"""

from sudoku_pipeline.spark.frames import convert, grade, rejects, solve

__all__ = ["convert", "grade", "rejects", "solve"]
