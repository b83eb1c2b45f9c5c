"""Writes the package's functions, sudoku_pipeline/_functions.py, from functions.py.in and the options below.

    python python/signatures/make.py [--check]

Each option that several functions share is described here once. In functions.py.in a line such as `@columns @take` stands for
the options of these groups. The functions are written out in full, so that help(), editors and type checkers show every option
with its default.
"""

import re
import sys
from pathlib import Path

GROUPS = {
    "columns": """
        puzzle_column: str | None = None
        solution_column: str | None = None
        alphabet: str | None = None
    """,
    "keep": """
        keep: str | Sequence[str] = "all"
    """,
    "blank": """
        blank: int = 0
    """,
    "format": """
        input_format: str | None = None
        delimiter: str | None = None
        max_record_bytes: int | str | None = None
        infer_types: str | None = None
        types: Mapping[str, str] | None = None
        token_offset: int | None = None
    """,
    "shard": """
        shard: str | None = None
        keep_going: bool = False
    """,
    "limits": """
        solution_limit: int = 2
        node_limit: int | None = None
    """,
    "own_limits": """
        solution_limit: int | None = None
        node_limit: int | None = None
    """,
    "rating": """
        with_: str | Sequence[str] = ()
        se_max: float | str | None = None
        se_work: int | None = None
        hodoku_version: str | None = None
    """,
    "where": """
        where: str | None = None
    """,
    "view": """
        select: str | Sequence[str] | None = None
        rename: Mapping[str, str] | None = None
    """,
    "texts": """
        schema: str = "input"
        blank: str | int = "."
        fix_solutions: bool = False
    """,
    "series": """
        seed: int | None = None
        skip: int = 0
        technique: str | None = None
        level: str | None = None
        se: str | float | tuple[float | None, float | None] | None = None
        hodoku_level: str | None = None
        hodoku_score: str | int | tuple[int | None, int | None] | None = None
        hodoku_version: str | None = None
        mix: str | Mapping[str, float] | None = None
        from_: Any = None
        pattern: str | os.PathLike[str] | None = None
        swap: int | None = None
        where: str | None = None
        clues: int | None = None
        size: int = 9
        symmetry: str = "none"
        minimal: bool = False
        solutions: int = 1
        max_attempts: int = 10_000
    """,
    "rejects": """
        rejects: str = "table"
    """,
    "refuse": """
        max_rejects: int | str | None = None
        max_wrong: int | str | None = None
    """,
    "empty": """
        allow_empty: bool = False
    """,
    "source": """
        source: str | None = None
    """,
    "take": """
        skip: int = 0
        limit: int | None = None
        sample: float | None = None
        seed: int = 0
    """,
    "threads": """
        threads: int | None = None
    """,
    "memory": """
        memory_limit: int | str | None = None
    """,
    "progress": """
        progress: bool = False
    """,
}

FOLDER = Path(__file__).parent
TARGET = FOLDER.parent / "sudoku_pipeline" / "_functions.py"
HEAD = "# Made by python/signatures/make.py from functions.py.in: change those.\n"


def made() -> str:
    """The text of the module."""

    def options(line: re.Match[str]) -> str:
        groups = (GROUPS[name.strip("@")] for name in line[0].split())
        lines = (option.strip() for group in groups for option in group.strip().splitlines())
        return "".join(f"    {option},\n" for option in lines)

    return HEAD + re.sub(r"^    @.*\n", options, (FOLDER / "functions.py.in").read_text(), flags=re.MULTILINE)


if __name__ == "__main__":
    if "--check" not in sys.argv:
        TARGET.write_text(made())
    elif TARGET.read_text() != made():
        sys.exit(f"{TARGET} is not what functions.py.in says: python python/signatures/make.py")
