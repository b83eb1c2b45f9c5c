"""The exceptions of the package. Their messages are those of the command line."""

from __future__ import annotations

import re
import sys
import warnings


class PipelineError(Exception):
    """The base of the exceptions of this package.

    ``exit_code`` is the exit code with which the command line ends for the same reason.
    """

    exit_code: int = 1


class UsageError(PipelineError, ValueError):
    """An option has a value that cannot be used."""

    exit_code = 2


class DataError(PipelineError, ValueError):
    """The data is bad: it has no puzzle column, no puzzle, or too many rejects."""

    exit_code = 3


class ReadError(PipelineError, OSError):
    """Reading failed, because the producer of the input failed."""

    exit_code = 1


class Bug(PipelineError, RuntimeError):
    """A bug in this package. Please report it."""

    exit_code = 101


class RejectsWarning(UserWarning):
    """Records were rejected, so that the rows of a table are not those of its input."""


class DataWarning(UserWarning):
    """A run is complete, but its data is perhaps not what was meant, such as predictions that change clues."""


class LimitWarning(UserWarning):
    """A method has stopped at its default limit, and there is more."""


# The commands that are functions of the package.
_COMMANDS = "grade|solve|convert|validate|dedup|split|audit|overlap|augment|trace|compare|evaluate|stats|report|inspect|generate|explain"


def for_python(text: str, commands: str = _COMMANDS) -> str:
    """A text of a command, in which these commands are named as functions: ``grade()`` for ``pipeline grade``."""
    if "--features cloud" in text:
        return _without_stores(text)
    # A search for an expression takes a hundred times as long.
    if "pipeline" not in text:
        return text
    text = re.sub(rf"\bpipeline ({commands}) --with (\w+)", r'\1(with_="\2")', text)
    return re.sub(rf"\bpipeline ({commands})\b", r"\1()", text)


def _without_stores(text: str) -> str:
    """The error of an address, in a package that was built without the feature that reads it."""
    text, _, curl = text.partition("; or read it with curl")
    text = re.sub(r"cargo install\b.*", "maturin build --release --features cloud -m python/Cargo.toml", text)
    return text + ("; or download it, urllib.request.urlretrieve(ADDRESS, PATH), and give PATH" if curl else "")


def warn(message: str, category: type[Warning]) -> None:
    """Warns about a call, at the line of the program that has called this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "sudoku_pipeline":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def exception(message: str, exit_code: int) -> PipelineError:
    """The exception for an exit code of the command line."""
    message = for_python(message)
    for kind in (UsageError, DataError, Bug):
        if kind.exit_code == exit_code:
            return kind(message)
    error = ReadError(message)
    error.exit_code = exit_code
    return error
