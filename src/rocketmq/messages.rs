//! Every message of a store: as lines of a dump, as rows of a table, one opened. One walk reads them all, as the broker's own decoder
//! does: a file is left at the first thing that does not decode.
//!
//! Not here: whether recovery keeps a message (an outcome says it), and whole records behind the first that does not decode.

use super::check_message::{Check, Checked, Reject, check_message};
use super::format::message::{self, Frame, Head, Host, Tail};
use super::inspect;
use super::layout;
use super::options::Options;
use crate::brokers::rows::{
    At, Filter, Known, Message, MessageRow, OpenMessage, ReadTo, Target, What, Why,
};
use crate::decode::crc::rocketmq_crc32;
use crate::decode::num::{long_of, pos_of, u64_of, usize_of};
use crate::decode::{Cursor, java};
use crate::facts;
use crate::recovery::Place;
use crate::store::{ReadAt, ReadError, Store, StorePath, Window};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::rc::Rc;

/// What the walk finds.
enum Item<'w> {
    Message(Decoded<'w>),
    /// Why the file is left, as the real brokers' dumps say it, and what stood there.
    End(&'static str, Vec<(&'static str, i64)>),
}

/// A message that decodes.
struct Decoded<'w> {
    bytes: &'w [u8],
    frame: Frame,
    head: Head<'w>,
    tail: Tail<'w>,
}

/// The files of the log in the order of a listing.
fn log_files(store: &Store) -> Vec<(StorePath, Rc<dyn ReadAt>)> {
    let dir = layout::commit_log_dir();
    let entries = store.list(&dir).unwrap_or_default();
    let paths = entries.iter().map(|entry| dir.join(&entry.name));
    paths
        .filter_map(|path| {
            let file = store.get(&path)?.clone();
            Some((path, file))
        })
        .collect()
}

/// Reads a file from a record's start on, until it is left or `visit` has enough; then says where it would go on.
fn walk(
    file: &dyn ReadAt,
    from: u64,
    block: usize,
    mut visit: impl FnMut(u64, Item<'_>) -> ControlFlow<()>,
) -> Result<Option<u64>, ReadError> {
    let mut window = Window::with_block(file, block);
    let size = file.size();
    let mut at = from;
    loop {
        let left = size.saturating_sub(at);
        let head = window.from(at, 8)?;
        let end = match message::frame(&mut Cursor::new(head, left), &mut ()) {
            Err(_) => Item::End("endOfFile", Vec::new()),
            Ok(frame) => match end_of(frame, left) {
                Some(end) => end,
                None => {
                    let total = pos_of(i64::from(frame.total_size));
                    let bytes = window.from(at, usize_of(total))?;
                    match decode(bytes, frame) {
                        Some(decoded) => {
                            let next = at.saturating_add(total);
                            if visit(at, Item::Message(decoded)).is_break() {
                                return Ok(Some(next));
                            }
                            at = next;
                            continue;
                        }
                        None => Item::End("undecodable", both(frame)),
                    }
                }
            },
        };
        // Whether that was enough or not, there is no more in this file.
        let _ = visit(at, end);
        return Ok(None);
    }
}

fn both(frame: Frame) -> Vec<(&'static str, i64)> {
    vec![
        ("totalSize", i64::from(frame.total_size)),
        ("magic", i64::from(frame.magic)),
    ]
}

/// What stands here instead of a message.
fn end_of(frame: Frame, left: u64) -> Option<Item<'static>> {
    let total = i64::from(frame.total_size);
    if frame.magic == message::BLANK_MAGIC {
        return Some(Item::End("blank", vec![("totalSize", total)]));
    }
    let why = if !message::Version::is_message(frame.magic) {
        if total == 0 && frame.magic == 0 {
            "zero"
        } else {
            "badMagic"
        }
    } else if total <= 0 || pos_of(total) > left {
        "badTotalSize"
    } else {
        return None;
    };
    Some(Item::End(why, both(frame)))
}

/// `MessageDecoder.decode`: fields as they stand; `None` where it gives up: a part beyond the record, or a port that is none.
fn decode(bytes: &[u8], frame: Frame) -> Option<Decoded<'_>> {
    let total = pos_of(i64::from(frame.total_size));
    let bytes = bytes.get(..usize_of(total)).unwrap_or(bytes);
    let mut cursor = Cursor::new(bytes, total);
    let version = message::Version::of(frame.magic)?;
    message::frame(&mut cursor, &mut ()).ok()?;
    let head = message::head(&mut cursor, None, true, &mut ()).ok()?;
    let tail = message::tail(&mut cursor, version, None, &mut ()).ok()?;
    let is_port = |host: Host<'_>| (0..=65_535).contains(&host.port());
    (is_port(head.born_host) && is_port(head.store_host)).then_some(Decoded {
        bytes,
        frame,
        head,
        tail,
    })
}

impl<'w> Decoded<'w> {
    /// The last property of that name.
    fn property(&self, name: &str) -> Option<Cow<'w, str>> {
        message::properties(self.tail.properties)
            .filter(|(found, _)| *found == name.as_bytes())
            .last()
            .map(|(_, value)| message::text(value))
    }
}

/// Every message of every commit log file, one JSON object a line, as the broker's own decoder reads them. A file is left at the
/// first thing that does not decode, and a line says why.
pub fn dump(store: &Store, mut line: impl FnMut(Json)) -> Result<(), ReadError> {
    for (path, file) in log_files(store) {
        let name = path.name();
        walk(&*file, 0, file.block(), |at, item| {
            line(match item {
                Item::Message(decoded) => message_line(&decoded, name, at),
                Item::End(why, more) => end_line(why, &more, name, at),
            });
            ControlFlow::Continue(())
        })
        .map_err(|error| error.in_file(path.as_str()))?;
    }
    Ok(())
}

/// Every message of the commit log with its physical offset and its bytes. What stands in a file whose name is no offset is left out.
pub fn each(store: &Store, visit: &mut dyn FnMut(i64, &[u8])) -> Result<(), ReadError> {
    for (path, file) in log_files(store) {
        let Some(start) = java::parse_long(path.name()) else {
            continue;
        };
        walk(&*file, 0, file.block(), |at, item| {
            if let Item::Message(decoded) = item {
                visit(start.saturating_add(long_of(at)), decoded.bytes);
            }
            ControlFlow::Continue(())
        })
        .map_err(|error| error.in_file(path.as_str()))?;
    }
    Ok(())
}

fn end_line(why: &str, more: &[(&str, i64)], name: &str, at: u64) -> Json {
    let mut object = Map::new();
    object.insert("file".into(), json!(name));
    object.insert("pos".into(), json!(at));
    object.insert("end".into(), json!(why));
    for (key, value) in more {
        object.insert((*key).into(), json!(value));
    }
    Json::Object(object)
}

fn message_line(decoded: &Decoded<'_>, name: &str, at: u64) -> Json {
    let Decoded {
        frame, head, tail, ..
    } = decoded;
    let host = |host: Host<'_>| format!("{}|{}", host.address(), host.port());
    let properties = (tail.properties_len > 0).then(|| {
        message::properties(tail.properties)
            .map(|(name, value)| (message::text(name), message::text(value)))
            .collect::<std::collections::BTreeMap<_, _>>()
    });
    json!({
        "file": name,
        "pos": at,
        "totalSize": frame.total_size,
        "magic": frame.magic,
        "bodyCrc": head.body_crc,
        "queueId": head.queue_id,
        "flag": head.flag,
        "queueOffset": head.queue_offset,
        "physicalOffset": head.physical_offset,
        "sysFlag": head.sys_flag,
        "bornTimestamp": head.born_timestamp,
        "bornHost": host(head.born_host),
        "storeTimestamp": head.store_timestamp,
        "storeHost": host(head.store_host),
        "reconsumeTimes": head.reconsume_times,
        "preparedTransactionOffset": head.prepared_transaction_offset,
        "bodyLength": head.body.len(),
        "bodyCrcComputed": rocketmq_crc32(head.body),
        "topic": message::text(tail.topic),
        "properties": properties,
        "msgId": message_id(head.store_host, head.physical_offset),
    })
}

/// `createMessageId`: the store host and the physical offset in hex.
fn message_id(host: Host<'_>, physical_offset: i64) -> String {
    let bytes = host.0.iter().copied().chain(physical_offset.to_be_bytes());
    bytes.map(|byte| format!("{byte:02X}")).collect()
}

/// Reads rows that a filter lets through, from a place on, about `budget` bytes or until `hit` has enough. `hit` is told where the row
/// stands, how many bytes of the log were read before it, and the row.
pub fn search(
    store: &Store,
    known: &Known,
    filter: &Filter,
    from: At,
    budget: u64,
    hit: &mut dyn FnMut(At, u64, &MessageRow) -> bool,
) -> Result<ReadTo, ReadError> {
    let files = log_files(store);
    let sizes = files.iter().map(|(_, file)| file.size());
    let of = sizes.clone().fold(0u64, u64::saturating_add);
    let mut before = sizes.take(from.file).fold(0u64, u64::saturating_add);
    let mut left = budget;
    let few = (budget == u64::MAX).then_some(256 << 10);
    for (number, (path, file)) in files.iter().enumerate().skip(from.file) {
        let start = if number == from.file { from.pos } else { 0 };
        let base = java::parse_long(path.name());
        let mut enough = false;
        let block = few.unwrap_or_else(|| file.block());
        let next = walk(&**file, start, block, |at, item| {
            let row = row(path, base, at, &item, known);
            let property = |name: &str| match &item {
                Item::Message(decoded) => decoded.property(name),
                Item::End(..) => None,
            };
            let here = At {
                file: number,
                pos: at,
            };
            if filter.lets_through(&row, property) {
                enough = !hit(here, before.saturating_add(at), &row);
            }
            left = left.saturating_sub(row.place.length);
            if enough || left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .map_err(|error| error.in_file(path.as_str()))?;
        if let Some(pos) = next {
            return Ok(ReadTo {
                next: Some(At { file: number, pos }),
                bytes: before.saturating_add(pos),
                of,
            });
        }
        before = before.saturating_add(file.size());
        if enough {
            break;
        }
    }
    Ok(ReadTo {
        next: None,
        bytes: before,
        of,
    })
}

fn row(path: &StorePath, base: Option<i64>, at: u64, item: &Item<'_>, known: &Known) -> MessageRow {
    let log_offset = base.map(|base| base.saturating_add(long_of(at)));
    match item {
        Item::Message(decoded) => MessageRow {
            place: Place::before(path, at, pos_of(i64::from(decoded.frame.total_size))),
            log_offset,
            fate: known.fate(log_offset),
            what: What::Message(Box::new(message_of(decoded))),
            wrong: wrong(decoded, log_offset, known),
        },
        Item::End(why, _) => MessageRow {
            place: Place::before(path, at, 8),
            log_offset,
            fate: known.fate(log_offset),
            what: What::End((*why).to_owned()),
            wrong: Vec::new(),
        },
    }
}

fn message_of(decoded: &Decoded<'_>) -> Message {
    let text = |name: &str| decoded.property(name).map(Cow::into_owned);
    let head = &decoded.head;
    Message {
        topic: message::text(decoded.tail.topic).into_owned(),
        queue: head.queue_id,
        queue_offset: head.queue_offset,
        log_offset: head.physical_offset,
        born_ms: head.born_timestamp,
        store_ms: head.store_timestamp,
        tag: text("TAGS"),
        keys: text("KEYS"),
        unique_key: text("UNIQ_KEY"),
        body_bytes: u64_of(head.body.len()),
    }
}

/// What the broker's own check would say, and whether the message knows where it stands.
fn wrong(decoded: &Decoded<'_>, log_offset: Option<i64>, known: &Known) -> Vec<Why> {
    let check = Check {
        crc: known.sums,
        ..Check::whole_message()
    };
    let mut found = Vec::new();
    if let Ok(Checked::Bad(bad)) = check_message(&mut Cursor::whole(decoded.bytes), check) {
        found.push(match bad.reject {
            Reject::BodyCrc { stored, computed } => Why::new(
                "body-crc",
                facts! { stored = i64::from(stored), computed = i64::from(computed) },
            ),
            Reject::Lengths {
                total_size, sum, ..
            } => Why::new("lengths", facts! { total = total_size, sum = sum }),
            other => Why::new("check", facts! { rule = other.rule().id }),
        });
    }
    let own = decoded.head.physical_offset;
    if log_offset.is_some_and(|offset| offset != own) {
        found.push(Why::new(
            "misplaced",
            facts! { says = own, stands = log_offset.unwrap_or(-1) },
        ));
    }
    found
}

/// A message that begins at a log offset, found as the broker finds it: by the files' names and their common size.
pub(super) struct Log<'s> {
    pub(super) store: &'s Store,
    file_size: i64,
    /// The file and block that were read last.
    window: Option<(StorePath, Window<'s>)>,
}

/// What stands at a log offset.
pub(super) enum Stands<'l> {
    NoFile,
    /// A file, and no message in it there.
    NoMessage,
    Message(Box<Standing<'l>>),
}

/// A message at a log offset, with what the entries of queue and index are held to.
pub(super) struct Standing<'l> {
    pub target: Target,
    pub size: i32,
    pub queue_id: i32,
    pub queue_offset: i64,
    pub sys_flag: i32,
    topic: &'l [u8],
    properties: &'l [u8],
}

impl Standing<'_> {
    pub fn topic(&self) -> Cow<'_, str> {
        message::text(self.topic)
    }

    pub fn property(&self, name: &[u8]) -> Option<Cow<'_, str>> {
        message::properties(self.properties)
            .filter(|(found, _)| *found == name)
            .last()
            .map(|(_, value)| message::text(value))
    }

    /// Each key, and the unique one.
    pub fn keys(&self) -> Vec<String> {
        let unique = self.property(b"UNIQ_KEY").map(Cow::into_owned);
        let keys = self.property(b"KEYS").unwrap_or_default();
        let each = keys.split(' ').filter(|key| !key.is_empty());
        unique.into_iter().chain(each.map(str::to_owned)).collect()
    }
}

impl<'s> Log<'s> {
    pub fn of(store: &'s Store, options: &Options) -> Self {
        Self {
            store,
            file_size: i64::from(options.mapped_file_size_commit_log),
            window: None,
        }
    }

    /// Where the oldest file begins: `getMinOffset`.
    pub fn min_offset(&self) -> Option<i64> {
        let files = log_files(self.store);
        let (path, _) = files.first()?;
        java::parse_long(path.name())
    }

    pub fn at(&mut self, log_offset: i64, known: &Known) -> Result<Stands<'_>, ReadError> {
        let start =
            log_offset.saturating_sub(crate::decode::num::java_rem(log_offset, self.file_size));
        let path = layout::commit_log_dir().join(&layout::file_name(start));
        let Some(file) = self.store.get(&path).filter(|_| log_offset >= 0) else {
            return Ok(Stands::NoFile);
        };
        let pos = pos_of(log_offset.saturating_sub(start));
        let held = self.window.take().filter(|(held, _)| *held == path);
        let (_, window) = self
            .window
            .insert(held.unwrap_or_else(|| (path.clone(), Window::with_block(&**file, 256 << 10))));
        let left = file.size().saturating_sub(pos);
        let error = |error: ReadError| error.in_file(path.as_str());
        let bytes = window.from(pos, 8).map_err(error)?;
        let frame = match message::frame(&mut Cursor::new(bytes, left), &mut ()) {
            Ok(frame) if end_of(frame, left).is_none() => frame,
            _ => return Ok(Stands::NoMessage),
        };
        let total = pos_of(i64::from(frame.total_size));
        let bytes = window.from(pos, usize_of(total)).map_err(error)?;
        let Some(decoded) = decode(bytes, frame) else {
            return Ok(Stands::NoMessage);
        };
        let (head, tail) = (decoded.head, decoded.tail);
        Ok(Stands::Message(Box::new(Standing {
            target: Target {
                place: Place::before(&path, pos, total),
                log_offset,
                label: format!(
                    "{}/{} #{}",
                    message::text(tail.topic),
                    head.queue_id,
                    head.queue_offset
                ),
                fate: known.fate(Some(log_offset)),
            },
            size: frame.total_size,
            queue_id: head.queue_id,
            queue_offset: head.queue_offset,
            sys_flag: head.sys_flag,
            topic: tail.topic,
            properties: tail.properties,
        })))
    }
}

/// The message at a place: fields, properties, body.
pub fn open(store: &Store, place: &Place, options: &Options) -> Result<OpenMessage, ReadError> {
    /// More of a body is not shown.
    const BODY: u64 = 1 << 20;
    let fields = inspect::fields(store, place, options)?;
    let mut open = OpenMessage::default();
    let Some(file) = store.get(&place.file) else {
        return Ok(OpenMessage { fields, ..open });
    };
    let read = |start: u64, len: u64| {
        let len = len.min(file.size().saturating_sub(start));
        let mut bytes = vec![0; usize_of(len)];
        file.read_exact_at(start, &mut bytes)
            .map_err(|error| error.in_file(place.file.as_str()))?;
        Ok::<_, ReadError>(bytes)
    };
    for row in &fields.rows {
        match row.name.as_str() {
            "body" => {
                open.body_at = row.start;
                open.body_bytes = row.len;
                open.body = read(row.start, row.len.min(BODY))?;
            }
            "properties" => {
                let bytes = read(row.start, row.len)?;
                open.properties = message::properties(&bytes)
                    .map(|(name, value)| {
                        let text = |bytes| message::text(bytes).into_owned();
                        (text(name), text(value))
                    })
                    .collect();
            }
            "sysFlag" => {
                if let crate::decode::Value::Int(flag) = row.value {
                    open.compressed = message::is_compressed(crate::decode::num::java_int(flag));
                }
            }
            _ => {}
        }
    }
    Ok(OpenMessage { fields, ..open })
}
