//! The symbols of an input: the alphabets of its grids, and the meaning of numbers.
//!
//! There are several conventions: `0` can be an empty cell or the first symbol, and `A` can be the first
//! symbol or follow the digits. The alphabet of an input is inferred from a sample of its grids. A grid rules
//! out an alphabet in which it is invalid: because of a character that is not in the alphabet, two kinds of
//! blanks, or a symbol twice in a house. If several alphabets remain, the user has to name one.

use std::fmt;
use std::str::FromStr;

use std::borrow::Cow;

use super::{Size, SizedGrid, Symbol};
use crate::text::notation::{self, Digits, DigitsVotes};
use crate::text::{BLANKS, is_clean, normalise};

/// The symbols for grids of one size, in order. Upper and lower case letters are the same symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// The size of the grids; `None` for 9 × 9.
    size: Option<Size>,
    symbols: Vec<char>,
    name: String,
}

/// The error for a text that is not an alphabet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlphabetError {
    /// The text does not have 9, 12, 16 or 25 symbols.
    #[error(
        "{count} symbols; an alphabet has 9, 12, 16 or 25, such as A-I, 1-9A-C, 1-9A-G, 0-9A-F or A-Y"
    )]
    Count {
        /// The number of symbols in the text.
        count: usize,
    },
    /// The text has a character that is not printable ASCII, or that always marks an empty cell.
    #[error(
        "{symbol:?} cannot be a symbol: symbols are letters, digits and other printable ASCII characters"
    )]
    Symbol {
        /// The first character that cannot be a symbol.
        symbol: char,
    },
    /// The text has a symbol twice.
    #[error("{symbol:?} occurs twice")]
    Twice {
        /// The first symbol that occurs twice.
        symbol: char,
    },
}

/// The common alphabets, which are tried on the grids of an input.
const COMMON_ALPHABETS: [(Size, &str); 12] = [
    (Size::Twelve, "1-9A-C"),
    (Size::Twelve, "0-9A-B"),
    (Size::Twelve, "A-L"),
    (Size::Sixteen, "1-9A-G"),
    (Size::Sixteen, "0-9A-F"),
    (Size::Sixteen, "A-P"),
    (Size::TwentyFive, "1-9A-P"),
    (Size::TwentyFive, "0-9A-O"),
    (Size::TwentyFive, "A-Y"),
    // The characters that follow the digits in ASCII.
    (Size::Twelve, "1-9:;<"),
    (Size::Sixteen, "1-9:;<=>?@"),
    (Size::TwentyFive, "1-9:;<=>?@A-I"),
];

/// Parses an alphabet: symbols and ranges of symbols, such as `1-9A-G` or `ABCDEFGHIJKLMNOP`.
impl FromStr for Alphabet {
    type Err = AlphabetError;

    fn from_str(text: &str) -> Result<Alphabet, AlphabetError> {
        let name = text.trim().to_ascii_uppercase();
        let mut symbols = Vec::new();
        let mut characters = name.chars().peekable();
        while let Some(first) = characters.next() {
            let last_of_range = match characters.next_if_eq(&'-') {
                Some(_) => characters.next().unwrap_or('-'),
                None => first,
            };
            for symbol in first..=last_of_range {
                if !symbol.is_ascii_graphic() || matches!(symbol, '.' | '_' | '*' | '-' | ',') {
                    return Err(AlphabetError::Symbol { symbol });
                }
                if symbols.contains(&symbol) {
                    return Err(AlphabetError::Twice { symbol });
                }
                symbols.push(symbol);
            }
        }
        let count = symbols.len();
        let size = Size::from_order(count).filter(|size| size.has_letters());
        if size.is_none() && count != 9 {
            return Err(AlphabetError::Count { count });
        }
        Ok(Alphabet {
            size,
            symbols,
            name,
        })
    }
}

/// Writes the alphabet as the user wrote it.
impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Alphabet {
    /// The alphabet for 4 × 4 and 6 × 6 grids, which consists of digits.
    fn digits_of_size(size: Size) -> Alphabet {
        let symbols: Vec<char> = ('1'..='9').take(size.order()).collect();
        Alphabet {
            size: Some(size),
            name: symbols.iter().collect(),
            symbols,
        }
    }

    /// The symbol that a character stands for; `None` if it is not in the alphabet.
    pub fn symbol(&self, character: char) -> Option<Symbol> {
        let character = character.to_ascii_uppercase();
        let symbol_index = self.symbols.iter().position(|symbol| *symbol == character);
        symbol_index.map(Symbol::new)
    }

    /// Whether a character can mark an empty cell. `0` cannot if it is a symbol of the alphabet.
    pub fn is_blank(&self, character: char) -> bool {
        BLANKS.contains(&character) && self.symbol(character).is_none()
    }

    /// Parses a grid in this alphabet; `None` if the grid is invalid in it.
    fn parse_grid(&self, cells: &[char]) -> Option<SizedGrid> {
        let is_known = |c: char| self.symbol(c).is_some() || self.is_blank(c);
        let mut blanks = cells.iter().filter(|cell| self.is_blank(**cell));
        let blank = blanks.next();
        if !cells.iter().all(|cell| is_known(*cell)) || !blanks.all(|other| Some(other) == blank) {
            return None;
        }
        // A grid of digits and letters alone is in one of the alphabets of digits and letters.
        let is_own = |symbol: &char| !symbol.is_ascii_alphanumeric() && *symbol != '?';
        if self.symbols.iter().any(is_own)
            && !cells
                .iter()
                .any(|cell| is_own(cell) && self.symbols.contains(cell))
        {
            return None;
        }
        let grid = SizedGrid::new(self.size?, cells.iter().map(|cell| self.symbol(*cell)))?;
        grid.conflict().is_none().then_some(grid)
    }
}

/// The alphabets for the grids of an input: one for each size, named by the user or inferred.
#[derive(Clone, Debug)]
pub struct Alphabets {
    small_sizes: [Alphabet; 2],
    /// The letters that stand for the digits of 9 × 9 grids; `None` if the digits are 1 to 9.
    nine: Option<Alphabet>,
    large_sizes: [AlphabetInference; 3],
    digits: DigitsVotes,
}

/// Infers the alphabet of the 12 × 12, 16 × 16 or 25 × 25 grids of an input.
#[derive(Clone, Debug)]
struct AlphabetInference {
    size: Size,
    chosen_by_user: Option<Alphabet>,
    /// The common alphabets, each with the number of grids of the sample that are valid in it.
    fitting_grids_by_alphabet: Vec<(Alphabet, usize)>,
    /// The number of grids of the sample that are valid in at least one common alphabet.
    grids: usize,
}

impl Alphabets {
    /// The alphabets before a sample of the input is read. `chosen` is the alphabet that the user named, if
    /// any.
    pub fn new(chosen: Option<&Alphabet>) -> Alphabets {
        let alphabets_of_size = |size| {
            let common_names = COMMON_ALPHABETS.iter().filter(|(of, _)| *of == size);
            let common_alphabets =
                common_names.filter_map(|(_, name)| Some((name.parse().ok()?, 0)));
            AlphabetInference {
                size,
                chosen_by_user: chosen
                    .filter(|alphabet| alphabet.size == Some(size))
                    .cloned(),
                fitting_grids_by_alphabet: common_alphabets.collect(),
                grids: 0,
            }
        };
        Alphabets {
            small_sizes: [Size::Four, Size::Six].map(Alphabet::digits_of_size),
            nine: chosen.filter(|alphabet| alphabet.size.is_none()).cloned(),
            large_sizes: [Size::Twelve, Size::Sixteen, Size::TwentyFive].map(alphabets_of_size),
            digits: DigitsVotes::default(),
        }
    }

    /// Sets the number that stands for an empty cell in grids of numbers, which is otherwise inferred.
    pub fn choose_digits(&mut self, digits: Digits) {
        self.digits.choose(digits);
    }

    /// The meaning of the numbers in grids that are written as numbers.
    pub fn digits(&self) -> Digits {
        self.digits.digits()
    }

    /// Whether the user named letters that stand for the digits of 9 × 9 grids.
    pub(crate) fn has_letters_for_nine(&self) -> bool {
        self.nine.is_some()
    }

    /// The text with the digits of a 9 × 9 grid instead of the letters that stand for them, if the user named such
    /// letters.
    pub(super) fn nine_from_letters<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let Some(alphabet) = &self.nine else {
            return Cow::Borrowed(text);
        };
        let digit = |byte: &u8| match alphabet.symbol(char::from(*byte)) {
            Some(symbol) if byte.is_ascii() => symbol.character() as u8,
            _ => *byte,
        };
        Cow::Owned(text.iter().map(digit).collect())
    }

    /// Adds a text of the input to the sample from which alphabets are inferred.
    pub fn learn(&mut self, text: &[u8]) {
        // Nearly all texts have 81 cells, and 9 × 9 grids need no alphabet.
        if <&[u8; 81]>::try_from(text).is_ok_and(is_clean) {
            return;
        }
        let plain;
        let mut text = text;
        let is_plain = std::str::from_utf8(text).is_ok_and(|text| parse_cells(text).is_some());
        if !is_plain && normalise(text).is_err() {
            notation::vote(text, &mut self.digits);
            if let Some(Ok(reading)) = notation::read(text, self.digits.digits()) {
                plain = reading.text;
                text = plain.as_bytes();
            }
        }
        if text.len() < Size::Twelve.cells() {
            return;
        }
        let cells = std::str::from_utf8(text).ok().and_then(parse_cells);
        let Some((size, cells)) = cells else { return };
        if let Some(large) = self.large_sizes.iter_mut().find(|large| large.size == size) {
            large.count_grid(&cells);
        }
    }

    /// A message that says why an alphabet is needed; `None` unless most texts of the sample have a size whose
    /// alphabet cannot be inferred. `texts` is the number of all texts of the sample.
    pub fn open_question(&self, texts: usize) -> Option<String> {
        let mut most_grids = self
            .large_sizes
            .iter()
            .filter(|large| 2 * large.grids > texts);
        most_grids.find_map(|large| large.infer_alphabet().err())
    }

    /// The alphabet for grids of a size. The error is a message that says why it cannot be inferred.
    pub fn get(&self, size: Size) -> Result<&Alphabet, String> {
        let [twelve, sixteen, twenty_five] = &self.large_sizes;
        match size {
            Size::Four => Ok(&self.small_sizes[0]),
            Size::Six => Ok(&self.small_sizes[1]),
            Size::Twelve => twelve.infer_alphabet(),
            Size::Sixteen => sixteen.infer_alphabet(),
            Size::TwentyFive => twenty_five.infer_alphabet(),
        }
    }
}

impl Default for Alphabets {
    fn default() -> Alphabets {
        Alphabets::new(None)
    }
}

impl AlphabetInference {
    /// Counts a grid of the sample for each common alphabet in which it is valid.
    fn count_grid(&mut self, cells: &[char]) {
        let read_grids = self
            .fitting_grids_by_alphabet
            .iter()
            .map(|(alphabet, _)| alphabet.parse_grid(cells));
        let grids: Vec<Option<SizedGrid>> = read_grids.collect();
        let is_full = |grid: &SizedGrid| grid.clue_count() == self.size.cells();
        // In a full grid, `0` is a symbol: it is unlikely that just the cells of one symbol are empty.
        let any_grid_is_full = grids.iter().flatten().any(is_full);
        for ((_, grids), grid) in self.fitting_grids_by_alphabet.iter_mut().zip(&grids) {
            let is_accepted = grid
                .as_ref()
                .is_some_and(|grid| !any_grid_is_full || is_full(grid));
            *grids += usize::from(is_accepted);
        }
        // Grids that are invalid in all alphabets do not count.
        self.grids += usize::from(grids.iter().any(Option::is_some));
    }

    /// The alphabet that the user named. Otherwise the alphabet in which the most grids of the sample are
    /// valid: it must be a single one, and at least nine tenths of the grids must be valid in it.
    fn infer_alphabet(&self) -> Result<&Alphabet, String> {
        if let Some(chosen) = &self.chosen_by_user {
            return Ok(chosen);
        }
        let most_grids = self
            .fitting_grids_by_alphabet
            .iter()
            .map(|(_, grids)| *grids)
            .max();
        let most_grids = most_grids.unwrap_or_default();
        let mut best = self
            .fitting_grids_by_alphabet
            .iter()
            .filter(|(_, grids)| *grids == most_grids);
        let (first, second) = (best.next(), best.next());
        let is_clear = 10 * most_grids >= 9 * self.grids;
        match (first, second) {
            (Some((alphabet, _)), None) if is_clear => Ok(alphabet),
            _ => Err(self.question_to_user(is_clear, most_grids)),
        }
    }

    fn question_to_user(&self, fit_several: bool, most: usize) -> String {
        let fits_most = |(alphabet, grids): &(Alphabet, usize)| {
            let is_possible = !fit_several || *grids == most;
            is_possible.then(|| alphabet.name.clone())
        };
        let names: Vec<String> = self
            .fitting_grids_by_alphabet
            .iter()
            .filter_map(fits_most)
            .collect();
        let reason = if fit_several {
            "they fit more than one"
        } else {
            "some fit one, some another"
        };
        format!(
            "the alphabet of the {} grids cannot be determined ({reason}): choose the alphabet {}",
            self.size,
            names.join(" or ")
        )
    }
}

/// The size and the characters of a grid of another size than 9 × 9; `None` for any other text. White space
/// is ignored, unless spaces mark the empty cells.
pub(crate) fn parse_cells(text: &str) -> Option<(Size, Vec<char>)> {
    let without_spaces = || text.chars().filter(|c| !c.is_ascii_whitespace());
    let trimmed_text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let readings: [Vec<char>; 3] = [
        text.chars().collect(),
        trimmed_text.chars().collect(),
        without_spaces().collect(),
    ];
    // Spaces can also separate the rows, and are then not empty cells.
    let is_size = |cells: &Vec<char>| Size::from_cells(cells.len());
    readings
        .into_iter()
        .find_map(|cells| Some((is_size(&cells)?, cells)))
}

#[cfg(test)]
mod tests;
