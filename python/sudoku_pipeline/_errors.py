"""The exceptions of the package. They say what the command line says."""

from __future__ import annotations


class PipelineError(Exception):
    """The base of the exceptions of this package.

    ``exit_code`` is the exit code with which the command line ends for the same reason.
    """

    exit_code: int = 1


class UsageError(PipelineError, ValueError):
    """An option cannot be used as it was given."""

    exit_code = 2


class DataError(PipelineError, ValueError):
    """The data is bad: no puzzle column, no puzzle at all, too many rejects."""

    exit_code = 3


class ReadError(PipelineError, OSError):
    """Reading was refused: the producer of the input failed."""

    exit_code = 1


class Bug(PipelineError, RuntimeError):
    """A bug of this package: please report it."""

    exit_code = 101


def exception(message: str, exit_code: int) -> PipelineError:
    """The exception for an exit code of the command line."""
    for kind in (UsageError, DataError, Bug):
        if kind.exit_code == exit_code:
            return kind(message)
    error = ReadError(message)
    error.exit_code = exit_code
    return error
