//! Bytes looked for in a file, a stretch at a time.

use super::{ReadAt, ReadError, Window};
use crate::decode::num::{u64_of, usize_of};

/// How far a search came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Sought {
    Found(u64),
    /// Not up to here.
    NotYet(u64),
    Nowhere,
}

/// The first place at or behind `from` where a file holds `needle`, within about `budget` bytes.
pub fn find(file: &dyn ReadAt, needle: &[u8], from: u64, budget: u64) -> Result<Sought, ReadError> {
    let finder = memchr::memmem::Finder::new(needle);
    let mut window = Window::scan(file);
    let (size, need) = (file.size(), u64_of(needle.len()));
    let mut at = from;
    let stop = from.saturating_add(budget);
    while !needle.is_empty() && at.saturating_add(need) <= size {
        if at >= stop {
            return Ok(Sought::NotYet(at));
        }
        let want = file.block().max(needle.len());
        let bytes = window.from(at, want)?;
        if let Some(found) = finder.find(bytes) {
            return Ok(Sought::Found(at.saturating_add(u64_of(found))));
        }
        // What is looked for may lie across the seam.
        let step = bytes.len().saturating_sub(needle.len()).saturating_add(1);
        at = at.saturating_add(u64_of(step));
    }
    Ok(Sought::Nowhere)
}

/// Where the zeros begin that go to the end of the file.
pub fn end_of_data(file: &dyn ReadAt, from: u64) -> Result<u64, ReadError> {
    const BLOCK: u64 = 1 << 20;
    let mut end = file.size();
    while end > from {
        let start = end.saturating_sub(BLOCK).max(from);
        let mut bytes = vec![0; usize_of(end.saturating_sub(start))];
        file.read_exact_at(start, &mut bytes)?;
        if let Some(last) = bytes.iter().rposition(|byte| *byte != 0) {
            return Ok(start.saturating_add(u64_of(last)).saturating_add(1));
        }
        end = start;
    }
    Ok(from)
}

/// What a person typed: `0xda a3 20a7` is bytes, anything else the bytes of the text.
pub fn needle(typed: &str) -> Option<Vec<u8>> {
    let Some(hex) = typed.strip_prefix("0x") else {
        return (!typed.is_empty()).then(|| typed.as_bytes().to_vec());
    };
    let digits: Vec<u8> = hex
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    (rest.is_empty() && !pairs.is_empty()).then(|| {
        let byte = |[high, low]: &[u8; 2]| (high << 4) | low;
        pairs.iter().map(byte).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_across_blocks_and_after_a_pause() {
        let mut file = vec![0u8; 300 << 10];
        let at = (128 << 10) - 2;
        file[at..at + 4].copy_from_slice(b"stop");
        assert_eq!(
            find(&file, b"stop", 0, u64::MAX).unwrap(),
            Sought::Found(at as u64)
        );
        assert_eq!(
            find(&file, b"stop", at as u64 + 1, u64::MAX).unwrap(),
            Sought::Nowhere
        );
        let Sought::NotYet(next) = find(&file, b"stop", 0, 1).unwrap() else {
            panic!()
        };
        assert_eq!(
            find(&file, b"stop", next, u64::MAX).unwrap(),
            Sought::Found(at as u64)
        );
    }

    #[test]
    fn hex_is_bytes_and_text_is_text() {
        assert_eq!(needle("0xda a3 20A7"), Some(vec![0xda, 0xa3, 0x20, 0xa7]));
        assert_eq!(needle("0xda a"), None, "half a byte");
        assert_eq!(needle("0x"), None);
        assert_eq!(needle("TagA"), Some(b"TagA".to_vec()));
        assert_eq!(needle(""), None);
    }
}
