"""Solves and grades puzzles on Spark, with the same rows as the command line.

``grade(df)`` returns a lazy DataFrame. It runs the package's batch function on the executors with
``DataFrame.mapInArrow``, also under Spark Connect. The executors need this package and pyarrow. Batches
do not depend on each other, so a repeated task gives the same rows.

``python -m sudoku_pipeline.spark grade INPUT -o OUTPUT`` does the same as a job.
"""

from sudoku_pipeline.spark.frames import convert, grade, rejects, solve

__all__ = ["convert", "grade", "rejects", "solve"]
