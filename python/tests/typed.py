"""Every function of the package, for type checkers. It runs too."""

import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt

import sudoku_pipeline as sp
from sudoku_pipeline.options import Ladder, Level, Technique

folder = tempfile.mkdtemp()
ladder: Ladder = ["naked_single", "hidden_single_box", "hidden_single_line"]
level: Level = sp.levels()[0]
technique: Technique = sp.techniques()[1]

boards: npt.NDArray[Any] = sp.generate(20, seed=1, level=level, symmetry="none").to_numpy("puzzle")
stream: sp.Stream = sp.generate(5, seed=2, se=(1.0, 2.0))
near: sp.Table = sp.generate(2, near=boards[:1], swap=1)
solutions: npt.NDArray[Any] = sp.solve(boards, threads=1).to_numpy("solution")
several: dict[str, npt.NDArray[Any]] = sp.solve(boards).to_numpy(["puzzle", "solution"])

graded = sp.grade(boards, ladder=ladder, with_=["canonical"], where="rank > 0", max_rejects=0.5)
frame = graded.to_polars()
print(frame.height, sp.counts(graded)["rows"], graded.rejects)
print(sp.grade(boards, select=["level"]).to_pandas().shape, sp.grade(boards).to_arrow(rejects="null").num_rows)
print(sp.grade(boards).to_dict()["rank"][0], sp.grade(boards).to_pylist()[0]["rank"])
written: int = sp.grade(boards).write(f"{folder}/graded.parquet", format="parquet")
print(sp.convert(boards, schema="canonical").to_arrow().num_rows, sp.filter(boards, "puzzle is not null").counts if False else 0)
print(sp.filter(boards, "puzzle is not null").to_arrow().num_rows, sp.validate(boards).to_arrow().num_rows)

unique: sp.Table = sp.dedup(boards, by="isomorph", memory_limit="256MiB")
duplicates: "sp.Table | None" = unique.duplicates
parts: sp.Parts = sp.split(boards, {"train": 0.5, "test": 0.5}, by="grid", seed=1)
audited: sp.Audit = sp.audit({"train": parts["train"], "test": parts["test"]}, prefer="last")
rows: dict[str, int] = audited.write(f"{folder}/hub", overwrite=True)
print(sp.overlap(parts["train"], parts["test"], max=0.5).counts["twins"], len(sp.augment(boards, 2, seed=1)))
table: sp.Table = sp.trace(boards)
chat: list[dict[str, Any]] = sp.trace(boards[:2], format="chat")
texts: list[dict[str, str]] = sp.trace(boards[:2], template={"prompt": "{puzzle}", "answer": "{steps}"})
arrays: npt.NDArray[np.uint8] = sp.trace(boards, format="steps-npy")
judged: sp.Table = sp.evaluate(boards, solutions, min_exact=1.0)
print(judged.text, sp.evaluate(boards, steps=arrays, moves=True, max_rank=15).num_rows, sp.compare(boards[:2], solvers=["lanes"]).text)
figures: sp.Figures = sp.stats(sp.grade(boards))
page: sp.Page = sp.report(figures, title="Puzzles")
page.write(f"{folder}/report.html")
print(sp.inspect(f"{folder}/graded.parquet")["format"], figures["rows"])

isomorphs: npt.NDArray[np.uint8] = sp.isomorph(boards, np.arange(20))
moves = np.stack([np.zeros(20), np.zeros(20), np.full(20, 5)], axis=1).astype(int)
checked: sp.CheckedMoves = sp.check_moves(boards, moves, ladder="basic", max_rank=15)
print(checked.verdict.shape, checked.rank.max())
print(sp.schema("grade", with_="canonical").names, sp.columns("rejects")[0]["doc"], sp.with_names()[0])
text: str = sp.explain(sp.Puzzle(boards[0]), brief=True)
html: sp.Page = sp.explain(sp.Puzzle(boards[0]), format="html")
steps: dict[str, Any] = sp.explain(sp.Puzzle(boards[0]), format="json")

puzzle = sp.Puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
array: npt.NDArray[Any] = np.asarray(puzzle)
size: int = puzzle.size + puzzle.clues + puzzle.automorphisms + puzzle.box_shape[0] + puzzle[0, 1] + puzzle[0][1]
flags: npt.NDArray[np.bool_] = puzzle.candidates & puzzle.solution_candidates()
print(puzzle.is_unique, puzzle.is_minimal, puzzle.is_solved, puzzle.grid_class, puzzle.board(), puzzle.tolist()[0])
number: sp.Count = puzzle.count(3)
found: sp.Solutions = puzzle.solutions(3)
print(number + 1, number.exact, found[0].clues, found.exact, puzzle.backbone().clues)
grade: sp.Grade = puzzle.grade(ladder=ladder)
own: "Level | None" = grade.level
print(grade.waves, puzzle.rating(se_max=9.0).er)
solved: "sp.Puzzle | None" = puzzle.solve()
hint: "sp.Step | None" = puzzle.hint(technique=technique)
for step in puzzle.steps()[:2]:
    print(step.technique, step.level, step.placements, step.puzzle.clues, step.board.clues, step.candidates.sum(), step.words)
print(len(puzzle.moves(max_rank=3)), puzzle.check((0, 2), 4).verdict, puzzle.check((0, 2), 4, eliminate=True).technique)
print(puzzle.place((0, 2), 4).clues, puzzle.eliminate((0, 2), 1).canonical if False else puzzle.eliminate((0, 2), 1).clues)
print(puzzle.canonical(), puzzle.isomorph(1), len(puzzle.svg("candidates")))
