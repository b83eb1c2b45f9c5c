"""Runs the command ``pipeline``, which is part of the package."""

from __future__ import annotations

import signal
import sys

from sudoku_pipeline import _native


def main() -> None:
    """Runs the command line with the arguments of this process, and ends it with its exit code."""
    # The command handles signals itself: a stopped run reports what it has done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_native.command(["pipeline", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
