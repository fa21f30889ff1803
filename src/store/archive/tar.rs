//! The entries of a .tar, as GNU tar, BSD tar and others write them: long names, PAX headers, sparse files.

use super::part::{Part, Piece, Sparse};
use super::sequential::Sequential;
use super::{Damage, LeftOut, Listing, Refused, read_up_to};
use crate::decode::num::usize_of;
use crate::store::{ReadAt, ReadError};
use std::io::Read;
use std::rc::Rc;
use tar::{Archive, Entry, EntryType, GnuExtSparseHeader, GnuSparseHeader, Header};

const BLOCK: u64 = 512;

/// Whether these bytes are a tar's first header: its checksum holds.
pub(super) fn is_header(head: &[u8]) -> bool {
    if head.len() < usize_of(BLOCK) || head.iter().all(|byte| *byte == 0) {
        return false;
    }
    let header = Header::from_byte_slice(head);
    let sum = head.iter().enumerate().fold(0u32, |sum, (at, byte)| {
        // The checksum's own eight characters count as spaces.
        let byte = if (148..156).contains(&at) {
            b' '
        } else {
            *byte
        };
        sum.saturating_add(u32::from(byte))
    });
    header.cksum().is_ok_and(|stored| stored == sum)
}

pub(super) fn list(file: Rc<dyn ReadAt>, listing: &mut Listing) -> Result<Option<Damage>, Refused> {
    let reader = Sequential::new(file.clone());
    let failed = reader.failed.clone();
    let mut archive = Archive::new(reader);
    let broken = |offset: u64, why: String| match failed.borrow_mut().take() {
        Some(error) => Err(Refused::Unreadable(error)),
        None => Ok(Some(Damage { offset, why })),
    };
    let entries = match archive.entries_with_seek() {
        Ok(entries) => entries,
        Err(error) => return broken(0, error.to_string()),
    };
    let mut end = 0;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => return broken(end, error.to_string()),
        };
        listing.count()?;
        match take(&file, &mut entry, listing) {
            Ok(stop) => end = stop,
            Err(Taken::Unreadable(error)) => return Err(Refused::Unreadable(error)),
            Err(Taken::Damaged(why)) => return broken(entry.raw_header_position(), why),
        }
        if end > file.size() {
            return Ok(Some(Damage {
                offset: file.size(),
                why: "the archive ends inside this file".to_owned(),
            }));
        }
    }
    Ok(None)
}

enum Taken {
    Unreadable(ReadError),
    Damaged(String),
}

impl From<ReadError> for Taken {
    fn from(error: ReadError) -> Self {
        Self::Unreadable(error)
    }
}

/// Puts an entry into the listing; where in the archive it ends.
fn take(
    file: &Rc<dyn ReadAt>,
    entry: &mut Entry<'_, impl Read>,
    listing: &mut Listing,
) -> Result<u64, Taken> {
    let kind = entry.header().entry_type();
    let start = entry.raw_file_position();
    let mut end = start.saturating_add(entry.size());
    let pax = Pax::of(entry)?;
    let name = match &pax.name {
        Some(name) => name.clone(),
        None => String::from_utf8_lossy(&entry.path_bytes()).into_owned(),
    };
    let body: Option<Rc<dyn ReadAt>> = match kind {
        EntryType::XGlobalHeader => return Ok(start),
        EntryType::Directory => {
            if let Some(path) = listing.path(&name) {
                listing.insert_dir(path);
            }
            return Ok(start);
        }
        EntryType::GNUSparse => {
            let sparse = gnu_sparse(file, entry)?;
            end = sparse.end_in_archive().unwrap_or(start);
            Some(Rc::new(sparse))
        }
        EntryType::Regular | EntryType::Continuous if pax.is_sparse => {
            Some(Rc::new(pax_sparse(file, start, entry.size(), &pax)?))
        }
        EntryType::Regular | EntryType::Continuous => Some(Rc::new(Part {
            of: file.clone(),
            start,
            size: entry.size(),
        })),
        _ => None,
    };
    let Some(path) = listing.path(&name) else {
        return Ok(start);
    };
    match body {
        Some(_) if end > file.size() => {
            listing.leave_out(LeftOut::Cut, path.as_str());
        }
        Some(body) => listing.insert(path, body),
        None if matches!(kind, EntryType::Symlink | EntryType::Link) => {
            listing.leave_out(LeftOut::Link, path.as_str());
        }
        None => listing.leave_out(LeftOut::Special, path.as_str()),
    }
    Ok(end)
}

/// What PAX headers say about a sparse file (`GNU.sparse`, version 1.0: the map stands before the data).
#[derive(Default)]
struct Pax {
    is_sparse: bool,
    name: Option<String>,
    real_size: u64,
}

impl Pax {
    fn of(entry: &mut Entry<'_, impl Read>) -> Result<Self, Taken> {
        let mut pax = Self::default();
        let extensions = entry
            .pax_extensions()
            .map_err(|error| Taken::Damaged(error.to_string()))?;
        for extension in extensions.into_iter().flatten().flatten() {
            let value = String::from_utf8_lossy(extension.value_bytes()).into_owned();
            match extension.key() {
                Ok("GNU.sparse.major") => pax.is_sparse = value == "1",
                Ok("GNU.sparse.realsize") => pax.real_size = value.parse().unwrap_or(0),
                Ok("GNU.sparse.name") => pax.name = Some(value),
                _ => {}
            }
        }
        Ok(pax)
    }
}

/// Collects the pieces of a sparse file as they lie in the archive.
struct Pieces {
    pieces: Vec<Piece>,
    from: u64,
    end: u64,
}

impl Pieces {
    fn starting_at(from: u64) -> Self {
        Self {
            pieces: Vec::new(),
            from,
            end: 0,
        }
    }

    fn add(&mut self, at: u64, len: u64) -> Result<(), Taken> {
        let stop = at.checked_add(len).filter(|_| at >= self.end);
        let Some(stop) = stop else {
            return Err(Taken::Damaged(
                "the pieces of a sparse file overlap".to_owned(),
            ));
        };
        if len > 0 {
            self.pieces.push(Piece {
                at,
                from: self.from,
                len,
            });
        }
        self.from = self.from.saturating_add(len);
        self.end = stop;
        Ok(())
    }

    fn finish(self, of: Rc<dyn ReadAt>, size: u64) -> Sparse {
        Sparse {
            of,
            pieces: self.pieces,
            size: size.max(self.end),
        }
    }
}

/// The old GNU format: four pieces in the header, more in blocks behind it. The crate has checked them.
fn gnu_sparse(file: &Rc<dyn ReadAt>, entry: &Entry<'_, impl Read>) -> Result<Sparse, Taken> {
    let Some(gnu) = entry.header().as_gnu() else {
        return Err(Taken::Damaged("a sparse file without its map".to_owned()));
    };
    let mut at = entry.raw_header_position().saturating_add(BLOCK);
    let mut blocks: Vec<GnuExtSparseHeader> = Vec::new();
    let mut more = gnu.is_extended();
    while more {
        let bytes = read_up_to(&**file, at, usize_of(BLOCK))?;
        let mut block = GnuExtSparseHeader::new();
        let into = block.as_mut_bytes();
        if bytes.len() != into.len() {
            return Err(Taken::Damaged("a sparse file without its map".to_owned()));
        }
        into.copy_from_slice(&bytes);
        more = block.is_extended();
        at = at.saturating_add(BLOCK);
        blocks.push(block);
    }
    let mut pieces = Pieces::starting_at(at);
    let in_header = gnu.sparse.iter();
    let behind = blocks.iter().flat_map(|block| block.sparse.iter());
    for piece in in_header.chain(behind).filter(|piece| !piece.is_empty()) {
        let number = |read: fn(&GnuSparseHeader) -> std::io::Result<u64>| {
            read(piece).map_err(|error| Taken::Damaged(error.to_string()))
        };
        pieces.add(
            number(GnuSparseHeader::offset)?,
            number(GnuSparseHeader::length)?,
        )?;
    }
    Ok(pieces.finish(file.clone(), entry.size()))
}

/// PAX 1.0: decimal numbers, a line each: how many pieces, then offset and length of each, filled up to a whole block.
fn pax_sparse(
    file: &Rc<dyn ReadAt>,
    start: u64,
    archived: u64,
    pax: &Pax,
) -> Result<Sparse, Taken> {
    const LONGEST_MAP: usize = 4 << 20;
    let damaged = || Taken::Damaged("a sparse file's map does not read".to_owned());
    let bytes = read_up_to(&**file, start, LONGEST_MAP.min(usize_of(archived)))?;
    let mut rest = bytes.as_slice();
    let mut read = 0usize;
    let mut number = || -> Result<u64, Taken> {
        let end = rest
            .iter()
            .position(|byte| *byte == b'\n')
            .ok_or_else(damaged)?;
        let (line, after) = rest.split_at_checked(end).ok_or_else(damaged)?;
        rest = after.get(1..).unwrap_or(&[]);
        read = read.saturating_add(end).saturating_add(1);
        let line = std::str::from_utf8(line).map_err(|_| damaged())?;
        line.parse().map_err(|_| damaged())
    };
    let count = number()?;
    let mut map = Vec::new();
    for _ in 0..count {
        map.push((number()?, number()?));
    }
    let data = start.saturating_add(crate::decode::num::u64_of(read).next_multiple_of(BLOCK));
    let mut pieces = Pieces::starting_at(data);
    for (at, len) in map {
        pieces.add(at, len)?;
    }
    Ok(pieces.finish(file.clone(), pax.real_size))
}
