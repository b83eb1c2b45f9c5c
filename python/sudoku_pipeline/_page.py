"""HTML pages, which a notebook shows in an inline frame."""

from __future__ import annotations

import html


class Page(str):
    """An HTML page as text. It needs no other files."""

    def _repr_html_(self) -> str:
        # Inside a frame, the style of the page does not affect the notebook.
        source = html.escape(str(self))
        return f'<iframe style="width: 100%; height: 40em; border: 1px solid #8888" srcdoc="{source}"></iframe>'

    def write(self, path: str) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(str(self))

    def __repr__(self) -> str:
        return f"<Page of {len(self):,} characters of HTML>"
