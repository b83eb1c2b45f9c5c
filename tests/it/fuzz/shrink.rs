//! Makes a failing input as small as possible.

/// The maximum number of inputs that are tried to find a smaller one.
const ATTEMPTS: usize = 2000;

/// Removes pieces of the input, large ones first, as long as `fails` returns true.
pub(crate) fn shrink(bytes: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut best = bytes.to_vec();
    let mut piece = best.len().div_ceil(2);
    let mut attempts = 0;
    while piece > 0 && attempts < ATTEMPTS {
        let mut offset = 0;
        while offset < best.len() && attempts < ATTEMPTS {
            let end = (offset + piece).min(best.len());
            let smaller = [&best[..offset], &best[end..]].concat();
            attempts += 1;
            if fails(&smaller) {
                best = smaller;
            } else {
                offset = end;
            }
        }
        piece /= 2;
    }
    best
}

#[test]
fn the_minimiser_removes_bytes_that_do_not_matter() {
    let text = b"some text, a needle in it, and more text behind it";
    let shrunk = shrink(text, |bytes| {
        bytes.windows(6).any(|window| window == b"needle")
    });
    assert_eq!(shrunk, b"needle");
}
