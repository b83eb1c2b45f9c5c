"""``python -m sudoku_pipeline.spark``."""

import sys

from sudoku_pipeline.spark.job import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
