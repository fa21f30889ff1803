//! Log offsets ↔ pixels. Offsets are subtracted as integers first: far out on the axis a float no longer tells neighbours apart.

/// A straight scale. `to` is greater than `from`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub from: i64,
    pub to: i64,
    pub width: f64,
}

impl Scale {
    pub fn new(from: i64, to: i64, width: f64) -> Self {
        Self {
            from,
            to: to.max(from.saturating_add(1)),
            width: width.max(1.0),
        }
    }

    fn length(&self) -> f64 {
        float(self.to.saturating_sub(self.from))
    }

    /// Offsets beyond the ends fall on the ends.
    pub fn x(&self, offset: i64) -> f64 {
        let from_start = offset.clamp(self.from, self.to).saturating_sub(self.from);
        float(from_start) / self.length() * self.width
    }

    pub fn offset(&self, x: f64) -> i64 {
        let part = (x / self.width).clamp(0.0, 1.0);
        self.from.saturating_add(whole(part * self.length()))
    }

    /// A stretch as x and width, at least `least` pixels wide so that a lost kilobyte on a terabyte's axis is seen, and kept inside.
    pub fn stretch(&self, from: i64, to: i64, least: f64) -> (f64, f64) {
        let (left, right) = (self.x(from), self.x(to));
        let width = (right - left).max(least);
        (left.min((self.width - width).max(0.0)), width)
    }

    pub fn contains(&self, offset: i64) -> bool {
        (self.from..=self.to).contains(&offset)
    }
}

#[expect(
    clippy::as_conversions,
    reason = "a pixel needs fewer bits than an offset has"
)]
pub fn float(number: i64) -> f64 {
    number as f64
}

#[expect(
    clippy::as_conversions,
    reason = "the cast saturates, and a pixel is no exact offset"
)]
pub fn whole(number: f64) -> i64 {
    number as i64
}

/// Marks of an axis closer than this are left out.
const TICK_SPACE: f64 = 96.0;

/// A labelled point of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub x: f64,
    pub offset: i64,
}

/// The starts of files as ticks, as many as fit without touching; always the first.
pub fn ticks(scale: &Scale, starts: &[i64]) -> Vec<Tick> {
    let mut found: Vec<Tick> = Vec::new();
    for &offset in starts {
        let x = scale.x(offset);
        let free = found.last().is_none_or(|last| x - last.x >= TICK_SPACE);
        if free && scale.contains(offset) {
            found.push(Tick { x, offset });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_beyond_two_to_the_53_keep_their_distance() {
        let base = 1 << 60;
        let scale = Scale::new(base, base + 1000, 1000.0);
        assert_eq!(scale.x(base + 1), 1.0);
        assert_eq!(scale.x(base + 999), 999.0);
        assert_eq!(scale.offset(500.0), base + 500);
        assert_eq!(scale.x(0), 0.0, "before the axis");
        assert_eq!(scale.x(i64::MAX), 1000.0, "behind it");
    }

    #[test]
    fn a_small_stretch_is_seen_and_stays_inside() {
        let scale = Scale::new(0, 1 << 40, 800.0);
        assert_eq!(scale.stretch((1 << 40) - 1, 1 << 40, 3.0), (797.0, 3.0));
        assert_eq!(
            Scale::new(5, 5, 0.0).stretch(5, 5, 2.0),
            (0.0, 2.0),
            "an empty log"
        );
    }

    #[test]
    fn ticks_do_not_touch() {
        let starts: Vec<i64> = (0..10_000).collect();
        let ticks = ticks(&Scale::new(0, 10_000, 800.0), &starts);
        assert_eq!(ticks.len(), 9);
        assert_eq!(ticks[0].offset, 0);
    }
}
