//! A store looked at without recovering it: the fields of the record at a place, the records around an offset.

use super::beside::Beside;
use super::check_message::{Check, Checked, NeedMore, check_message};
use super::format::message;
use super::format::{batch_queue, dledger, queue_ext, timer};
use super::format::{checkpoint, consume_queue, index_file};
use super::layout::{self, Layout, Role};
use super::options::{self, Options};
use crate::brokers::{Record, RecordKind};
use crate::decode::crc::rocketmq_crc32;
use crate::decode::num::{long_of, pos_of, u32_bits, u64_of, usize_of};
use crate::decode::{Cursor, FieldTree, Value, java};
use crate::recovery::Place;
use crate::recovery::outcome::Outcome;
use crate::store::{ReadAt, ReadError, Store, StorePath, Window};

/// A record longer than this is not shown whole.
const MAX_RECORD: usize = 32 << 20;

/// The fields of what stands at a place.
pub fn fields(store: &Store, place: &Place, options: &Options) -> Result<FieldTree, ReadError> {
    let Some(file) = store.get(&place.file) else {
        let mut tree = FieldTree::new("", place.offset);
        tree.stopped = Some("there is no such file".to_owned());
        return Ok(tree);
    };
    let layout = Layout::of(store);
    match layout.role(&place.file) {
        Role::CommitLog { start } => message_fields(&**file, start.unwrap_or(0), place.offset),
        Role::Queue { .. } => unit_fields(&**file, place.offset),
        Role::Index => index_fields(&**file, place.offset, options),
        Role::Checkpoint => simple(&**file, 0, 48, "checkpoint", |cursor, tree| {
            checkpoint::checkpoint(cursor, tree).is_ok()
        }),
        Role::Beside(kind) => beside_fields(&**file, kind, &place.file, place.offset),
        _ => Ok(FieldTree::new("", place.offset)),
    }
}

/// What is read of the forms that are not followed.
fn beside_fields(
    file: &dyn ReadAt,
    kind: Beside,
    path: &StorePath,
    at: u64,
) -> Result<FieldTree, ReadError> {
    let in_rows_of = |len: u64| at.saturating_sub(at.checked_rem(len).unwrap_or(0));
    match kind {
        Beside::BatchQueue => {
            let start = in_rows_of(u64_of(batch_queue::UNIT));
            simple(
                file,
                start,
                batch_queue::UNIT,
                "batch unit",
                |cursor, tree| batch_queue::unit(cursor, tree).is_ok(),
            )
        }
        Beside::QueueExtension => {
            let size = |cursor: &mut Cursor<'_>| {
                let unit = queue_ext::unit(cursor, &mut ()).ok()?;
                u64::try_from(unit.size).ok().filter(|size| *size > 0)
            };
            let start = start_of(file, at, queue_ext::HEADER, size)?;
            simple(
                file,
                start,
                queue_ext::HEADER,
                "extension unit",
                |cursor, tree| queue_ext::unit(cursor, tree).is_ok(),
            )
        }
        Beside::DLedger if path.as_str().contains("/data/") => {
            let size = |cursor: &mut Cursor<'_>| {
                let entry = dledger::entry(cursor, &mut ()).ok()?;
                entry.whole_size()
            };
            let start = start_of(file, at, dledger::HEADER, size)?;
            dledger_fields(file, start)
        }
        Beside::TimerWheel => {
            let start = in_rows_of(timer::SLOT);
            simple(
                file,
                start,
                usize_of(timer::SLOT),
                "timer slot",
                |cursor, tree| timer::slot(cursor, tree).is_ok(),
            )
        }
        Beside::TimerLog => {
            let start = in_rows_of(timer::LOG_RECORD);
            simple(
                file,
                start,
                usize_of(timer::LOG_RECORD),
                "timer record",
                |cursor, tree| timer::log_record(cursor, tree).is_ok(),
            )
        }
        Beside::TimerCheckpoint => simple(file, 0, 32, "timer checkpoint", |cursor, tree| {
            timer::checkpoint(cursor, tree).is_ok()
        }),
        Beside::LogElsewhere => {
            message_fields(file, java::parse_long(path.name()).unwrap_or(0), at)
        }
        _ => Ok(FieldTree::new("", at)),
    }
}

/// An entry, and the message that is its body.
fn dledger_fields(file: &dyn ReadAt, start: u64) -> Result<FieldTree, ReadError> {
    let mut window = Window::look(file);
    let head = window.from(start, dledger::HEADER)?;
    let size = dledger::entry(&mut Cursor::whole(head), &mut ())
        .ok()
        .and_then(dledger::Entry::whole_size)
        .map_or(dledger::HEADER, usize_of)
        .min(MAX_RECORD);
    simple(file, start, size, "DLedger entry", |cursor, tree| {
        let whole = dledger::entry(cursor, tree).is_ok();
        // An entry that the leader made for itself holds no message.
        let title = tree.title.clone();
        let _ = read_message(cursor, tree);
        tree.title = title;
        whole
    })
}

/// Walks from the front to the record that holds a byte. Where the walk ends, the byte itself is taken as a start.
fn start_of(
    file: &dyn ReadAt,
    at: u64,
    head: usize,
    size: impl Fn(&mut Cursor<'_>) -> Option<u64>,
) -> Result<u64, ReadError> {
    let mut window = Window::scan(file);
    let mut start = 0u64;
    while start < at {
        let bytes = window.from(start, head)?;
        let Some(size) = size(&mut Cursor::whole(bytes)) else {
            return Ok(at);
        };
        let end = start.saturating_add(size.max(1));
        if at < end {
            break;
        }
        start = end;
    }
    Ok(start)
}

fn simple(
    file: &dyn ReadAt,
    start: u64,
    len: usize,
    title: &str,
    read: impl FnOnce(&mut Cursor<'_>, &mut FieldTree) -> bool,
) -> Result<FieldTree, ReadError> {
    let mut window = Window::look(file);
    let left = file.size().saturating_sub(start);
    let bytes = window.from(start, len)?;
    let mut tree = FieldTree::new(title, start);
    let whole = read(&mut Cursor::new(bytes, left), &mut tree);
    if !whole {
        tree.stopped = Some(format!("the file ends at {}", file.size()));
    }
    Ok(tree)
}

/// The message that begins at `at`, or the one that holds that byte: a place may point to one of its fields.
fn message_fields(file: &dyn ReadAt, base: i64, at: u64) -> Result<FieldTree, ReadError> {
    let start = start_of_record(file, base, at)?;
    let size = file.size();
    let left = size.saturating_sub(start);
    let mut want = 4096;
    loop {
        let mut window = Window::look(file);
        let bytes = window.from(start, want)?;
        let mut cursor = Cursor::new(bytes, left);
        let mut tree = FieldTree::new("message", start);
        match read_message(&mut cursor, &mut tree) {
            Ok(()) => return Ok(tree),
            Err(message::Broken::Stop(crate::decode::Stop::NeedMore { bytes }))
                if bytes <= MAX_RECORD =>
            {
                want = bytes
            }
            Err(broken) => {
                tree.stopped = Some(match broken {
                    message::Broken::Stop(crate::decode::Stop::NeedMore { bytes }) => {
                        format!("{bytes} bytes are more than are shown")
                    }
                    message::Broken::Stop(crate::decode::Stop::Underflow { need, left }) => {
                        format!("{need} bytes needed, {left} left in the file")
                    }
                    message::Broken::Part { name, len, .. } => format!("{name} of length {len}"),
                });
                return Ok(tree);
            }
        }
    }
}

fn read_message(cursor: &mut Cursor<'_>, tree: &mut FieldTree) -> Result<(), message::Broken> {
    let frame = message::frame(cursor, tree)?;
    if frame.magic == message::BLANK_MAGIC {
        "blank".clone_into(&mut tree.title);
        return Ok(());
    }
    let Some(version) = message::Version::of(frame.magic) else {
        String::clear(&mut tree.title);
        return Ok(());
    };
    let head = message::head(cursor, None, true, tree)?;
    let computed = rocketmq_crc32(head.body);
    let stored = u32_bits(head.body_crc);
    if head.body_len > 0 && computed != stored {
        tree.set("bodyCRC", Value::Differs { stored, computed });
    }
    message::tail(cursor, version, None, tree)?;
    Ok(())
}

/// Walks from an anchor, or else from the file's front, to the record that holds a byte. Where the walk breaks off, the byte itself is
/// taken as a start. `base` is the log offset of the file.
fn start_of_record(file: &dyn ReadAt, base: i64, at: u64) -> Result<u64, ReadError> {
    let mut start = anchor(file, base, at)?.unwrap_or(0);
    let mut window = if start == 0 {
        Window::scan(file)
    } else {
        Window::look(file)
    };
    loop {
        let bytes = window.from(start, 8)?;
        let Ok(frame) = message::frame(&mut Cursor::whole(bytes), &mut ()) else {
            return Ok(at);
        };
        let size = match u64::try_from(frame.total_size) {
            Ok(size) if message::Version::is_message(frame.magic) && size > 0 => size,
            _ => {
                return Ok(if at < start.saturating_add(8) {
                    start
                } else {
                    at
                });
            }
        };
        let end = start.saturating_add(size);
        if at < end {
            return Ok(start);
        }
        start = end;
    }
}

/// A message says where in the log it stands. The nearest one up to a byte that is right about it is a safe place to walk from, and
/// spares reading a gigabyte for a look at its end.
fn anchor(file: &dyn ReadAt, base: i64, at: u64) -> Result<Option<u64>, ReadError> {
    const BLOCK: u64 = 64 << 10;
    const FARTHEST: u64 = 16 << 20;
    /// Up to the end of physicalOffset.
    const HEAD: usize = 36;
    let size = file.size();
    let floor = at.saturating_sub(FARTHEST);
    let mut end = at.saturating_add(1).min(size);
    while end > floor {
        let start = end.saturating_sub(BLOCK).max(floor);
        let stop = end.saturating_add(u64_of(HEAD)).min(size);
        let mut bytes = vec![0; usize_of(stop.saturating_sub(start))];
        file.read_exact_at(start, &mut bytes)?;
        let here = |pos: usize| base.wrapping_add(long_of(start.saturating_add(u64_of(pos))));
        let candidates = bytes
            .windows(HEAD)
            .take(usize_of(end.saturating_sub(start)));
        let found = candidates
            .enumerate()
            .rev()
            .find(|(pos, head)| stands_at(head, here(*pos)));
        if let Some((pos, _)) = found {
            return Ok(Some(start.saturating_add(u64_of(pos))));
        }
        end = start;
    }
    Ok(None)
}

fn stands_at(head: &[u8], log_offset: i64) -> bool {
    let magic = head.get(4..8).and_then(|four| four.try_into().ok());
    magic.is_some_and(|magic| message::Version::is_message(i32::from_be_bytes(magic)))
        && head.get(28..36) == Some(log_offset.to_be_bytes().as_slice())
}

fn unit_fields(file: &dyn ReadAt, at: u64) -> Result<FieldTree, ReadError> {
    let start = at.saturating_sub(at % consume_queue::UNIT_U64);
    simple(file, start, 20, "unit", |cursor, tree| {
        consume_queue::unit(cursor, tree).is_ok()
    })
}

fn index_fields(file: &dyn ReadAt, at: u64, options: &Options) -> Result<FieldTree, ReadError> {
    let entries_at = pos_of(i64::from(options.max_hash_slot_num))
        .saturating_mul(index_file::SLOT)
        .saturating_add(index_file::HEADER);
    if at < index_file::HEADER {
        return simple(file, 0, 40, "index header", |cursor, tree| {
            index_file::header(cursor, tree).is_ok()
        });
    }
    if at < entries_at {
        let start = at.saturating_sub(at % index_file::SLOT);
        return simple(file, start, 4, "slot", |cursor, tree| {
            let Ok(value) = cursor.i32() else {
                return false;
            };
            crate::decode::Fields::field(tree, "slot", 0, 4, || Value::Int(i64::from(value)));
            true
        });
    }
    let into = at.saturating_sub(entries_at) % index_file::ENTRY;
    simple(
        file,
        at.saturating_sub(into),
        20,
        "index entry",
        |cursor, tree| index_file::entry(cursor, tree).is_ok(),
    )
}

/// The records of the file around a log offset, `bytes` to both sides.
pub fn records(
    store: &Store,
    outcome: &Outcome,
    around: i64,
    bytes: u64,
) -> Result<Vec<Record>, ReadError> {
    let mut records = Vec::new();
    let Some(file) = outcome.map.files.iter().find(|file| {
        file.lane == 0
            && around >= file.start
            && around <= file.start.saturating_add(long_of(file.size))
    }) else {
        return Ok(records);
    };
    let Some(data) = store.get(&file.path) else {
        return Ok(records);
    };
    let at = pos_of(around.saturating_sub(file.start));
    let from = at.saturating_sub(bytes);
    let to = at.saturating_add(bytes).min(data.size());
    let mut start = start_of_record(&**data, file.start, from)?;
    let mut window = Window::with_block(&**data, 1 << 20);
    while start < to {
        let (kind, len, label) = record_at(&mut window, start, data.size())?;
        records.push(Record {
            place: Place::before(&file.path, start, len),
            log_offset: file.start.saturating_add(long_of(start)),
            kind,
            label,
        });
        start = start.saturating_add(len.max(1));
    }
    Ok(records)
}

fn record_at(
    window: &mut Window<'_>,
    at: u64,
    size: u64,
) -> Result<(RecordKind, u64, String), ReadError> {
    let check = Check::whole_message();
    let left = size.saturating_sub(at);
    let mut want = 4096;
    loop {
        let bytes = window.from(at, want)?;
        match check_message(&mut Cursor::new(bytes, left), check) {
            Err(NeedMore(more)) => want = more,
            Ok(Checked::Message(request)) => {
                let label = format!(
                    "{}/{} #{}",
                    request.topic(bytes),
                    request.queue_id,
                    request.queue_offset
                );
                return Ok((
                    RecordKind::Message,
                    pos_of(i64::from(request.msg_size)),
                    label,
                ));
            }
            Ok(Checked::Blank) => return Ok((RecordKind::Blank, left, String::new())),
            Ok(Checked::Bad(bad)) => {
                let frame = message::frame(&mut Cursor::whole(bytes), &mut ()).ok();
                let claimed = pos_of(i64::from(bad.claimed));
                if frame.is_some_and(|frame| message::Version::is_message(frame.magic)) {
                    let len = if claimed > 0 && claimed <= left {
                        claimed
                    } else {
                        left
                    };
                    return Ok((RecordKind::Bad, len, bad.reject.rule().id.to_owned()));
                }
                return Ok(stretch(bytes, left));
            }
        }
    }
}

/// Bytes that are no record: zeros as far as they go, or else all that is left.
fn stretch(bytes: &[u8], left: u64) -> (RecordKind, u64, String) {
    match bytes.iter().position(|byte| *byte != 0) {
        None => (RecordKind::Zeros, left, String::new()),
        Some(0) => (RecordKind::Unknown, left, String::new()),
        Some(zeros) => (RecordKind::Zeros, u64_of(zeros), String::new()),
    }
}

/// The options a look at the store needs: the geometry of its index files.
pub fn options_of(store: &Store, asked: &crate::brokers::Asked) -> Options {
    let layout = Layout::of(store);
    options::choose(asked, store, &layout)
        .map(|chosen| chosen.options)
        .unwrap_or_default()
}

/// Whether a path is one of the store's roots.
pub fn looks_like(store: &Store, dir: &StorePath) -> bool {
    [layout::commit_log_dir(), layout::consume_queue_dir()]
        .iter()
        .any(|inner| store.is_dir(&dir.join(inner.as_str())))
}
