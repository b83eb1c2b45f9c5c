"""``python -m sudoku_pipeline``: the command ``pipeline``."""

from sudoku_pipeline._command import main

if __name__ == "__main__":
    main()
