//! Writes grids in the forms in which language models write them.

use crate::random::Rng;

/// A solved grid and a puzzle of it. Symbols are numbers from 1 on; 0 is an empty cell.
pub(super) struct Sample {
    pub(super) solution: Vec<usize>,
    pub(super) puzzle: Vec<usize>,
}

const SYMBOLS: &[u8; 26] = b".123456789ABCDEFGHIJKLMNOP";

impl Sample {
    /// A random grid: a cyclic one with its symbols, rows of a band and columns of a stack exchanged.
    pub(super) fn random(order: usize, rng: &mut Rng) -> Sample {
        let (box_rows, box_columns) = match order {
            4 => (2, 2),
            6 => (2, 3),
            12 => (3, 4),
            16 => (4, 4),
            25 => (5, 5),
            _ => (3, 3),
        };
        let mut symbols: Vec<usize> = (1..=order).collect();
        rng.shuffle(&mut symbols);
        let lines = |of_group: usize, rng: &mut Rng| -> Vec<usize> {
            let groups = order / of_group;
            let starts = (0..groups).map(|group| group * of_group);
            starts
                .flat_map(|start| {
                    let mut own: Vec<usize> = (start..start + of_group).collect();
                    rng.shuffle(&mut own);
                    own
                })
                .collect()
        };
        let rows = lines(box_rows, rng);
        let columns = lines(box_columns, rng);
        let cell = |row: usize, column: usize| {
            symbols[(box_columns * (row % box_rows) + row / box_rows + column) % order]
        };
        let solution: Vec<usize> = rows
            .iter()
            .flat_map(|row| columns.iter().map(|column| cell(*row, *column)))
            .collect();
        let puzzle = solution
            .iter()
            .map(|cell| if rng.below(5) < 2 { *cell } else { 0 })
            .collect();
        Sample { solution, puzzle }
    }
}

/// The text of a grid in normal form.
pub(super) fn plain(cells: &[usize]) -> String {
    cells
        .iter()
        .map(|cell| char::from(SYMBOLS[*cell]))
        .collect()
}

/// How the cells of grids are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Whether symbols above 9 are numbers.
    pub(super) numbers: bool,
    pub(super) empty: &'static str,
}

fn cell(value: usize, style: Style) -> String {
    match value {
        0 => style.empty.to_owned(),
        10.. if !style.numbers => char::from(SYMBOLS[value]).to_string(),
        _ => value.to_string(),
    }
}

fn rows(cells: &[usize], style: Style, between: &str) -> Vec<String> {
    let order = cells.len().isqrt();
    let rows = cells.chunks(order).map(|row| {
        let cells: Vec<String> = row.iter().map(|value| cell(*value, style)).collect();
        cells.join(between)
    });
    rows.collect()
}

/// The rows with something before and behind each of them. `{n}` is the number of the row, `{a}` its letter.
fn lines(rows: &[String], template: &str) -> String {
    let lines = rows.iter().enumerate().map(|(at, row)| {
        let letter = char::from(b'A' + at as u8).to_string();
        template
            .replace("{n}", &(at + 1).to_string())
            .replace("{a}", &letter)
            .replace("{w}", ORDINALS.get(at).unwrap_or(&""))
            .replace("{}", row)
    });
    lines.collect::<Vec<_>>().join("\n")
}

const ORDINALS: [&str; 9] = [
    "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth",
];

/// The grids that a form can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// All sizes; numbers above 9 as numbers or letters.
    All,
    /// All sizes; symbols above 9 are letters, as each cell is a character.
    Characters,
    /// Up to 9 × 9.
    Digits,
}

/// A way to write a grid.
pub(super) struct Form {
    pub(super) name: &'static str,
    pub(super) range: Range,
    pub(super) write: fn(&[usize], Style) -> String,
}

/// Declares forms: a name, the grids and the text of cells `c` in style `s`.
macro_rules! forms {
    ($($name:literal $range:ident |$cells:ident, $style:ident| $text:expr;)+) => {
        /// All forms.
        pub(super) const FORMS: &[Form] = &[
            $(Form { name: $name, range: Range::$range, write: |$cells, $style| $text },)+
        ];
    };
}

forms! {
    "characters" Characters |c, s| rows(c, s, "").concat();
    "spaced" All |c, s| rows(c, s, " ").join(" ");
    "commas" All |c, s| rows(c, s, ",").join(",");
    "slashes" Characters |c, s| rows(c, s, "").join("/");
    "bars" Characters |c, s| rows(c, s, "").join("|");
    "row commas" Characters |c, s| rows(c, s, "").join(", ");
    "semicolons" Characters |c, s| rows(c, s, "").join("; ");
    "spaced slashes" All |c, s| rows(c, s, " ").join(" / ");
    "spaced semicolons" All |c, s| rows(c, s, " ").join("; ");
    "escaped" Characters |c, s| rows(c, s, "").join("\\n");
    "escaped spaced" All |c, s| rows(c, s, " ").join("\\n");
    "br" All |c, s| rows(c, s, " ").join("<br>");
    "lines" Characters |c, s| rows(c, s, "").join("\n");
    "spaced lines" All |c, s| rows(c, s, " ").join("\n");
    "comma lines" All |c, s| rows(c, s, ", ").join("\n");
    "fence" All |c, s| format!("```text\n{}\n```", rows(c, s, " ").join("\n"));
    "bracket lines" All |c, s| lines(&rows(c, s, ", "), "[{}],");
    "bold lines" Characters |c, s| lines(&rows(c, s, ""), "**{}**");
    "bold spaced" All |c, s| lines(&rows(c, s, " "), "**{}**");
    "numbered" All |c, s| lines(&rows(c, s, " "), "{n}. {}");
    "numbered run" Characters |c, s| lines(&rows(c, s, ""), "{n}) {}");
    "dashed" All |c, s| lines(&rows(c, s, " "), "- {}");
    "starred" All |c, s| lines(&rows(c, s, " "), "* {}");
    "bullets" All |c, s| lines(&rows(c, s, " "), "• {}");
    "quoted" Characters |c, s| lines(&rows(c, s, ""), "\"{}\"");
    "markdown quote" All |c, s| lines(&rows(c, s, " "), "> {}");
    "backticks" All |c, s| lines(&rows(c, s, " "), "`{}`");
    "spaced out" All |c, s| rows(c, s, " ").join("\n\n");
    "row n" All |c, s| lines(&rows(c, s, " "), "Row {n}: {}");
    "row n commas" All |c, s| lines(&rows(c, s, ", "), "Row {n}: {}");
    "row n run" Characters |c, s| lines(&rows(c, s, ""), "row {n} = {}");
    "row n list" All |c, s| lines(&rows(c, s, ", "), "Row {n}: [{}]");
    "row_n" All |c, s| lines(&rows(c, s, " "), "row_{n}: {}");
    "row#" All |c, s| lines(&rows(c, s, " "), "Row #{n}: {}");
    "row is" All |c, s| lines(&rows(c, s, " "), "Row {n} is {}.");
    "row arrow" All |c, s| lines(&rows(c, s, " "), "Row {n} → {}");
    "bold row n" All |c, s| lines(&rows(c, s, " "), "**Row {n}:** {}");
    "bold row n list" All |c, s| lines(&rows(c, s, ", "), "- **Row {n}**: {}");
    "rn" All |c, s| lines(&rows(c, s, " "), "R{n}: {}");
    "rn run" Characters |c, s| lines(&rows(c, s, ""), "r{n} = {}");
    "rn plain" All |c, s| lines(&rows(c, s, " "), "R{n} {}");
    "first row" Digits |c, s| lines(&rows(c, s, " "), "{w} row: {}");
    "the first row" Digits |c, s| lines(&rows(c, s, ", "), "The {w} row is {}");
    "letters" Digits |c, s| lines(&rows(c, s, " "), "{a}: {}");
    "row letters" Digits |c, s| lines(&rows(c, s, " "), "Row {a}: {}");
    "rows with sentences" All |c, s| lines(&rows(c, s, " "), "Row {n}: {}\nSo row {n} is complete.");
    "names above" All |c, s| lines(&rows(c, s, " "), "**Row {n}**\n{}");
    "names above in a list" All |c, s| lines(&rows(c, s, " "), "- Row {n}:\n  - {}");
    "items" All |c, s| lines(&rows(c, s, ", "), "grid[{n}] = [{}]");
    "other scripts" All |c, s| lines(&rows(c, s, " "), "第{n}行：{}");
    "sentences" Characters |c, s| lines(&rows(c, s, ""), "{}.").replace('\n', " ");
    "xml" Characters |c, s| format!("<grid>{}</grid>", lines(&rows(c, s, ""), "<row n=\"{n}\">{}</row>"));
    "indented json rows" All |c, s| format!("{{\n{}\n}}", lines(&rows(c, s, ",\n"), "\"row{n}\": [\n{}\n],"));
    "html cells on lines" All |c, s| html(c, s, false).replace("</td><td>", "</td>\n<td>");
    "rows on a line" All |c, s| lines(&rows(c, s, " "), "Row {n}: {}").replace('\n', ", ");
    "table" All |c, s| table(c, s, "", "");
    "table with heads" Digits |c, s| table(c, s, "A", "1");
    "table with names" All |c, s| table(c, s, "R1", "C1");
    "table with numbers" All |c, s| table(c, s, "1", "1");
    "html table" All |c, s| html(c, s, false);
    "html table with heads" All |c, s| html(c, s, true);
    "latex" All |c, s| latex(c, s, " \\\\ ", "array");
    "latex lines" All |c, s| latex(c, s, " \\\\\n\\hline\n", "array");
    "latex matrix" All |c, s| latex(c, s, "\\\\", "bmatrix");
    "latex bold" Digits |c, s| latex(c, s, " \\\\\n", "array").replace("1 &", "\\mathbf{1} &");
    "list" All |c, s| format!("[[{}]]", rows(c, s, ", ").join("], ["));
    "list lines" All |c, s| format!("[[{}]]", rows(c, s, ", ").join("],\n ["));
    "assigned list" All |c, s| format!("solution = [\n    [{}]\n]", rows(c, s, ", ").join("],\n    ["));
    "flat list" All |c, s| format!("[{}]", rows(c, s, ", ").join(", "));
    "wrapped list" All |c, s| format!("[{}]", wrapped(&rows(c, s, ", ").join(", ")));
    "list of texts" Characters |c, s| format!("[\"{}\"]", rows(c, s, "").join("\", \""));
    "numpy" All |c, s| format!("[[{}]]", rows(c, s, " ").join("]\n ["));
    "arrays" All |c, s| format!("np.array([[{}]])", rows(c, s, ", ").join("],\n       ["));
    "indented json" All |c, s| format!("[\n [\n  {}\n ]\n]", rows(c, s, ",\n  ").join("\n ],\n [\n  "));
    "json" All |c, s| format!("{{\"solution\": [[{}]]}}", rows(c, s, ", ").join("], ["));
    "json text" Characters |c, s| format!("{{\"answer\": \"{}\"}}", rows(c, s, "").concat());
    "json rows" All |c, s| format!("{{{}}}", lines(&rows(c, s, ", "), "\"row{n}\": [{}],"));
    "json rows one line" All |c, s| format!("{{{}}}", lines(&rows(c, s, ", "), "\"R{n}\": [{}],").replace('\n', " "));
    "json rows as text" Characters |c, s| format!("{{{}}}", lines(&rows(c, s, ""), "\"{n}\": \"{}\",").replace('\n', " "));
    "json in json" All |c, s| format!("{{\"text\": \"{{\\\"grid\\\": [[{}]]}}\"}}", rows(c, s, ", ").join("], ["));
    "yaml" All |c, s| lines(&rows(c, s, ", "), "- [{}]");
    "frame" Digits |c, s| frame(c, s, ["|", "|", "-"]);
    "drawn frame" Digits |c, s| frame(c, s, ["║", "│", "─"]);
    "drawn cells" All |c, s| lines(&rows(c, s, " │ "), "│ {} │\n├───┼───┤");
    "rules" Characters |c, s| rows(c, s, "").join("\n------+-------+------\n");
    "headings" Digits |c, s| headings(c, s);
    "full width" Digits |c, s| digits(&rows(c, s, ""), |digit| char::from_u32(0xff10 + digit).into_iter().collect());
    "keycaps" Digits |c, s| digits(&rows(c, s, ""), |digit| format!("{digit}\u{fe0f}\u{20e3}"));
    "bold digits" Digits |c, s| digits(&rows(c, s, " "), |digit| char::from_u32(0x1d7ce + digit).into_iter().collect());
    "bold cells" Digits |c, s| rows(c, s, " ").join("\n").replace('1', "**1**").replace('3', "*3*");
    "code html" Characters |c, s| format!("<pre><code>{}</code></pre>", rows(c, s, "").join("\n"));
    "windows" All |c, s| rows(c, s, " ").join("\r\n");
    "braces" All |c, s| format!("{{{{{}}}}}", rows(c, s, ",").join("},{"));
}

fn wrapped(list: &str) -> String {
    let words: Vec<&str> = list.split(' ').collect();
    let lines: Vec<String> = words.chunks(7).map(|line| line.join(" ")).collect();
    lines.join("\n ")
}

fn digits(rows: &[String], form: impl Fn(u32) -> String) -> String {
    let text = rows.join("\n");
    let form = |c: char| c.to_digit(10).map_or_else(|| c.to_string(), &form);
    text.chars().map(form).collect()
}

fn table(cells: &[usize], style: Style, row_name: &str, column_name: &str) -> String {
    let order = cells.len().isqrt();
    let name = |first: &str, at: usize| match first.len() {
        0 => String::new(),
        1 if first == "A" => format!("| {} ", char::from(b'A' + at as u8)),
        1 => format!("| {} ", at + 1),
        _ => format!("| {}{} ", &first[..1], at + 1),
    };
    let mut text = String::new();
    if !column_name.is_empty() {
        let heads: String = (0..order).map(|at| name(column_name, at)).collect();
        text = format!("|   {heads}|\n|{}\n", "---|".repeat(order + 1));
    }
    for (at, row) in rows(cells, style, " | ").iter().enumerate() {
        text += &format!("{}| {row} |\n", name(row_name, at));
        if at == 0 && column_name.is_empty() {
            text += &format!("|{}\n", "---|".repeat(order));
        }
    }
    text
}

fn html(cells: &[usize], style: Style, has_heads: bool) -> String {
    let order = cells.len().isqrt();
    let mut text = "<table class=\"grid9\">\n".to_owned();
    if has_heads {
        let heads: String = (1..=order).map(|at| format!("<th>C{at}</th>")).collect();
        text += &format!("<tr><th></th>{heads}</tr>\n");
    }
    for (at, row) in rows(cells, style, "</td><td>").iter().enumerate() {
        let head = if has_heads {
            format!("<th>R{}</th>", at + 1)
        } else {
            String::new()
        };
        text += &format!("<tr>{head}<td>{row}</td></tr>\n");
    }
    text + "</table>"
}

fn latex(cells: &[usize], style: Style, between: &str, name: &str) -> String {
    let order = cells.len().isqrt();
    let columns = match name {
        "array" => format!("{{|{}|}}", "c|".repeat(order)),
        _ => String::new(),
    };
    let rows = rows(cells, style, " & ").join(between);
    format!("$$\\begin{{{name}}}{columns}\n{rows}\n\\end{{{name}}}$$")
}

fn frame(cells: &[usize], style: Style, [edge, bar, line]: [&str; 3]) -> String {
    let order = cells.len().isqrt();
    let rule = format!("+{}+", line.repeat(2 * order + 3));
    let mut text = rule.clone();
    for row in cells.chunks(order) {
        let values: Vec<String> = row.iter().map(|value| cell(*value, style)).collect();
        let boxes: Vec<String> = values.chunks(3).map(|own| own.join(" ")).collect();
        text += &format!("\n{edge} {} {edge}", boxes.join(&format!(" {bar} ")));
    }
    text + "\n" + &rule
}

fn headings(cells: &[usize], style: Style) -> String {
    let order = cells.len().isqrt();
    let heads: Vec<String> = (1..=order).map(|at| format!("C{at}")).collect();
    let mut text = format!("    {}\n", heads.join(" "));
    for (at, row) in rows(cells, style, "  ").iter().enumerate() {
        text += &format!("R{}  {row}\n", at + 1);
        if at % 3 == 2 && at + 1 < order {
            text += "   - - - - - - - - - - - - \n";
        }
    }
    text
}
