//! Which release wrote this store, as far as its files show: each sign gives a first or a last release, and what lies between is left.
//!
//! The newest data counts: a store outlives its broker's upgrades. That 4.9.3 and 4.9.8 cannot be told apart does no harm, for their
//! rules are the same.

use super::format::checkpoint::{self, Checkpoint};
use super::format::message::{self, Version};
use super::layout;
use super::release::Known;
use crate::decode::Cursor;
use crate::decode::num::{pos_of, u64_of, usize_of};
use crate::recovery::Place;
use crate::recovery::release::{Bound, Narrowed, Sign};
use crate::store::{ReadError, Store, StorePath, Window};

/// So many messages of the last file that has any are looked at.
const MESSAGES: usize = 200;

pub fn narrow(store: &Store) -> Result<Narrowed<Known>, ReadError> {
    let mut signs = Vec::new();
    abort_signs(store, &mut signs);
    checkpoint_signs(store, &mut signs)?;
    message_signs(store, &mut signs)?;
    Ok(Narrowed::by(signs))
}

/// 4.9 leaves `abort` empty; 5.x writes its process id into it and keeps what was there in `abort.bak`, which stays for good.
fn abort_signs(store: &Store, signs: &mut Vec<Sign>) {
    let (abort, backup) = (layout::abort_file(), layout::abort_backup_file());
    let size = store.get(&abort).map(|file| file.size());
    if let Some(size @ 1..) = size {
        signs.push(Sign {
            bound: Bound::Since("5.0"),
            id: "release-abort-pid",
            place: Some(Place::whole(&abort, size)),
        });
    } else if let Some(file) = store.get(&backup) {
        signs.push(Sign {
            bound: Bound::Since("5.0"),
            id: "release-abort-backup",
            place: Some(Place::whole(&backup, file.size())),
        });
    } else if size == Some(0) {
        signs.push(Sign {
            bound: Bound::Until("4.9"),
            id: "release-abort-empty",
            place: Some(Place::whole(&abort, 0)),
        });
    } else if store.get(&layout::lock_file()).is_some() {
        // A whole store, then, and not a few files of one.
        signs.push(Sign {
            bound: Bound::Until("4.9"),
            id: "release-no-abort-backup",
            place: Some(Place::missing(&backup)),
        });
    }
}

/// The longs that were added to the checkpoint over time.
fn checkpoint_signs(store: &Store, signs: &mut Vec<Sign>) -> Result<(), ReadError> {
    let path = layout::checkpoint_file();
    let Some(read) = checkpoint_of(store, &path)? else {
        return Ok(());
    };
    if read.logics_physical_offset != 0 {
        signs.push(Sign {
            bound: Bound::Since("5.5"),
            id: "release-logics-offset",
            place: Some(Place::before(&path, 40, 8)),
        });
        return Ok(());
    }
    if read.confirm_phy_offset != 0 || read.master_flushed_offset != 0 {
        signs.push(Sign {
            bound: Bound::Since("5.0"),
            id: "release-confirm-offset",
            place: Some(Place::before(&path, 24, 16)),
        });
    }
    if read.logics_msg_timestamp > 0 {
        // 5.5 writes both with one flush.
        signs.push(Sign {
            bound: Bound::Until("5.4"),
            id: "release-no-logics-offset",
            place: Some(Place::before(&path, 40, 8)),
        });
    }
    Ok(())
}

fn checkpoint_of(store: &Store, path: &StorePath) -> Result<Option<Checkpoint>, ReadError> {
    let Some(file) = store.get(path).filter(|file| file.size() >= 48) else {
        return Ok(None);
    };
    let mut bytes = [0; 48];
    file.read_exact_at(0, &mut bytes)?;
    Ok(checkpoint::checkpoint(&mut Cursor::whole(&bytes), &mut ()).ok())
}

/// How the newest messages are written: their version, the end of their properties, the property CRC.
fn message_signs(store: &Store, signs: &mut Vec<Sign>) -> Result<(), ReadError> {
    let dir = layout::commit_log_dir();
    let mut entries = store.list(&dir).unwrap_or_default();
    entries.reverse();
    for entry in entries {
        let path = dir.join(&entry.name);
        let Some(file) = store.get(&path) else {
            continue;
        };
        let mut seen = Vec::new();
        let (mut window, mut at) = (Window::look(&**file), 0u64);
        while seen.len() < MESSAGES {
            let Some((look, len)) = look_at(&mut window, at, file.size())? else {
                break;
            };
            seen.push((look, at));
            at = at.saturating_add(len);
        }
        if seen.is_empty() {
            continue;
        }
        let with = |wanted: fn(&Look) -> bool| {
            let found = seen.iter().find(|(look, _)| wanted(look));
            found.map(|(_, at)| Place::before(&path, *at, 8))
        };
        let mut sign = |bound, id, place: Option<Place>| {
            if place.is_some() {
                signs.push(Sign { bound, id, place });
            }
        };
        sign(
            Bound::Since("5.2"),
            "release-property-crc",
            with(|look| look.has_crc),
        );
        let closed = with(|look| look.properties_closed == Some(true));
        let open = with(|look| look.properties_closed == Some(false));
        if closed.is_none() {
            sign(Bound::Until("5.1"), "release-properties-open", open);
        }
        sign(Bound::Since("5.2"), "release-properties-closed", closed);
        sign(
            Bound::Since("5.1"),
            "release-version-2",
            with(|look| look.version == Version::V2),
        );
        return Ok(());
    }
    Ok(())
}

struct Look {
    version: Version,
    /// Whether the properties end with a separator; `None` without any.
    properties_closed: Option<bool>,
    has_crc: bool,
}

/// The message at a place and its length, if its parts are there.
fn look_at(window: &mut Window<'_>, at: u64, size: u64) -> Result<Option<(Look, u64)>, ReadError> {
    let left = size.saturating_sub(at);
    let head = window.from(at, 8)?;
    let Ok(frame) = message::frame(&mut Cursor::new(head, left), &mut ()) else {
        return Ok(None);
    };
    let len = pos_of(i64::from(frame.total_size));
    let Some(version) = Version::of(frame.magic).filter(|_| len > 0 && len <= left) else {
        return Ok(None);
    };
    let bytes = window.from(at, usize_of(len))?;
    let mut cursor = Cursor::new(bytes, left);
    let tail = message::frame(&mut cursor, &mut ())
        .ok()
        .and_then(|_| message::head(&mut cursor, None, true, &mut ()).ok())
        .and_then(|_| message::tail(&mut cursor, version, None, &mut ()).ok());
    let Some(tail) = tail.filter(|_| u64_of(cursor.pos()) == len) else {
        return Ok(None);
    };
    let look = Look {
        version,
        properties_closed: tail.properties.last().map(|last| *last == 2),
        has_crc: memchr::memmem::find(tail.properties, b"__CRC32#\x01").is_some(),
    };
    Ok(Some((look, len)))
}
