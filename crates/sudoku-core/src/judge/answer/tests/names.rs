//! Names of rows in other languages, lower-case letters, and tags between rows.

use super::*;

/// Rows 1 to `order` of a grid, each behind a name in which `{n}` is its number.
fn named(sample: &Sample, name: &str) -> String {
    let order = sample.solution.len().isqrt();
    let solution = plain(&sample.solution);
    let rows = solution.as_bytes().chunks(order).zip(1..);
    rows.map(|(row, at)| {
        let cells: String = row
            .iter()
            .map(|cell| format!(" {}", char::from(*cell)))
            .collect();
        format!("{}{cells}\n", name.replace("{n}", &format!("{at}")))
    })
    .collect()
}

#[test]
fn rows_are_named_in_other_languages_and_columns_are_no_rows() {
    let mut rng = Rng::for_item(SEED, 7);
    for name in [
        "Строка {n}:",
        "строка{n}:",
        "Ряд {n} -",
        "Línea {n}:",
        "**Rząd {n}**:",
        "Wiersz {n}:",
        "Satır {n}:",
        "第 {n} 行：",
        "第{n}行：",
        "- 第 {n} 行:",
        "行{n}：",
        "{n}行目：",
        "{n}행:",
        "الصف {n}:",
        "Γραμμή {n}:",
        "Hàng {n}:",
        "Строка №{n}:",
    ] {
        let sample = Sample::random(9, &mut rng);
        let text = named(&sample, name);
        let answer = read_answer(&text, &plain(&sample.puzzle), &Alphabets::default());
        let answer = answer.map(|answer| (answer.grid, answer.form.id));
        assert_eq!(answer, Ok((plain(&sample.solution), "row_names")), "{text}");
        let from_second = text.split_once('\n').unwrap().1;
        assert!(read(from_second, &sample, &Alphabets::default()).is_err());
    }
    for name in [
        "Столбец {n}:",
        "столбец{n}:",
        "Колонка {n}:",
        "第 {n} 列：",
        "第{n}列：",
        "列{n}：",
        "{n}열:",
        "العمود {n}:",
        "Sütun {n}:",
        "Στήλη {n}:",
        "Cột {n}:",
        "…{n}:",
        "第 {n} ",
    ] {
        let sample = Sample::random(9, &mut rng);
        let text = named(&sample, name);
        let answer = read(&text, &sample, &Alphabets::default());
        assert_eq!(answer, Err("no board is in the text".to_owned()), "{text}");
    }
}

#[test]
fn lower_case_letters_are_cells_of_large_grids() {
    let alphabets = alphabets();
    let mut rng = Rng::for_item(SEED, 8);
    for order in [12, 16, 25] {
        for form in WRITTEN {
            let style = Style {
                numbers: false,
                empty: ".",
            };
            if !can_write(form, order, style) {
                continue;
            }
            let sample = Sample::random(order, &mut rng);
            let written = (form.write)(&sample.solution, style).to_lowercase();
            let around =
                format!("This is a solution of a puzzle:\n\n{written}\n\nIt is a good one.");
            for text in [&written, &around] {
                let answer = read(text, &sample, &alphabets);
                assert_eq!(
                    answer,
                    Ok(plain(&sample.solution)),
                    "{order} {}\n{text}",
                    form.name
                );
            }
        }
    }
}

#[test]
fn tags_divide_rows() {
    let mut rng = Rng::for_item(SEED, 9);
    let sample = Sample::random(9, &mut rng);
    let text = named(&sample, "");
    let lines: Vec<&str> = text.lines().collect();
    for (start, end) in [
        ("<answer>", "</answer>"),
        ("<final_answer>", "</final_answer>"),
        ("<|begin_of_solution|>", "<|end_of_solution|>"),
        ("<|begin_of_box|>", "<|end_of_box|>"),
    ] {
        let whole = format!("{start}{text}{end}");
        let answer = read_answer(&whole, &plain(&sample.puzzle), &Alphabets::default());
        assert_eq!(
            answer.map(|answer| answer.rule.id),
            Ok("answer_tag"),
            "{whole}"
        );
        for (before, behind) in [(start, end), (end, "")] {
            let [first, rest] = [&lines[..5], &lines[5..]].map(|rows| rows.join("\n"));
            let divided = format!("{first}\n{before}\n{rest}\n{behind}");
            let answer = read(&divided, &sample, &Alphabets::default());
            assert!(answer.is_err(), "{divided}");
        }
    }
}
