//! Queue extension files read: the unit that a queue unit's tags code is the address of (`ConsumeQueue#getExt`).
//!
//! Not here: what a start cuts of them.

use super::format::queue_ext::{self, ExtUnit};
use crate::decode::num::{long_of, pos_of};
use crate::decode::{Cursor, java};
use crate::recovery::Place;
use crate::store::{ReadError, Store, StorePath, Window};

/// What a tags code leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Extended {
    /// It is none: a hash, or a time.
    Plain,
    /// No unit stands at this offset of the extension files: the broker then knows no tag, and every filter lets the message pass.
    Missing {
        offset: i64,
    },
    Unit {
        unit: ExtUnit,
        place: Place,
    },
}

impl Extended {
    /// The tags code that filters go by.
    pub fn tags_code(&self, written: i64) -> Option<i64> {
        match self {
            Self::Plain => Some(written),
            Self::Missing { .. } => None,
            Self::Unit { unit, .. } => Some(unit.tags_code),
        }
    }
}

/// For a queue such as `TopicA/0`.
pub fn look(store: &Store, queue: &str, tags_code: i64) -> Result<Extended, ReadError> {
    let Some(offset) = queue_ext::address(tags_code) else {
        return Ok(Extended::Plain);
    };
    let dir = StorePath::new("consumequeue_ext").join(queue);
    let listed = store.list(&dir).unwrap_or_default();
    let holding = listed.iter().find_map(|entry| {
        let path = dir.join(&entry.name);
        let file = store.get(&path)?;
        let at = offset.checked_sub(java::parse_long(&entry.name)?)?;
        (at >= 0 && at < long_of(file.size())).then_some((path, file, pos_of(at)))
    });
    let Some((path, file, at)) = holding else {
        return Ok(Extended::Missing { offset });
    };
    let mut window = Window::with_block(&**file, 64);
    let bytes = window
        .from(at, queue_ext::HEADER)
        .map_err(|error| error.in_file(path.as_str()))?;
    let unit = queue_ext::unit(&mut Cursor::whole(bytes), &mut ()).ok();
    Ok(match unit.filter(|unit| unit.size > 0) {
        None => Extended::Missing { offset },
        Some(unit) => Extended::Unit {
            unit,
            place: Place::before(&path, at, pos_of(i64::from(unit.size))),
        },
    })
}
