//! Units of a queue and entries of an index file as rows, each held to the message that it points to.
//!
//! Not here: the broker's own reading of them when it starts (`consume_queues`, `index_service`), which looks at far less.

use super::extension::{self, Extended};
use super::format::message::{self, Transaction};
use super::format::{consume_queue, index_file, queue_ext};
use super::layout::{self, Layout, Role};
use super::messages::{Log, Standing, Stands};
use super::options::Options;
use crate::brokers::rows::{EntryRow, Known, List, Piece, RowFate, Why};
use crate::decode::num::{long_of, pos_of, usize_of};
use crate::decode::{Cursor, FieldTree, java};
use crate::facts;
use crate::recovery::Place;
use crate::recovery::map::LaneKind;
use crate::recovery::trace::Image;
use crate::store::find::end_of_data;
use crate::store::{ReadAt, ReadError, Store, StorePath, Window};

/// The list of a queue or of an index file by its name; an empty one where there is none.
pub fn list(
    store: &Store,
    known: &Known,
    options: &Options,
    kind: LaneKind,
    name: &str,
    image: Image,
) -> Result<List, ReadError> {
    let (columns, pieces): (&[&str], _) = match kind {
        LaneKind::Index => (
            &["keyHash", "phyOffset", "timeDiff", "prevIndex"],
            index_pieces(store, options, name)?,
        ),
        _ => (
            &["offset", "size", "tagsCode"],
            queue_pieces(store, known, name, image)?,
        ),
    };
    Ok(List {
        kind,
        name: name.to_owned(),
        image,
        columns: columns.iter().map(|column| (*column).to_owned()).collect(),
        pieces,
    })
}

/// The list that a file belongs to, and which kind it is.
pub fn list_of(store: &Store, path: &StorePath) -> Option<(LaneKind, String)> {
    match Layout::of(store).role(path) {
        Role::Queue { queue, .. } => Some((LaneKind::Queue, queue.label())),
        Role::Index => Some((LaneKind::Index, path.name().to_owned())),
        _ => None,
    }
}

/// The files of a queue with the units that were written to them.
pub(super) fn queue_pieces(
    store: &Store,
    known: &Known,
    name: &str,
    image: Image,
) -> Result<Vec<Piece>, ReadError> {
    let step = consume_queue::UNIT_U64;
    let dir = layout::consume_queue_dir().join(name);
    let mut files: Vec<(i64, StorePath)> = store
        .list(&dir)
        .unwrap_or_default()
        .iter()
        .filter_map(|entry| Some((java::parse_long(&entry.name)?, dir.join(&entry.name))))
        .collect();
    files.sort_unstable();
    let mut pieces = Vec::new();
    let last = files.len().saturating_sub(1);
    for (number, (start, path)) in files.into_iter().enumerate() {
        let Some(file) = store.get(&path) else {
            continue;
        };
        let end = if number == last && image == Image::Before {
            end_of_data(&**file, 0).map_err(|error| error.in_file(path.as_str()))?
        } else {
            known.written(image, &path, file.size())
        };
        pieces.push(Piece {
            file: path,
            start: 0,
            step,
            first: crate::decode::num::java_div(start, i64::from(consume_queue::UNIT)),
            count: end.div_ceil(step).min(file.size() / step),
        });
    }
    Ok(pieces)
}

fn index_pieces(store: &Store, options: &Options, name: &str) -> Result<Vec<Piece>, ReadError> {
    let path = layout::index_dir().join(name);
    let Some(file) = store.get(&path) else {
        return Ok(Vec::new());
    };
    let Some(header) = header(&**file, &path)? else {
        return Ok(Vec::new());
    };
    // Entry 0 is never used.
    let start = entry_at(options, 1);
    let room = file.size().saturating_sub(start) / index_file::ENTRY;
    let count = pos_of(i64::from(header.index_count))
        .saturating_sub(1)
        .min(room);
    Ok(vec![Piece {
        file: path,
        start,
        step: index_file::ENTRY,
        first: 1,
        count,
    }])
}

pub(super) fn header(
    file: &dyn ReadAt,
    path: &StorePath,
) -> Result<Option<index_file::Header>, ReadError> {
    let mut window = Window::look(file);
    let bytes = window
        .from(0, usize_of(index_file::HEADER))
        .map_err(|error| error.in_file(path.as_str()))?;
    Ok(index_file::header(&mut Cursor::whole(bytes), &mut ()).ok())
}

/// Where an entry stands in its file.
pub(super) fn entry_at(options: &Options, number: i64) -> u64 {
    index_file::HEADER
        .saturating_add(
            pos_of(i64::from(options.max_hash_slot_num)).saturating_mul(index_file::SLOT),
        )
        .saturating_add(pos_of(number).saturating_mul(index_file::ENTRY))
}

/// All entries of a list, or of a part of one.
pub fn rows(
    store: &Store,
    known: &Known,
    options: &Options,
    list: &List,
) -> Result<Vec<EntryRow>, ReadError> {
    let mut rows = Vec::new();
    each(store, known, options, list, |_, row| {
        rows.push(row);
        true
    })?;
    Ok(rows)
}

/// Rows of a list from the front; `visit` says whether to go on.
pub fn each(
    store: &Store,
    known: &Known,
    options: &Options,
    list: &List,
    mut visit: impl FnMut(u64, EntryRow) -> bool,
) -> Result<(), ReadError> {
    let mut log = Log::of(store, options);
    let mut row = 0u64;
    for piece in &list.pieces {
        let Some(file) = store.get(&piece.file) else {
            continue;
        };
        let mut window = Window::look(&**file);
        let mut place = Place::before(&piece.file, piece.start, piece.step).in_image(list.image);
        for number in (0..piece.count).map(|at| piece.first.saturating_add(long_of(at))) {
            let bytes = window
                .from(place.offset, usize_of(piece.step))
                .map_err(|error| error.in_file(piece.file.as_str()))?;
            let mut cursor = Cursor::new(bytes, piece.step);
            let entry = match list.kind {
                LaneKind::Index => index_row(&mut cursor, number, &place, &mut log, known)?,
                _ => unit_row(&mut cursor, number, &place, &list.name, &mut log, known)?,
            };
            if !visit(row, entry) {
                return Ok(());
            }
            row = row.saturating_add(1);
            place.offset = place.offset.saturating_add(piece.step);
        }
    }
    Ok(())
}

/// A unit, and the message it points to.
pub(super) fn unit_row(
    cursor: &mut Cursor<'_>,
    number: i64,
    place: &Place,
    queue: &str,
    log: &mut Log<'_>,
    known: &Known,
) -> Result<EntryRow, ReadError> {
    let mut fields = FieldTree::new("unit", place.offset);
    let row = |fields, note, wrong| EntryRow {
        number,
        place: place.clone(),
        fields,
        target: None,
        note,
        wrong,
    };
    let Ok(unit) = consume_queue::unit(cursor, &mut fields) else {
        return Ok(row(fields, None, Some(Why::new("short", facts! {}))));
    };
    if unit == consume_queue::Unit::BLANK {
        return Ok(row(fields, Some(Why::new("blank", facts! {})), None));
    }
    if unit.offset == 0 && unit.size == 0 {
        return Ok(row(fields, Some(Why::new("unwritten", facts! {})), None));
    }
    let extended = extension::look(log.store, queue, unit.tags_code)?;
    let note = match &extended {
        Extended::Unit { unit, place } => Some(Why::new(
            "extension",
            facts! { path = &place.file, position = place.offset, code = unit.tags_code },
        )),
        _ => None,
    };
    let stands = log.at(unit.offset, known)?;
    let message = match stands {
        Stands::Message(message) => message,
        other => return Ok(row(fields, note, no_message(&other, unit.offset))),
    };
    let wrong = unit_wrong(&unit, &extended, number, queue, &message);
    Ok(EntryRow {
        wrong: wrong.or_else(|| behind_the_end(&message)),
        target: Some(in_image(&message, place)),
        ..row(fields, note, None)
    })
}

fn in_image(message: &Standing<'_>, place: &Place) -> crate::brokers::rows::Target {
    let mut target = message.target.clone();
    target.place.image = place.image;
    target
}

fn no_message(stands: &Stands<'_>, offset: i64) -> Option<Why> {
    match stands {
        Stands::NoFile => Some(Why::new("no-file", facts! { offset = offset })),
        Stands::NoMessage => Some(Why::new("no-message", facts! { offset = offset })),
        Stands::Message(_) => None,
    }
}

fn behind_the_end(message: &Standing<'_>) -> Option<Why> {
    (message.target.fate == RowFate::Cut)
        .then(|| Why::new("cut", facts! { offset = message.target.log_offset }))
}

/// What of a unit does not fit its message.
fn unit_wrong(
    unit: &consume_queue::Unit,
    extended: &Extended,
    number: i64,
    queue: &str,
    message: &Standing<'_>,
) -> Option<Why> {
    let owner = format!("{}/{}", message.topic(), message.queue_id);
    if owner != queue {
        return Some(Why::new(
            "other-queue",
            facts! { message = message.target.label.as_str(), queue = queue },
        ));
    }
    // Nobody consumes the one and rolls back the other: their queue offset is another thing.
    let dispatched = matches!(
        message::transaction(message.sys_flag),
        Transaction::None | Transaction::Commit
    );
    if !dispatched {
        return Some(Why::new(
            "transaction",
            facts! { message = message.target.label.as_str() },
        ));
    }
    if message.queue_offset != number {
        return Some(Why::new(
            "queue-offset",
            facts! { says = message.queue_offset, stands = number },
        ));
    }
    if message.size != unit.size {
        return Some(Why::new(
            "size",
            facts! { unit = unit.size, message = message.size },
        ));
    }
    let tag = message.property(b"TAGS");
    let code = tag.as_deref().map_or(0, |tag| i64::from(java::hash(tag)));
    let delayed = message.topic() == super::check_message::SCHEDULE_TOPIC;
    let Some(written) = extended.tags_code(unit.tags_code) else {
        let offset = queue_ext::address(unit.tags_code).unwrap_or(0);
        return Some(Why::new("no-extension", facts! { offset = offset }));
    };
    if !delayed && code != written {
        return Some(Why::new(
            "tags-code",
            facts! { unit = written, message = code, tag = tag.as_deref().unwrap_or("") },
        ));
    }
    None
}

/// An entry of the index, and the message it points to.
pub(super) fn index_row(
    cursor: &mut Cursor<'_>,
    number: i64,
    place: &Place,
    log: &mut Log<'_>,
    known: &Known,
) -> Result<EntryRow, ReadError> {
    let mut fields = FieldTree::new("index entry", place.offset);
    let row = |fields, wrong| EntryRow {
        number,
        place: place.clone(),
        fields,
        target: None,
        note: None,
        wrong,
    };
    let Ok(entry) = index_file::entry(cursor, &mut fields) else {
        return Ok(row(fields, Some(Why::new("short", facts! {}))));
    };
    let message = match log.at(entry.phy_offset, known)? {
        Stands::Message(message) => message,
        other => return Ok(row(fields, no_message(&other, entry.phy_offset))),
    };
    let topic = message.topic();
    let has_hash = message
        .keys()
        .iter()
        .any(|key| index_file::key_hash(java::hash(&format!("{topic}#{key}"))) == entry.key_hash);
    let wrong = (!has_hash).then(|| {
        Why::new(
            "key-hash",
            facts! { hash = entry.key_hash, message = message.target.label.as_str() },
        )
    });
    Ok(EntryRow {
        wrong: wrong.or_else(|| behind_the_end(&message)),
        target: Some(in_image(&message, place)),
        ..row(fields, None)
    })
}

/// The index files by name, as the broker loads them.
pub(super) fn index_files(store: &Store) -> Vec<StorePath> {
    let dir = layout::index_dir();
    let entries = store.list(&dir).unwrap_or_default();
    entries
        .iter()
        .map(|entry| dir.join(&entry.name))
        .filter(|path| store.get(path).is_some())
        .collect()
}

/// The head of an index file as fields.
pub(super) fn head_fields(file: &dyn ReadAt, path: &StorePath) -> Result<FieldTree, ReadError> {
    let mut tree = FieldTree::new("index header", 0);
    let mut window = Window::look(file);
    let bytes = window
        .from(0, usize_of(index_file::HEADER))
        .map_err(|error| error.in_file(path.as_str()))?;
    // A file that is too short has fewer fields.
    let _ = index_file::header(&mut Cursor::whole(bytes), &mut tree);
    Ok(tree)
}

/// The hash under which a key is looked up.
pub(super) fn hash_of(topic: &str, key: &str) -> (String, i64) {
    let hashed = format!("{topic}#{key}");
    let hash = i64::from(index_file::key_hash(java::hash(&hashed)));
    (hashed, hash)
}
