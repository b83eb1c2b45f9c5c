"""A progress bar for streams. It uses tqdm if that is installed, and otherwise a simple bar."""

from __future__ import annotations

import importlib.util
import sys
import threading
import time
from typing import Any

from sudoku_pipeline import _native
from sudoku_pipeline._errors import PipelineError

_EVERY = 0.1


class Watch:
    """Watches a stream on a separate thread, from its first row to its end."""

    def __init__(self, stream: _native.Stream, total: int | None) -> None:
        self._stream = stream
        self._total = total
        self._thread: threading.Thread | None = None
        self._is_over = threading.Event()
        self._began = 0.0

    def start(self) -> None:
        """Shows the bar, if it is not shown already."""
        if self._thread is None:
            self._began = time.time()
            self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
            self._thread.start()

    def finish(self) -> None:
        """Completes the bar after the last row, and waits until it has been drawn."""
        self._is_over.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        bar = _bar(self._total)
        # The import of tqdm takes longer than many runs, whose rate counts from their beginning.
        bar.start_t = self._began
        shown = 0
        is_last = False
        while True:
            try:
                has_ended, rows = self._stream._has_ended, self._stream._rows_read
            except PipelineError:
                break
            bar.update(rows - shown)
            shown = rows
            if has_ended or self._is_over.wait(_EVERY):
                is_last = has_ended or is_last
                if is_last:
                    break
                is_last = True
        bar.close()


def _bar(total: int | None) -> Any:
    try:
        # Without ipywidgets, tqdm's bar for notebooks would only print a warning.
        if importlib.util.find_spec("ipywidgets") is not None:
            from tqdm.auto import tqdm
        else:
            from tqdm import tqdm
    except ImportError:
        return _Bar(total)
    return tqdm(total=total, unit=" puzzles", unit_scale=True)


class _Bar:
    """A simple progress bar: one line on standard error."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._rows = 0
        self.start_t = time.time()

    def update(self, rows: int) -> None:
        self._rows += rows
        seconds = max(time.time() - self.start_t, 1e-9)
        share = f" of {self._total:,} ({self._rows / self._total:.0%})" if self._total else ""
        sys.stderr.write(f"\r{self._rows:,}{share} puzzles, {self._rows / seconds:,.0f} a second ")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\n")
        sys.stderr.flush()
