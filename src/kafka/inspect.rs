//! Looks at a log directory without starting anything: what it is, the fields at a place, every batch and record.

use super::batches::{Batch, Batches};
use super::format::batch::{self, Header};
use super::format::compression::Codec;
use super::format::legacy::{self, Message};
use super::format::record::{Record, Records};
use super::format::{index, snapshot};
use super::record_fields::{self, Meaning};
use super::{Thrown, layout, options, release};
use crate::brokers::{Asked, Record as Seen, RecordKind};
use crate::decode::num::{long_of, pos_of, u64_of, usize_of};
use crate::decode::{Cursor, FieldTree, Value, java};
use crate::recovery::{Outcome, Place};
use crate::store::{ReadAt, ReadError, Store, StorePath, Window};
use serde_json::{Map, Value as Json, json};
use std::rc::Rc;

/// Whether a folder is a Kafka log directory: a partition's folder with a segment in it, or the flag or a checkpoint beside one.
pub fn looks_like(store: &Store, dir: &StorePath) -> bool {
    let entries = store.list(dir).unwrap_or_default();
    let has_own_file = entries.iter().any(|entry| {
        !entry.is_dir
            && matches!(
                entry.name.as_str(),
                layout::CLEAN_SHUTDOWN_FILE | layout::RECOVERY_POINTS | layout::REPLICATION_OFFSETS
            )
    });
    let marks = [
        layout::DirMark::Delete,
        layout::DirMark::Future,
        layout::DirMark::Stray,
    ];
    let has_partition = entries
        .iter()
        .filter(|entry| entry.is_dir && layout::dir_name(&entry.name, &marks).is_some())
        .any(|entry| is_partition(store, &dir.join(&entry.name)));
    has_partition || has_own_file && entries.iter().any(|entry| entry.is_dir)
}

/// A folder with a segment: twenty digits and `.log`.
fn is_partition(store: &Store, dir: &StorePath) -> bool {
    let is_segment = |name: &str| {
        name.strip_suffix(layout::LOG)
            .is_some_and(|number| number.len() == 20 && number.bytes().all(|c| c.is_ascii_digit()))
    };
    store
        .list(dir)
        .unwrap_or_default()
        .iter()
        .any(|entry| !entry.is_dir && is_segment(&entry.name))
}

/// A partition's folder dropped without the directory around it.
pub fn looks_like_partition(store: &Store) -> bool {
    is_partition(store, &StorePath::new("")) && layout::dir_name(store.name(), &[]).is_some()
}

/// The same files one folder deeper, under the dropped folder's name.
pub fn as_directory(store: &Store) -> Store {
    let dir = StorePath::new("").join(store.name());
    let mut directory = Store::new("logs");
    directory.insert_dir(dir.clone());
    for (path, file) in store.files() {
        directory.insert(dir.join(path.as_str()), file.clone());
    }
    directory
}

/// Every batch and record of every segment, one JSON object a line, in the form of the real brokers' dumps.
pub fn dump(store: &Store, asked: &Asked, mut line: impl FnMut(Json)) -> Result<(), ReadError> {
    for (path, file, batches) in segments(store, asked) {
        line(json!({"t": "log", "file": path.as_str(), "size": file.size()}));
        dump_segment(batches, file.size(), &mut line)?;
    }
    Ok(())
}

/// Every batch of every partition with its base offset and its bytes. A segment is left at the first one that does not read.
pub fn each_batch(
    store: &Store,
    asked: &Asked,
    visit: &mut dyn FnMut(&str, i64, &[u8]),
) -> Result<(), ReadError> {
    for (path, _, mut batches) in segments(store, asked) {
        let partition = path.parent();
        loop {
            let read = batches.next().and_then(|batch| {
                let Some(batch) = batch else { return Ok(false) };
                let offset = batches.base_offset(&batch)?;
                visit(partition.as_str(), offset, batches.bytes(&batch)?);
                Ok(true)
            });
            match read {
                Ok(true) => {}
                Err(Thrown::Read(error)) => return Err(error),
                Ok(false) | Err(_) => break,
            }
        }
    }
    Ok(())
}

/// All segments of all partitions, each with its batches as the release reads them.
fn segments<'s>(
    store: &'s Store,
    asked: &Asked,
) -> Vec<(&'s StorePath, &'s Rc<dyn ReadAt>, Batches<'s>)> {
    let release = asked.release.as_deref().map(release::Release::parse);
    let known = match release {
        Some(Ok(release)) => release.known,
        _ => release::Release::assumed().known,
    };
    let policy = known.policy();
    let largest = options::choose(asked, store)
        .ok()
        .and_then(|chosen| chosen.options.segment_config("", &policy).largest_message);
    let mut segments: Vec<_> = store
        .files()
        .filter(|(path, _)| {
            let dir = path.parent();
            path.as_str().ends_with(layout::LOG)
                && !dir.as_str().is_empty()
                && !dir.as_str().contains('/')
        })
        .collect();
    segments.sort_by_key(|(path, _)| (path.parent(), *path));
    segments
        .into_iter()
        .map(|(path, file)| {
            let batches = Batches::new(&**file, path, 0, file.size())
                .read_as(policy.reading())
                .with_largest(largest);
            (path, file, batches)
        })
        .collect()
}

fn dump_segment(
    mut batches: Batches<'_>,
    size: u64,
    line: &mut impl FnMut(Json),
) -> Result<(), ReadError> {
    let mut position = 0;
    let stopped = loop {
        match batches.next() {
            Ok(Some(batch)) => {
                position = batch.end();
                match dump_batch(&mut batches, &batch, line) {
                    Ok(()) => {}
                    Err(Thrown::Read(error)) => return Err(error),
                    Err(_) => {}
                }
            }
            Ok(None) => break None,
            Err(Thrown::Read(error)) => return Err(error),
            Err(Thrown::Corrupt(failure)) => break Some(failure.rule.id),
            Err(_) => break Some("exception"),
        }
    };
    let mut end = json!({"t": "end", "pos": position, "left": size.saturating_sub(position)});
    if let (Some(why), Json::Object(members)) = (stopped, &mut end) {
        members.insert("error".to_owned(), why.into());
    }
    line(end);
    Ok(())
}

fn dump_batch(
    batches: &mut Batches<'_>,
    batch: &Batch,
    line: &mut impl FnMut(Json),
) -> Result<(), Thrown> {
    let mut members = Map::new();
    let mut put = |key: &str, value: Json| {
        members.insert(key.to_owned(), value);
    };
    put("t", "batch".into());
    put("pos", batch.position.into());
    put("size", batch.size.into());
    put("magic", batch.magic.into());
    // The old classes have no such field; unpacking a wrapper for it may throw, and hide the others.
    let base = match batches.is_of_messages() {
        true => Ok(batch.offset),
        false => batches.base_offset(batch),
    };
    if let Err(Thrown::Read(error)) = base {
        return Err(Thrown::Read(error));
    }
    let bytes = batches.bytes(batch)?.to_vec();
    let described = match base {
        Ok(base) => {
            put("base", base.into());
            if batch.is_v2() {
                describe_v2(batch, &bytes, &mut put)
            } else {
                describe_legacy(batch, &bytes, &mut put)
            }
        }
        Err(_) => None,
    };
    if described.is_none() {
        put("error", "exception".into());
    }
    line(Json::Object(members));
    let Records { records, fault } = batches.records(batch)?;
    for record in &records {
        line(record_line(record));
    }
    if let Some(fault) = fault {
        line(json!({"t": "error", "error": format!("{fault:?}")}));
    }
    Ok(())
}

/// `None` where Kafka's class throws; what was put by then stays.
fn describe_v2(batch: &Batch, bytes: &[u8], put: &mut impl FnMut(&str, Json)) -> Option<()> {
    let whole = &batch.header;
    if !whole.is_whole() {
        return None;
    }
    let delta = i64::from(whole.last_offset_delta().ok()?);
    put("last", batch.offset.wrapping_add(delta).into());
    let crc = whole.crc().ok()?;
    put("crc", crc.into());
    let is_valid = batch.size >= batch::HEADER_U64 && batch::computed_crc(bytes) == crc;
    put("valid", is_valid.into());
    // From here on Kafka has the batch itself, and no byte behind it.
    let own: Header = whole.cut_to(batch.size);
    let attributes = own.attributes().ok()?;
    put(
        "codec",
        Codec::of(i64::from(attributes & batch::CODEC_MASK))?
            .name()
            .into(),
    );
    let is_append_time = attributes & batch::LOG_APPEND_TIME != 0;
    put(
        "tsType",
        if is_append_time {
            "LOG_APPEND_TIME"
        } else {
            "CREATE_TIME"
        }
        .into(),
    );
    put("maxTs", own.max_timestamp().ok()?.into());
    put("count", own.count().ok()?.into());
    put("pid", own.producer_id().ok()?.into());
    put("epoch", own.producer_epoch().ok()?.into());
    put("seq", own.base_sequence().ok()?.into());
    put("lastSeq", own.last_sequence().ok()?.into());
    put("leaderEpoch", own.leader_epoch().ok()?.into());
    put("txn", (attributes & batch::TRANSACTIONAL != 0).into());
    put("control", (attributes & batch::CONTROL != 0).into());
    if attributes & batch::DELETE_HORIZON != 0 {
        put("deleteHorizon", own.base_timestamp().ok()?.into());
    }
    Some(())
}

fn describe_legacy(batch: &Batch, bytes: &[u8], put: &mut impl FnMut(&str, Json)) -> Option<()> {
    let message = Message::new(bytes.get(12..).unwrap_or(&[]));
    put("last", batch.offset.into());
    put("crc", message.crc()?.into());
    put("valid", message.is_valid().into());
    put("codec", message.codec()?.name().into());
    let is_append_time = message.attributes()? & 0x08 != 0;
    let kind = match (message.magic()?, is_append_time) {
        (0, _) => "NO_TIMESTAMP_TYPE",
        (_, true) => "LOG_APPEND_TIME",
        (_, false) => "CREATE_TIME",
    };
    put("tsType", kind.into());
    put("maxTs", message.timestamp()?.into());
    Some(())
}

fn size_and_crc(bytes: Option<&[u8]>) -> Json {
    match bytes {
        Some(bytes) => json!([bytes.len(), crc32fast::hash(bytes)]),
        None => Json::Null,
    }
}

fn record_line(record: &Record) -> Json {
    let mut line = json!({
        "t": "rec",
        "off": record.offset,
        "ts": record.timestamp,
        "key": size_and_crc(record.key.as_deref()),
        "val": size_and_crc(record.value.as_deref()),
    });
    if let Json::Object(members) = &mut line {
        if !record.headers.is_empty() {
            let headers: Vec<Json> = record
                .headers
                .iter()
                .map(|(name, value)| json!([java::string(name), size_and_crc(value.as_deref())]))
                .collect();
            members.insert("hdr".to_owned(), headers.into());
        }
        if record.sequence >= 0 {
            members.insert("seq".to_owned(), record.sequence.into());
        }
    }
    line
}

/// The fields of what lies at a place.
pub fn fields(store: &Store, place: &Place) -> Result<FieldTree, ReadError> {
    let path = &place.file;
    let Some(file) = store.get(path) else {
        return Ok(FieldTree::new("no such file", 0));
    };
    let name = path.name();
    let plain = [layout::DELETED, layout::CLEANED, layout::SWAP]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name);
    if plain.ends_with(layout::LOG) || layout::raft_snapshot(name).is_some() {
        return batch_fields(&**file, path, place.offset);
    }
    let entries = [
        (layout::TIME_INDEX, "time index entry", index::TIME_ENTRY),
        (layout::TXN_INDEX, "aborted transaction", index::ABORTED_TXN),
        (layout::INDEX, "offset index entry", index::OFFSET_ENTRY),
    ];
    for (extension, title, size) in entries {
        if plain.ends_with(extension) {
            let at = place
                .offset
                .saturating_sub(place.offset.checked_rem(size).unwrap_or(0));
            return entry_fields(&**file, title, extension, at, size);
        }
    }
    if plain.ends_with(layout::SNAPSHOT) {
        let bytes = super::batches::small_file(&**file)?;
        let mut tree = FieldTree::new("producer snapshot", 0);
        let read = snapshot::read_fields(&mut Cursor::whole(&bytes), &mut tree);
        if let (Err(snapshot::BadSnapshot::Crc { stored, computed }), true) =
            (snapshot::read(&bytes), read.is_ok())
        {
            tree.set("crc", Value::Differs { stored, computed });
        }
        if read.is_err() {
            tree.stopped = Some("the file ends here".to_owned());
        }
        return Ok(tree);
    }
    text_fields(&**file)
}

fn batch_fields(file: &dyn ReadAt, path: &StorePath, offset: u64) -> Result<FieldTree, ReadError> {
    let (batch, at) = batch_at(file, path, offset)?;
    let left = file.size().saturating_sub(at);
    let size = batch.as_ref().map_or(left.min(4096), |batch| batch.size);
    let mut bytes = vec![0; usize_of(size.min(left))];
    file.read_exact_at(at, &mut bytes)?;
    let is_v2 = bytes.get(16).is_some_and(|magic| (2..=127).contains(magic));
    let mut tree = FieldTree::new(if is_v2 { "record batch" } else { "message" }, at);
    let mut cursor = Cursor::whole(&bytes);
    let read = if is_v2 {
        batch::read_header(&mut cursor, &mut tree)
    } else {
        legacy::read_fields(&mut cursor, &mut tree)
    };
    if read.is_err() || batch.is_none() {
        tree.stopped = Some("no whole batch".to_owned());
        return Ok(tree);
    }
    let (stored, computed) = if is_v2 {
        let header = Header::new(&bytes);
        let records = u64_of(bytes.len()).saturating_sub(batch::HEADER_U64);
        tree.rows.push(crate::decode::FieldRow {
            name: "records".to_owned(),
            start: at.saturating_add(batch::HEADER_U64),
            len: records,
            value: Value::Bytes(records),
        });
        (header.crc().unwrap_or(0), batch::computed_crc(&bytes))
    } else {
        let message = Message::new(bytes.get(12..).unwrap_or(&[]));
        (message.crc().unwrap_or(0), message.computed_crc())
    };
    if stored != computed {
        tree.set("crc", Value::Differs { stored, computed });
    }
    if let Some(batch) = batch
        && let Some(meaning) = Meaning::of(path, &batch)
    {
        let mut batches = Batches::new(file, path, at, file.size());
        record_fields::append(&mut tree, &mut batches, &batch, meaning)?;
    }
    Ok(tree)
}

/// The batch that holds a byte: batches are walked from the file's start, or from the byte itself where the walk does not come to it.
fn batch_at(
    file: &dyn ReadAt,
    path: &StorePath,
    offset: u64,
) -> Result<(Option<Batch>, u64), ReadError> {
    let mut batches = Batches::new(file, path, 0, file.size());
    loop {
        match batches.next() {
            Ok(Some(batch)) if batch.end() > offset => {
                let at = batch.position;
                return Ok((Some(batch), at));
            }
            Ok(Some(_)) => {}
            Err(Thrown::Read(error)) => return Err(error),
            Ok(None) | Err(_) => return Ok((None, batches.position().min(offset))),
        }
    }
}

fn entry_fields(
    file: &dyn ReadAt,
    title: &str,
    extension: &str,
    at: u64,
    size: u64,
) -> Result<FieldTree, ReadError> {
    let mut tree = FieldTree::new(title, at);
    let left = file.size().saturating_sub(at).min(size);
    let mut bytes = vec![0; usize_of(left)];
    file.read_exact_at(at, &mut bytes)?;
    let mut cursor = Cursor::whole(&bytes);
    let read = match extension {
        layout::TIME_INDEX => index::time_entry(&mut cursor, &mut tree),
        layout::TXN_INDEX => index::aborted_txn(&mut cursor, &mut tree).map(|_| ()),
        _ => index::offset_entry(&mut cursor, &mut tree),
    };
    if read.is_err() {
        tree.stopped = Some("the file ends here".to_owned());
    }
    Ok(tree)
}

/// The lines of a text file.
fn text_fields(file: &dyn ReadAt) -> Result<FieldTree, ReadError> {
    let mut bytes = vec![0; usize_of(file.size().min(64 << 10))];
    file.read_exact_at(0, &mut bytes)?;
    let mut tree = FieldTree::new("text", 0);
    let mut at = 0u64;
    for (no, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let len = u64_of(line.len());
        let text = String::from_utf8_lossy(line).trim_end().to_owned();
        tree.rows.push(crate::decode::FieldRow {
            name: format!("line {}", no.saturating_add(1)),
            start: at,
            len,
            value: Value::Text(text),
        });
        at = at.saturating_add(len);
    }
    Ok(tree)
}

/// The batches around an offset of the map's axis, so many bytes to both sides.
pub fn records(
    store: &Store,
    outcome: &Outcome,
    around: i64,
    bytes: u64,
) -> Result<Vec<Seen>, ReadError> {
    let reach = long_of(bytes);
    let (from, to) = (around.saturating_sub(reach), around.saturating_add(reach));
    let mut seen = Vec::new();
    for on_map in &outcome.map.files {
        let end = on_map.start.saturating_add(long_of(on_map.size));
        if on_map.lane != 0 || end < from || on_map.start > to {
            continue;
        }
        let Some(file) = store.get(&on_map.path) else {
            continue;
        };
        let low = pos_of(from.saturating_sub(on_map.start));
        let high = pos_of(to.saturating_sub(on_map.start)).min(file.size());
        batches_between(&**file, &on_map.path, on_map.start, (low, high), &mut seen)?;
    }
    Ok(seen)
}

fn batches_between(
    file: &dyn ReadAt,
    path: &StorePath,
    start: i64,
    (low, high): (u64, u64),
    seen: &mut Vec<Seen>,
) -> Result<(), ReadError> {
    let mut batches = Batches::new(file, path, 0, file.size());
    let mut push = |at: u64, length: u64, kind, label: String| {
        seen.push(Seen {
            place: Place::before(path, at, length),
            log_offset: start.saturating_add(long_of(at)),
            kind,
            label,
        });
    };
    loop {
        let at = batches.position();
        if at > high {
            return Ok(());
        }
        match batches.next() {
            Ok(Some(batch)) if batch.end() <= low => {}
            Ok(Some(batch)) => {
                let kind = match batches.ensure_valid(&batch) {
                    Ok(()) => RecordKind::Message,
                    Err(Thrown::Read(error)) => return Err(error),
                    Err(_) => RecordKind::Bad,
                };
                let last = batch.last_offset(path).unwrap_or(batch.offset);
                let label = if last == batch.offset {
                    format!("{} #{last}", path.parent())
                } else {
                    format!("{} #{}–{last}", path.parent(), batch.offset)
                };
                push(at, batch.size, kind, label);
            }
            Err(Thrown::Read(error)) => return Err(error),
            Ok(None) | Err(_) => {
                let left = file.size().saturating_sub(at);
                if left > 0 {
                    let kind = if is_zeros(file, at)? {
                        RecordKind::Zeros
                    } else {
                        RecordKind::Unknown
                    };
                    push(at, left, kind, String::new());
                }
                return Ok(());
            }
        }
    }
}

pub(super) fn is_zeros(file: &dyn ReadAt, from: u64) -> Result<bool, ReadError> {
    let mut window = Window::scan(file);
    let mut at = from;
    while at < file.size() {
        let bytes = window.from(at, 1)?;
        if bytes.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        at = at.saturating_add(u64_of(bytes.len()).max(1));
    }
    Ok(true)
}
