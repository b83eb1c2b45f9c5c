//! Claims memory for the classes of batches that are looked up later, so that the index cannot exceed its limit then.

use super::partitions::PARTITION_COUNT;

/// The bytes of an entry in a hash map: the key, the position, and one byte that the map adds.
pub(super) const BYTES_PER_ENTRY: u64 = 25;

/// The size in bytes of a hash map with this number of entries, from which none has been removed.
pub(super) fn bytes_for_entries(entries: u64) -> u64 {
    let buckets = match entries {
        0 => 0,
        1..4 => 4,
        4..8 => 8,
        // The capacity of a hash map is seven eighths of its number of buckets.
        _ => (entries * 8).div_ceil(7).next_power_of_two(),
    };
    buckets * BYTES_PER_ENTRY
}

/// The largest sizes that the hash maps can have when all batches so far have been looked up: each of their keys could be a
/// new class.
pub(super) struct MemoryClaims {
    entries: Vec<u64>,
    bytes: u64,
    /// The previous sizes of maps that may be growing. While a map grows, the old and the new one are both in memory.
    growing_bytes: u64,
}

impl MemoryClaims {
    /// Claims for maps with these numbers of entries.
    pub(super) fn new(entries: Vec<u64>) -> MemoryClaims {
        MemoryClaims {
            bytes: entries.iter().copied().map(bytes_for_entries).sum(),
            entries,
            growing_bytes: 0,
        }
    }

    /// Claims memory for these numbers of new entries, one for each map. Returns false, and claims nothing, if the limit
    /// could be exceeded.
    pub(super) fn claim(&mut self, more: &[u64; PARTITION_COUNT], limit: u64) -> bool {
        let (mut old_bytes, mut new_bytes) = (0, 0);
        for (entries, more) in self.entries.iter().zip(more) {
            let (old, new) = (
                bytes_for_entries(*entries),
                bytes_for_entries(entries + more),
            );
            if new > old {
                old_bytes += old;
                new_bytes += new;
            }
        }
        if self.bytes + self.growing_bytes + new_bytes > limit {
            return false;
        }
        for (entries, more) in self.entries.iter_mut().zip(more) {
            *entries += more;
        }
        self.bytes += new_bytes - old_bytes;
        self.growing_bytes += old_bytes;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::key_map::KeyMap;
    use crate::table::class_key::ClassKey;

    #[test]
    fn the_computed_size_of_a_map_is_that_of_its_capacity() {
        let mut map: KeyMap<u64> = KeyMap::default();
        for entries in 0..5000 {
            let buckets = match map.capacity() as u64 {
                0 => 0,
                capacity => (capacity * 8 / 7).next_power_of_two(),
            };
            assert_eq!(bytes_for_entries(entries), buckets * BYTES_PER_ENTRY);
            map.insert(ClassKey([entries, entries]), entries);
        }
    }

    #[test]
    fn claims_are_refused_before_the_limit_is_exceeded() {
        let mut claims = MemoryClaims::new(vec![0; PARTITION_COUNT]);
        let limit = 1000 * BYTES_PER_ENTRY;
        let mut rows = 0;
        while claims.claim(&[1; PARTITION_COUNT], limit) {
            rows += 1;
            assert!(claims.bytes + claims.growing_bytes <= limit);
        }
        assert_eq!(
            rows, 7,
            "maps of 8 buckets fit, but not of 16 beside those of 8"
        );
        assert!(claims.claim(&[0; PARTITION_COUNT], limit));
    }
}
