"""The values that options take, as types: type checkers find a name that does not exist, such as ``ladder="ful"``."""

from __future__ import annotations

from typing import Literal, Sequence, Union

#: A level of grades, from the lowest.
Level = Literal["easy", "medium", "hard", "unfair", "extreme"]

#: The id of a technique, by rank. ``search`` is the last.
Technique = Literal[
    "full_house",
    "naked_single",
    "hidden_single_box",
    "hidden_single_line",
    "locked_pointing",
    "locked_claiming",
    "naked_pair",
    "hidden_pair",
    "naked_triple",
    "hidden_triple",
    "x_wing",
    "swordfish",
    "naked_quad",
    "hidden_quad",
    "jellyfish",
    "skyscraper",
    "two_string_kite",
    "turbot_fish",
    "empty_rectangle",
    "xy_wing",
    "xyz_wing",
    "w_wing",
    "remote_pair",
    "simple_coloring",
    "multi_coloring",
    "finned_x_wing",
    "finned_swordfish",
    "finned_jellyfish",
    "sue_de_coq",
    "x_chain",
    "xy_chain",
    "aic",
    "grouped_aic",
    "als_xz",
    "als_xy_wing",
    "als_chain",
    "death_blossom",
    "nishio",
    "cell_region_forcing",
    "dynamic_forcing",
    "nested_forcing",
    "search",
]

#: The techniques to grade with: all, those up to jellyfish, all in HoDoKu's order, or a list of techniques.
Ladder = Union[Literal["full", "basic", "hodoku"], Sequence[Technique]]

#: A column that is computed on request.
WithColumn = Literal[
    "input_solution",
    "size",
    "canonical",
    "automorphisms",
    "minimal",
    "redundant_clues",
    "backdoors",
    "backbone",
    "ambiguous_cells",
    "candidates",
    "all_solutions",
    "stalled",
    "waves",
    "se",
    "te",
    "hodoku",
]

#: One or several columns that are computed on request.
With = Union[WithColumn, Sequence[WithColumn]]

#: The symmetry of the clues of generated puzzles.
Symmetry = Literal["none", "rotational", "quarter-turn", "horizontal", "vertical", "diagonal"]

#: Which puzzles are equal: those with the same cells, isomorphs, those with the same solution, those with isomorphic solutions.
Sameness = Literal["exact", "isomorph", "solution", "grid"]

#: The format of files to read.
InputFormat = Literal[
    "parquet",
    "csv",
    "json",
    "ndjson",
    "arrow",
    "lines",
    "blocks",
    "npy",
    "npz",
    "opensudoku",
    "hodoku",
    "puzzle_bank",
    "puzzle_count",
]

#: The format of a file to write, or ``"hrm"`` for a folder of arrays.
OutputFormat = Literal[
    "parquet", "csv", "tsv", "ndjson", "arrow", "arrow-stream", "lines", "sdk", "euler", "ss", "npy", "hrm"
]

#: The version of HoDoKu whose ratings are computed.
HodokuVersion = Literal["2.2", "2.3"]

#: The type of a column of CSV or JSON.
ColumnType = Literal["text", "int64", "uint64", "float64", "boolean"]

#: The verdict on a move; an empty text where there is no move.
Verdict = Literal["implied", "true", "possible", "false", "repeated", "illegal", "no_solution", ""]
