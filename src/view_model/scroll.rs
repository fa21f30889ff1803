//! A table of any length of which only the rows on the screen are on the page. A browser cannot scroll over more than some ten million
//! pixels; beyond, a pixel of the scroll bar stands for several rows.

/// What a scrolled table shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    pub first: u64,
    pub count: u64,
    /// Space above and below the rows, in pixels.
    pub above: f64,
    pub below: f64,
}

/// Of the whole table, at most.
const TALLEST: f64 = 8_000_000.0;
/// Rows beyond the screen, so that a small scroll finds them there.
const SPARE: u64 = 12;

/// The rows that a scroll position shows.
#[expect(
    clippy::as_conversions,
    reason = "pixels are floats; a row number above 2^53 would need a table of petabytes"
)]
pub fn slice(rows: u64, row_height: f64, scroll_top: f64, height: f64) -> Slice {
    let tall = rows as f64 * row_height;
    let whole = tall.clamp(0.0, TALLEST);
    let on_screen = (height / row_height).ceil().max(1.0) as u64;
    let room = (whole - height).max(0.0);
    let top = scroll_top.clamp(0.0, room);
    let exact = tall <= TALLEST;
    let first_seen = if exact {
        (top / row_height).floor() as u64
    } else {
        let last = rows.saturating_sub(on_screen) as f64;
        (top / room * last).round() as u64
    };
    let first = first_seen.saturating_sub(SPARE);
    let end = first_seen
        .saturating_add(on_screen)
        .saturating_add(SPARE)
        .min(rows);
    let count = end.saturating_sub(first);
    let spare = first_seen.saturating_sub(first) as f64 * row_height;
    let above = if exact {
        first as f64 * row_height
    } else {
        (top - spare).max(0.0)
    };
    let below = (whole - above - count as f64 * row_height).max(0.0);
    Slice {
        first,
        count,
        above,
        below,
    }
}

/// Where to scroll so that a row is a third down the screen.
#[expect(
    clippy::as_conversions,
    reason = "pixels are floats, and a row number fits into one"
)]
pub fn top_for(row: u64, rows: u64, row_height: f64, height: f64) -> f64 {
    let tall = rows as f64 * row_height;
    if tall <= TALLEST {
        return (row as f64 * row_height - height / 3.0).max(0.0);
    }
    let on_screen = (height / row_height).ceil().max(1.0);
    let last = (rows as f64 - on_screen).max(1.0);
    ((row as f64 - on_screen / 3.0).max(0.0) / last).min(1.0) * (TALLEST - height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_table_scrolls_row_by_row() {
        let slice = slice(1000, 25.0, 2500.0, 500.0);
        assert_eq!(slice.first, 100 - SPARE);
        assert!(slice.first + slice.count >= 120);
        assert_eq!(
            slice.above + slice.below + slice.count as f64 * 25.0,
            25_000.0
        );
    }

    #[test]
    fn a_table_of_a_hundred_million_rows_reaches_its_last_one() {
        let rows = 100_000_000;
        let end = slice(rows, 25.0, TALLEST, 500.0);
        assert_eq!(end.first + end.count, rows);
        assert!(end.count < 60);
        let middle = slice(rows, 25.0, top_for(50_000_000, rows, 25.0, 500.0), 500.0);
        assert!((middle.first..middle.first + middle.count).contains(&50_000_000));
    }

    #[test]
    fn an_empty_table_shows_nothing() {
        assert_eq!(slice(0, 25.0, 0.0, 500.0).count, 0);
    }
}
