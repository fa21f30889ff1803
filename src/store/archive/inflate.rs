//! Deflated data as a file that is read anywhere: a .gz, or an entry of a .zip.
//!
//! Deflate can only be read from front to back. So the output is cut into spans; the first pass through a span remembers the decoder
//! as it stood at its start ([`Span`]), and a read goes on from the nearest one. A span of zeros, of which a store has many, costs
//! nothing. Checksums are those of the first pass. What was unpacked last is kept ([`Points`]), within a bound for the whole archive.

use super::{Damage, Limits, Refused, across, out_of_file, read_up_to};
use crate::decode::num::{u64_of, usize_of};
use crate::store::{ReadAt, ReadError};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// Bytes of output between two remembered points, each of which takes 43 KiB.
const SPAN: usize = 2 << 20;
/// Spans kept unpacked, over all files of an archive.
const KEPT: usize = 48;
/// Packed bytes read at a time.
const INPUT: usize = 256 << 10;

/// What stands around the deflated data.
#[derive(Clone, Copy)]
pub(super) enum Wrap {
    /// An entry of a .zip: its checksum is known beforehand.
    Raw { crc: u32 },
    /// One or several gzip members.
    Gzip,
}

/// The spans of an archive's files that were read last.
#[derive(Default)]
pub(super) struct Points {
    files: Cell<u64>,
    kept: RefCell<Vec<Kept>>,
}

/// A span of a file, by both their numbers.
type Key = (u64, usize);
type Kept = (Key, Rc<Vec<u8>>);

impl Points {
    pub fn shared() -> Rc<Self> {
        Rc::default()
    }

    fn find(&self, key: Key) -> Option<Rc<Vec<u8>>> {
        let mut kept = self.kept.borrow_mut();
        let at = kept.iter().rposition(|(of, _)| *of == key)?;
        let found = kept.remove(at);
        let bytes = found.1.clone();
        kept.push(found);
        Some(bytes)
    }

    fn keep(&self, key: Key, bytes: Rc<Vec<u8>>) {
        let mut kept = self.kept.borrow_mut();
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((key, bytes));
    }
}

pub(super) struct Inflated {
    source: Rc<dyn ReadAt>,
    packed: Range<u64>,
    wrap: Wrap,
    size: u64,
    number: u64,
    points: Rc<Points>,
    progress: RefCell<FirstPass>,
}

/// How far the first pass came.
struct FirstPass {
    decoder: Decoder,
    spans: Vec<Span>,
    failed: Option<Damage>,
}

enum Span {
    Zeros,
    /// The decoder at the span's start.
    From(Box<Decoder>),
}

/// Unpacks a .gz as far as it goes, to learn its length and checksums.
pub(super) fn gunzip(
    source: Rc<dyn ReadAt>,
    limits: Limits,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<(Inflated, Option<Damage>), Refused> {
    let packed = 0..source.size();
    let mut file = Inflated::new(
        source,
        packed.clone(),
        Wrap::Gzip,
        u64::MAX,
        Points::shared(),
    );
    let mut size = 0u64;
    let damage = loop {
        let mut pass = file.progress.borrow_mut();
        match file.advance(&mut pass) {
            Ok(unpacked) => {
                size = size.saturating_add(u64_of(unpacked));
                tell(pass.decoder.at, packed.end);
                if size > limits.unpacked {
                    return Err(Refused::TooLarge {
                        limit: limits.unpacked,
                    });
                }
                if unpacked < SPAN {
                    break None;
                }
            }
            Err(Failed::Unreadable(error)) => return Err(Refused::Unreadable(error)),
            Err(Failed::Damaged(damage)) => {
                size = pass.decoder.out;
                break Some(damage);
            }
        }
    };
    file.size = size;
    Ok((file, damage))
}

impl Inflated {
    /// `size` bytes, packed in these bytes of the archive.
    pub fn new(
        source: Rc<dyn ReadAt>,
        packed: Range<u64>,
        wrap: Wrap,
        size: u64,
        points: Rc<Points>,
    ) -> Self {
        let number = points.files.get();
        points.files.set(number.saturating_add(1));
        let decoder = Decoder::at(packed.start, wrap);
        Self {
            source,
            packed,
            wrap,
            size,
            number,
            points,
            progress: RefCell::new(FirstPass {
                decoder,
                spans: Vec::new(),
                failed: None,
            }),
        }
    }

    /// The first pass through the next span; how many bytes that gave. Fewer than a span are the last ones.
    fn advance(&self, pass: &mut FirstPass) -> Result<usize, Failed> {
        let start = pass.decoder.clone();
        let (bytes, ended) = self.unpack(&mut pass.decoder);
        let len = bytes.len();
        if len > 0 {
            let zeros = bytes.iter().all(|byte| *byte == 0);
            let number = pass.spans.len();
            pass.spans.push(if zeros {
                Span::Zeros
            } else {
                self.points.keep((self.number, number), Rc::new(bytes));
                Span::From(Box::new(start))
            });
        }
        match ended {
            Ok(()) => Ok(len),
            Err(Failed::Damaged(damage)) => {
                pass.failed = Some(damage.clone());
                Err(Failed::Damaged(damage))
            }
            Err(unreadable) => Err(unreadable),
        }
    }

    /// The next span's bytes; those before a damage are given too.
    fn unpack(&self, decoder: &mut Decoder) -> (Vec<u8>, Result<(), Failed>) {
        let mut bytes = vec![0; SPAN];
        let mut filled = 0;
        let ended = loop {
            let Some(into) = bytes.get_mut(filled..).filter(|into| !into.is_empty()) else {
                break Ok(());
            };
            match decoder.read(&*self.source, self.packed.end, self.wrap, into) {
                Ok(0) => break Ok(()),
                Ok(read) => filled = filled.saturating_add(read),
                Err(failed) => break Err(failed),
            }
        };
        bytes.truncate(filled);
        (bytes, ended)
    }

    /// A span's bytes; `None` for zeros.
    fn span(&self, number: usize) -> Result<Option<Rc<Vec<u8>>>, Failed> {
        let mut pass = self.progress.borrow_mut();
        while pass.spans.len() <= number {
            if let Some(damage) = &pass.failed {
                return Err(Failed::Damaged(damage.clone()));
            }
            let unpacked = self.advance(&mut pass)?;
            if unpacked < SPAN && pass.spans.len() <= number {
                return Err(Failed::Damaged(Damage {
                    offset: pass.decoder.at,
                    why: format!("the data ends after {} bytes", pass.decoder.out),
                }));
            }
        }
        let Some(Span::From(start)) = pass.spans.get(number) else {
            return Ok(None);
        };
        let key = (self.number, number);
        if let Some(bytes) = self.points.find(key) {
            return Ok(Some(bytes));
        }
        // What fails behind the bytes that are there was told by the first pass.
        let (bytes, ended) = self.unpack(&mut (**start).clone());
        if let Err(Failed::Unreadable(error)) = ended {
            return Err(Failed::Unreadable(error));
        }
        let bytes = Rc::new(bytes);
        self.points.keep(key, bytes.clone());
        Ok(Some(bytes))
    }
}

impl ReadAt for Inflated {
    fn size(&self) -> u64 {
        self.size
    }

    fn block(&self) -> usize {
        SPAN
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let len = buf.len();
        let short = || out_of_file(offset, len, self.size);
        if offset.saturating_add(u64_of(len)) > self.size {
            return Err(short());
        }
        across(offset, buf, u64_of(SPAN), |number, skip, into| {
            match self
                .span(number)
                .map_err(|failed| failed.reading(offset, len))?
            {
                None => into.fill(0),
                Some(bytes) => {
                    let end = skip.saturating_add(into.len());
                    into.copy_from_slice(bytes.get(skip..end).ok_or_else(short)?);
                }
            }
            Ok(())
        })
    }
}

enum Failed {
    Unreadable(ReadError),
    Damaged(Damage),
}

impl Failed {
    fn reading(self, offset: u64, len: usize) -> ReadError {
        match self {
            Self::Unreadable(error) => error,
            Self::Damaged(damage) => ReadError {
                file: String::new(),
                offset,
                len: u64_of(len),
                why: format!(
                    "the archive is damaged at {}: {}",
                    damage.offset, damage.why
                ),
            },
        }
    }
}

/// Where unpacking stands, whole: a copy goes on from there.
#[derive(Clone)]
struct Decoder {
    inflate: InflateState,
    /// The next packed byte.
    at: u64,
    /// Bytes unpacked so far.
    out: u64,
    /// Of this member.
    crc: crc32fast::Hasher,
    member_bytes: u32,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Header,
    Data,
    Trailer,
    End,
}

impl Decoder {
    fn at(at: u64, wrap: Wrap) -> Self {
        Self {
            inflate: InflateState::new(DataFormat::Raw),
            at,
            out: 0,
            crc: crc32fast::Hasher::new(),
            member_bytes: 0,
            stage: match wrap {
                Wrap::Raw { .. } => Stage::Data,
                Wrap::Gzip => Stage::Header,
            },
        }
    }

    fn damaged(&self, why: &str) -> Failed {
        Failed::Damaged(Damage {
            offset: self.at,
            why: why.to_owned(),
        })
    }

    /// Some bytes more; none at the end.
    fn read(
        &mut self,
        source: &dyn ReadAt,
        end: u64,
        wrap: Wrap,
        into: &mut [u8],
    ) -> Result<usize, Failed> {
        loop {
            match self.stage {
                Stage::Header => self.header(source, end)?,
                Stage::Data => {
                    let read = self.data(source, end, into)?;
                    if read > 0 {
                        return Ok(read);
                    }
                }
                Stage::Trailer => self.trailer(source, end, wrap)?,
                Stage::End => return Ok(0),
            }
        }
    }

    fn packed(&self, source: &dyn ReadAt, end: u64, want: usize) -> Result<Vec<u8>, Failed> {
        let want = want.min(usize_of(end.saturating_sub(self.at)));
        read_up_to(source, self.at, want).map_err(Failed::Unreadable)
    }

    fn data(&mut self, source: &dyn ReadAt, end: u64, into: &mut [u8]) -> Result<usize, Failed> {
        let input = self.packed(source, end, INPUT)?;
        let mut used = 0usize;
        let mut filled = 0usize;
        while self.stage == Stage::Data {
            let Some(room) = into.get_mut(filled..).filter(|room| !room.is_empty()) else {
                break;
            };
            let left = input.get(used..).unwrap_or(&[]);
            let done = inflate(&mut self.inflate, left, room, MZFlush::None);
            used = used.saturating_add(done.bytes_consumed);
            filled = filled.saturating_add(done.bytes_written);
            match done.status {
                Ok(MZStatus::StreamEnd) => self.stage = Stage::Trailer,
                Ok(_) if done.bytes_consumed > 0 || done.bytes_written > 0 => {}
                // It wants more input: the next call brings it, unless there is none.
                _ if left.is_empty() => break,
                _ => {
                    self.at = self.at.saturating_add(u64_of(used));
                    return Err(self.damaged("the compressed data does not read"));
                }
            }
        }
        let unpacked = into.get(..filled).unwrap_or(&[]);
        self.crc.update(unpacked);
        self.out = self.out.saturating_add(u64_of(filled));
        let low = u32::try_from(filled).unwrap_or(u32::MAX);
        self.member_bytes = self.member_bytes.wrapping_add(low);
        self.at = self.at.saturating_add(u64_of(used));
        if filled == 0 && self.stage == Stage::Data && self.at >= end {
            return Err(self.damaged("the compressed data ends too soon"));
        }
        Ok(filled)
    }

    fn trailer(&mut self, source: &dyn ReadAt, end: u64, wrap: Wrap) -> Result<(), Failed> {
        let computed = self.crc.clone().finalize();
        let (stored, len) = match wrap {
            Wrap::Raw { crc } => (crc, self.member_bytes),
            Wrap::Gzip => {
                let bytes = self.packed(source, end, 8)?;
                let Some((crc, len)) = bytes.split_first_chunk::<4>() else {
                    return Err(self.damaged("the checksum is missing"));
                };
                let len: [u8; 4] = len
                    .try_into()
                    .map_err(|_| self.damaged("the checksum is missing"))?;
                self.at = self.at.saturating_add(8);
                (u32::from_le_bytes(*crc), u32::from_le_bytes(len))
            }
        };
        self.stage = Stage::End;
        if stored != computed || len != self.member_bytes {
            return Err(self.damaged("the unpacked data does not have its checksum"));
        }
        if matches!(wrap, Wrap::Gzip) && self.packed(source, end, 2)? == [0x1f, 0x8b] {
            self.crc = crc32fast::Hasher::new();
            self.member_bytes = 0;
            self.inflate = InflateState::new(DataFormat::Raw);
            self.stage = Stage::Header;
        }
        Ok(())
    }

    /// RFC 1952: ten bytes, then what the flags announce.
    fn header(&mut self, source: &dyn ReadAt, end: u64) -> Result<(), Failed> {
        const LONGEST: usize = 128 << 10;
        let bytes = self.packed(source, end, LONGEST)?;
        let cut = || self.damaged("the gzip header does not read");
        let flags = match bytes.get(..10) {
            Some([0x1f, 0x8b, 8, flags, ..]) => *flags,
            _ => return Err(cut()),
        };
        let mut at = 10usize;
        if flags & 4 != 0 {
            let len = bytes.get(at..at.saturating_add(2)).ok_or_else(cut)?;
            let len = len.iter().rev().fold(0usize, |len, byte| {
                len.saturating_mul(256).saturating_add(usize::from(*byte))
            });
            at = at.saturating_add(2).saturating_add(len);
        }
        for named in [8, 16] {
            if flags & named != 0 {
                let rest = bytes.get(at..).ok_or_else(cut)?;
                let len = rest.iter().position(|byte| *byte == 0).ok_or_else(cut)?;
                at = at.saturating_add(len).saturating_add(1);
            }
        }
        if flags & 2 != 0 {
            at = at.saturating_add(2);
        }
        if at > bytes.len() {
            return Err(cut());
        }
        self.at = self.at.saturating_add(u64_of(at));
        self.stage = Stage::Data;
        Ok(())
    }
}
