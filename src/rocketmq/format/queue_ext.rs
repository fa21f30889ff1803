//! A unit of a queue's extension file. The queue's own unit then holds no tags code but the address of this one: its offset in the row of
//! extension files, less 2^63; every value up to −2 147 483 649 is an address.
//!
//! | offset | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 2 | size | of the whole unit; 0 was never written, −1 fills the end of the file |
//! | 2 | 8 | tagsCode | hash of the tag, or the time a delayed message is due |
//! | 10 | 8 | msgStoreTime | |
//! | 18 | 2 | bitMapSize | |
//! | 20 | n | filterBitMap | which consumers' expressions the message passes |
//!
//! Source: `ConsumeQueueExt` (4.9).

use crate::decode::num::{pos_of, usize_of};
use crate::decode::{Cursor, Fields, Stop, Value};

/// Up to the bit map.
pub const HEADER: usize = 20;

/// `MAX_ADDR`
const LAST_ADDRESS: i64 = -2_147_483_649;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtUnit {
    pub size: i16,
    pub tags_code: i64,
    pub store_time: i64,
}

/// `isExtAddr`, `unDecorate`: the offset in the extension files that a unit's tags code is the address of.
pub fn address(tags_code: i64) -> Option<i64> {
    (tags_code <= LAST_ADDRESS).then(|| tags_code.wrapping_sub(i64::MIN))
}

pub fn unit(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<ExtUnit, Stop> {
    let at = cursor.pos();
    let size = cursor.i16()?;
    fields.field("size", at, 2, || Value::Int(i64::from(size)));
    if size < 1 {
        return Ok(ExtUnit {
            size,
            tags_code: 0,
            store_time: 0,
        });
    }
    let at = cursor.pos();
    let tags_code = cursor.i64()?;
    fields.field("tagsCode", at, 8, || Value::Int(tags_code));
    let at = cursor.pos();
    let store_time = cursor.i64()?;
    fields.field("msgStoreTime", at, 8, || Value::Time(store_time));
    let at = cursor.pos();
    let bit_map_size = cursor.i16()?;
    fields.field("bitMapSize", at, 2, || Value::Int(i64::from(bit_map_size)));
    let bit_map = usize_of(pos_of(i64::from(bit_map_size)));
    if bit_map > 0 {
        let at = cursor.pos();
        fields.field("filterBitMap", at, bit_map, || {
            Value::Bytes(pos_of(i64::from(bit_map_size)))
        });
    }
    Ok(ExtUnit {
        size,
        tags_code,
        store_time,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_an_offset_less_two_to_the_63rd() {
        assert_eq!(address(i64::MIN), Some(0));
        assert_eq!(address(i64::MIN + 46), Some(46));
        assert_eq!(address(-2_147_483_648), None, "the smallest hash");
    }
}
