//! Files dropped without their folders, put where they belong: by name, content and size.
//!
//! A commit log file begins with a message or a blank; a queue file's first unit points to a message, which says topic and queue; an
//! index file is named by a time. What cannot be told is said.

use super::format::message;
use super::format::{consume_queue, index_file};
use super::layout;
use crate::decode::num::{long_of, pos_of};
use crate::decode::{Cursor, java};
use crate::facts;
use crate::recovery::{Finding, Place, Severity};
use crate::store::{ReadAt, Store, StorePath, Window};
use std::rc::Rc;

/// What a loose file is, by its content.
enum Loose {
    CommitLog,
    Queue { first: i64 },
    Index,
    Named(&'static str),
    Unknown,
}

/// The same files in the folders they belong to, with what a person should know about it.
pub fn place(store: &Store) -> (Store, Vec<Finding>) {
    let mut placed = Store::new(store.name());
    let mut findings = Vec::new();
    let mut queues: Vec<(StorePath, Rc<dyn ReadAt>, i64)> = Vec::new();
    let mut count = 0usize;
    for (path, file) in store.files() {
        match recognise(path.name(), &**file) {
            Loose::CommitLog => {
                placed.insert(layout::commit_log_dir().join(path.name()), file.clone());
                count = count.saturating_add(1);
            }
            Loose::Index => {
                placed.insert(layout::index_dir().join(path.name()), file.clone());
                count = count.saturating_add(1);
            }
            Loose::Named(to) => placed.insert(StorePath::new(to), file.clone()),
            Loose::Queue { first } => queues.push((path.clone(), file.clone(), first)),
            Loose::Unknown => {
                findings.push(unplaced(path, file.size()));
                placed.insert(StorePath::new(path.name()), file.clone());
            }
        }
    }
    for (path, file, first) in queues {
        match queue_of(&placed, first) {
            Some(queue) => {
                placed.insert(queue.folder().join(path.name()), file.clone());
                count = count.saturating_add(1);
            }
            None => {
                findings.push(unplaced(&path, file.size()));
                placed.insert(StorePath::new(path.name()), file.clone());
            }
        }
    }
    if count > 0 {
        findings.push(Finding::new(
            "loose-placed",
            Severity::Info,
            None,
            facts! { files = count },
        ));
    }
    (placed, findings)
}

fn unplaced(path: &StorePath, size: u64) -> Finding {
    Finding::new(
        "loose-unplaced",
        Severity::Warning,
        Some(Place::whole(path, size)),
        facts! { path = path },
    )
}

fn recognise(name: &str, file: &dyn ReadAt) -> Loose {
    match name {
        "checkpoint" => return Loose::Named("checkpoint"),
        "abort" => return Loose::Named("abort"),
        "lock" => return Loose::Named("lock"),
        "delayOffset.json" => return Loose::Named("config/delayOffset.json"),
        _ => {}
    }
    if java::parse_long(name).is_none() {
        return Loose::Unknown;
    }
    let mut window = Window::with_block(file, 64);
    let Ok(bytes) = window.from(0, 20) else {
        return Loose::Unknown;
    };
    let magic = message::frame(&mut Cursor::whole(bytes), &mut ()).map(|frame| frame.magic);
    if magic.is_ok_and(|magic| magic == message::BLANK_MAGIC || message::Version::is_message(magic))
    {
        return Loose::CommitLog;
    }
    // Index files are named by a time of seventeen digits, the others by an offset of twenty.
    if name.len() == 17 && file.size() >= index_file::HEADER {
        return Loose::Index;
    }
    match consume_queue::unit(&mut Cursor::whole(bytes), &mut ()) {
        Ok(unit)
            if unit.offset >= 0
                && unit.size > 0
                && file.size().is_multiple_of(consume_queue::UNIT_U64) =>
        {
            Loose::Queue { first: unit.offset }
        }
        _ => Loose::Unknown,
    }
}

/// Topic and queue of the message at a log offset.
fn queue_of(store: &Store, offset: i64) -> Option<layout::QueueKey> {
    let dir = layout::commit_log_dir();
    store.list(&dir)?.iter().find_map(|entry| {
        let start = java::parse_long(&entry.name)?;
        let file = store.get(&dir.join(&entry.name))?;
        let inside = offset >= start && offset < start.saturating_add(long_of(file.size()));
        if !inside {
            return None;
        }
        let at = pos_of(offset.saturating_sub(start));
        let mut window = Window::look(&**file);
        let bytes = window.from(at, 1 << 20).ok()?;
        let mut cursor = Cursor::new(bytes, file.size().saturating_sub(at));
        let frame = message::frame(&mut cursor, &mut ()).ok()?;
        let version = message::Version::of(frame.magic)?;
        let head = message::head(&mut cursor, None, true, &mut ()).ok()?;
        let tail = message::tail(&mut cursor, version, None, &mut ()).ok()?;
        Some(layout::QueueKey {
            topic: message::text(tail.topic).into_owned(),
            id: head.queue_id,
        })
    })
}
