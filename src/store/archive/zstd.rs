//! Zstandard data as a file. Its decoder cannot be copied, so there are no points to go on from: all is unpacked once and held, but
//! for the zeros.

use super::sequential::Sequential;
use super::{Damage, Limits, Refused, across, out_of_file};
use crate::decode::num::u64_of;
use crate::store::{ReadAt, ReadError};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use std::io::{Read, Seek, SeekFrom};
use std::rc::Rc;

const PAGE: usize = 64 << 10;

/// Unpacked bytes; a page of zeros is `None`.
pub(super) struct Held {
    pages: Vec<Option<Box<[u8]>>>,
    size: u64,
}

pub(super) fn decode(
    source: Rc<dyn ReadAt>,
    limits: Limits,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<(Held, Option<Damage>), Refused> {
    let of = source.size();
    let mut input = Sequential::new(source);
    let failed = input.failed.clone();
    let mut held = Filling::default();
    let broken = loop {
        // Frames one after the other, some of which hold no data.
        match StreamingDecoder::new(&mut input) {
            Ok(mut frame) => {
                if let Err(why) = held.fill(&mut frame, limits, &mut |at| tell(at, of))? {
                    break Some(why);
                }
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                if let Err(error) = input.seek(SeekFrom::Current(i64::from(length))) {
                    break Some(error.to_string());
                }
            }
            Err(error) => break Some(error.to_string()),
        }
        let at = input.stream_position().unwrap_or(of);
        if at >= of {
            break None;
        }
    };
    if let Some(error) = failed.borrow_mut().take() {
        return Err(Refused::Unreadable(error));
    }
    let offset = input.stream_position().unwrap_or(of).min(of);
    let damage = broken.map(|why| Damage { offset, why });
    Ok((held.finish(), damage))
}

#[derive(Default)]
struct Filling {
    pages: Vec<Option<Box<[u8]>>>,
    page: Vec<u8>,
    unpacked: u64,
    held: u64,
}

impl Filling {
    /// Takes a frame to its end. The inner error is the frame's damage.
    fn fill(
        &mut self,
        frame: &mut StreamingDecoder<&mut Sequential, ruzstd::decoding::FrameDecoder>,
        limits: Limits,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Result<(), String>, Refused> {
        let mut bytes = vec![0; PAGE];
        loop {
            let read = match frame.read(&mut bytes) {
                Ok(0) => return Ok(Ok(())),
                Ok(read) => read,
                Err(error) => return Ok(Err(error.to_string())),
            };
            self.add(bytes.get(..read).unwrap_or(&[]));
            tell(frame.get_mut().stream_position().unwrap_or(0));
            if self.unpacked > limits.unpacked {
                return Err(Refused::TooLarge {
                    limit: limits.unpacked,
                });
            }
            if self.held > limits.held {
                return Err(Refused::TooMuchToHold { limit: limits.held });
            }
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.unpacked = self.unpacked.saturating_add(u64_of(bytes.len()));
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = PAGE.saturating_sub(self.page.len());
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.page.extend_from_slice(now);
            rest = later;
            if self.page.len() == PAGE {
                self.turn();
            }
        }
    }

    fn turn(&mut self) {
        let page = std::mem::take(&mut self.page);
        self.pages.push(if page.iter().all(|byte| *byte == 0) {
            None
        } else {
            self.held = self.held.saturating_add(u64_of(page.len()));
            Some(page.into_boxed_slice())
        });
    }

    fn finish(mut self) -> Held {
        if !self.page.is_empty() {
            self.turn();
        }
        Held {
            pages: self.pages,
            size: self.unpacked,
        }
    }
}

impl ReadAt for Held {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let len = buf.len();
        let short = || out_of_file(offset, len, self.size);
        if offset.saturating_add(u64_of(len)) > self.size {
            return Err(short());
        }
        across(offset, buf, u64_of(PAGE), |number, skip, into| {
            match self.pages.get(number) {
                Some(Some(page)) => {
                    let end = skip.saturating_add(into.len());
                    into.copy_from_slice(page.get(skip..end).ok_or_else(short)?);
                }
                _ => into.fill(0),
            }
            Ok(())
        })
    }
}
