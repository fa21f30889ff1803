//! Reading as the broker's readers do: a key looked up in the index, a queue read by a consumer.
//!
//! Source: `IndexService#queryOffset`, `IndexFile#selectPhyOffset`, `DefaultMessageStore#queryMessage`, `#getMessage` (4.9). A store as
//! dropped has no running broker; it is read as if one ran with exactly these files.

use super::entries;
use super::extension;
use super::format::{consume_queue, index_file};
use super::messages::{Log, Stands};
use super::options::Options;
use crate::brokers::rows::{
    EntryRow, FileLookUp, Found, KeyAsked, Known, Link, LookUp, Pull, PullAsked, Pulled, RowFate,
    Slot, Why,
};
use crate::decode::num::{java_rem, long_of, pos_of, usize_of};
use crate::decode::{Cursor, Value, java};
use crate::facts;
use crate::recovery::Place;
use crate::recovery::trace::Image;
use crate::store::{ReadError, Store, Window};

/// `maxMsgsNumBatch`: more the broker does not collect.
const MOST: u32 = 64;

/// Looks a key up from the newest index file to the oldest.
pub fn look_up(
    store: &Store,
    known: &Known,
    options: &Options,
    asked: &KeyAsked,
    image: Image,
) -> Result<LookUp, ReadError> {
    let (hashed, hash) = entries::hash_of(&asked.topic, &asked.key);
    let mut look = LookUp {
        hashed,
        hash,
        ..LookUp::default()
    };
    let most = usize_of(u64::from(asked.most.min(MOST)));
    let mut log = Log::of(store, options);
    let mut offsets: Vec<i64> = Vec::new();
    let mut over = false;
    for path in entries::index_files(store).into_iter().rev() {
        let Some(file) = store.get(&path) else {
            continue;
        };
        let head = entries::head_fields(&**file, &path)?;
        let mut seen = FileLookUp {
            file: path.clone(),
            head,
            why: Why::new("read", facts! {}),
            slot: None,
            chain: Vec::new(),
            ended: None,
        };
        let header = entries::header(&**file, &path)?;
        match header {
            _ if over => seen.why = Why::new("not-reached", facts! {}),
            None => seen.why = Why::new("no-head", facts! {}),
            Some(header) => {
                if in_time(&header, asked) {
                    let taken = chain(
                        &mut seen,
                        &header,
                        Window::look(&**file),
                        &mut log,
                        &Chain {
                            known,
                            options,
                            asked,
                            hash,
                            image,
                            room: most.saturating_sub(offsets.len()),
                        },
                    )?;
                    offsets.extend(taken);
                } else {
                    seen.why = Why::new("other-time", facts! {});
                }
                over = header.begin_timestamp < asked.from_ms || offsets.len() >= most;
            }
        }
        look.files.push(seen);
    }
    offsets.sort_unstable();
    for offset in offsets {
        look.found
            .push(found(offset, asked, &mut log, known, image)?);
    }
    Ok(look)
}

/// `isTimeMatched`
fn in_time(header: &index_file::Header, asked: &KeyAsked) -> bool {
    let (begin, end) = (header.begin_timestamp, header.end_timestamp);
    (asked.from_ms < begin && asked.to_ms > end)
        || (begin..=end).contains(&asked.from_ms)
        || (begin..=end).contains(&asked.to_ms)
}

/// What a walk along a hash chain needs to know.
struct Chain<'c> {
    known: &'c Known,
    options: &'c Options,
    asked: &'c KeyAsked,
    hash: i64,
    image: Image,
    /// So many more are wanted.
    room: usize,
}

/// `selectPhyOffset`: from the slot's entry to the one before it, and so on.
fn chain(
    seen: &mut FileLookUp,
    header: &index_file::Header,
    mut window: Window<'_>,
    log: &mut Log<'_>,
    chain: &Chain<'_>,
) -> Result<Vec<i64>, ReadError> {
    let path = seen.file.clone();
    let error = |error: ReadError| error.in_file(path.as_str());
    let number = java_rem(chain.hash, i64::from(chain.options.max_hash_slot_num));
    let at = index_file::HEADER.saturating_add(pos_of(number).saturating_mul(index_file::SLOT));
    let bytes = window.from(at, usize_of(index_file::SLOT)).map_err(error)?;
    let Ok(value) = Cursor::whole(bytes).i32() else {
        seen.ended = Some(Why::new("short", facts! {}));
        return Ok(Vec::new());
    };
    seen.slot = Some(Slot {
        number,
        place: Place::before(&path, at, index_file::SLOT).in_image(chain.image),
        value: i64::from(value),
    });
    if value <= 0 || header.index_count <= 1 {
        seen.ended = Some(Why::new("slot-empty", facts! {}));
        return Ok(Vec::new());
    }
    if value > header.index_count {
        seen.ended = Some(Why::new(
            "slot-beyond",
            facts! { entry = value, count = header.index_count },
        ));
        return Ok(Vec::new());
    }
    let mut offsets = Vec::new();
    let mut next = value;
    // A chain that comes back to where it was would hold the broker for ever; here it ends when all entries could have been met.
    for _ in 0..header.index_count {
        if offsets.len() >= chain.room {
            seen.ended = Some(Why::new("enough", facts! {}));
            return Ok(offsets);
        }
        let at = entries::entry_at(chain.options, i64::from(next));
        let bytes = window
            .from(at, usize_of(index_file::ENTRY))
            .map_err(error)?;
        let Ok(entry) = index_file::entry(&mut Cursor::whole(bytes), &mut ()) else {
            seen.ended = Some(Why::new("short", facts! {}));
            return Ok(offsets);
        };
        let place = Place::before(&path, at, index_file::ENTRY).in_image(chain.image);
        let row = entries::index_row(
            &mut Cursor::whole(bytes),
            i64::from(next),
            &place,
            log,
            chain.known,
        )?;
        let time_ms = header
            .begin_timestamp
            .wrapping_add(i64::from(entry.time_diff).wrapping_mul(1000));
        let why = if entry.time_diff < 0 {
            "time-negative"
        } else if i64::from(entry.key_hash) != chain.hash {
            "other-hash"
        } else if time_ms < chain.asked.from_ms || time_ms > chain.asked.to_ms {
            "outside"
        } else {
            "taken"
        };
        if why == "taken" {
            offsets.push(entry.phy_offset);
        }
        seen.chain.push(Link {
            entry: row,
            time_ms,
            taken: why == "taken",
            why: Why::new(why, facts! {}),
        });
        let end = if entry.time_diff < 0 {
            Some("time-negative")
        } else if entry.prev_index <= 0 {
            Some("chain-end")
        } else if entry.prev_index > header.index_count {
            Some("prev-beyond")
        } else if entry.prev_index == next {
            Some("prev-self")
        } else if time_ms < chain.asked.from_ms {
            Some("before-window")
        } else {
            None
        };
        if let Some(end) = end {
            seen.ended = Some(Why::new(end, facts! {}));
            return Ok(offsets);
        }
        next = entry.prev_index;
    }
    seen.ended = Some(Why::new("circle", facts! {}));
    Ok(offsets)
}

/// What the broker hands back for an offset, and whether it is what was asked for: the broker compares hashes, the client keys.
fn found(
    offset: i64,
    asked: &KeyAsked,
    log: &mut Log<'_>,
    known: &Known,
    image: Image,
) -> Result<Found, ReadError> {
    let none = |why| Found {
        log_offset: offset,
        target: None,
        has_key: false,
        why: Why::new(why, facts! {}),
    };
    let message = match log.at(offset, known)? {
        Stands::NoFile => return Ok(none("no-file")),
        Stands::NoMessage => return Ok(none("no-message")),
        Stands::Message(message) => message,
    };
    let has_key = message.topic() == asked.topic && message.keys().contains(&asked.key);
    let mut target = message.target.clone();
    target.place.image = image;
    let why = match (target.fate, has_key) {
        (RowFate::Cut, _) => "cut",
        (_, true) => "found",
        (_, false) => "collision",
    };
    Ok(Found {
        log_offset: offset,
        target: Some(target),
        has_key,
        why: Why::new(why, facts! {}),
    })
}

/// `getMessage`: unit by unit, the tag's hash first, then the message.
pub fn pull(
    store: &Store,
    known: &Known,
    options: &Options,
    asked: &PullAsked,
    image: Image,
) -> Result<Pull, ReadError> {
    let mut pull = Pull {
        codes: codes(&asked.tags),
        next_offset: asked.offset,
        ..Pull::default()
    };
    let mut log = Log::of(store, options);
    let units = Units::of(store, known, &asked.queue, image)?;
    (pull.min_offset, pull.max_offset) = units.bounds(log.min_offset())?;
    let status = if units.list.is_empty() {
        Some("NO_MATCHED_LOGIC_QUEUE")
    } else if pull.max_offset == 0 {
        pull.next_offset = 0;
        Some("NO_MESSAGE_IN_QUEUE")
    } else if asked.offset < pull.min_offset {
        pull.next_offset = pull.min_offset;
        Some("OFFSET_TOO_SMALL")
    } else if asked.offset == pull.max_offset {
        Some("OFFSET_OVERFLOW_ONE")
    } else if asked.offset > pull.max_offset {
        pull.next_offset = if pull.min_offset == 0 {
            0
        } else {
            pull.max_offset
        };
        Some("OFFSET_OVERFLOW_BADLY")
    } else {
        None
    };
    if let Some(status) = status {
        status.clone_into(&mut pull.status);
        return Ok(pull);
    }
    pull.status = "NO_MATCHED_MESSAGE".to_owned();
    let mut taken = 0u32;
    let mut roll_to = None;
    let mut at = asked.offset;
    while at < pull.max_offset && pull.units.len() < SEEN && taken < asked.most.max(1) {
        let Some(row) = units.row(at, &mut log, known)? else {
            "OFFSET_FOUND_NULL".clone_into(&mut pull.status);
            break;
        };
        let code = extension::look(store, &asked.queue, value(&row, "tagsCode"))?
            .tags_code(value(&row, "tagsCode"));
        let why = judge(&row, code, &pull.codes, &mut roll_to, options, known);
        if why == "taken" {
            taken = taken.saturating_add(1);
            "FOUND".clone_into(&mut pull.status);
        } else if why == "removed" && taken == 0 {
            "MESSAGE_WAS_REMOVING".clone_into(&mut pull.status);
        } else if why == "other-tag" && taken == 0 {
            "NO_MATCHED_MESSAGE".clone_into(&mut pull.status);
        }
        pull.units.push(Pulled {
            entry: row,
            taken: why == "taken",
            why: Why::new(why, facts! {}),
        });
        at = at.saturating_add(1);
    }
    pull.next_offset = at;
    Ok(pull)
}

/// Units that one call shows: the broker looks at no more than 800.
const SEEN: usize = 800;

/// What the subscription's tags hash to: none for all messages.
fn codes(tags: &str) -> Vec<(String, i64)> {
    tags.split("||")
        .map(str::trim)
        .filter(|tag| !tag.is_empty() && *tag != "*")
        .map(|tag| (tag.to_owned(), i64::from(java::hash(tag))))
        .collect()
}

fn value(row: &EntryRow, name: &str) -> i64 {
    let field = row.fields.rows.iter().find(|field| field.name == name);
    match field.map(|field| &field.value) {
        Some(Value::Int(value)) => *value,
        _ => 0,
    }
}

fn judge(
    row: &EntryRow,
    code: Option<i64>,
    codes: &[(String, i64)],
    roll_to: &mut Option<i64>,
    options: &Options,
    known: &Known,
) -> &'static str {
    let offset = value(row, "offset");
    if roll_to.is_some_and(|to| offset < to) {
        return "rolled";
    }
    // Where the broker knows no tag it lets the message pass.
    let passes = |code| codes.is_empty() || codes.iter().any(|(_, wanted)| *wanted == code);
    if !code.is_none_or(passes) {
        return "other-tag";
    }
    if row.target.is_none() || (row.place.image != Image::Before && known.is_cut(offset)) {
        // The broker goes on behind the log file that would hold it.
        let size = i64::from(options.mapped_file_size_commit_log);
        *roll_to = Some(
            offset
                .saturating_add(size)
                .saturating_sub(java_rem(offset, size)),
        );
        return "removed";
    }
    *roll_to = None;
    "taken"
}

/// The units of a queue, by number.
struct Units<'s> {
    store: &'s Store,
    queue: &'s str,
    list: Vec<crate::brokers::rows::Piece>,
    image: Image,
}

impl<'s> Units<'s> {
    fn of(
        store: &'s Store,
        known: &Known,
        queue: &'s str,
        image: Image,
    ) -> Result<Self, ReadError> {
        Ok(Self {
            store,
            queue,
            list: entries::queue_pieces(store, known, queue, image)?,
            image,
        })
    }

    fn bytes(&self, number: i64) -> Result<Option<(Place, Vec<u8>)>, ReadError> {
        let holds = |piece: &&crate::brokers::rows::Piece| {
            let end = piece.first.saturating_add(long_of(piece.count));
            (piece.first..end).contains(&number)
        };
        let Some(piece) = self.list.iter().find(holds) else {
            return Ok(None);
        };
        let Some(file) = self.store.get(&piece.file) else {
            return Ok(None);
        };
        let at = pos_of(number.saturating_sub(piece.first)).saturating_mul(piece.step);
        let mut bytes = vec![0; usize_of(piece.step)];
        file.read_exact_at(at, &mut bytes)
            .map_err(|error| error.in_file(piece.file.as_str()))?;
        let place = Place::before(&piece.file, at, piece.step).in_image(self.image);
        Ok(Some((place, bytes)))
    }

    fn unit(&self, number: i64) -> Result<Option<consume_queue::Unit>, ReadError> {
        let bytes = self.bytes(number)?;
        Ok(bytes
            .and_then(|(_, bytes)| consume_queue::unit(&mut Cursor::whole(&bytes), &mut ()).ok()))
    }

    fn row(
        &self,
        number: i64,
        log: &mut Log<'_>,
        known: &Known,
    ) -> Result<Option<EntryRow>, ReadError> {
        let Some((place, bytes)) = self.bytes(number)? else {
            return Ok(None);
        };
        let mut cursor = Cursor::whole(&bytes);
        entries::unit_row(&mut cursor, number, &place, self.queue, log, known).map(Some)
    }

    /// `getMinOffsetInQueue` and `getMaxOffsetInQueue`: the first unit that points into the log, and the end.
    fn bounds(&self, min_log_offset: Option<i64>) -> Result<(i64, i64), ReadError> {
        let (Some(first), Some(last)) = (self.list.first(), self.list.last()) else {
            return Ok((0, 0));
        };
        let max = last.first.saturating_add(long_of(last.count));
        let mut min = first.first;
        let end = first.first.saturating_add(long_of(first.count));
        while let (Some(log_start), true) = (min_log_offset, min < end) {
            match self.unit(min)? {
                Some(unit) if unit.offset < log_start || unit == consume_queue::Unit::BLANK => {
                    min = min.saturating_add(1);
                }
                _ => break,
            }
        }
        Ok((min, max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscription_names_tags_or_takes_all() {
        assert_eq!(codes("*"), []);
        assert_eq!(codes(""), []);
        let named = codes("TagA || TagB");
        assert_eq!(named.len(), 2);
        assert_eq!(named[0], ("TagA".to_owned(), 2_598_919));
    }

    #[test]
    fn a_time_window_that_touches_a_file_is_enough() {
        let header = index_file::Header {
            begin_timestamp: 100,
            end_timestamp: 200,
            ..index_file::Header::default()
        };
        let asked = |from_ms, to_ms| KeyAsked {
            topic: String::new(),
            key: String::new(),
            from_ms,
            to_ms,
            most: 1,
        };
        assert!(in_time(&header, &asked(0, 1000)) && in_time(&header, &asked(150, 160)));
        assert!(!in_time(&header, &asked(0, 50)) && !in_time(&header, &asked(300, 400)));
    }
}
