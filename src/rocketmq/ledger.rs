//! The bytes of the commit log's files by what becomes of them. What the broker verified is taken from its scan; what it cut is read
//! here once more, since a cut message may still be whole and worth knowing of.

use super::Broker;
use super::check_message::{Check, Checked, NeedMore, check_message};
use super::format::message;
use super::layout;
use crate::decode::Cursor;
use crate::decode::num::{long_of, pos_of, u64_of, usize_of};
use crate::recovery::outcome::{Amount, Ledger};
use crate::store::find::end_of_data;
use crate::store::{ReadAt, ReadError, StorePath, Window};

pub(super) fn ledger(
    broker: &Broker<'_>,
    load_failed: bool,
) -> Result<(Ledger, Vec<(i64, i64)>), ReadError> {
    let mut dirty = Vec::new();
    let mut sums = Sums::default();
    let mut kept_messages = Some(0u64);
    let mut ledger = Ledger::default();
    let process_offset = broker.scan.process_offset;
    let dir = layout::commit_log_dir();
    for entry in broker.store.list(&dir).unwrap_or_default() {
        let path = dir.join(&entry.name);
        let Some(file) = broker.store.get(&path) else {
            continue;
        };
        let size = file.size();
        ledger.total.bytes = ledger.total.bytes.saturating_add(size);
        let scanned = broker
            .scan
            .files
            .iter()
            .find(|scanned| scanned.path == path);
        let start = crate::decode::java::parse_long(&entry.name).unwrap_or(0);
        let behind = process_offset.is_some_and(|offset| start >= offset) && !load_failed;
        match scanned {
            Some(scanned) if !load_failed => {
                ledger.kept.bytes = ledger.kept.bytes.saturating_add(scanned.good);
                kept_messages = kept_messages.map(|sum| sum.saturating_add(scanned.messages));
                let mut rest = sums_of(&**file, &path, start, scanned.good)?;
                if scanned.blank {
                    // Filler; but whole messages that say they stand here were skipped, not written on purpose: they stay in the file.
                    ledger.kept.bytes = ledger.kept.bytes.saturating_add(rest.readable);
                    kept_messages = kept_messages.map(|sum| sum.saturating_add(rest.messages));
                    rest.blank = size
                        .saturating_sub(scanned.good)
                        .saturating_sub(rest.readable);
                    rest = Sums {
                        blank: rest.blank,
                        ..Sums::default()
                    };
                }
                dirty.extend(rest.stretch);
                sums.add(&rest);
            }
            _ if behind => {
                let all = sums_of(&**file, &path, start, 0)?;
                dirty.extend(all.stretch);
                sums.add(&all);
            }
            _ => ledger.unread.bytes = ledger.unread.bytes.saturating_add(size),
        }
    }
    ledger.kept.messages = kept_messages;
    ledger.cut_readable = Amount::new(sums.readable, sums.messages);
    ledger.cut_unreadable = Amount {
        bytes: sums.unreadable,
        messages: (sums.unknown == 0).then_some(sums.broken),
    };
    ledger.blank = Amount::new(sums.blank, 0);
    ledger.unwritten = Amount::new(sums.unwritten, 0);
    ledger.unread.messages = (ledger.unread.bytes == 0).then_some(0);
    ledger.total.messages = [
        ledger.kept.messages,
        ledger.cut_readable.messages,
        ledger.cut_unreadable.messages,
        ledger.unread.messages,
    ]
    .into_iter()
    .try_fold(0u64, |sum, messages| Some(sum.saturating_add(messages?)));
    Ok((ledger, dirty))
}

#[derive(Default)]
struct Sums {
    readable: u64,
    messages: u64,
    unreadable: u64,
    /// Records that begin like a message and are none.
    broken: u64,
    /// Stretches of which nobody can say how many messages they were.
    unknown: u64,
    blank: u64,
    unwritten: u64,
    /// The log offsets that hold what is counted as readable or unreadable.
    stretch: Option<(i64, i64)>,
}

impl Sums {
    fn add(&mut self, more: &Sums) {
        for (sum, more) in [
            (&mut self.readable, more.readable),
            (&mut self.messages, more.messages),
            (&mut self.unreadable, more.unreadable),
            (&mut self.broken, more.broken),
            (&mut self.unknown, more.unknown),
            (&mut self.blank, more.blank),
            (&mut self.unwritten, more.unwritten),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

/// Sorts the bytes of a file from `from` on. A whole message is one that passes the check and says that it stands where it stands.
fn sums_of(file: &dyn ReadAt, path: &StorePath, start: i64, from: u64) -> Result<Sums, ReadError> {
    let mut sums = Sums::default();
    let size = file.size();
    let written_end = end_of_data(file, from)?;
    sums.unwritten = size.saturating_sub(written_end);
    let mut window = Window::scan(file);
    let mut at = from;
    let mut in_unreadable = false;
    let mut data_end = from;
    while at < written_end {
        let here = start.wrapping_add(long_of(at));
        match look(&mut window, at, size, here).map_err(|error| error.in_file(path.as_str()))? {
            Look::Message(len) => {
                sums.readable = sums.readable.saturating_add(len);
                sums.messages = sums.messages.saturating_add(1);
                at = at.saturating_add(len);
                in_unreadable = false;
                data_end = at;
            }
            Look::Blank if !in_unreadable => {
                sums.blank = sums.blank.saturating_add(size.saturating_sub(at));
                sums.unwritten = 0;
                break;
            }
            other => {
                if !in_unreadable {
                    match other {
                        Look::Broken => sums.broken = sums.broken.saturating_add(1),
                        _ => sums.unknown = sums.unknown.saturating_add(1),
                    }
                }
                in_unreadable = true;
                let next = next_magic(&mut window, at.saturating_add(1), written_end)?;
                sums.unreadable = sums.unreadable.saturating_add(next.saturating_sub(at));
                at = next;
                data_end = at;
            }
        }
    }
    if at > written_end {
        // The last message ends in zeros of its own: it has no properties.
        sums.unwritten = size.saturating_sub(at);
    }
    sums.stretch = (data_end > from).then(|| {
        let offset = |at| start.wrapping_add(long_of(at));
        (offset(from), offset(data_end))
    });
    Ok(sums)
}

enum Look {
    Message(u64),
    Blank,
    /// Begins like a message.
    Broken,
    Nothing,
}

fn look(window: &mut Window<'_>, at: u64, size: u64, log_offset: i64) -> Result<Look, ReadError> {
    let check = Check::whole_message();
    let mut want = 4096;
    loop {
        let bytes = window.from(at, want)?;
        let mut cursor = Cursor::new(bytes, size.saturating_sub(at));
        return Ok(match check_message(&mut cursor, check) {
            Err(NeedMore(more)) => {
                want = more;
                continue;
            }
            Ok(Checked::Message(request)) if request.commit_log_offset == log_offset => {
                Look::Message(pos_of(i64::from(request.msg_size)))
            }
            Ok(Checked::Blank) => Look::Blank,
            Ok(Checked::Message(_)) => Look::Broken,
            Ok(Checked::Bad(_)) => {
                let magic =
                    message::frame(&mut Cursor::whole(bytes), &mut ()).map(|frame| frame.magic);
                if magic.is_ok_and(message::Version::is_message) {
                    Look::Broken
                } else {
                    Look::Nothing
                }
            }
        });
    }
}

/// The next place where a message could begin: four bytes before a magic number.
fn next_magic(window: &mut Window<'_>, from: u64, end: u64) -> Result<u64, ReadError> {
    let is_magic = |eight: &[u8]| {
        let magic = eight.get(4..).and_then(|four| four.try_into().ok());
        magic.is_some_and(|magic| message::Version::is_message(i32::from_be_bytes(magic)))
    };
    let mut at = from;
    while at.saturating_add(8) <= end {
        let bytes = window.from(at, 8)?;
        let bytes = bytes
            .get(..usize_of(end.saturating_sub(at)).min(bytes.len()))
            .unwrap_or(bytes);
        let found = bytes.windows(8).position(is_magic);
        if let Some(found) = found {
            return Ok(at.saturating_add(u64_of(found)));
        }
        at = at.saturating_add(u64_of(bytes.len()).saturating_sub(7).max(1));
    }
    Ok(end)
}
