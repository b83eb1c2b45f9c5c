//! Tests grids of other sizes: 4 × 4, 6 × 6, 16 × 16 and 25 × 25.

use sudoku_core::random::Rng;
use sudoku_core::sizes::solve_sized;
use sudoku_core::sizes::{Size, SizedGrid, Symbol};
use sudoku_core::solve::Limits;

use crate::util::{PUZZLE, SOLUTION, TestDir, numbers, texts};

const PUZZLE_OF_4: &str = "1...........2..3";
const UNIQUE_PUZZLE_OF_4: &str = "12.4........43.1";
const GRID_OF_6: &str = "123456456123231564564231312645645312";

/// A full grid, with the symbols in random order.
fn full_grid(size: Size, rng: &mut Rng) -> Vec<usize> {
    let order = size.order();
    let box_size = order.isqrt();
    let mut names: Vec<usize> = (0..order).collect();
    rng.shuffle(&mut names);
    let row_start = |row: usize| row % box_size * box_size + row / box_size;
    let cells =
        (0..order * order).map(|cell| names[(row_start(cell / order) + cell % order) % order]);
    cells.collect()
}

/// A random puzzle with exactly one solution, and the solution.
fn random_puzzle(size: Size, rng: &mut Rng) -> (SizedGrid, SizedGrid) {
    let solution = full_grid(size, rng);
    let grid = |holes: &[usize]| {
        let cells = solution.iter().enumerate();
        let cells = cells.map(|(at, symbol)| (!holes.contains(&at)).then(|| Symbol::new(*symbol)));
        SizedGrid::new(size, cells).unwrap()
    };
    let mut order: Vec<usize> = (0..size.cells()).collect();
    rng.shuffle(&mut order);
    let mut hole_count = size.cells() * 2 / 5;
    loop {
        let puzzle = grid(&order[..hole_count]);
        if solve_sized(&puzzle, Limits::default()).count == 1 {
            return (puzzle, grid(&[]));
        }
        hole_count = hole_count * 9 / 10;
    }
}

/// The text of the grid, with these symbols and this character for empty cells.
fn in_alphabet(grid: &SizedGrid, symbols: &str, blank: char) -> String {
    let symbols: Vec<char> = symbols.chars().collect();
    let cell = |cell: Option<Symbol>| cell.map_or(blank, |symbol| symbols[symbol.index()]);
    grid.cells().map(cell).collect()
}

#[test]
fn small_grids_can_have_any_character_for_empty_cells() {
    let dir = TestDir::new();
    let zeros = UNIQUE_PUZZLE_OF_4.replace('.', "0");
    let rows = GRID_OF_6
        .as_bytes()
        .chunks(6)
        .map(|row| String::from_utf8_lossy(row));
    let rows: Vec<_> = rows.collect();
    let lines = [
        format!("{zeros} # four"),
        rows.join(" "),
        PUZZLE.to_owned(),
        PUZZLE_OF_4.to_owned(),
        "1...1...........".to_owned(),
        "5...............".to_owned(),
        "1.0.............".to_owned(),
        format!("{},easy", GRID_OF_6.replace('6', "-")),
    ];
    dir.write("in.txt", lines.join("\n"));
    dir.succeed("convert in.txt -o out.csv --rejects bad.csv");
    let output_text = String::from_utf8(dir.read("out.csv")).unwrap();
    let with_holes = GRID_OF_6.replace('6', ".");
    assert_eq!(
        output_text,
        format!(
            "comment,puzzle\nfour,{UNIQUE_PUZZLE_OF_4}\n,{GRID_OF_6}\n,{PUZZLE}\n,{PUZZLE_OF_4}\neasy,{with_holes}\n"
        )
    );
    let rejects_text = String::from_utf8(dir.read("bad.csv")).unwrap();
    for message in [
        "conflict,1 is in r1c1 and in r2c1 (column 1)",
        "bad_character,'5' at position 1 is neither a symbol of 1234 nor a blank",
        "mixed_blanks,'.' and '0' both stand for an empty cell",
    ] {
        assert!(rejects_text.contains(message), "{rejects_text}");
    }
    // Reading the output gives the same puzzles.
    dir.succeed("convert out.csv -o again.csv");
    assert_eq!(
        String::from_utf8(dir.read("again.csv")).unwrap(),
        output_text
    );
}

#[test]
fn other_sizes_are_solved_and_graded() {
    let dir = TestDir::new();
    let seed = 4;
    let mut rng = Rng::new(seed);
    let (puzzle_of_16, solved) = random_puzzle(Size::Sixteen, &mut rng);
    let (large, large_solved) = random_puzzle(Size::TwentyFive, &mut rng);
    let other_grid = random_puzzle(Size::Sixteen, &mut rng).1;
    let rows = [
        format!("{UNIQUE_PUZZLE_OF_4},"),
        format!("{PUZZLE_OF_4},"),
        format!("{PUZZLE},{SOLUTION}"),
        format!("{puzzle_of_16},{solved}"),
        format!("{puzzle_of_16},{other_grid}"),
        format!("{large},{large_solved}"),
        format!("{PUZZLE_OF_4},{PUZZLE}"),
    ];
    dir.write("in.csv", format!("puzzle,solution\n{}\n", rows.join("\n")));
    let with_columns = "size,canonical,automorphisms,minimal,redundant_clues";
    dir.succeed(&format!(
        "grade in.csv -o out.parquet --with {with_columns} --uniqueness"
    ));
    let table = dir.parquet("out.parquet");
    let texts_of = |name| -> Vec<String> {
        let values = texts(&table, name).into_iter();
        values.map(Option::unwrap_or_default).collect()
    };
    assert_eq!(
        texts_of("status"),
        [
            "unique", "multiple", "unique", "unique", "unique", "unique", "multiple"
        ]
    );
    assert_eq!(
        texts_of("solution_given"),
        ["", "", "correct", "correct", "wrong", "correct", "wrong"]
    );
    let solutions = texts_of("solution");
    assert_eq!(solutions[3], solved.as_str(), "seed {seed}");
    assert_eq!(solutions[5], large_solved.as_str(), "seed {seed}");
    let clues = [
        4,
        3,
        30,
        puzzle_of_16.clue_count(),
        puzzle_of_16.clue_count(),
        large.clue_count(),
        3,
    ];
    let clues = clues.map(|clues| Some(clues as u64));
    let clue_count = UNIQUE_PUZZLE_OF_4
        .bytes()
        .filter(|byte| *byte != b'.')
        .count() as u64;
    assert_eq!(numbers(&table, "clues")[0], Some(clue_count));
    assert_eq!(numbers(&table, "clues")[1..], clues[1..]);
    assert_eq!(numbers(&table, "size"), [4, 4, 9, 16, 16, 25, 4].map(Some));
    let graded_rows: &[usize] = &[0, 2, 3, 4, 5];
    for (name, expected) in [
        ("rank", graded_rows),
        ("effort", graded_rows),
        ("waves", graded_rows),
        ("rank_u", graded_rows),
        ("automorphisms", &[0, 1, 2, 6]),
        ("redundant_clues", &[2]),
    ] {
        let filled_rows = numbers(&table, name).into_iter().enumerate();
        let filled_rows: Vec<usize> = filled_rows
            .filter(|(_, value)| value.is_some())
            .map(|(at, _)| at)
            .collect();
        assert_eq!(filled_rows, expected, "{name}");
    }
    assert!(
        dir.fail("validate in.csv", 3)
            .contains("with several solutions")
    );
    // If the solver gives up a puzzle, the run continues.
    dir.write("empty.txt", ".".repeat(625));
    dir.succeed("solve empty.txt -o empty.csv --node-limit 5 --alphabet A-Y");
    assert!(
        String::from_utf8(dir.read("empty.csv"))
            .unwrap()
            .contains("gave_up")
    );
    let explanation = dir.succeed(&["explain", puzzle_of_16.as_str()]);
    let text = explanation;
    assert!(
        text.contains("Wave 1")
            && text
                .replace([' ', '│'], "")
                .contains(&solved.as_str()[..16]),
        "{text}"
    );
    let explanation = dir.succeed(&["explain", puzzle_of_16.as_str(), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&explanation).unwrap();
    assert_eq!(json["rank"].as_u64(), numbers(&table, "rank")[3]);
    assert_eq!(json["size"], 16);
    let step = &json["waves"][0]["steps"][0];
    assert!(
        step["why"].as_str().is_some_and(|why| why.ends_with('.')),
        "{step}"
    );
    assert_eq!(json["solution"], solved.as_str());
    let page = dir.succeed(&["explain", puzzle_of_16.as_str(), "--html"]);
    assert!(
        page.contains("<h2>Wave 1: ") && page.contains(solved.as_str()),
        "{page}"
    );
    dir.fail(&["explain", PUZZLE_OF_4], 3);
}

/// Puzzles of every size are generated, read in all formats for grids, solved by both solvers for such sizes, and
/// graded.
#[test]
fn generated_puzzles_of_every_size_go_through_the_whole_pipeline() {
    let dir = TestDir::new();
    for size in ["4", "6", "12", "16"] {
        let table = format!("{size}.csv");
        dir.succeed(&format!(
            "generate 3 --seed 15 --size {size} --symmetry rotational -o {table}"
        ));
        dir.succeed(&format!(
            "solve {table} -o solved.csv --with size --overwrite"
        ));
        dir.succeed(&format!(
            "solve {table} -o cover.csv --solver dlx --with size --overwrite"
        ));
        let read = |name: &str| String::from_utf8(dir.read(name)).unwrap();
        let column = |text: &str, name: &str| -> Vec<String> {
            let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned));
            let names: Vec<String> = rows.next().unwrap().collect();
            let column_index = names.iter().position(|own| own == name).unwrap();
            rows.map(|mut row| row.nth(column_index).unwrap()).collect()
        };
        let (solved, cover) = (read("solved.csv"), read("cover.csv"));
        for name in ["status", "solution", "solution_given", "size"] {
            assert_eq!(
                column(&solved, name),
                column(&cover, name),
                "{size}: {name}"
            );
        }
        assert_eq!(column(&solved, "solution_given"), ["correct"; 3], "{size}");
        assert_eq!(column(&solved, "size"), [size; 3]);
        dir.succeed(&format!("grade {table} -o graded.csv --overwrite"));
        let techniques = column(&read("graded.csv"), "technique");
        assert!(
            techniques.iter().all(|id| !id.is_empty()),
            "{size}: {techniques:?}"
        );
        for format in ["grids.txt", "grids.sdk", "grids.parquet"] {
            dir.succeed(&format!("convert {table} -o {format} --overwrite"));
            dir.succeed(&format!("convert {format} -o back.txt --overwrite"));
            let text_read_back = read("back.txt");
            let puzzles = text_read_back
                .lines()
                .filter_map(|line| line.split(',').next());
            let puzzles: Vec<&str> = puzzles.collect();
            assert_eq!(puzzles, column(&read(&table), "puzzle"), "{size}: {format}");
        }
    }
    dir.fail("generate 1 --seed 1 --size 10 -o ten.csv", 2);
    dir.fail(
        "generate 1 --seed 1 --solutions 2 --level easy -o two.csv",
        2,
    );
}

#[test]
fn the_alphabet_is_inferred_from_the_first_grids() {
    let dir = TestDir::new();
    let seed = 5;
    let mut rng = Rng::new(seed);
    let pairs: Vec<_> = (0..10)
        .map(|_| random_puzzle(Size::Sixteen, &mut rng))
        .collect();
    let mut expected = "puzzle,solution\n".to_owned();
    for (puzzle, solution) in &pairs {
        expected += &format!("{puzzle},{solution}\n");
    }
    for (symbols, blank) in [
        ("123456789ABCDEFG", '.'),
        ("123456789ABCDEFG", '0'),
        ("123456789abcdefg", '0'),
        ("0123456789ABCDEF", '.'),
        ("0123456789abcdef", '-'),
        ("ABCDEFGHIJKLMNOP", '.'),
        ("abcdefghijklmnop", '0'),
    ] {
        let mut text = "puzzle,solution\n".to_owned();
        for (puzzle, solution) in &pairs {
            let (puzzle, solution) = (
                in_alphabet(puzzle, symbols, blank),
                in_alphabet(solution, symbols, blank),
            );
            text += &format!("{puzzle},{solution}\n");
        }
        dir.write("in.csv", &text);
        for threads in ["1", "4"] {
            dir.succeed(&format!(
                "convert in.csv -o out.csv --overwrite --threads {threads}"
            ));
            let output_text = String::from_utf8(dir.read("out.csv")).unwrap();
            assert_eq!(output_text, expected, "seed {seed}: {symbols} {blank:?}");
        }
        let lines: String = pairs
            .iter()
            .map(|(puzzle, _)| in_alphabet(puzzle, symbols, blank) + " # 16\n")
            .collect();
        dir.write("in.txt", lines);
        dir.succeed("convert in.txt -o out.txt --overwrite");
        let puzzles: String = pairs
            .iter()
            .map(|(puzzle, _)| format!("{puzzle}\n"))
            .collect();
        assert_eq!(String::from_utf8(dir.read("out.txt")).unwrap(), puzzles);
    }
}

#[test]
fn an_ambiguous_alphabet_is_an_error_with_advice() {
    let dir = TestDir::new();
    let mut rng = Rng::new(6);
    let (puzzle, _) = random_puzzle(Size::Sixteen, &mut rng);
    // The puzzle lacks the last symbol of one alphabet and the first symbol of the other, so it fits both alphabets.
    let ambiguous_puzzle = puzzle.as_str().replace('G', ".");
    dir.write("in.txt", format!("{ambiguous_puzzle}\n"));
    let message = dir.fail("convert in.txt -o out.txt", 3);
    assert!(
        message.contains("choose the alphabet 1-9A-G or 0-9A-F with --alphabet"),
        "{message}"
    );
    assert!(!dir.exists("out.txt"));
    dir.succeed("convert in.txt -o out.txt --alphabet 1-9a-g");
    assert_eq!(
        dir.read("out.txt"),
        format!("{ambiguous_puzzle}\n").as_bytes()
    );
    let mut command = dir.command("convert in.txt -o hex.parquet");
    assert!(
        command
            .env("PIPELINE_ALPHABET", "0123456789ABCDEF")
            .status()
            .unwrap()
            .success()
    );
    let table = dir.parquet("hex.parquet");
    let shifted = in_alphabet(
        &SizedGrid::new(
            Size::Sixteen,
            puzzle.cells().map(|cell| cell.filter(|s| s.index() < 15)),
        )
        .unwrap(),
        "23456789ABCDEFG",
        '.',
    );
    assert_eq!(texts(&table, "puzzle"), [Some(shifted)]);

    // Beside puzzles of other sizes, the ambiguous puzzle is a reject, and the run continues.
    dir.write(
        "in.txt",
        format!("{PUZZLE}\n{PUZZLE}\n{ambiguous_puzzle}\n"),
    );
    dir.succeed("convert in.txt -o most.txt --rejects bad.csv");
    assert_eq!(
        dir.read("most.txt"),
        format!("{PUZZLE}\n{PUZZLE}\n").as_bytes()
    );
    let rejects_text = String::from_utf8(dir.read("bad.csv")).unwrap();
    assert!(
        rejects_text.contains("unsupported_size") && rejects_text.contains("choose the alphabet"),
        "{rejects_text}"
    );
    let message = dir.fail("convert in.txt -o x.txt --alphabet 1-8", 2);
    assert!(message.contains("16 or 25"), "{message}");
}
