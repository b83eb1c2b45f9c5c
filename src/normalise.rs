//! Stage 2 of 7: the text of a record → a grid in canonical form, or the reason why not.

use crate::board::Grid;
use crate::reject::{RejectKind, RejectReason};

/// Characters that stand for an empty cell.
const BLANKS: &[u8] = b".0*_-xX ?";

/// Brings a grid into canonical form: 81 cells in row order, `1`–`9`, and one of the blank
/// characters for all empty cells. White space around the cells, or between them as in nine lines
/// of nine, is taken off where there are not 81 characters.
pub fn normalise(text: &[u8]) -> Result<Grid, RejectReason> {
    if let Ok(cells) = text.try_into()
        && let Some(grid) = plain(cells)
    {
        return Ok(grid);
    }
    carefully(text)
}

/// 81 digits and dots or zeros: what nearly every record is.
fn plain(cells: &[u8; 81]) -> Option<Grid> {
    let blank = if cells.contains(&b'.') { b'.' } else { b'0' };
    let mut canonical = [0; 81];
    let mut odd = false;
    for (to, &cell) in canonical.iter_mut().zip(cells) {
        let is_blank = cell == blank;
        odd |= !is_blank & !(b'1'..=b'9').contains(&cell);
        *to = if is_blank { b'.' } else { cell };
    }
    if odd {
        return None;
    }
    Grid::from_canonical(&canonical)
}

/// Every grid, and what is wrong with the others.
fn carefully(text: &[u8]) -> Result<Grid, RejectReason> {
    let reject = |kind, message: String| Err(RejectReason::new(kind, message));
    if let Err(error) = std::str::from_utf8(text) {
        let at = error.valid_up_to() + 1;
        return reject(
            RejectKind::NotUtf8,
            format!("byte {at} of the puzzle is not UTF-8"),
        );
    }
    let text = String::from_utf8_lossy(text);
    let mut cells: Vec<char> = text.chars().collect();
    if cells.len() != 81 {
        let count = cells.len();
        cells.retain(|cell| !cell.is_whitespace());
        if cells.len() != 81 {
            return Err(wrong_length(cells.len(), count));
        }
    }
    let mut grid = [b'.'; 81];
    let mut blank = None;
    for (at, cell) in cells.into_iter().enumerate() {
        match u8::try_from(cell) {
            Ok(digit @ b'1'..=b'9') => grid[at] = digit,
            Ok(byte) if BLANKS.contains(&byte) => {
                let first = *blank.get_or_insert(cell);
                if first != cell {
                    return reject(
                        RejectKind::MixedBlanks,
                        format!(
                            "{first:?} and {cell:?} (cell {}) both stand for empty cells",
                            at + 1
                        ),
                    );
                }
            }
            _ => {
                return reject(
                    RejectKind::BadCharacter,
                    format!(
                        "{cell:?} (cell {}) is neither a digit 1-9 nor a blank",
                        at + 1
                    ),
                );
            }
        }
    }
    Grid::from_canonical(&grid).map_or_else(
        || {
            reject(
                RejectKind::BadCharacter,
                "the grid has a character that is no cell".into(),
            )
        },
        Ok,
    )
}

fn wrong_length(cells: usize, characters: usize) -> RejectReason {
    let size = match cells {
        0 => {
            let message = "the puzzle is blank";
            return RejectReason::new(RejectKind::NullValue, message);
        }
        16 => "a 4 × 4 grid",
        36 => "a 6 × 6 grid",
        256 => "a 16 × 16 grid",
        625 => "a 25 × 25 grid",
        729 => "pencil marks of a 9 × 9 grid",
        _ => {
            let message = format!("{characters} characters instead of 81 cells");
            return RejectReason::new(RejectKind::WrongLength, message);
        }
    };
    let message = format!("{cells} cells are {size}; only 9 × 9 grids of 81 cells are read");
    RejectReason::new(RejectKind::UnsupportedSize, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn kind(text: &str) -> &'static str {
        normalise(text.as_bytes()).map_or_else(|reason| reason.kind.id(), |_| "ok")
    }

    #[test]
    fn every_blank_character_means_the_same() {
        let dots =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let grid: Grid = dots.parse().unwrap();
        for blank in BLANKS {
            let text = dots.replace('.', &char::from(*blank).to_string());
            assert_eq!(normalise(text.as_bytes()).unwrap(), grid, "{text:?}");
        }
        let lines: Vec<_> = (0..9).map(|row| &dots[9 * row..][..9]).collect();
        for separator in [" ", "\n", "\r\n", "\t"] {
            let text = format!("  {}\n", lines.join(separator));
            assert_eq!(normalise(text.as_bytes()).unwrap(), grid, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_grid_is_rejected_with_its_kind() {
        assert_eq!(kind(&".".repeat(80)), "wrong_length");
        assert_eq!(kind(&".".repeat(82)), "wrong_length");
        assert_eq!(kind(" \t"), "null_value");
        assert_eq!(kind(&".".repeat(256)), "unsupported_size");
        assert_eq!(kind(&("a".to_owned() + &".".repeat(80))), "bad_character");
        assert_eq!(kind(&("é".to_owned() + &".".repeat(80))), "bad_character");
        assert_eq!(kind(&("0".to_owned() + &".".repeat(80))), "mixed_blanks");
        let reason = normalise(b"\xff").unwrap_err();
        assert_eq!(reason.kind, RejectKind::NotUtf8);
    }

    #[test]
    fn the_fast_path_says_what_the_careful_one_says() {
        let mut rng = Rng::new(7);
        for _ in 0..20_000 {
            let alphabet: &[u8] = match rng.below(4) {
                0 => b"123456789.",
                1 => b"1234567890",
                2 => b"12345.0",
                _ => b"123.*\x00/:\x80 ",
            };
            let length = 81 - usize::from(rng.below(8) == 0);
            let text: Vec<u8> = (0..length)
                .map(|_| alphabet[rng.below(alphabet.len())])
                .collect();
            assert_eq!(normalise(&text), carefully(&text), "{text:?}");
        }
    }
}
