//! The codecs of Kafka's batches: what comes out, and whether the stream ended well.
//!
//! | codec | form |
//! |---|---|
//! | gzip | members of RFC 1952; a header behind the last one that is none ends the stream |
//! | snappy | xerial: 16 bytes of header, then blocks, each behind its length; without that header one raw block |
//! | lz4 | an lz4 frame of independent blocks. The header's checksum of v0 messages is wrong by tradition, and not looked at |
//! | zstd | frames of RFC 8878; in v2 alone |

use crate::decode::num;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use std::io::Read;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    None,
    Gzip,
    Snappy,
    Lz4,
    Zstd,
}

impl Codec {
    /// `CompressionType.forId`, `None` where it throws.
    pub fn of(id: i64) -> Option<Self> {
        Some(match id {
            0 => Self::None,
            1 => Self::Gzip,
            2 => Self::Snappy,
            3 => Self::Lz4,
            4 => Self::Zstd,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Snappy => "snappy",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }
}

/// What a stream gave before it ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unpacked {
    pub bytes: Vec<u8>,
    /// Why it broke off; `None`: it ended as it should.
    pub fault: Option<&'static str>,
}

/// A stream that opens to more than this is not opened to its end: a broken length must not take the memory of the page.
const MOST: usize = 256 << 20;
const TOO_LARGE: &str = "opens to more than 256 MiB";

pub fn unpack(codec: Codec, bytes: &[u8], checked_lz4_header: bool) -> Unpacked {
    let mut out = Unpacked::default();
    let ended = match codec {
        Codec::None => {
            out.bytes.extend_from_slice(bytes);
            Ok(())
        }
        Codec::Gzip => gzip(bytes, &mut out.bytes),
        Codec::Snappy => snappy(bytes, &mut out.bytes),
        Codec::Lz4 => lz4(bytes, checked_lz4_header, &mut out.bytes),
        Codec::Zstd => zstd(bytes, &mut out.bytes),
    };
    out.fault = ended.err();
    out
}

type Ended = Result<(), &'static str>;

fn gzip(bytes: &[u8], out: &mut Vec<u8>) -> Ended {
    let mut rest = gzip_header(bytes).ok_or("gzip: no header")?;
    loop {
        let from = out.len();
        rest = inflate(rest, out)?;
        let (trailer, behind) = rest
            .split_first_chunk::<8>()
            .ok_or("gzip: the trailer is cut off")?;
        let member = out.get(from..).unwrap_or(&[]);
        let [a, b, c, d, e, f, g, h] = *trailer;
        #[expect(clippy::as_conversions, reason = "the length modulo 2³²")]
        let length = member.len() as u32;
        if crc32fast::hash(member) != u32::from_le_bytes([a, b, c, d])
            || length != u32::from_le_bytes([e, f, g, h])
        {
            return Err("gzip: the trailer does not fit");
        }
        match gzip_header(behind) {
            Some(next) => rest = next,
            None => return Ok(()),
        }
    }
}

/// What follows a gzip member's header.
fn gzip_header(bytes: &[u8]) -> Option<&[u8]> {
    let (header, mut rest) = bytes.split_first_chunk::<10>()?;
    let [0x1f, 0x8b, 8, flags, ..] = *header else {
        return None;
    };
    if flags & 4 != 0 {
        let (length, behind) = rest.split_first_chunk::<2>()?;
        rest = behind.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = rest.get(end.checked_add(1)?..)?;
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}

/// Inflates one deflate stream; what is left behind it. All output stays in one buffer, so that a distance that reaches in front of it
/// is found, as zlib finds it.
fn inflate<'a>(bytes: &'a [u8], out: &mut Vec<u8>) -> Result<&'a [u8], &'static str> {
    let mut state = DecompressorOxide::new();
    let mut opened = vec![0; bytes.len().saturating_mul(2).clamp(4 << 10, MOST)];
    let (mut read, mut wrote) = (0usize, 0usize);
    loop {
        let rest = bytes.get(read..).unwrap_or(&[]);
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, consumed, made) = decompress(&mut state, rest, &mut opened, wrote, flags);
        read = read.saturating_add(consumed);
        wrote = wrote.saturating_add(made);
        let ended = match status {
            TINFLStatus::Done => Ok(bytes.get(read..).unwrap_or(&[])),
            TINFLStatus::HasMoreOutput if out.len().saturating_add(wrote) > MOST => Err(TOO_LARGE),
            TINFLStatus::HasMoreOutput => {
                opened.resize(opened.len().saturating_mul(2), 0);
                continue;
            }
            TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
                Err("gzip: cut off")
            }
            _ => Err("gzip: broken"),
        };
        out.extend_from_slice(opened.get(..wrote).unwrap_or(&[]));
        return ended;
    }
}

const XERIAL: [u8; 8] = [0x82, b'S', b'N', b'A', b'P', b'P', b'Y', 0];

fn snappy(bytes: &[u8], out: &mut Vec<u8>) -> Ended {
    let Some((header, mut rest)) = bytes.split_first_chunk::<16>() else {
        return if bytes.is_empty() {
            Err("snappy: empty")
        } else {
            snappy_block(bytes, out)
        };
    };
    if !header.starts_with(&XERIAL) {
        return snappy_block(bytes, out);
    }
    let [.., a, b, c, d, _, _, _, _] = *header;
    if i32::from_be_bytes([a, b, c, d]) < 1 {
        return Err("snappy: a version that is not supported");
    }
    // A length that is cut off is the end.
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        if *length == [0x82, b'S', b'N', b'A'] {
            // Streams may follow one another.
            rest = behind.get(12..).ok_or("snappy: a header is cut off")?;
            continue;
        }
        let length = usize::try_from(i32::from_be_bytes(*length))
            .map_err(|_| "snappy: a length below zero")?;
        let block = behind.get(..length).ok_or("snappy: a block is cut off")?;
        snappy_block(block, out)?;
        rest = behind.get(length..).unwrap_or(&[]);
    }
    Ok(())
}

fn snappy_block(block: &[u8], out: &mut Vec<u8>) -> Ended {
    let length = snap::raw::decompress_len(block).map_err(|_| "snappy: broken")?;
    if length.saturating_add(out.len()) > MOST {
        return Err(TOO_LARGE);
    }
    let opened = snap::raw::Decoder::new()
        .decompress_vec(block)
        .map_err(|_| "snappy: broken")?;
    out.extend_from_slice(&opened);
    Ok(())
}

/// `Lz4BlockInputStream`.
fn lz4(bytes: &[u8], checked_header: bool, out: &mut Vec<u8>) -> Ended {
    const CUT: &str = "lz4: cut off";
    let (magic, frame) = bytes.split_first_chunk::<4>().ok_or(CUT)?;
    if u32::from_le_bytes(*magic) != 0x184d_2204 {
        return Err("lz4: no frame");
    }
    let [flags, block, ..] = *frame else {
        return Err(CUT);
    };
    if flags >> 6 != 1 || flags & 0x20 == 0 || flags & 0x03 != 0 {
        return Err("lz4: a frame of a kind that is not supported");
    }
    let most = match block >> 4 {
        size @ 4..=7 if block & 0x0f == 0 => 1usize
            .checked_shl(u32::from(size).saturating_mul(2).saturating_add(8))
            .unwrap_or(0),
        _ => return Err("lz4: a block size that is not supported"),
    };
    let described = if flags & 0x08 != 0 { 10 } else { 2 };
    let (descriptor, rest) = frame.split_at_checked(described).ok_or(CUT)?;
    let (stored, mut rest) = rest.split_first().ok_or(CUT)?;
    let [_, computed, ..] = xxhash(descriptor).to_le_bytes();
    if checked_header && computed != *stored {
        return Err("lz4: the header's checksum does not fit");
    }
    loop {
        let (length, behind) = rest.split_first_chunk::<4>().ok_or(CUT)?;
        let length = u32::from_le_bytes(*length);
        let (is_plain, length) = (length >> 31 == 1, length & 0x7fff_ffff);
        if length == 0 {
            return Ok(());
        }
        let length = num::usize_of(u64::from(length));
        if length > most {
            return Err("lz4: a block larger than its frame allows");
        }
        let block = behind.get(..length).ok_or(CUT)?;
        if out.len().saturating_add(most) > MOST {
            return Err(TOO_LARGE);
        }
        if is_plain {
            out.extend_from_slice(block);
        } else {
            let opened = lz4_flex::block::decompress(block, most).map_err(|_| "lz4: broken")?;
            out.extend_from_slice(&opened);
        }
        rest = behind.get(length..).unwrap_or(&[]);
        if flags & 0x10 != 0 {
            let (stored, behind) = rest.split_first_chunk::<4>().ok_or(CUT)?;
            if u32::from_le_bytes(*stored) != xxhash(block) {
                return Err("lz4: a block's checksum does not fit");
            }
            rest = behind;
        }
    }
}

fn xxhash(bytes: &[u8]) -> u32 {
    twox_hash::XxHash32::oneshot(0, bytes)
}

fn zstd(bytes: &[u8], out: &mut Vec<u8>) -> Ended {
    let mut rest = bytes;
    loop {
        let mut decoder =
            ruzstd::decoding::StreamingDecoder::new(&mut rest).map_err(|_| "zstd: no frame")?;
        let limit = num::u64_of(MOST.saturating_sub(out.len())).saturating_add(1);
        let mut limited = (&mut decoder).take(limit);
        limited.read_to_end(out).map_err(|_| "zstd: broken")?;
        if out.len() > MOST {
            return Err(TOO_LARGE);
        }
        let frame = &decoder.decoder;
        if frame
            .get_checksum_from_data()
            .is_some_and(|stored| frame.get_calculated_checksum() != Some(stored))
        {
            return Err("zstd: the checksum does not fit");
        }
        drop(decoder);
        if rest.is_empty() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_snappy_is_read_where_the_xerial_header_is_missing() {
        let packed = snap::raw::Encoder::new()
            .compress_vec(b"snappy snappy snappy")
            .unwrap();
        let unpacked = unpack(Codec::Snappy, &packed, true);
        assert_eq!(unpacked.bytes, b"snappy snappy snappy");
        assert_eq!(unpacked.fault, None);
    }

    #[test]
    fn an_lz4_header_with_the_old_checksum_is_taken_from_v0_only() {
        let mut frame = vec![0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0];
        frame.extend_from_slice(&[3, 0, 0, 0x80]);
        frame.extend_from_slice(b"abc");
        frame.extend_from_slice(&[0; 4]);
        assert_eq!(unpack(Codec::Lz4, &frame, false).bytes, b"abc");
        assert!(unpack(Codec::Lz4, &frame, true).fault.is_some());
        frame[6] = xxhash(&[0x60, 0x40]).to_le_bytes()[1];
        assert_eq!(unpack(Codec::Lz4, &frame, true).bytes, b"abc");
    }

    #[test]
    fn a_stream_that_breaks_off_says_so() {
        for codec in [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd] {
            assert!(unpack(codec, b"nothing of the kind", true).fault.is_some());
        }
    }
}
