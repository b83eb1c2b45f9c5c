//! HoDoKu's rating: `--with hodoku`.

use crate::util::Place;

/// Puzzles with HoDoKu's level and score, and the hardest technique of its path.
const RATED: &[(&str, &str)] = &[
    (
        "9................5..34..7...7....5.4..53.2...8..7...2..59.....7..1...6..76..18.5.",
        "hard,928,exact,W-Wing",
    ),
    (
        "8...75........32..72..9..1.43..............5.9...8.......53....5.1..49.3.97..6...",
        "easy,358,exact,Hidden Single",
    ),
];

/// A puzzle that needs forcing nets.
const NETS: &str =
    "..57...2971.8......3..............3.....37..1.795....84.3...........68....1..93.5";

const COLUMNS: &str = "hodoku_level,hodoku_score,hodoku_status,hodoku_hardest";

fn place() -> Place {
    let place = Place::new();
    let rated = RATED.iter().map(|(puzzle, _)| format!("{puzzle}\n"));
    let several = format!("{}\n", ".".repeat(81));
    let rows: String = rated.chain([format!("{NETS}\n"), several]).collect();
    place.write("in.txt", rows);
    place
}

fn rows(place: &Place, options: &[&str]) -> Vec<String> {
    let run = [
        "grade",
        "in.txt",
        "-o",
        "out.csv",
        "--overwrite",
        "--with",
        "hodoku",
    ];
    place.succeed(&[&run[..], options].concat());
    let text = String::from_utf8(place.read("out.csv")).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_row_has_hodoku_s_level_and_score_or_says_why_not() {
    let place = place();
    let found = rows(&place, &["--select", COLUMNS]);
    for (row, (puzzle, expected)) in found.iter().zip(RATED) {
        assert_eq!(row, expected, "{puzzle}");
    }
    assert_eq!(found[2..], ["extreme,,forcing_net,", ",,,"]);
}

#[test]
fn conditions_name_the_columns_and_both_versions_are_there() {
    let place = place();
    let is_above = ["--where", "hodoku_score >= 800", "--select", "hodoku_score"];
    assert_eq!(rows(&place, &is_above), ["928"]);
    let other = ["--hodoku-version", "2.3", "--select", COLUMNS];
    assert_eq!(rows(&place, &other)[0], RATED[0].1);
}

#[test]
fn wrong_versions_are_refused() {
    let place = place();
    for (options, message) in [
        (&["--hodoku-version", "2.3"][..], "--with hodoku"),
        (
            &["--with", "hodoku", "--hodoku-version", "2.1"],
            "2.2 and 2.3",
        ),
    ] {
        let run = [&["grade", "in.txt", "-o", "x.csv"], options].concat();
        let error = place.fail(&run, 2);
        assert!(error.contains(message), "{error}");
    }
}
