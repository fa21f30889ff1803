//! The entries of a .zip, by its central directory. Names in UTF-8; older ones in the archiver's code page are read as far as they
//! are ASCII, which the names of a store are.

use super::inflate::{Inflated, Points, Wrap};
use super::part::Part;
use super::sequential::Sequential;
use super::{Damage, LeftOut, Listing, Refused, is_inside};
use crate::store::ReadAt;
use rawzip::{CompressionMethod, ZipArchive, ZipLocator};
use std::rc::Rc;

/// What is known of an entry before its local header is looked at.
struct Found {
    name: String,
    is_dir: bool,
    is_link: bool,
    encrypted: bool,
    method: CompressionMethod,
    crc: u32,
    header_at: u64,
    wayfinder: rawzip::ZipArchiveEntryWayfinder,
}

pub(super) fn list(file: Rc<dyn ReadAt>, listing: &mut Listing) -> Result<Option<Damage>, Refused> {
    let reader = Sequential::new(file.clone());
    let failed = reader.failed.clone();
    let damaged = |offset: u64, why: String| match failed.borrow_mut().take() {
        Some(error) => Refused::Unreadable(error),
        None => Refused::Damaged(Damage { offset, why }),
    };
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let archive = ZipLocator::new()
        .locate_in_reader(reader, &mut buffer, file.size())
        .map_err(|(_, error)| damaged(file.size(), error.to_string()))?;
    let points = Points::shared();
    let mut entries = archive.entries(&mut buffer);
    let mut damage = None;
    loop {
        let found = match entries.next_entry() {
            Ok(Some(entry)) => Found {
                name: String::from_utf8_lossy(entry.file_path().as_bytes()).replace('\\', "/"),
                is_dir: entry.is_dir(),
                is_link: entry.mode().is_symlink(),
                encrypted: entry.flags().is_encrypted(),
                method: entry.compression_method(),
                crc: entry.crc32(),
                header_at: entry.local_header_offset(),
                wayfinder: entry.wayfinder(),
            },
            Ok(None) => return Ok(damage),
            // The directory itself is broken: what it named so far is shown.
            Err(error) => {
                return match damaged(archive.directory_offset(), error.to_string()) {
                    Refused::Damaged(here) => Ok(Some(here)),
                    refused => Err(refused),
                };
            }
        };
        listing.count()?;
        let Some(path) = listing.path(&found.name) else {
            continue;
        };
        if found.is_dir || path.as_str().is_empty() {
            listing.insert_dir(path);
        } else if found.is_link {
            listing.leave_out(LeftOut::Link, path.as_str());
        } else if found.encrypted {
            listing.leave_out(LeftOut::Encrypted, path.as_str());
        } else {
            match body(&archive, &file, &found, &points, listing) {
                Ok(body) => listing.insert(path, body),
                Err(Body::LeftOut(why)) => listing.leave_out(why, path.as_str()),
                Err(Body::Refused(refused)) => return Err(refused),
                Err(Body::Damaged(why)) => {
                    listing.leave_out(LeftOut::Cut, path.as_str());
                    match damaged(found.header_at, why) {
                        Refused::Damaged(here) => damage = damage.or(Some(here)),
                        refused => return Err(refused),
                    }
                }
            }
        }
    }
}

enum Body {
    LeftOut(LeftOut),
    Damaged(String),
    Refused(Refused),
}

fn body(
    archive: &ZipArchive<Sequential>,
    file: &Rc<dyn ReadAt>,
    found: &Found,
    points: &Rc<Points>,
    listing: &mut Listing,
) -> Result<Rc<dyn ReadAt>, Body> {
    let entry = archive
        .get_entry(found.wayfinder)
        .map_err(|error| Body::Damaged(error.to_string()))?;
    let (start, end) = entry.compressed_data_range();
    let size = found.wayfinder.uncompressed_size_hint();
    if !is_inside(&**file, start, end.saturating_sub(start)) {
        return Err(Body::LeftOut(LeftOut::Cut));
    }
    match found.method {
        CompressionMethod::STORE if end.saturating_sub(start) == size => Ok(Rc::new(Part {
            of: file.clone(),
            start,
            size,
        })),
        CompressionMethod::DEFLATE => {
            listing.will_unpack(size).map_err(Body::Refused)?;
            let wrap = Wrap::Raw { crc: found.crc };
            Ok(Rc::new(Inflated::new(
                file.clone(),
                start..end,
                wrap,
                size,
                points.clone(),
            )))
        }
        _ => Err(Body::LeftOut(LeftOut::Method)),
    }
}
