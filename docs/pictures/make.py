"""Makes the pictures of the README, each light and dark: the report of the sample, and the speed of the solver beside
its peers. The figures of speed are those of the table in docs/performance.md.

Usage: make.py PIPELINE     all pictures
       make.py --check      compares the pictures of speed with the table
"""

import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent

# Of the light form and of the dark form.
GROUND = ("#ffffff", "#0d1117")
TEXT = ("#1d2125", "#e6edf3")
LABEL = ("#5b636c", "#9da7b1")
LINE = ("#d9dcdf", "#30363d")
BARS = {"pipeline": ("#2b6fb8", "#4c9be8"), "sudoku crate": ("#a9b1b8", "#6e7681"), "tdoku": ("#c9ced3", "#484f58")}


def measured():
    """Puzzles a second on one core, by set and solver."""
    section = (root / "docs/performance.md").read_text().split("## The solver", 1)[1].split("\n## ", 1)[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    header, rest = rows[0], rows[2:]
    columns = {"pipeline": header.index("AVX-512"), "sudoku crate": header.index("`sudoku` crate"), "tdoku": header.index("tdoku")}
    figures = []
    for row in rest:
        if row == header:  # the next table
            break
        figures.append((row[0].split(",")[0], {name: int(row[at].split(" ")[0].replace(",", "")) for name, at in columns.items()}))
    return figures


def speed(dark):
    """Bars, each group as a multiple of the faster peer: the sets differ by a factor of 25."""
    ground, text, label, line = GROUND[dark], TEXT[dark], LABEL[dark], LINE[dark]
    left, width, row, gap, top = 190, 520, 20, 26, 98
    figures = measured()
    most = max(by["pipeline"] / max(by["sudoku crate"], by["tdoku"]) for _, by in figures)
    height = top + len(figures) * (3 * row + gap) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="840" height="{height}" viewBox="0 0 840 {height}" '
        f'font-family="Roboto, Helvetica, Arial, sans-serif" role="img">',
        "<title>Puzzles solved a second on one core, beside the sudoku crate and tdoku</title>",
        f'<rect width="840" height="{height}" fill="{ground}"/>',
        f'<text x="24" y="36" font-size="20" font-weight="700" fill="{text}">Puzzles solved a second, on one core</text>',
        f'<text x="24" y="60" font-size="14" fill="{label}">AVX-512; in brackets the ratio to the faster peer, which is the length '
        f"of the bars</text>",
    ]
    y = top
    for name, by in figures:
        peer = max(by["sudoku crate"], by["tdoku"])
        parts.append(f'<text x="24" y="{y - 6}" font-size="14" font-weight="700" fill="{text}">{name}</text>')
        for solver, value in by.items():
            long = max(width * value / peer / most, 1)
            shown = f"{value:,}" + (f" ({value / peer:.1f} ×)" if solver == "pipeline" else "")
            parts.append(f'<text x="{left - 10}" y="{y + 14}" font-size="13" text-anchor="end" fill="{label}">{solver}</text>')
            parts.append(f'<rect x="{left}" y="{y + 2}" width="{long:.1f}" height="{row - 4}" fill="{BARS[solver][dark]}"/>')
            parts.append(f'<text x="{left + long + 6:.1f}" y="{y + 14}" font-size="13" fill="{label}">{shown}</text>')
            y += row
        parts.append(f'<path d="M{left} {y - 3 * row}V{y}" stroke="{line}"/>')
        y += gap
    return "\n".join(parts) + "\n</svg>\n"


def report(pipeline):
    """The picture that `report` draws of the sample, light and dark."""
    with tempfile.TemporaryDirectory() as name:
        table, picture = pathlib.Path(name, "sample.parquet"), pathlib.Path(name, "report.svg")
        subprocess.run([pipeline, "grade", root / "data/sample.csv.gz", "-o", table, "--quiet"], check=True)
        subprocess.run([pipeline, "report", table, "-o", picture], check=True)
        light = picture.read_text()
    dark = light
    for of_light, of_dark in [GROUND, TEXT, LABEL, LINE]:
        dark = dark.replace(of_light, of_dark)
    return light, dark


pictures = {f"speed-{form}.svg": speed(dark) for dark, form in enumerate(["light", "dark"])}
if sys.argv[1:] == ["--check"]:
    for name, picture in pictures.items():
        if (here / name).read_text() != picture:
            sys.exit(f"docs/pictures/{name} has other figures than docs/performance.md: run `just pictures`")
    sys.exit()
if len(sys.argv) != 2:
    sys.exit(__doc__)
pictures |= zip(["report-light.svg", "report-dark.svg"], report(pathlib.Path(sys.argv[1]).resolve()))
for name, picture in pictures.items():
    (here / name).write_text(picture)
    print(f"docs/pictures/{name}: {len(picture):,} bytes")
