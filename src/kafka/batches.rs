//! Batches of a segment's file, one after the other, as `FileLogInputStream` gives them: without looking whether they are sound.

use super::format::batch::{self, Beyond, Header};
use super::format::legacy::{self, Message};
use super::format::record::{self, Fault, Records};
use super::{Failure, Run, Thrown, rules};
use crate::decode::num::{u64_of, usize_of};
use crate::facts;
use crate::recovery::Place;
use crate::store::{ReadAt, StorePath, Window};

/// A top-level batch or message.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub position: u64,
    /// With offset and length field.
    pub size: u64,
    pub offset: i64,
    pub magic: i8,
    pub header: Header,
    /// Read by a release that knows no v2: whatever the magic says, it is a message.
    is_message: bool,
}

/// How a release reads a segment's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// From 0.11 on: batches of all formats.
    Batches,
    /// 0.10: messages.
    Messages,
    /// 0.8: messages, and a length below the smallest is the end, without a word.
    MessagesToTheFirstShort,
}

/// The largest message that a release reads, where it looks.
pub(super) type Largest = Option<i32>;

pub(super) struct Batches<'f> {
    pub window: Window<'f>,
    path: &'f StorePath,
    position: u64,
    end: u64,
    largest: Largest,
    reading: Reading,
}

impl<'f> Batches<'f> {
    /// From a position to an end, which may be before the file's.
    pub fn new(file: &'f dyn ReadAt, path: &'f StorePath, position: u64, end: u64) -> Self {
        Self {
            window: Window::scan(file),
            path,
            position,
            end,
            largest: None,
            reading: Reading::Batches,
        }
    }

    /// For a few batches: reads less at once.
    pub fn look(file: &'f dyn ReadAt, path: &'f StorePath, position: u64, end: u64) -> Self {
        Self {
            window: Window::look(file),
            ..Self::new(file, path, position, end)
        }
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    pub fn next(&mut self) -> Run<Option<Batch>> {
        let least = match self.reading {
            Reading::Batches => batch::HEADER_TO_MAGIC,
            Reading::Messages | Reading::MessagesToTheFirstShort => batch::LOG_OVERHEAD,
        };
        if self.position.saturating_add(least) >= self.end {
            return Ok(None);
        }
        let head = self.window.from(self.position, batch::HEADER);
        let header = Header::new(head.map_err(|error| error.in_file(self.path.as_str()))?);
        let (Ok(offset), Ok(length)) = (header.offset(), header.length()) else {
            return Err(self.beyond().into());
        };
        let magic = header.magic().unwrap_or(0);
        if length < legacy::SMALLEST && self.reading == Reading::MessagesToTheFirstShort {
            return Ok(None);
        }
        if length < legacy::SMALLEST {
            return Err(Thrown::Corrupt(Failure {
                rule: &rules::CHECK_SIZE,
                place: Some(Place::before(self.path, self.position.saturating_add(8), 4)),
                facts: facts! { path = self.path, at = self.position, size = length, least = legacy::SMALLEST },
            }));
        }
        if let Some(largest) = self.largest.filter(|largest| length > *largest) {
            return Err(Thrown::Corrupt(Failure {
                rule: &rules::CHECK_LARGEST,
                place: Some(Place::before(self.path, self.position.saturating_add(8), 4)),
                facts: facts! { path = self.path, at = self.position, size = length, largest = largest },
            }));
        }
        let size = u64::try_from(length)
            .unwrap_or(0)
            .saturating_add(batch::LOG_OVERHEAD);
        if self.position.saturating_add(size) > self.end {
            return Ok(None);
        }
        let batch = Batch {
            position: self.position,
            size,
            offset,
            magic,
            header,
            is_message: self.reading != Reading::Batches,
        };
        self.position = self.position.saturating_add(size);
        Ok(Some(batch))
    }

    /// Offset and length where the next message would be, whole or not.
    pub fn peek(&mut self, end: u64) -> Run<Option<Batch>> {
        if self.position.saturating_add(batch::LOG_OVERHEAD) >= end {
            return Ok(None);
        }
        let head = self.window.from(self.position, batch::HEADER);
        let header = Header::new(head.map_err(|error| error.in_file(self.path.as_str()))?);
        let (Ok(offset), Ok(length)) = (header.offset(), header.length()) else {
            return Ok(None);
        };
        let size = u64::try_from(length).unwrap_or(0);
        Ok(Some(Batch {
            position: self.position,
            size: size.saturating_add(batch::LOG_OVERHEAD),
            offset,
            magic: header.magic().unwrap_or(0),
            header,
            is_message: true,
        }))
    }

    pub fn skip_to(&mut self, position: u64) {
        self.position = position;
    }

    pub fn read_as(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    pub fn with_largest(mut self, largest: Largest) -> Self {
        self.largest = largest;
        self
    }

    pub fn is_of_messages(&self) -> bool {
        self.reading != Reading::Batches
    }

    fn inner(&self) -> legacy::Inner {
        match self.reading {
            Reading::Batches => legacy::Inner::Checked,
            Reading::Messages => legacy::Inner::Relative,
            Reading::MessagesToTheFirstShort => legacy::Inner::AsTheyStand,
        }
    }

    fn beyond(&self) -> Failure {
        header_beyond(self.path, self.position)
    }

    /// All bytes of a batch.
    pub fn bytes(&mut self, batch: &Batch) -> Run<&[u8]> {
        let size = usize_of(batch.size);
        let bytes = self.window.from(batch.position, size);
        let bytes = bytes.map_err(|error| error.in_file(self.path.as_str()))?;
        Ok(bytes.get(..size).unwrap_or(bytes))
    }

    /// `RecordBatch.ensureValid`: the checksum, and of v2 that there is a whole header.
    pub fn ensure_valid(&mut self, batch: &Batch) -> Run {
        let corrupt = |rule, place, facts| Err(Thrown::Corrupt(Failure { rule, place, facts }));
        let path = self.path;
        let at = batch.position;
        if batch.is_v2() && batch.size < batch::HEADER_U64 {
            return corrupt(
                &rules::CHECK_OVERHEAD,
                Some(Place::before(path, at, batch.size)),
                facts! { path = path, at = at, size = batch.size, least = batch::HEADER_U64 },
            );
        }
        let bytes = self.bytes(batch)?;
        let (stored, computed) = if batch.is_v2() {
            (batch.header.crc(), batch::computed_crc(bytes))
        } else {
            let message = Message::new(bytes.get(12..).unwrap_or(&[]));
            (batch.header.legacy_crc(), message.computed_crc())
        };
        let stored = stored.unwrap_or(0);
        if stored == computed {
            return Ok(());
        }
        let field = if batch.is_v2() { 17 } else { 12 };
        let rule = if batch.is_v2() {
            &rules::CHECK_CRC32C
        } else {
            &rules::CHECK_CRC32
        };
        corrupt(
            rule,
            Some(Place::before(path, at.saturating_add(field), 4)),
            facts! { path = path, at = at, offset = batch.offset, stored = stored, computed = computed, size = batch.size },
        )
    }

    /// The records of a batch, unpacked.
    pub fn records(&mut self, batch: &Batch) -> Run<Records> {
        let is_v2 = batch.is_v2();
        let offset = batch.offset;
        let inner = self.inner();
        let bytes = self.bytes(batch)?;
        Ok(if is_v2 {
            record::records(bytes)
        } else {
            let message = Message::new(bytes.get(12..).unwrap_or(&[]));
            legacy::records(message, offset, inner, i32::MAX)
        })
    }

    /// `RecordBatch.baseOffset`: of a wrapper only unpacking tells.
    pub fn base_offset(&mut self, batch: &Batch) -> Run<i64> {
        if batch.is_v2() {
            return Ok(batch.offset);
        }
        let (offset, path) = (batch.offset, self.path);
        let at = batch.position;
        let inner = self.inner();
        let bytes = self.bytes(batch)?;
        let message = Message::new(bytes.get(12..).unwrap_or(&[]));
        legacy::first_offset(message, offset, inner).map_err(|fault| fault_thrown(fault, path, at))
    }
}

/// A batch whose records cannot be read: damage, or the end of loading.
pub(super) fn fault_thrown(fault: Fault, path: &StorePath, at: u64) -> Thrown {
    let failure = |rule, why: &'static str| Failure {
        rule,
        place: Some(Place::before(path, at, 0)),
        facts: facts! { path = path, at = at, why = why },
    };
    match fault {
        Fault::Invalid(why) => Thrown::Corrupt(failure(&rules::CHECK_CONTROL, why)),
        Fault::Throws(why) => Thrown::Fails(failure(&rules::LOAD_THROWS, why)),
    }
}

fn header_beyond(path: &StorePath, at: u64) -> Failure {
    Failure {
        rule: &rules::LOAD_THROWS,
        place: Some(Place::before(path, at, 0)),
        facts: facts! { path = path, at = at, why = "a header reaches behind the end of the file" },
    }
}

impl Batch {
    pub fn is_v2(&self) -> bool {
        self.magic >= 2 && !self.is_message
    }

    /// The header's field, or Kafka's exception where the header reaches behind the file.
    pub fn field<T>(&self, path: &StorePath, field: Result<T, Beyond>) -> Run<T> {
        let whole = !self.is_v2() || self.header.is_whole();
        match field {
            Ok(value) if whole => Ok(value),
            _ => Err(header_beyond(path, self.position).into()),
        }
    }

    pub fn last_offset(&self, path: &StorePath) -> Run<i64> {
        if !self.is_v2() {
            return Ok(self.offset);
        }
        let delta = self.field(path, self.header.last_offset_delta())?;
        Ok(self.offset.wrapping_add(i64::from(delta)))
    }

    pub fn max_timestamp(&self, path: &StorePath) -> Run<i64> {
        if self.is_v2() {
            self.field(path, self.header.max_timestamp())
        } else {
            self.field(path, self.header.legacy_timestamp())
        }
    }

    pub fn end(&self) -> u64 {
        self.position.saturating_add(self.size)
    }
}

/// How many records a batch says it has; of a wrapper, unknown without unpacking.
pub(super) fn record_count(batch: &Batch) -> Option<u64> {
    if !batch.is_v2() {
        let is_plain = batch
            .header
            .legacy_attributes()
            .is_ok_and(|attributes| attributes & 7 == 0);
        return is_plain.then_some(1);
    }
    u64::try_from(batch.header.count().ok()?).ok()
}

/// Where the next batch begins.
pub(super) fn position_after(batch: &Batch) -> u64 {
    batch.end()
}

/// Bytes of a whole file, however large it says to be at most.
pub(super) fn small_file(file: &dyn ReadAt) -> Result<Vec<u8>, crate::store::ReadError> {
    const MOST: u64 = 64 << 20;
    let mut bytes = vec![0; usize_of(file.size().min(MOST))];
    file.read_exact_at(0, &mut bytes)?;
    debug_assert!(u64_of(bytes.len()) <= MOST);
    Ok(bytes)
}
