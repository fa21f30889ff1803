//! `checkpoint`: up to which store time things were surely on disk. Longs, big-endian, in a file of one page: three of them in
//! 4.9, six in 5.5.
//!
//! | offset | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 8 | physicMsgTimestamp | commit log |
//! | 8 | 8 | logicsMsgTimestamp | consume queues |
//! | 16 | 8 | indexMsgTimestamp | index files that are full |
//! | 24 | 8 | masterFlushedOffset | 5.x |
//! | 32 | 8 | confirmPhyOffset | 5.1.1: where the last good message begins |
//! | 40 | 8 | logicsPhysicalOffset | 5.5: the last message that is surely in the queues on disk |
//!
//! A shorter file is extended with zeros when the broker maps it. Source: `StoreCheckpoint`.

use crate::decode::{Cursor, Fields, Stop, Value};

/// `MappedFile.OS_PAGE_SIZE`
pub const FILE_SIZE: u64 = 4096;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    pub physic_msg_timestamp: i64,
    pub logics_msg_timestamp: i64,
    pub index_msg_timestamp: i64,
    pub master_flushed_offset: i64,
    pub confirm_phy_offset: i64,
    pub logics_physical_offset: i64,
}

pub fn checkpoint(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<Checkpoint, Stop> {
    let mut long = |name, is_time: bool| {
        let at = cursor.pos();
        let value = cursor.i64()?;
        fields.field(name, at, 8, || {
            if is_time {
                Value::Time(value)
            } else {
                Value::Int(value)
            }
        });
        Ok::<i64, Stop>(value)
    };
    Ok(Checkpoint {
        physic_msg_timestamp: long("physicMsgTimestamp", true)?,
        logics_msg_timestamp: long("logicsMsgTimestamp", true)?,
        index_msg_timestamp: long("indexMsgTimestamp", true)?,
        master_flushed_offset: long("masterFlushedOffset", false)?,
        confirm_phy_offset: long("confirmPhyOffset", false)?,
        logics_physical_offset: long("logicsPhysicalOffset", false)?,
    })
}

impl Checkpoint {
    /// `getMinTimestamp`: three seconds before the earlier of log and queues.
    pub fn min_timestamp(&self) -> i64 {
        self.physic_msg_timestamp
            .min(self.logics_msg_timestamp)
            .wrapping_sub(3000)
            .max(0)
    }

    /// `getMinTimestampIndex`
    pub fn min_timestamp_index(&self) -> i64 {
        self.min_timestamp().min(self.index_msg_timestamp)
    }

    /// What a release writes that keeps so many longs.
    pub fn to_bytes(self, longs: usize) -> Vec<u8> {
        [
            self.physic_msg_timestamp,
            self.logics_msg_timestamp,
            self.index_msg_timestamp,
            self.master_flushed_offset,
            self.confirm_phy_offset,
            self.logics_physical_offset,
        ]
        .iter()
        .take(longs)
        .flat_map(|long| long.to_be_bytes())
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_three_seconds_before_the_earlier_time_and_never_negative() {
        let mut checkpoint = Checkpoint {
            physic_msg_timestamp: 10_000,
            logics_msg_timestamp: 9_000,
            index_msg_timestamp: 5_000,
            ..Checkpoint::default()
        };
        assert_eq!(checkpoint.min_timestamp(), 6_000);
        assert_eq!(checkpoint.min_timestamp_index(), 5_000);
        checkpoint.logics_msg_timestamp = 10;
        assert_eq!(checkpoint.min_timestamp(), 0);
    }
}
