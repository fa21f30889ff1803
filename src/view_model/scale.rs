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

    /// Some of the stretch can be seen. A point at an end can.
    pub fn overlaps(&self, from: i64, to: i64) -> bool {
        from <= self.to && to >= self.from
    }

    pub fn contains(&self, offset: i64) -> bool {
        (self.from..=self.to).contains(&offset)
    }
}

/// No window is shorter: single bytes are wide enough by then.
const LEAST_WINDOW: i64 = 16;

/// A window `factor` times as long, with the offset `around` staying where it is; None where all of `whole` is seen again.
pub fn zoomed(
    whole: (i64, i64),
    window: (i64, i64),
    factor: f64,
    around: i64,
) -> Option<(i64, i64)> {
    let length = window.1.saturating_sub(window.0);
    let all = whole.1.saturating_sub(whole.0);
    let next = whole_number(float(length) * factor).max(LEAST_WINDOW.min(all));
    if next >= all {
        return None;
    }
    let around = around.clamp(window.0, window.1);
    let part = float(around.saturating_sub(window.0)) / float(length.max(1));
    let from = around.saturating_sub(whole_number(part * float(next)));
    Some(inside(whole, from, next))
}

/// The window moved by so many offsets, and kept inside.
pub fn panned(whole: (i64, i64), window: (i64, i64), by: i64) -> (i64, i64) {
    let length = window.1.saturating_sub(window.0);
    inside(whole, window.0.saturating_add(by), length)
}

/// A window of so many offsets around a stretch, with some room beside it.
pub fn around(whole: (i64, i64), stretch: (i64, i64)) -> Option<(i64, i64)> {
    let length = stretch.1.saturating_sub(stretch.0).max(LEAST_WINDOW);
    let room = length.checked_div(4).unwrap_or(0);
    let length = length.saturating_add(room.saturating_mul(2));
    if length >= whole.1.saturating_sub(whole.0) {
        return None;
    }
    Some(inside(whole, stretch.0.saturating_sub(room), length))
}

fn inside(whole: (i64, i64), from: i64, length: i64) -> (i64, i64) {
    let last = whole.1.saturating_sub(length).max(whole.0);
    let from = from.clamp(whole.0, last);
    (from, from.saturating_add(length).min(whole.1))
}

fn whole_number(number: f64) -> i64 {
    whole(number.round())
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

/// The starts of files as ticks, as many as fit without touching; between few of them, round offsets.
pub fn ticks(scale: &Scale, starts: &[i64]) -> Vec<Tick> {
    let seen = starts.iter().filter(|start| scale.contains(**start));
    if seen.count() >= FEW {
        return fitting(scale, starts.iter().copied());
    }
    let step = round_step(
        scale.to.saturating_sub(scale.from),
        scale.width / TICK_SPACE,
    );
    let first = scale.from.div_euclid(step).saturating_mul(step);
    let round = std::iter::successors(Some(first), |at| at.checked_add(step))
        .take_while(|at| *at <= scale.to);
    fitting(scale, round)
}

/// Fewer starts of files than this tell too little of where one is.
const FEW: usize = 3;

/// 1, 2 or 5 times a power of ten, so that about so many steps fill the length.
pub fn round_step(length: i64, steps: f64) -> i64 {
    let least = float(length) / steps.max(1.0);
    let mut power: i64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if float(step) >= least || step == i64::MAX {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

fn fitting(scale: &Scale, offsets: impl Iterator<Item = i64>) -> Vec<Tick> {
    let mut found: Vec<Tick> = Vec::new();
    for offset in offsets {
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
    fn inside_a_file_ticks_are_round() {
        let offsets = |from, to| -> Vec<i64> {
            let ticks = ticks(&Scale::new(from, to, 800.0), &[0, 1 << 30]);
            ticks.into_iter().map(|tick| tick.offset).collect()
        };
        assert_eq!(
            offsets(1_000_003, 1_000_063),
            [
                1_000_010, 1_000_020, 1_000_030, 1_000_040, 1_000_050, 1_000_060
            ]
        );
        assert_eq!(
            offsets(i64::MAX - 2, i64::MAX),
            [i64::MAX - 2, i64::MAX - 1, i64::MAX]
        );
        assert_eq!(round_step(i64::MAX, 1.0), i64::MAX);
        assert_eq!(round_step(0, 8.0), 1);
    }

    #[test]
    fn zoom_goes_from_the_whole_store_to_single_bytes_and_back() {
        let all = (1 << 60, (1 << 60) + (1 << 40));
        let here = all.0 + 12_345;
        let mut window = all;
        for _ in 0..60 {
            let next = zoomed(all, window, 0.5, here).unwrap();
            assert!(next.0 <= here && here <= next.1 && next.0 >= all.0);
            window = next;
        }
        assert_eq!(window.1 - window.0, LEAST_WINDOW);
        while let Some(next) = zoomed(all, window, 2.0, here) {
            assert!(next.1 - next.0 > window.1 - window.0);
            window = next;
        }
        assert_eq!(zoomed((0, 4), (0, 4), 0.5, 2), None, "less than a window");
    }

    #[test]
    fn a_window_stays_on_the_axis() {
        assert_eq!(panned((0, 1000), (100, 200), -500), (0, 100));
        assert_eq!(panned((0, 1000), (100, 200), 50), (150, 250));
        assert_eq!(panned((0, 1000), (100, 200), i64::MAX), (900, 1000));
        assert_eq!(around((0, 1000), (100, 200)), Some((75, 225)));
        assert_eq!(around((0, 1000), (990, 991)), Some((976, 1000)));
        assert_eq!(around((0, 20), (3, 4)), None);
    }

    #[test]
    fn ticks_do_not_touch() {
        let starts: Vec<i64> = (0..10_000).collect();
        let ticks = ticks(&Scale::new(0, 10_000, 800.0), &starts);
        assert_eq!(ticks.len(), 9);
        assert_eq!(ticks[0].offset, 0);
    }
}
