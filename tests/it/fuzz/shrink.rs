//! Makes a failing input as small as possible.

/// The maximum number of inputs that are tried to find a smaller one.
const ATTEMPTS: usize = 2000;

/// Removes pieces of the input, large ones first, as long as `fails` returns true.
pub(crate) fn shrink(bytes: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut smallest_failing = bytes.to_vec();
    let mut piece_length = smallest_failing.len().div_ceil(2);
    let mut attempts = 0;
    while piece_length > 0 && attempts < ATTEMPTS {
        let mut offset = 0;
        while offset < smallest_failing.len() && attempts < ATTEMPTS {
            let piece_end = (offset + piece_length).min(smallest_failing.len());
            let smaller = [&smallest_failing[..offset], &smallest_failing[piece_end..]].concat();
            attempts += 1;
            if fails(&smaller) {
                smallest_failing = smaller;
            } else {
                offset = piece_end;
            }
        }
        piece_length /= 2;
    }
    smallest_failing
}

#[test]
fn the_minimiser_removes_bytes_that_do_not_matter() {
    let text = b"some text, a needle in it, and more text behind it";
    let shrunk = shrink(text, |bytes| {
        bytes.windows(6).any(|window| window == b"needle")
    });
    assert_eq!(shrunk, b"needle");
}
