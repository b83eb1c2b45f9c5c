//! The symbols of 12 × 12, 16 × 16 and 25 × 25 grids, which are written in several ways.
//!
//! `0` is the blank, or the first symbol; `A` is the first symbol, or comes after the digits. Which
//! of the common alphabets an input has is inferred from a sample of its grids: each speaks against those
//! that cannot have written it (a character that one does not have, two kinds of blank, a symbol twice
//! in a house), and a full grid for those in which it is full. What is left open is for the user to
//! say.

use std::fmt;
use std::str::FromStr;

use super::{Size, SizedGrid, Symbol};
use crate::text::BLANKS;

/// The symbols of one size, in order; capital and small letters are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    size: Size,
    symbols: Vec<char>,
    name: String,
}

/// Text that is no alphabet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlphabetError {
    /// Neither 12, 16 nor 25 symbols.
    #[error("{count} symbols; an alphabet has 12, 16 or 25, such as 1-9A-C, 1-9A-G, 0-9A-F or A-Y")]
    Count {
        /// How many there are.
        count: usize,
    },
    /// No ASCII letter or digit.
    #[error("{symbol:?} is neither a letter nor a digit")]
    Symbol {
        /// What was given.
        symbol: char,
    },
    /// Twice the same.
    #[error("{symbol:?} is there twice")]
    Twice {
        /// The symbol.
        symbol: char,
    },
}

/// The alphabets that inputs are tried with.
const COMMON: [(Size, &str); 9] = [
    (Size::Twelve, "1-9A-C"),
    (Size::Twelve, "0-9A-B"),
    (Size::Twelve, "A-L"),
    (Size::Sixteen, "1-9A-G"),
    (Size::Sixteen, "0-9A-F"),
    (Size::Sixteen, "A-P"),
    (Size::TwentyFive, "1-9A-P"),
    (Size::TwentyFive, "0-9A-O"),
    (Size::TwentyFive, "A-Y"),
];

/// The symbols themselves, or ranges of them: `1-9A-G`, `ABCDEFGHIJKLMNOP`.
impl FromStr for Alphabet {
    type Err = AlphabetError;

    fn from_str(text: &str) -> Result<Alphabet, AlphabetError> {
        let name = text.trim().to_ascii_uppercase();
        let mut symbols = Vec::new();
        let mut rest = name.chars().peekable();
        while let Some(first) = rest.next() {
            let last = match rest.next_if_eq(&'-') {
                Some(_) => rest.next().unwrap_or('-'),
                None => first,
            };
            for symbol in first..=last {
                if !symbol.is_ascii_alphanumeric() {
                    return Err(AlphabetError::Symbol { symbol });
                }
                if symbols.contains(&symbol) {
                    return Err(AlphabetError::Twice { symbol });
                }
                symbols.push(symbol);
            }
        }
        let size = match symbols.len() {
            12 => Size::Twelve,
            16 => Size::Sixteen,
            25 => Size::TwentyFive,
            count => return Err(AlphabetError::Count { count }),
        };
        Ok(Alphabet {
            size,
            symbols,
            name,
        })
    }
}

/// As it was given.
impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Alphabet {
    /// The digits of the small sizes.
    fn digits(size: Size) -> Alphabet {
        let symbols: Vec<char> = ('1'..='9').take(size.order()).collect();
        Alphabet {
            size,
            name: symbols.iter().collect(),
            symbols,
        }
    }

    /// The symbol that a character stands for.
    pub fn symbol(&self, character: char) -> Option<Symbol> {
        let character = character.to_ascii_uppercase();
        let place = self.symbols.iter().position(|symbol| *symbol == character);
        place.map(Symbol::new)
    }

    /// Whether a character may stand for an empty cell.
    pub fn is_blank(&self, character: char) -> bool {
        BLANKS.contains(&character) && self.symbol(character).is_none()
    }

    /// The grid without conflicts that can have been written in it.
    fn read(&self, cells: &[char]) -> Option<SizedGrid> {
        let is_known = |c: char| self.symbol(c).is_some() || self.is_blank(c);
        let mut blanks = cells.iter().filter(|cell| self.is_blank(**cell));
        let blank = blanks.next();
        if !cells.iter().all(|cell| is_known(*cell)) || !blanks.all(|other| Some(other) == blank) {
            return None;
        }
        let grid = SizedGrid::new(self.size, cells.iter().map(|cell| self.symbol(*cell)))?;
        grid.conflict().is_none().then_some(grid)
    }
}

/// The alphabets of an input: one a size, where it is known.
#[derive(Clone, Debug)]
pub struct Alphabets {
    small: [Alphabet; 2],
    large: [Large; 3],
}

/// The state of the search for the alphabet of 12 × 12, 16 × 16 or 25 × 25 grids.
#[derive(Clone, Debug)]
struct Large {
    size: Size,
    chosen: Option<Alphabet>,
    /// Those that inputs are tried with, and how many grids of the sample each can have written.
    common: Vec<(Alphabet, usize)>,
    /// Grids of this size in the sample that some of them can have written.
    grids: usize,
}

impl Alphabets {
    /// Before an input has been looked at: what the options say.
    pub fn new(chosen: Option<&Alphabet>) -> Alphabets {
        let large = |size| {
            let common = COMMON.iter().filter(|(of, _)| *of == size);
            let common = common.filter_map(|(_, name)| Some((name.parse().ok()?, 0)));
            Large {
                size,
                chosen: chosen.filter(|alphabet| alphabet.size == size).cloned(),
                common: common.collect(),
                grids: 0,
            }
        };
        Alphabets {
            small: [Size::Four, Size::Six].map(Alphabet::digits),
            large: [Size::Twelve, Size::Sixteen, Size::TwentyFive].map(large),
        }
    }

    /// Learns from a text of the input.
    pub fn learn(&mut self, text: &[u8]) {
        // Nearly all texts are of 81 cells.
        if text.len() < Size::Twelve.cells() {
            return;
        }
        let cells = std::str::from_utf8(text).ok().and_then(cells);
        let Some((size, cells)) = cells else { return };
        if let Some(large) = self.large.iter_mut().find(|large| large.size == size) {
            large.learn(&cells);
        }
    }

    /// Why the alphabet of most of the `texts` that were looked at cannot be determined, where it cannot.
    pub fn open_question(&self, texts: usize) -> Option<String> {
        let mut most = self.large.iter().filter(|large| 2 * large.grids > texts);
        most.find_map(|large| large.reported().err())
    }

    /// The alphabet of a size, or what has to be asked to know it.
    pub fn get(&self, size: Size) -> Result<&Alphabet, String> {
        let [twelve, sixteen, twenty_five] = &self.large;
        match size {
            Size::Four => Ok(&self.small[0]),
            Size::Six => Ok(&self.small[1]),
            Size::Twelve => twelve.reported(),
            Size::Sixteen => sixteen.reported(),
            Size::TwentyFive => twenty_five.reported(),
        }
    }
}

impl Default for Alphabets {
    fn default() -> Alphabets {
        Alphabets::new(None)
    }
}

impl Large {
    /// Counts the grid for the alphabets that can have written it.
    fn learn(&mut self, cells: &[char]) {
        let read = self.common.iter().map(|(alphabet, _)| alphabet.read(cells));
        let read: Vec<Option<SizedGrid>> = read.collect();
        let is_full = |grid: &SizedGrid| grid.clue_count() == self.size.cells();
        // A full grid is no puzzle from which one symbol was left out.
        let any_full = read.iter().flatten().any(is_full);
        for ((_, grids), grid) in self.common.iter_mut().zip(&read) {
            let fits = grid.as_ref().is_some_and(|grid| !any_full || is_full(grid));
            *grids += usize::from(fits);
        }
        // What nobody can have written tells nothing.
        self.grids += usize::from(read.iter().any(Option::is_some));
    }

    /// The alphabet that was chosen, or can have written more grids than every other, and at least
    /// nine of ten.
    fn reported(&self) -> Result<&Alphabet, String> {
        if let Some(chosen) = &self.chosen {
            return Ok(chosen);
        }
        let most = self.common.iter().map(|(_, grids)| *grids).max();
        let most = most.unwrap_or_default();
        let mut best = self.common.iter().filter(|(_, grids)| *grids == most);
        let (first, second) = (best.next(), best.next());
        let is_clear = 10 * most >= 9 * self.grids;
        match (first, second) {
            (Some((alphabet, _)), None) if is_clear => Ok(alphabet),
            _ => Err(self.question(is_clear, most)),
        }
    }

    fn question(&self, fit_several: bool, most: usize) -> String {
        let fitting = |(alphabet, grids): &(Alphabet, usize)| {
            let is_possible = !fit_several || *grids == most;
            is_possible.then(|| alphabet.name.clone())
        };
        let names: Vec<String> = self.common.iter().filter_map(fitting).collect();
        let why = if fit_several {
            "they fit more than one"
        } else {
            "some fit one, some another"
        };
        format!(
            "the alphabet of the {} grids cannot be determined ({why}): give --alphabet {}",
            self.size,
            names.join(" or ")
        )
    }
}

/// The cells of a grid of another size than 9 × 9; white space within is decoration unless it is a
/// cell.
pub(crate) fn cells(text: &str) -> Option<(Size, Vec<char>)> {
    let squeezed = || text.chars().filter(|c| !c.is_ascii_whitespace());
    let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let ways: [Vec<char>; 3] = [
        text.chars().collect(),
        trimmed.chars().collect(),
        squeezed().collect(),
    ];
    // Rows may be set apart by spaces: then these are not the blanks.
    let is_size = |cells: &Vec<char>| Size::of_cells(cells.len());
    ways.into_iter()
        .find_map(|cells| Some((is_size(&cells)?, cells)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    fn named(name: &str) -> Alphabet {
        name.parse().unwrap()
    }

    #[test]
    fn an_alphabet_is_ranges_or_symbols() {
        let hexadecimal = named("0-9a-f");
        assert_eq!(hexadecimal.to_string(), "0-9A-F");
        assert_eq!(hexadecimal.symbol('0'), Some(Symbol::new(0)));
        assert_eq!(hexadecimal.symbol('f'), Some(Symbol::new(15)));
        assert!(!hexadecimal.is_blank('0') && hexadecimal.is_blank('.'));
        assert_eq!(named("0123456789ABCDEF").symbols, hexadecimal.symbols);
        let letters = named("A-Y");
        assert!(letters.is_blank('0') && !letters.is_blank('x') && !letters.is_blank('z'));
        for (text, message) in [
            ("", "0 symbols; an alphabet has 12, 16 or 25"),
            ("1-9", "9 symbols"),
            ("1-9A-GA", "'A' is there twice"),
            ("1-9.A-F", "'.' is neither"),
            ("9-A", "':' is neither"),
            ("A-", "0 symbols"),
            ("G-A", "0 symbols"),
        ] {
            let error = text.parse::<Alphabet>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    /// A grid of 16 × 16 without the symbols from `symbols` on, in this alphabet.
    fn grid(alphabet: &str, blank: char, symbols: usize, holes: usize, rng: &mut Rng) -> String {
        let alphabet = named(alphabet);
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
            .map(|at| cell(at, rng.below(100) < holes))
            .collect()
    }

    fn learnt(texts: &[String]) -> Alphabets {
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
                let texts: Vec<_> = (0..5)
                    .map(|_| grid(name, blank, 16, holes, &mut rng))
                    .collect();
                let lower: Vec<_> = texts.iter().map(|text| text.to_lowercase()).collect();
                for texts in [texts, lower] {
                    let alphabets = learnt(&texts);
                    let reported = alphabets.get(Size::Sixteen).map(ToString::to_string);
                    assert_eq!(reported.as_deref(), Ok(name), "seed {seed}: {texts:?}");
                    assert_eq!(alphabets.open_question(5), None);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_told_is_asked_for() {
        let mut rng = Rng::new(17);
        // No grid has the last symbol, none the first of the other alphabet.
        let texts: Vec<_> = (0..5)
            .map(|_| grid("1-9A-G", '.', 15, 30, &mut rng))
            .collect();
        let alphabets = learnt(&texts);
        let question = alphabets.open_question(5).unwrap();
        assert_eq!(
            question,
            "the alphabet of the 16 × 16 grids cannot be determined (they fit more than one): give \
             --alphabet 1-9A-G or 0-9A-F"
        );
        assert_eq!(alphabets.get(Size::Sixteen), Err(question));
        // A few among others do not stop the rest.
        assert_eq!(alphabets.open_question(10), None);
        let mut chosen = Alphabets::new(Some(&named("1-9A-G")));
        texts.iter().for_each(|text| chosen.learn(text.as_bytes()));
        assert_eq!(chosen.get(Size::Sixteen), Ok(&named("1-9A-G")));

        let both = [
            grid("A-P", '.', 16, 30, &mut rng),
            grid("1-9A-G", '.', 16, 30, &mut rng),
        ];
        let question = learnt(&both).open_question(2).unwrap();
        assert!(
            question.contains("some fit one, some another"),
            "{question}"
        );
        // What nobody can have written tells nothing.
        let bad = [
            both[0].replace('A', "?"),
            "x".repeat(255) + "!",
            both[0].clone(),
        ];
        assert_eq!(learnt(&bad).get(Size::Sixteen), Ok(&named("A-P")));
        // One of many may be a slip: a second blank, which is the first symbol elsewhere.
        let mut texts: Vec<_> = (0..20)
            .map(|_| grid("1-9A-G", '.', 16, 30, &mut rng))
            .collect();
        texts[0] = texts[0].replace('G', ".").replacen('.', "0", 1);
        assert_eq!(learnt(&texts).get(Size::Sixteen), Ok(&named("1-9A-G")));
    }
}
