//! The timer wheel (5.0): `timerwheel` has a slot for each second of two weeks, `timerlog` a record for each message that waits, and
//! `config/timercheck` says how far both were flushed. Big-endian.
//!
//! | slot at | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 8 | delayedTime | when its messages are due |
//! | 8 | 8 | firstPos | in the timer log |
//! | 16 | 8 | lastPos | its newest record, from which the others hang |
//! | 24 | 4 | num | |
//! | 28 | 4 | magic | |
//!
//! | record at | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 4 | size | |
//! | 4 | 8 | prevPos | the record before it in its slot |
//! | 12 | 4 | magic | |
//! | 16 | 8 | currWriteTime | |
//! | 24 | 4 | delayedTime | from currWriteTime |
//! | 28 | 8 | offsetPy | of the message in the commit log |
//! | 36 | 4 | sizePy | |
//! | 40 | 4 | topicHash | |
//! | 44 | 8 | reserved | |
//!
//! Source: `Slot`, `TimerWheel`, `TimerLog`, `TimerCheckpoint` (5.5.1).

use crate::decode::num::u32_bits;
use crate::decode::{Cursor, Fields, Stop, Value};

pub const SLOT: u64 = 32;
/// Seven days twice, a slot a second. A wheel of another length is refused.
pub const WHEEL_LENGTH: u64 = 7 * 24 * 3600 * 2 * SLOT;
pub const LOG_RECORD: u64 = 52;

enum Kind {
    Time,
    Long,
    Int,
    Hex,
}

fn read(
    cursor: &mut Cursor<'_>,
    fields: &mut impl Fields,
    names: &[(&'static str, Kind)],
) -> Result<(), Stop> {
    for (name, kind) in names {
        let at = cursor.pos();
        match kind {
            Kind::Time | Kind::Long => {
                let value = cursor.i64()?;
                fields.field(name, at, 8, || match kind {
                    Kind::Time => Value::Time(value),
                    _ => Value::Int(value),
                });
            }
            Kind::Int | Kind::Hex => {
                let value = cursor.i32()?;
                fields.field(name, at, 4, || match kind {
                    Kind::Hex => Value::Hex(u32_bits(value)),
                    _ => Value::Int(i64::from(value)),
                });
            }
        }
    }
    Ok(())
}

pub fn slot(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<(), Stop> {
    read(
        cursor,
        fields,
        &[
            ("delayedTime", Kind::Time),
            ("firstPos", Kind::Long),
            ("lastPos", Kind::Long),
            ("num", Kind::Int),
            ("magic", Kind::Int),
        ],
    )
}

pub fn log_record(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<(), Stop> {
    read(
        cursor,
        fields,
        &[
            ("size", Kind::Int),
            ("prevPos", Kind::Long),
            ("magic", Kind::Int),
            ("currWriteTime", Kind::Time),
            ("delayedTime", Kind::Int),
            ("offsetPy", Kind::Long),
            ("sizePy", Kind::Int),
            ("topicHash", Kind::Hex),
            ("reserved", Kind::Long),
        ],
    )
}

/// `config/timercheck`
pub fn checkpoint(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<(), Stop> {
    read(
        cursor,
        fields,
        &[
            ("lastReadTimeMs", Kind::Time),
            ("lastTimerLogFlushPos", Kind::Long),
            ("lastTimerQueueOffset", Kind::Long),
            ("masterTimerQueueOffset", Kind::Long),
        ],
    )
}
