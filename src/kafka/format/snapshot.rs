//! A producer snapshot (`N.snapshot`): the producers of a partition as they were at offset N.
//!
//! | at | bytes | field | |
//! |---|---|---|---|
//! | 0 | 2 | version | 1 |
//! | 2 | 4 | crc | CRC-32C of all behind it |
//! | 6 | 4 | count | entries that follow |
//! | | 46 each | producerId 8, epoch 2, lastSequence 4, lastOffset 8, offsetDelta 4, timestamp 8, coordinatorEpoch 4, currentTxnFirstOffset 8 | |

use crate::decode::{Cursor, Fields, Stop, Value, num};

/// What is wrong with a snapshot: the broker deletes such a file and takes the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadSnapshot {
    Cut,
    Version { found: i16 },
    Crc { stored: u32, computed: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub producer_id: i64,
    pub epoch: i16,
    pub last_sequence: i32,
    pub last_offset: i64,
    pub offset_delta: i32,
    pub timestamp: i64,
    pub coordinator_epoch: i32,
    /// Below zero: no transaction is open.
    pub current_txn_first_offset: i64,
}

pub fn read(bytes: &[u8]) -> Result<Vec<Entry>, BadSnapshot> {
    let mut cursor = Cursor::whole(bytes);
    let (version, stored, entries) =
        read_fields(&mut cursor, &mut ()).map_err(|_| BadSnapshot::Cut)?;
    if version != 1 {
        return Err(BadSnapshot::Version { found: version });
    }
    let computed = crc32c::crc32c(bytes.get(6..).unwrap_or(&[]));
    if stored != computed {
        return Err(BadSnapshot::Crc { stored, computed });
    }
    Ok(entries)
}

/// Version, checksum and entries; an entry count that cannot be is an end that comes too early.
pub fn read_fields(
    cursor: &mut Cursor<'_>,
    fields: &mut impl Fields,
) -> Result<(i16, u32, Vec<Entry>), Stop> {
    let version = cursor.i16()?;
    fields.field("version", 0, 2, || Value::Int(version.into()));
    let crc = num::u32_bits(cursor.i32()?);
    fields.field("crc", 2, 4, || Value::Hex(crc));
    let count = cursor.i32()?;
    fields.field("count", 6, 4, || Value::Int(count.into()));
    let count = usize::try_from(count).map_err(|_| Stop::Underflow { need: 1, left: 0 })?;
    let mut entries = Vec::new();
    for _ in 0..count {
        entries.push(entry(cursor, fields)?);
    }
    Ok((version, crc, entries))
}

fn entry(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<Entry, Stop> {
    let at = cursor.pos();
    let entry = Entry {
        producer_id: cursor.i64()?,
        epoch: cursor.i16()?,
        last_sequence: cursor.i32()?,
        last_offset: cursor.i64()?,
        offset_delta: cursor.i32()?,
        timestamp: cursor.i64()?,
        coordinator_epoch: cursor.i32()?,
        current_txn_first_offset: cursor.i64()?,
    };
    let int = |value: i64| Value::Int(value);
    let mut place = at;
    for (name, len, value) in [
        ("producerId", 8, int(entry.producer_id)),
        ("epoch", 2, int(entry.epoch.into())),
        ("lastSequence", 4, int(entry.last_sequence.into())),
        ("lastOffset", 8, int(entry.last_offset)),
        ("offsetDelta", 4, int(entry.offset_delta.into())),
        ("timestamp", 8, Value::Time(entry.timestamp)),
        ("coordinatorEpoch", 4, int(entry.coordinator_epoch.into())),
        (
            "currentTxnFirstOffset",
            8,
            int(entry.current_txn_first_offset),
        ),
    ] {
        fields.field(name, place, len, || value);
        place = place.saturating_add(len);
    }
    Ok(entry)
}

pub fn write(entries: &[Entry]) -> Vec<u8> {
    let mut body = Vec::new();
    let count = i32::try_from(entries.len()).unwrap_or(i32::MAX);
    body.extend_from_slice(&count.to_be_bytes());
    for entry in entries {
        body.extend_from_slice(&entry.producer_id.to_be_bytes());
        body.extend_from_slice(&entry.epoch.to_be_bytes());
        body.extend_from_slice(&entry.last_sequence.to_be_bytes());
        body.extend_from_slice(&entry.last_offset.to_be_bytes());
        body.extend_from_slice(&entry.offset_delta.to_be_bytes());
        body.extend_from_slice(&entry.timestamp.to_be_bytes());
        body.extend_from_slice(&entry.coordinator_epoch.to_be_bytes());
        body.extend_from_slice(&entry.current_txn_first_offset.to_be_bytes());
    }
    let mut bytes = Vec::with_capacity(body.len().saturating_add(6));
    bytes.extend_from_slice(&1i16.to_be_bytes());
    bytes.extend_from_slice(&crc32c::crc32c(&body).to_be_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let entry = Entry {
            producer_id: 4001,
            epoch: 2,
            last_sequence: 7,
            last_offset: 99,
            offset_delta: 3,
            timestamp: 1_700_000_000_000,
            coordinator_epoch: -1,
            current_txn_first_offset: -1,
        };
        let mut bytes = write(&[entry]);
        assert_eq!(read(&bytes), Ok(vec![entry]));
        bytes[20] ^= 1;
        assert!(matches!(read(&bytes), Err(BadSnapshot::Crc { .. })));
        assert_eq!(read(&bytes[..9]), Err(BadSnapshot::Cut));
    }
}
