//! CRC-32 (IEEE) and CRC-32C (Castagnoli) for wasm, which has no carry-less multiply.
//!
//! A CRC is the remainder of the message, taken as a polynomial, by a polynomial P. Adding a multiple of P changes no remainder, so with
//! a *sparse* multiple the front of the message can be moved further back by a few shifts and xors, until only the last bytes are left
//! for a table. With y = 1/x these are such multiples (found by search, held by the tests):
//!
//! | | |
//! |---|---|
//! | IEEE | y¹⁴⁵ + y¹⁸³ + y²¹¹ + y³⁰⁰ = 1 |
//! | Castagnoli | y¹⁵⁴ + y¹⁷⁷ + y¹⁸³ + y²⁵⁸ + y²⁹⁰ = 1 |
//!
//! All exponents lie between 2·64 and 5·64: what a 64-bit word sends on arrives two to five words later. Some three times as fast as
//! code with tables; on other hosts use a library that has the processor's own multiply.

trait Polynomial {
    /// Bits reversed, as the tables need it.
    const REVERSED: u32;
    /// How many bits further a bit counts again.
    const SHIFTS: &'static [u32];
    /// `TABLES[n][byte]`: the remainder of a byte that n more bytes follow.
    const TABLES: &'static [[u32; 256]; 8];
}

struct Ieee;
impl Polynomial for Ieee {
    const REVERSED: u32 = 0xedb8_8320;
    const SHIFTS: &'static [u32] = &[145, 183, 211, 300];
    const TABLES: &'static [[u32; 256]; 8] = &tables(Self::REVERSED);
}

struct Castagnoli;
impl Polynomial for Castagnoli {
    const REVERSED: u32 = 0x82f6_3b78;
    const SHIFTS: &'static [u32] = &[154, 177, 183, 258, 290];
    const TABLES: &'static [[u32; 256]; 8] = &tables(Self::REVERSED);
}

/// CRC-32 as in zip, gzip and `java.util.zip.CRC32`.
pub fn crc32(bytes: &[u8]) -> u32 {
    fold::<Ieee>(bytes)
}

/// CRC-32C as in iSCSI, ext4 and `java.util.zip.CRC32C`.
pub fn crc32c(bytes: &[u8]) -> u32 {
    fold::<Castagnoli>(bytes)
}

/// Shorter messages go through the table alone.
const WORTH_FOLDING: usize = 128;
/// What four folded words may still have sent on: five words.
const REST: usize = 5 * 8;

fn fold<P: Polynomial>(bytes: &[u8]) -> u32 {
    if bytes.len() < WORTH_FOLDING {
        return !by_table::<P>(!0, bytes);
    }
    let (blocks, _) = bytes[..bytes.len() - REST].as_chunks::<32>();
    // What earlier words have sent to the next five. A CRC begins with all ones.
    let mut due = [0xffff_ffff, 0, 0, 0, 0];
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        let a = u64::from_le_bytes(words[0]) ^ due[0];
        let b = u64::from_le_bytes(words[1]) ^ due[1];
        let c = u64::from_le_bytes(words[2]) ^ due[2] ^ sent::<P, 2>(a);
        let d = u64::from_le_bytes(words[3]) ^ due[3] ^ sent::<P, 3>(a) ^ sent::<P, 2>(b);
        due = [
            due[4] ^ sent::<P, 4>(a) ^ sent::<P, 3>(b) ^ sent::<P, 2>(c),
            sent::<P, 5>(a) ^ sent::<P, 4>(b) ^ sent::<P, 3>(c) ^ sent::<P, 2>(d),
            sent::<P, 5>(b) ^ sent::<P, 4>(c) ^ sent::<P, 3>(d),
            sent::<P, 5>(c) ^ sent::<P, 4>(d),
            sent::<P, 5>(d),
        ];
    }
    let (next_five, behind) = bytes[blocks.len() * 32..].split_at(REST);
    let mut rest = [0; REST];
    for ((rest, next), due) in rest.chunks_mut(8).zip(next_five.as_chunks().0).zip(due) {
        rest.copy_from_slice(&(u64::from_le_bytes(*next) ^ due).to_le_bytes());
    }
    !by_table::<P>(by_table::<P>(0, &rest), behind)
}

/// What a word sends to the word `DISTANCE` further on.
#[inline(always)]
fn sent<P: Polynomial, const DISTANCE: u32>(word: u64) -> u64 {
    let mut sent = 0;
    let mut at = 0;
    while at < P::SHIFTS.len() {
        let (words, bits) = (P::SHIFTS[at] / 64, P::SHIFTS[at] % 64);
        if words == DISTANCE {
            sent ^= word << bits;
        } else if words + 1 == DISTANCE && bits > 0 {
            sent ^= word >> (64 - bits);
        }
        at += 1;
    }
    sent
}

/// Eight bytes a round, each looked up in the table of its distance from the round's end.
fn by_table<P: Polynomial>(start: u32, bytes: &[u8]) -> u32 {
    let (rounds, rest) = bytes.as_chunks::<8>();
    let remainder = rounds.iter().fold(start, |remainder, round| {
        let word = u64::from_le_bytes(*round) ^ u64::from(remainder);
        word.to_le_bytes()
            .iter()
            .zip(P::TABLES.iter().rev())
            .fold(0, |sum, (byte, table)| sum ^ table[usize::from(*byte)])
    });
    rest.iter().fold(remainder, |remainder, byte| {
        let [low, ..] = remainder.to_le_bytes();
        (remainder >> 8) ^ P::TABLES[0][usize::from(low ^ byte)]
    })
}

const fn tables(reversed: u32) -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let low = remainder & 1;
            remainder >>= 1;
            if low == 1 {
                remainder ^= reversed;
            }
            bit += 1;
        }
        tables[0][byte] = remainder;
        byte += 1;
    }
    let mut further = 1;
    while further < 8 {
        let mut byte = 0;
        while byte < 256 {
            let nearer = tables[further - 1][byte];
            tables[further][byte] = (nearer >> 8) ^ tables[0][(nearer & 0xff) as usize];
            byte += 1;
        }
        further += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Vec<u8> {
        let byte = |i: u32| (i.wrapping_mul(2_654_435_761) >> 13) as u8;
        (0..70_000).map(byte).collect()
    }

    #[test]
    fn the_check_values_of_both_polynomials() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn folding_agrees_with_a_library_at_every_length() {
        let message = message();
        for len in (0..1500).chain([4096, 65_536, 70_000]) {
            let bytes = &message[..len];
            assert_eq!(crc32(bytes), crc32fast::hash(bytes), "{len} bytes");
        }
    }

    #[test]
    fn folding_agrees_with_the_table_at_every_length() {
        let message = message();
        for len in (0..1500).chain([4096, 65_536, 70_000]) {
            let bytes = &message[..len];
            let by_table = !by_table::<Castagnoli>(!0, bytes);
            assert_eq!(crc32c(bytes), by_table, "{len} bytes");
        }
    }
}
