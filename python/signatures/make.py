"""Writes the package's functions, sudoku_pipeline/_functions/*.py, from the files *.py.in and the options below.

    python python/signatures/make.py [--check]

Each option that several functions share is described here once. In a file a line such as `@columns @take` stands for the options
of these groups, and the help of each function gets a line for each option that its docstring does not describe. The functions are
written out in full, so that help(), editors and type checkers show every option with its default.
"""

import re
import sys
import textwrap
from pathlib import Path

# Each group: options with their type and default, and after `#` the sentence in the help of the functions.
GROUPS = {
    "ladder": """
        ladder: Ladder = "full"  # the techniques to grade with: ``"full"``, ``"basic"`` (up to jellyfish), ``"hodoku"`` (all, in HoDoKu's order), or a list of techniques
        max_rank: int | None = None  # use no technique above this rank, and no search: a puzzle that is then not solved has the grade ``beyond``
        uniqueness: bool = False  # also grade with techniques that assume exactly one solution: adds ``technique_u``, ``rank_u`` and ``level_u``
    """,
    "columns": """
        puzzle_column: str | None = None  # the column with the puzzles; the default is found by well-known names
        solution_column: str | None = None  # the column with the solutions; the default is found by well-known names
        alphabet: str | None = None  # the symbols of 12 x 12, 16 x 16 or 25 x 25 grids in order, such as ``"1-9A-G"``
    """,
    "keep": """
        keep: str | Sequence[str] = "all"  # which other columns to copy to the rows: ``"all"``, ``"none"`` or a list of names
    """,
    "blank": """
        blank: int = 0  # the number that stands for an empty cell in arrays and lists of digits
    """,
    "format": """
        input_format: InputFormat | None = None  # the format of files; the default is recognised from their first bytes
        delimiter: str | None = None  # the character between the fields of CSV files
        max_record_bytes: int | str | None = None  # the longest record of a text file in bytes, such as ``"4MiB"``; longer ones are rejected
        infer_types: Literal["auto", "all", "none"] | None = None  # whether the types of columns of files are inferred: ``"auto"`` for JSON only, ``"all"``, ``"none"``
        types: Mapping[str, ColumnType] | None = None  # the types of columns of CSV or JSON files, such as ``{"id": "int64"}``
        token_offset: int | None = None  # the number of an empty cell in ``.npy`` files and columns of lists of numbers; the numbers of the digits follow it
    """,
    "shard": """
        shard: str | None = None  # the share of the input files to read, such as ``"0/4"``
        keep_going: bool = False  # read damaged files as far as possible
    """,
    "limits": """
        solution_limit: int = 2  # count at most this many solutions of a puzzle
        node_limit: int | None = None  # give up a puzzle after this many search nodes; its status is then ``gave_up``
    """,
    "own_limits": """
        solution_limit: int | None = None  # count at most this many solutions of a puzzle
        node_limit: int | None = None  # give up a puzzle after this many search nodes; its status is then ``gave_up``
    """,
    "rating": """
        with_: With = ()  # additional columns, which take extra time to compute: see :func:`with_names`
        se_max: float | str | None = None  # with ``with_="se"``, the highest rating to compute; the default is 9.0
        se_work: int | None = None  # with ``with_="se"``, the work after which a rating is given up
        hodoku_version: HodokuVersion | None = None  # with ``with_="hodoku"``, the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
    """,
    "where": """
        where: str | None = None  # an SQL condition over the columns of the result: only the rows that fulfil it are returned, such as ``"rank >= 12"``
    """,
    "view": """
        select: str | Sequence[str] | None = None  # the columns to return, in this order
        rename: Mapping[str, str] | None = None  # new names of columns of the result, by their old names
    """,
    "texts": """
        schema: Literal["input", "canonical"] = "input"  # ``"input"`` for the names and the order of the input's columns, or ``"canonical"`` for the other columns first, then ``puzzle`` and ``solution``
        blank: str | int = "."  # the character for an empty cell in the result; or the number that stands for an empty cell in arrays
        fix_solutions: bool = False  # whether wrong solutions in the input are replaced by the correct ones, or removed if the puzzle does not have exactly one solution
    """,
    "series": """
        seed: int | None = None  # the seed of the series; by default a random one
        skip: int = 0  # the number of puzzles of the series to leave out first
        technique: Technique | None = None  # only puzzles whose hardest technique is this
        level: Level | None = None  # only puzzles of this level
        se: str | float | tuple[float | None, float | None] | None = None  # only puzzles with this rating of Sudoku Explainer: a number, a pair, or a text such as ``"6.5..7.2"``
        hodoku_level: Level | None = None  # the level of HoDoKu; the table then has HoDoKu's ratings
        hodoku_score: str | int | tuple[int | None, int | None] | None = None  # the range of HoDoKu's score, as in ``(800, 1000)`` or ``"800..1000"``
        hodoku_version: HodokuVersion | None = None  # the version of HoDoKu: ``"2.2"``, the default, or ``"2.3"``
        mix: str | Mapping[Level, float | str] | Mapping[str, float | str] | None = None  # shares of levels or of ranges of ratings, as in ``{"easy": 0.2, "hard": 0.8}``
        from_: Any = None  # full grids or puzzles, as data or a path; ``count`` puzzles are made from each grid, with the column ``grid_row`` and the other columns of the data
        pattern: str | os.PathLike[str] | None = None  # the cells with clues, as 81 characters, or the name of a file of patterns; ``count`` puzzles are made from each pattern, with the column ``pattern_line``
        swap: int | None = None  # with ``near``, the number of clues in which the puzzles differ
        where: str | None = None  # with ``near``, an SQL condition over the columns of the result
        clues: int | None = None  # the number of clues
        size: int = 9  # the number of rows: 4, 6, 9, 12, 16 or 25
        symmetry: Symmetry = "none"  # the symmetry of the clues
        minimal: bool = False  # only minimal puzzles: removing any clue creates a second solution
        solutions: int = 1  # the number of solutions that each puzzle has
        max_attempts: int = 10_000  # the number of attempts for each puzzle, after which it is missing
    """,
    "rejects": """
        rejects: Literal["table", "rows"] = "table"  # the place of records that are not puzzles: with ``"table"`` they are in ``stream.rejects``; with ``"rows"`` there is a row for each record of the input, in order, and rejects have the ``status`` ``rejected`` and values in ``error``, ``message`` and ``raw``
    """,
    "refuse": """
        max_rejects: int | float | str | None = None  # fail if more records are rejected: a number of records as an integer, a share as a float from 0.0 to 1.0, or a percentage such as ``"0.5%"``; the default is half of the records, but at least ten; there is no limit with ``rejects="rows"``
        max_wrong: int | float | str | None = None  # fail if more records have a wrong solution in the input: a number, a share or a percentage
    """,
    "empty": """
        allow_empty: bool = False  # whether input in which no record is a puzzle is accepted
    """,
    "source": """
        source: str | None = None  # a name for the input; if it is given, the rows have the columns ``source`` and ``row``
    """,
    "take": """
        skip: int = 0  # the number of records to leave out first
        limit: int | None = None  # the number of records after which reading ends
        sample: float | None = None  # the probability from 0 to 1 with which each record is taken
        seed: int = 0  # the seed of random choices
    """,
    "threads": """
        threads: int | None = None  # the number of worker threads; the default is one per core
    """,
    "memory": """
        memory_limit: int | str | None = None  # the memory for the run, in bytes or such as ``"256MiB"``; it leaves the allocator of the process as it is
    """,
    "progress": """
        progress: bool = False  # whether to show a bar on standard error
    """,
}

FOLDER = Path(__file__).parent
TARGET = FOLDER.parent / "sudoku_pipeline" / "_functions"
HEAD = "# Made by python/signatures/make.py from {}: change those.\n"
WIDTH = 127


def option_lines(groups: str) -> list[tuple[str, str]]:
    """The options of groups such as `@columns @take`: the code of each, and its description."""
    found = []
    for name in groups.split():
        for line in GROUPS[name.strip("@")].strip().splitlines():
            code, _, description = line.strip().partition("  # ")
            found.append((code, description))
    return found


def described(function: str) -> str:
    """A function with the options of its groups, and with their descriptions after those of its docstring."""
    descriptions = {}

    def options(line: re.Match[str]) -> str:
        lines = option_lines(line[0])
        descriptions.update((code.partition(":")[0], text) for code, text in lines)
        return "".join(f"    {code},\n" for code, _ in lines)

    function = re.sub(r"^    @.*\n", options, function, flags=re.MULTILINE)
    if '"""' not in function:
        return function
    head, docstring, tail = function.split('"""')
    own = set(re.findall(r":param (\w+):", docstring))
    lines = [f":param {name}: {text}" for name, text in descriptions.items() if name not in own]
    wrapped = ["\n".join(textwrap.wrap(line, WIDTH, initial_indent="    ", subsequent_indent=" " * 8)) for line in lines]
    # The examples stand after an empty line at the end; what follows the last description of the docstring is its place.
    text, examples = docstring, ""
    if ">>>" in docstring:
        at = docstring.index("    >>>")
        text, examples = docstring[:at], docstring[at:]
    text = text.rstrip()
    # What the function returns stands last.
    returns = re.search(r"\n    :returns: .*(?:\n        .*)*", text)
    if returns:
        text = text.replace(returns[0], "")
        wrapped.append(returns[0].strip("\n"))
    between = "\n" if own else "\n\n"
    text += between + "\n".join(wrapped) if wrapped else ""
    return head + '"""' + text + "\n" + ("\n" + examples if examples else "    ") + '"""' + tail


def made(source: Path) -> str:
    """The text of the module."""
    head, *functions = re.split(r"^(?=@overload\n)|(?<!@overload\n)^(?=def )", source.read_text(), flags=re.MULTILINE)
    return HEAD.format(source.name) + head + "".join(map(described, functions))


if __name__ == "__main__":
    for source in sorted(FOLDER.glob("*.py.in")):
        target = TARGET / source.stem
        if "--check" not in sys.argv:
            target.write_text(made(source))
        elif target.read_text() != made(source):
            sys.exit(f"{target} is not what {source.name} says: python python/signatures/make.py")
