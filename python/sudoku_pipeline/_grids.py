"""Converts arrays of floats, of one-hot digits and of pairs, and columns of arrays, to arrays of digits. Needs NumPy."""

from __future__ import annotations

from typing import Any

from sudoku_pipeline._errors import DataError, UsageError

# The numbers of rows of the sizes of puzzles.
_ORDERS = (4, 6, 9, 12, 16, 25)
_CELLS = tuple(order * order for order in _ORDERS)
# The boxes of each size: rows and columns.
_BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
# One-hot digits are recognised by the first boards.
_SAMPLE = 100


def is_array(data: Any) -> bool:
    """Whether this is an array or a tensor, and no frame, series or column of a table."""
    if not hasattr(data, "shape") or not hasattr(data, "dtype"):
        return False
    has_memory = hasattr(data, "__array_interface__") or hasattr(data, "__dlpack__") or hasattr(data, "__array__")
    return has_memory and not hasattr(data, "__arrow_c_stream__") and not hasattr(data, "iloc")


def listed(data: Any) -> Any:
    """The list of the items of a series or a column of Arrow, or of an array of texts; other data unchanged."""
    is_series = hasattr(data, "to_list") and not hasattr(data, "columns")
    if is_series:
        return data.to_list()
    is_column = type(data).__module__.startswith("pyarrow") and hasattr(data, "to_pylist") and not hasattr(data, "column_names")
    if is_column:
        return data.to_pylist()
    return data.tolist() if is_array(data) and _kind(data) in "OUT" else data


def plain(data: Any, blank: Any) -> Any:
    """An array of integers with a row for each board, for an array of floats or of one-hot digits; columns of puzzles and
    solutions for an array of pairs. Other arrays are returned unchanged.

    :param blank: the number that stands for an empty cell
    """
    shape = tuple(data.shape)
    number = 0 if blank is None or isinstance(blank, str) else blank
    is_whole = _kind(data) in "iu"
    may_be_board = len(shape) <= 2 and (len(shape) < 2 or shape[1] not in _flat_one_hot())
    if is_whole and (may_be_board or (len(shape) == 3 and shape[1] == shape[2])):
        return data
    if _kind(data) not in "iufb":
        return data
    array = as_numpy(data)
    if array.ndim in (3, 4) and shape[1] == 2 and _is_board(shape[2:]):
        flat = whole(array, number).reshape(shape[0], 2, -1)
        return {"puzzle": flat[:, 0], "solution": flat[:, 1]}
    vectors = _one_hot_forms(array)
    if vectors:
        digits = _one_hot(array, vectors)
        return digits if number == 0 else _where(digits == 0, number, digits.astype("int64"))
    return whole(array, number) if array.dtype.kind == "f" else array if is_whole else data


def column(data: Any, blank: Any) -> Any:
    """A column of a table: lists of digits for an array with more than one axis, and other data unchanged."""
    if not is_array(data) or len(data.shape) < 2:
        return data
    import pyarrow

    found = plain(data, blank)
    if isinstance(found, dict):
        raise UsageError("a column holds the boards of one kind, and this array pairs of puzzle and solution")
    array = as_numpy(found)
    array = array.reshape(array.shape[0], -1)
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(array.reshape(-1)), array.shape[1])


def whole(array: Any, blank: int) -> Any:
    """The integers of an array of floats, and ``blank`` for NaN."""
    import numpy

    if array.dtype.kind != "f":
        return array
    empty = numpy.isnan(array)
    filled = numpy.where(empty, blank, array)
    fractions = filled != numpy.trunc(filled)
    if fractions.any() or numpy.isinf(filled).any():
        at = tuple(int(index) for index in numpy.argwhere(fractions | numpy.isinf(filled))[0])
        raise TypeError(f"an array of whole numbers is needed, and this one has {filled[at]} at {list(at)}")
    return filled.astype("int64")


def as_numpy(data: Any) -> Any:
    """The NumPy array of an array or of a tensor."""
    import numpy

    if hasattr(data, "detach"):
        data = data.detach()
        if _kind(data) == "f" and hasattr(data, "float"):
            # NumPy has no bfloat16.
            data = data.float()
    return numpy.asarray(data)


def _kind(data: Any) -> str:
    """The kind of the elements, as NumPy writes it."""
    kind = getattr(data.dtype, "kind", None)
    if isinstance(kind, str):
        return kind
    # torch, JAX: `torch.float32`, `bool`.
    name = str(data.dtype).rpartition(".")[2]
    if name.startswith(("float", "bfloat", "half", "double")):
        return "f"
    return "b" if name.startswith("bool") else "u" if name.startswith("uint") else "i" if name.startswith("int") else "?"


def _is_board(shape: tuple[int, ...]) -> bool:
    return (len(shape) == 1 and shape[0] in _CELLS) or (len(shape) == 2 and shape[0] == shape[1] and shape[0] in _ORDERS)


def _flat_one_hot() -> tuple[int, ...]:
    return tuple(order**3 for order in _ORDERS)


def _where(condition: Any, yes: Any, no: Any) -> Any:
    import numpy

    return numpy.where(condition, yes, no)


def _one_hot_forms(array: Any) -> dict[str, Any]:
    """The array as vectors ``(n, cells, classes)``, for each axis on which the digits may be."""
    shape, forms = array.shape, {}
    for order in _ORDERS:
        for classes in (order, order + 1):
            cells = order * order
            if shape[1:] == (cells * order,) and classes == order:
                forms["last"] = array.reshape(-1, cells, classes)
            if shape[1:] in ((order, order, classes), (cells, classes)) and array.ndim > 2:
                forms["last"] = array.reshape(-1, cells, classes)
            if shape[1:] in ((classes, order, order), (classes, cells)) and array.ndim > 2:
                forms["first"] = array.reshape(-1, classes, cells).transpose(0, 2, 1)
    return forms


def _one_hot(array: Any, forms: dict[str, Any]) -> Any:
    """The digits of one-hot vectors. The axis of the digits, and whether the first or the last of ten stands for an empty
    cell, are those with which nearly all of the first boards have no conflict."""
    fitting, found = [], []
    for axis, vectors in forms.items():
        order = int(vectors.shape[1] ** 0.5)
        sides = ("",) if vectors.shape[2] == order else ("first", "last")
        sample = vectors[:_SAMPLE]
        counts = [(_valid(sample, side, order), side) for side in sides]
        valid, side = max(counts, key=lambda one: one[0])
        found.append(f"{valid} of the first {len(sample)} with the digits on the {axis} axis")
        if len(forms) == 1 or (valid > 0 and valid * 10 >= len(sample) * 9):
            fitting.append((vectors, side))
    if len(fitting) != 1 and len(array):
        raise DataError(
            f"an array of the shape {tuple(array.shape)} holds one-hot digits, but on which axis is ambiguous: boards without "
            f"a conflict are {', and '.join(found)}; give the digits themselves, as (n, 81)"
        )
    vectors, side = fitting[0] if fitting else (next(iter(forms.values())), "")
    bad = ~_are_vectors(vectors).all(axis=1)
    if bad.any():
        row = int(bad.argmax())
        raise DataError(f"board {row} has a cell whose {vectors.shape[2]} numbers are not zeros with at most one 1")
    return _decoded(vectors, side)


def _are_vectors(vectors: Any) -> Any:
    return ((vectors == 0) | (vectors == 1)).all(axis=2) & (vectors.sum(axis=2) <= 1)


def _decoded(vectors: Any, side: str) -> Any:
    import numpy

    classes = vectors.shape[2]
    value = vectors.argmax(axis=2) + (0 if side == "first" else 1)
    if side == "last":
        value = numpy.where(value == classes, 0, value)
    return numpy.where(vectors.any(axis=2), value, 0).astype("uint8")


def _valid(vectors: Any, side: str, order: int) -> int:
    """How many boards have only one-hot vectors and no digit twice in a house."""
    import numpy

    good = _are_vectors(vectors).all(axis=1)
    digits = _decoded(vectors, side).reshape(-1, order, order)
    rows, columns = _BOXES[order]
    boxes = digits.reshape(-1, order // rows, rows, order // columns, columns).transpose(0, 1, 3, 2, 4).reshape(digits.shape)
    for houses in (digits, digits.transpose(0, 2, 1), boxes):
        ordered = numpy.sort(houses, axis=2)
        good &= ~((ordered[:, :, 1:] == ordered[:, :, :-1]) & (ordered[:, :, 1:] > 0)).any(axis=(1, 2))
    return int(good.sum())
