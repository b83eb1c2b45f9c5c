"""Displays streams and tables: as text, and as HTML in notebooks."""

from __future__ import annotations

import html
from typing import Sequence

from sudoku_pipeline._native import Puzzle, Schema

# The number of rows that are displayed.
ROWS = 5
# The number of boards that are drawn.
_MOST_BOARDS = 3
_WIDEST = 24
_WIDTH = 100

Rows = Sequence[Sequence["str | None"]]


def _short(text: str | None) -> str:
    if text is None:
        return "null"
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def as_text(schema: Schema, rows: Rows | None, title: str | None = None) -> str:
    """The first rows as a table with as many columns as fit on a line. The names of the other columns follow."""
    names, types = schema.names, schema.types
    head = title or f"Stream with {len(names)} columns"
    if rows is None:
        return f"<{head}; another library reads its rows>"
    if not rows:
        return f"<{head}; no rows to show>\n" + ", ".join(f"{name}: {kind}" for name, kind in zip(names, types))
    columns: list[list[str]] = []
    width = 0
    for at, (name, kind) in enumerate(zip(names, types)):
        cells = [_short(name), _short(kind), *(_short(row[at]) for row in rows)]
        width += max(map(len, cells)) + 2
        if columns and width > _WIDTH:
            break
        columns.append(cells)
    lines = []
    for line in range(len(columns[0])):
        parts = (cells[line].ljust(max(map(len, cells))) for cells in columns)
        lines.append("  ".join(parts).rstrip())
    left = [f"{name}: {kind}" for name, kind in zip(names[len(columns) :], types[len(columns) :])]
    more = f"\n… and {len(left)} columns: " + ", ".join(left[:12]) + (", …" if len(left) > 12 else "") if left else ""
    return f"<{head}; its first rows:>\n" + "\n".join(lines) + more


def as_html(schema: Schema, rows: Rows | None, title: str | None = None) -> str:
    """The first boards, and a table of the first rows."""
    names, types = schema.names, schema.types
    if not rows:
        return f"<pre>{html.escape(as_text(schema, rows, title))}</pre>"
    foot = f"the first {len(rows)} rows: {title or f'a stream with {len(names)} columns'}"
    return _boards(names, rows) + _table(names, types, rows) + f"<small>{html.escape(foot)}</small>"


def _boards(names: list[str], rows: Rows) -> str:
    if "puzzle" not in names:
        return ""
    at = names.index("puzzle")
    pictures = []
    for row in rows[:_MOST_BOARDS]:
        try:
            pictures.append(Puzzle(row[at] or "")._repr_html_().replace('width="300"', 'width="180"'))
        except ValueError:
            continue
    return f'<div style="display: flex; gap: 1em; flex-wrap: wrap">{"".join(pictures)}</div>'


def _table(names: list[str], types: list[str], rows: Rows) -> str:
    head = "".join(
        f'<th style="text-align: left">{html.escape(name)}<br /><small style="font-weight: normal">'
        f"{html.escape(_short(kind))}</small></th>"
        for name, kind in zip(names, types)
    )
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align: left" title="{html.escape(cell or "")}">{_cell(cell)}</td>' for cell in row)
        + "</tr>"
        for row in rows
    )
    return (
        f'<div style="overflow-x: auto"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cell(text: str | None) -> str:
    if text is None:
        return "<i>null</i>"
    shown = html.escape(_short(text))
    return f"<code>{shown}</code>" if len(text) > 30 else shown
