"""Runs the command as a subprocess of the package's functions. Its messages write options as Python keywords."""

from sudoku_pipeline._command import main

if __name__ == "__main__":
    main(keywords=True)
