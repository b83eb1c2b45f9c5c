use super::*;
use crate::random::Rng;

fn alphabet_named(name: &str) -> Alphabet {
    name.parse().unwrap()
}

#[test]
fn an_alphabet_is_ranges_or_symbols() {
    let hexadecimal = alphabet_named("0-9a-f");
    assert_eq!(hexadecimal.to_string(), "0-9A-F");
    assert_eq!(hexadecimal.symbol('0'), Some(Symbol::new(0)));
    assert_eq!(hexadecimal.symbol('f'), Some(Symbol::new(15)));
    assert!(!hexadecimal.is_blank('0') && hexadecimal.is_blank('.'));
    assert_eq!(
        alphabet_named("0123456789ABCDEF").symbols,
        hexadecimal.symbols
    );
    let letters = alphabet_named("A-Y");
    assert!(letters.is_blank('0') && !letters.is_blank('x') && !letters.is_blank('z'));
    for (text, message) in [
        ("", "0 symbols; an alphabet has 9, 12, 16 or 25"),
        ("1-8", "8 symbols"),
        ("1-9A-GA", "'A' occurs twice"),
        ("1-9.A-F", "'.' cannot be a symbol"),
        ("1-9é", "'é' cannot be a symbol"),
        ("A-", "0 symbols"),
        ("G-A", "0 symbols"),
    ] {
        let error = text.parse::<Alphabet>().unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// A random 16 × 16 grid in this alphabet, with only the first `symbols` symbols and `hole_count` empty
/// cells.
fn random_grid(
    alphabet: &str,
    blank: char,
    symbols: usize,
    hole_count: usize,
    rng: &mut Rng,
) -> String {
    let alphabet = alphabet_named(alphabet);
    let mut names: Vec<usize> = (0..16).collect();
    rng.shuffle(&mut names);
    let cell = |cell: usize, hole: bool| {
        let (row, column) = (cell / 16, cell % 16);
        let symbol = names[(row % 4 * 4 + row / 4 + column) % 16];
        if hole || symbol >= symbols {
            blank
        } else {
            alphabet.symbols[symbol]
        }
    };
    (0..256)
        .map(|at| cell(at, rng.below(100) < hole_count))
        .collect()
}

fn alphabets_from(texts: &[String]) -> Alphabets {
    let mut alphabets = Alphabets::default();
    for text in texts {
        alphabets.learn(text.as_bytes());
    }
    alphabets
}

#[test]
fn a_sample_tells_the_alphabet() {
    let seed = 16;
    let mut rng = Rng::new(seed);
    for (name, blank) in [
        ("1-9A-G", '.'),
        ("1-9A-G", '0'),
        ("0-9A-F", '.'),
        ("0-9A-F", '*'),
        ("A-P", '.'),
        ("A-P", '0'),
        ("A-P", '-'),
    ] {
        for holes in [0, 50] {
            let grid_texts: Vec<_> = (0..5)
                .map(|_| random_grid(name, blank, 16, holes, &mut rng))
                .collect();
            let lower_case: Vec<_> = grid_texts.iter().map(|text| text.to_lowercase()).collect();
            for texts in [grid_texts, lower_case] {
                let alphabets = alphabets_from(&texts);
                let inferred_alphabet = alphabets.get(Size::Sixteen).map(ToString::to_string);
                assert_eq!(
                    inferred_alphabet.as_deref(),
                    Ok(name),
                    "seed {seed}: {texts:?}"
                );
                assert_eq!(alphabets.open_question(5), None);
            }
        }
    }
}

#[test]
fn an_ambiguous_alphabet_is_an_error_that_asks_the_user() {
    let mut rng = Rng::new(17);
    // No grid has a symbol that is in only one of the two alphabets that begin with digits.
    let grid_texts: Vec<_> = (0..5)
        .map(|_| random_grid("1-9A-G", '.', 15, 30, &mut rng))
        .collect();
    let alphabets = alphabets_from(&grid_texts);
    let question = alphabets.open_question(5).unwrap();
    assert_eq!(
        question,
        "the alphabet of the 16 × 16 grids cannot be determined (they fit more than one): choose \
         the alphabet 1-9A-G or 0-9A-F"
    );
    assert_eq!(alphabets.get(Size::Sixteen), Err(question));
    // Users are asked for an alphabet only if many texts of the input are such grids.
    assert_eq!(alphabets.open_question(10), None);
    let mut given_alphabet = Alphabets::new(Some(&alphabet_named("1-9A-G")));
    grid_texts
        .iter()
        .for_each(|text| given_alphabet.learn(text.as_bytes()));
    assert_eq!(
        given_alphabet.get(Size::Sixteen),
        Ok(&alphabet_named("1-9A-G"))
    );

    let ambiguous_grids = [
        random_grid("A-P", '.', 16, 30, &mut rng),
        random_grid("1-9A-G", '.', 16, 30, &mut rng),
    ];
    let question = alphabets_from(&ambiguous_grids).open_question(2).unwrap();
    assert!(
        question.contains("some fit one, some another"),
        "{question}"
    );
    // A grid that is invalid in all alphabets is ignored.
    let wrong_grids = [
        ambiguous_grids[0].replace('A', "?"),
        "x".repeat(255) + "!",
        ambiguous_grids[0].clone(),
    ];
    assert_eq!(
        alphabets_from(&wrong_grids).get(Size::Sixteen),
        Ok(&alphabet_named("A-P"))
    );
    // A single invalid grid among many is tolerated. This one has blanks of another kind.
    let mut texts: Vec<_> = (0..20)
        .map(|_| random_grid("1-9A-G", '.', 16, 30, &mut rng))
        .collect();
    texts[0] = texts[0].replace('G', ".").replacen('.', "0", 1);
    assert_eq!(
        alphabets_from(&texts).get(Size::Sixteen),
        Ok(&alphabet_named("1-9A-G"))
    );
}
