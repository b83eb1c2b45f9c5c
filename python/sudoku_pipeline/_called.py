"""The command as a process of the package's functions: its messages are for users who write options as Python does."""

from sudoku_pipeline._command import main

if __name__ == "__main__":
    main(keywords=True)
