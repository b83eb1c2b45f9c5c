//! Tests `report` with the statistics of a run: the page, its pictures, and the card.

use std::collections::BTreeSet;

use crate::util::{PUZZLE, TestDir, generated};

/// Thirty puzzles, six of each level.
const LEVELS_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/levels.txt");

/// A test folder with the statistics `levels.json` and `easy.json`.
fn dir_with_statistics() -> TestDir {
    let dir = TestDir::new();
    let grade_with_report = |input: &str, name: &str| {
        let (table, report) = (format!("{name}.parquet"), format!("{name}.json"));
        dir.succeed(&format!(
            "grade {input} -o {table} --with waves --report {report}"
        ));
    };
    grade_with_report(LEVELS_FILE, "levels");
    dir.write("easy.txt", format!("{PUZZLE}\n"));
    grade_with_report("easy.txt", "easy");
    dir
}

fn report_page(dir: &TestDir, arguments: &[&str]) -> String {
    dir.succeed(&[&["report"], arguments, &["-o", "page.html", "--overwrite"]].concat());
    String::from_utf8(dir.read("page.html")).unwrap()
}

/// Regression test: charts showed ids instead of names, and only the chart of labels had the colours of
/// levels.
#[test]
fn charts_have_names_and_the_colours_of_levels() {
    let dir = dir_with_statistics();
    let page = report_page(&dir, &["levels.json"]);
    let charts = page.split("<section id=\"provenance\"").next().unwrap();
    for name in ["Hidden pair", "Naked single", "AIC"] {
        assert!(charts.contains(name), "{name}");
    }
    for id in ["hidden_pair", "naked_single", "hidden pair (", ">aic<"] {
        assert!(!charts.contains(id), "{id}");
    }
    for section in ["levels", "techniques", "uses"] {
        let section = charts
            .split(&format!("<section id=\"{section}\""))
            .nth(1)
            .unwrap();
        let section = section.split("</section>").next().unwrap();
        for level in 0..5 {
            assert!(
                section.contains(&format!("var(--level-{level})")),
                "{level}"
            );
        }
    }
    for mark in ["@@", "#10a0", "#10b0", "#10c0"] {
        assert!(!page.contains(mark), "{mark}");
    }
}

/// The table of contents is at the side or at the top of the page. It must list every section.
#[test]
fn the_table_of_contents_names_every_section() {
    let dir = dir_with_statistics();
    let page = report_page(&dir, &["levels.json"]);
    let ids_after = |before: &str| -> Vec<&str> {
        let after_matches = page.split(before).skip(1);
        after_matches
            .map(|part| part.split('"').next().unwrap())
            .collect()
    };
    let sections = ids_after("<section id=\"");
    assert_eq!(ids_after("<li><a href=\"#"), sections);
    assert!(sections.len() > 9 && page.find("<nav").unwrap() < page.find("<main>").unwrap());
}

/// A chart fits on the screen of a telephone, so that all five levels are visible.
#[test]
fn no_chart_is_wider_than_the_screen_of_a_telephone() {
    let dir = dir_with_statistics();
    for arguments in [
        &["levels.json"][..],
        &["levels.json", "--against", "easy.json"],
    ] {
        let page = report_page(&dir, arguments);
        let widths = page
            .split("<figure class=\"chart\">")
            .skip(1)
            .filter_map(|figure| {
                let svg = figure.split("<svg").nth(1)?;
                let width = svg.split(" width=\"").nth(1)?.split('"').next()?;
                Some(width.to_owned())
            });
        let widths: BTreeSet<String> = widths.collect();
        assert_eq!(widths, BTreeSet::from(["400".to_owned()]));
    }
}

/// Regression test: only the options of a recommended command were code, the inputs were shown as JSON, and all
/// techniques of the ladder were listed.
#[test]
fn commands_are_code_and_the_provenance_is_in_words() {
    let dir = dir_with_statistics();
    let page = report_page(&dir, &["levels.parquet"]);
    for code in [
        "<code>pipeline audit</code>",
        "<code>pipeline grade --with canonical</code>",
    ] {
        assert!(page.contains(code), "{code}");
    }
    let provenance = page.split("<section id=\"provenance\"").nth(1).unwrap();
    assert!(
        provenance.contains("<td>node limit</td><td>1,000,000</td>"),
        "{provenance}"
    );
    assert!(provenance.contains("levels.txt</td>") && !provenance.contains("[&quot;"));
    assert!(!provenance.contains("techniques"), "{provenance}");
    dir.succeed("report levels.parquet --card card.md");
    let card = String::from_utf8(dir.read("card.md")).unwrap();
    assert!(
        card.contains("after `pipeline grade --with canonical`."),
        "{card}"
    );
}

/// Regression test: the figures of labels were twice as wide as the card of their chart, and the last name of the axis
/// was cut off at the edge of the drawing.
#[test]
fn tables_and_names_fit_into_their_place() {
    let dir = TestDir::new();
    dir.succeed(&format!("convert {LEVELS_FILE} -o a.csv"));
    let text = String::from_utf8(dir.read("a.csv")).unwrap();
    let rows = text.lines().enumerate().map(|(n, line)| match n {
        0 => format!("{line},stars\n"),
        _ => format!("{line},{}\n", n % 4),
    });
    dir.write("b.csv", rows.collect::<String>());
    dir.succeed("grade b.csv -o b.parquet --report b.json");
    let page = report_page(&dir, &["b.json"]);
    let labels = page.split("<section id=\"labels\"").nth(1).unwrap();
    let labels = labels.split("</section>").next().unwrap();
    let (charts, tables) = labels.rsplit_once("</figure>").unwrap();
    assert!(!charts.contains("<table") && tables.contains("<summary>Figures of stars</summary>"));
    let effort = page.split("<section id=\"effort\"").nth(1).unwrap();
    let effort = effort.split("</svg>").next().unwrap();
    let names = effort.split("<text").filter(|text| text.contains('–'));
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 1, "{effort}");
    for name in names {
        let text = name.split(['>', '<']).nth(1).unwrap();
        let x = name
            .split(" x=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let x: f64 = x.parse().unwrap();
        // Letters are at most 0.6 times as wide as high.
        let width = 0.6 * 11.0 * text.chars().count() as f64;
        let end = if name.contains("\"end\"") {
            x
        } else {
            x + 0.5 * width
        };
        assert!(end <= 400.0, "{text} ends at {end}");
    }
}

/// Regression test: each of two datasets had its own scale, so the same colour stood for different shares.
#[test]
fn heat_maps_of_two_datasets_have_the_same_scale() {
    let dir = dir_with_statistics();
    let page = report_page(&dir, &["levels.json", "--against", "easy.json"]);
    for caption in [
        "How often each cell has a clue: ",
        "How often each box has each digit as a clue: ",
    ] {
        let scales = page.split(caption).skip(1);
        let scales: Vec<&str> = scales.map(|part| part.split('.').next().unwrap()).collect();
        // Each caption also occurs in the description of its drawing, so there are at least two of them.
        assert!(scales.len() >= 2, "{scales:?}");
        let different_scales: BTreeSet<&&str> = scales.iter().collect();
        assert_eq!(different_scales.len(), 1, "{scales:?}");
    }
}

#[test]
fn a_picture_fits_one_screen_and_other_extensions_are_refused() {
    let dir = dir_with_statistics();
    dir.succeed(("report levels.json -o x.svg --title", &["A <b> & \u{1b}c"]));
    let svg = String::from_utf8(dir.read("x.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("width=\"1280\" height=\"720\""));
    assert!(svg.contains("A &lt;b&gt; &amp; c") && !svg.contains("var(") && !svg.contains("@@"));
    for title in ["Levels", "Hardest technique", "Clues", "Effort"] {
        assert!(svg.contains(&format!(">{title}</text>")), "{title}");
    }
    let message = dir.fail("report levels.json -o x.pdf", 2);
    assert!(
        message.contains(".html") && message.contains(".svg"),
        "{message}"
    );
    dir.fail("report levels.json -o x.svg", 4);
}

/// Regression test: `report -o x.png` was refused.
#[test]
fn a_picture_is_also_drawn_as_png() {
    let dir = dir_with_statistics();
    let arguments = ["report", "levels.json", "--title", "A <b> & c", "-o"];
    dir.succeed(&[&arguments[..], &["x.png"]].concat());
    let png = dir.read("x.png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(png[16..24], [0, 0, 10, 0, 0, 0, 5, 160], "2560 × 1440");
    dir.succeed(&[&arguments[..], &["y.png"]].concat());
    assert!(dir.read("y.png") == png);
    dir.fail(&[&arguments[..], &["y.png"]].concat(), 4);
}

/// A dataset card is short, has a picture beside it, and says how to load the dataset. A card of an earlier version had
/// 300 lines.
#[test]
fn a_card_is_short_and_has_a_picture() {
    let dir = dir_with_statistics();
    dir.succeed("report levels.json --card README.md");
    let card = String::from_utf8(dir.read("README.md")).unwrap();
    let lines = card.lines().count();
    assert!(lines <= 60, "{lines} lines: {card}");
    assert!(card.starts_with("---\npretty_name: \"levels\"\n"), "{card}");
    assert!(card.contains("](<README.svg>)"), "{card}");
    assert!(dir.read("README.svg").starts_with(b"<svg "));
    assert!(card.contains("| extreme | 6 | 20 % |"), "{card}");
    dir.fail("report levels.json --card README.md", 4);
    // The picture of the card would have the same file name as the output of `-o`.
    dir.fail("report levels.json --card a.md -o a.svg", 2);
}

/// Regression test: HTML elements, line ends and escape sequences in values, names and titles were not
/// escaped.
#[test]
fn values_are_escaped_in_pages_and_cards() {
    let dir = TestDir::new();
    let hostile_text = "<script>alert(1)</script>\u{1b}[31m\u{fffe}|`x`";
    dir.write(
        "b.csv",
        format!("puzzle,label\n{PUZZLE},{hostile_text}\n{PUZZLE},<!-- [x](y)\n"),
    );
    dir.succeed("grade b.csv -o b.parquet --report b.json");
    let title = format!("a\n---\n{hostile_text}");
    dir.succeed(&[
        "report", "b.json", "-o", "b.html", "--card", "b.md", "--title", &title,
    ]);
    let page = String::from_utf8(dir.read("b.html")).unwrap();
    let is_unsafe_character = |c: char| (c.is_control() && c != '\n') || c == '\u{fffe}';
    assert!(!page.contains(is_unsafe_character) && !page.contains("<script"));
    let card = String::from_utf8(dir.read("b.md")).unwrap();
    assert!(
        !card.contains('\u{1b}') && !card.contains("<script") && !card.contains("<!--"),
        "{card}"
    );
    assert_eq!(
        card.lines().filter(|line| *line == "---").count(),
        2,
        "{card}"
    );
    let headings: Vec<&str> = card.lines().filter(|line| line.starts_with("# ")).collect();
    assert_eq!(
        headings,
        ["# a --- &lt;script&gt;alert(1)&lt;/script&gt; \\[31m\u{fffe}\\|\\`x\\`"]
    );
    // Values in statistics that are printed as Markdown are escaped, too.
    let text = dir.succeed("stats --merge b.json --format markdown");
    assert!(text.contains("&lt;script&gt;") && !text.contains("<script") && !text.contains("<!--"));
}

/// Regression test: each bar of the chart of ratings was a range such as 1.1–2.06.
#[test]
fn ratings_are_shown_in_steps_of_the_rating_scale() {
    let dir = TestDir::new();
    let rows = generated(&dir, "8").into_iter().cycle();
    let rows = rows
        .zip(10..=119)
        .map(|((puzzle, _), tenth)| format!("{puzzle},{}.{},{}\n", tenth / 10, tenth % 10, tenth));
    dir.write(
        "r.csv",
        "puzzle,se,rating\n".to_owned() + &rows.collect::<String>(),
    );
    dir.succeed("grade r.csv -o r.parquet --report r.json");
    let page = report_page(&dir, &["r.json"]);
    for class in [
        "1.0–1.9",
        "11.0–11.9",
        "in steps of 0.1 from 1.0 to 11.9",
        "20–29",
        "110–119",
    ] {
        assert!(page.contains(class), "{class}");
    }
}

/// Regression test: with seven label columns of a thousand values each, the page had 418 kB, and the card
/// 527 kB.
#[test]
fn pages_and_cards_stay_small() {
    let dir = TestDir::new();
    let columns = [
        "difficulty",
        "label",
        "rating",
        "stars",
        "se",
        "input_level",
        "difficulty_level",
    ];
    let puzzles = generated(&dir, "8").into_iter().cycle();
    let rows = puzzles.zip(0..1000).map(|((puzzle, _), n)| {
        let labels =
            (0..columns.len()).map(|column| format!("a label of some length {}", n * (column + 1)));
        format!("{puzzle},{}\n", labels.collect::<Vec<_>>().join(","))
    });
    let header = format!("puzzle,{}\n", columns.join(","));
    dir.write("many.csv", header + &rows.collect::<String>());
    dir.succeed("grade many.csv -o many.parquet --with waves --report many.json");
    dir.write("other.json", dir.read("many.json"));
    let comparison_page = report_page(&dir, &["many.json", "--against", "other.json"]);
    assert!(
        comparison_page.len() < 300_000,
        "{} bytes",
        comparison_page.len()
    );
    dir.succeed("report many.json --card many.md");
    let card = dir.read("many.md");
    assert!(card.len() < 12_000, "{} bytes", card.len());
}

/// Regression test: all examples were from the first input, and the page did not say which input has which
/// levels.
#[test]
fn several_inputs_are_compared_and_all_give_examples() {
    let dir = TestDir::new();
    let text = std::fs::read_to_string(LEVELS_FILE).unwrap();
    let puzzles: Vec<&str> = text.lines().filter(|line| line.len() == 81).collect();
    let mut sources = BTreeSet::new();
    for (n, name) in ["a.txt", "b.txt", "c.txt"].into_iter().enumerate() {
        let every_third = puzzles.iter().skip(n).step_by(3);
        dir.write(
            name,
            every_third
                .map(|puzzle| format!("{puzzle}\n"))
                .collect::<String>(),
        );
    }
    let inputs = ["a.txt", "b.txt", "c.txt"];
    let options = ["-o", "all.parquet", "--report", "all.json"];
    dir.succeed(&[&["grade"], &inputs[..], &options].concat());
    dir.succeed("stats all.parquet --format json -o of_table.json");
    for name in ["all.json", "of_table.json"] {
        let json: serde_json::Value = serde_json::from_slice(&dir.read(name)).unwrap();
        let examples = json["examples"].as_object().unwrap();
        assert_eq!(examples.len(), 5, "{name}");
        sources.extend(examples.values().map(|own| own["source"].to_string()));
        let breakdowns = json["by"].as_array().unwrap();
        let breakdown = breakdowns
            .iter()
            .find(|by| by["column"] == "source")
            .unwrap();
        assert_eq!(breakdown["groups"].as_array().unwrap().len(), 3, "{name}");
        assert!(report_page(&dir, &[name]).contains("Levels by source"));
    }
    assert!(sources.len() > 1, "{sources:?}");
    // With a single input, there is no comparison of inputs.
    let dir = dir_with_statistics();
    assert!(!report_page(&dir, &["levels.json"]).contains("Levels by source"));
    assert!(!dir.succeed("stats levels.parquet").contains("By source"));
}

/// Regression test: a solver that gives up early looked fast, because only its average time was shown.
#[test]
fn the_page_of_a_comparison_shows_what_is_solved_within_a_time() {
    let dir = TestDir::new();
    let rows = generated(&dir, "12");
    dir.write(
        "p.txt",
        rows.iter()
            .map(|(puzzle, _)| format!("{puzzle}\n"))
            .collect::<String>(),
    );
    dir.succeed("compare p.txt -o runs.parquet --solvers lanes,dlx");
    let page = report_page(&dir, &["runs.parquet"]);
    assert!(page.contains("Puzzles solved within a time") && page.contains("not in it"));
    assert!(page.contains("gives up is not fast"));
    dir.succeed("report runs.parquet -o runs.svg");
    let svg = String::from_utf8(dir.read("runs.svg")).unwrap();
    assert!(svg.contains(">Puzzles solved within a time</text>") && svg.contains("dlx"));
}

/// Regression test: the page of two datasets did not say how many puzzles they have in common.
#[test]
fn the_page_of_two_datasets_counts_the_puzzles_in_both() {
    let dir = TestDir::new();
    let puzzles: Vec<String> = generated(&dir, "30")
        .into_iter()
        .map(|(puzzle, _)| puzzle)
        .collect();
    // The datasets have 20 and 15 puzzles, of which 5 are in both. One puzzle occurs twice in the same dataset.
    let lines = |puzzles: &[String]| {
        puzzles
            .iter()
            .map(|own| format!("{own}\n"))
            .collect::<String>()
    };
    dir.write("a.txt", lines(&puzzles[..20]) + &lines(&puzzles[..1]));
    dir.write("b.txt", lines(&puzzles[15..]));
    for name in ["a", "b"] {
        let (input, output) = (format!("{name}.txt"), format!("{name}.parquet"));
        dir.succeed(&format!("grade {input} -o {output} --with canonical"));
    }
    let message = report_page(&dir, &["a.parquet", "--against", "b.parquet"]);
    let overlap_sentence = "5 different puzzles are in both: 25\u{a0}% of those of a, 33.3\u{a0}% of those of b. Up to rotation, \
                    reflection and relabelling, they are 5.";
    assert!(message.contains(overlap_sentence), "{message}");
    // A dataset whose puzzles are all in both is named without a share.
    dir.write("c.txt", lines(&puzzles[..5]));
    let message = report_page(&dir, &["c.txt", "--against", "a.txt"]);
    assert!(
        message.contains("5 different puzzles are in both: all of c, 25\u{a0}% of those of a.")
    );
    // The overlap of isomorphs is unknown without the column `canonical`. The whole overlap is unknown if a file
    // is compared with itself, and for stored statistics.
    let message = report_page(&dir, &["a.txt", "--against", "b.txt"]);
    assert!(
        message.contains("5 different puzzles are in both") && !message.contains("Up to rotation")
    );
    dir.succeed("stats b.parquet --format json -o b.json");
    for other in ["b.json", "a.parquet"] {
        assert!(
            !report_page(&dir, &["a.parquet", "--against", other]).contains("in both"),
            "{other}"
        );
    }
}
