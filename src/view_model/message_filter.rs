//! What a person typed over a table, as a filter: `topic:Order tag:A time:2026-03-02T14:00..15:00 is:cut`.
//!
//! Words stand for themselves, or for a part by its name before a colon; `"two words"` are one. What cannot be understood is named.

use crate::brokers::rows::{Filter, Only, Word};
use std::ops::RangeInclusive;

/// The filter, and the words that are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    pub filter: Filter,
    pub unknown: Vec<String>,
}

/// The names there are, in the order in which they are explained.
pub const NAMES: [&str; 11] = [
    "topic", "queue", "offset", "physical", "at", "key", "uniq", "tag", "time", "prop", "is",
];

pub fn parse(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    for word in words(text) {
        let read = match word.split_once(':') {
            Some((name, value)) if NAMES.contains(&name) => {
                put(&mut parsed.filter, name, value).is_some()
            }
            _ => {
                parsed.filter.any.push(Word::new(&word));
                true
            }
        };
        if !read {
            parsed.unknown.push(word);
        }
    }
    parsed
}

fn put(filter: &mut Filter, name: &str, value: &str) -> Option<()> {
    if value.is_empty() {
        return None;
    }
    let word = || Some(Word::new(value));
    match name {
        "topic" => filter.topic = word(),
        "key" => filter.key = word(),
        "uniq" => filter.unique_key = word(),
        "tag" => filter.tag = word(),
        "queue" => filter.queue = Some(range(value, number)?),
        "offset" => filter.queue_offset = Some(range(value, number)?),
        "physical" => filter.log_offset = Some(range(value, number)?),
        "at" => filter.stands_at = Some(range(value, number)?),
        "time" => filter.store_ms = Some(times(value)?),
        "prop" => filter.properties.push(match value.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(Word::new(value))),
            None => (value.to_owned(), None),
        }),
        "is" => {
            filter.only = Some(match value {
                "kept" => Only::Kept,
                "cut" => Only::Cut,
                "wrong" => Only::Wrong,
                "end" => Only::Ends,
                _ => return None,
            });
        }
        _ => return None,
    }
    Some(())
}

/// Words between spaces; quotation marks keep spaces together.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted, mut any) = (String::new(), false, false);
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                any = true;
            }
            c if c.is_whitespace() && !quoted => {
                if any {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => {
                word.push(c);
                any = true;
            }
        }
    }
    if any {
        words.push(word);
    }
    words
}

/// `name:value`, quoted where the value has spaces.
pub fn word_of(name: &str, value: &str) -> String {
    if value.contains(char::is_whitespace) {
        format!("{name}:\"{value}\"")
    } else {
        format!("{name}:{value}")
    }
}

/// `a..b`, `a..`, `..b` or `a`, both ends included.
fn range(text: &str, read: impl Fn(&str) -> Option<i64>) -> Option<RangeInclusive<i64>> {
    let Some((from, to)) = text.split_once("..") else {
        let only = read(text)?;
        return Some(only..=only);
    };
    let end = |text: &str, open| {
        if text.is_empty() {
            Some(open)
        } else {
            read(text)
        }
    };
    Some(end(from, i64::MIN)?..=end(to, i64::MAX)?)
}

/// Digits, grouped or not.
fn number(text: &str) -> Option<i64> {
    let digits: String = text
        .chars()
        .filter(|c| !matches!(c, ',' | '_' | '\u{202f}' | '\u{a0}'))
        .collect();
    digits.parse().ok()
}

/// A day, a minute, a second or a millisecond in UTC, or a range of them; plain digits are ms since 1970.
pub fn times(text: &str) -> Option<RangeInclusive<i64>> {
    let Some((from, to)) = text.split_once("..") else {
        return moment(text);
    };
    let start = if from.is_empty() {
        i64::MIN
    } else {
        *moment(from)?.start()
    };
    let end = if to.is_empty() {
        i64::MAX
    } else if let Some(moment) = moment(to) {
        *moment.end()
    } else {
        // Of the same day as the start.
        let (day, _) = from.split_once('T')?;
        *moment(&format!("{day}T{to}"))?.end()
    };
    Some(start..=end)
}

/// The stretch that a moment as it is written stands for.
fn moment(text: &str) -> Option<RangeInclusive<i64>> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let ms = number(text)?;
        return Some(ms..=ms);
    }
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (day, clock) = match text.split_once('T') {
        Some((day, clock)) => (day, Some(clock)),
        None => (text, None),
    };
    let mut parts = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let midnight = days_from_1970(year, month, day)?.checked_mul(86_400_000)?;
    let (into_day, long) = match clock {
        None => (0, 86_400_000),
        Some(clock) => time_of_day(clock)?,
    };
    let start = midnight.checked_add(into_day)?;
    Some(start..=start.checked_add(long)?.checked_sub(1)?)
}

/// Milliseconds into the day, and how long what was written lasts.
fn time_of_day(text: &str) -> Option<(i64, i64)> {
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let mut parts = clock.split(':');
    let mut next = |most: i64| {
        let part = parts.next()?.parse::<i64>().ok()?;
        (0..most).contains(&part).then_some(part)
    };
    let (hours, minutes) = (next(24)?, next(60)?);
    let seconds = clock.matches(':').count() == 2;
    let second = if seconds { next(60)? } else { 0 };
    let ms = match fraction {
        None => 0,
        Some(digits) if digits.len() == 3 && seconds => digits.parse::<i64>().ok()?,
        Some(_) => return None,
    };
    let long = match (seconds, fraction) {
        (_, Some(_)) => 1,
        (true, None) => 1_000,
        (false, None) => 60_000,
    };
    let minutes = hours.checked_mul(60)?.checked_add(minutes)?;
    let seconds = minutes.checked_mul(60)?.checked_add(second)?;
    Some((seconds.checked_mul(1000)?.checked_add(ms)?, long))
}

/// Days of the civil calendar, counted from years that begin in March so that a leap day comes last.
fn days_from_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let (year, month) = if month > 2 {
        (year, month.checked_sub(3)?)
    } else {
        (year.checked_sub(1)?, month.checked_add(9)?)
    };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let in_year = month
        .checked_mul(153)?
        .checked_add(2)?
        .div_euclid(5)
        .checked_add(day.checked_sub(1)?)?;
    let in_era = of_era
        .checked_mul(365)?
        .checked_add(of_era.div_euclid(4))?
        .checked_sub(of_era.div_euclid(100))?
        .checked_add(in_year)?;
    era.checked_mul(146_097)?
        .checked_add(in_era)?
        .checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_names_are_parts_and_others_stand_for_themselves() {
        let parsed =
            parse("topic:Order* queue:3 offset:10..20 prop:city=Paris prop:x is:cut key-9");
        let filter = parsed.filter;
        assert_eq!(parsed.unknown, Vec::<String>::new());
        assert_eq!(filter.topic, Some(Word::new("Order*")));
        assert_eq!(filter.queue, Some(3..=3));
        assert_eq!(filter.queue_offset, Some(10..=20));
        assert_eq!(filter.properties.len(), 2);
        assert_eq!(filter.only, Some(Only::Cut));
        assert_eq!(filter.any, [Word::new("key-9")]);
    }

    #[test]
    fn quotes_keep_a_value_together_and_what_is_nothing_is_named() {
        assert_eq!(words("a \"b c\" key:\"d e\""), ["a", "b c", "key:d e"]);
        assert_eq!(word_of("key", "d e"), "key:\"d e\"");
        let parsed = parse("queue:x is:gone time:yesterday");
        assert_eq!(parsed.unknown, ["queue:x", "is:gone", "time:yesterday"]);
        assert_eq!(parsed.filter, Filter::default());
    }

    #[test]
    fn a_time_stands_for_as_long_as_it_is_written_exactly() {
        assert_eq!(times("1970-01-02"), Some(86_400_000..=172_799_999));
        let minute = 1_700_000_000_000i64 / 60_000 * 60_000;
        assert_eq!(
            times("2023-11-14T22:13"),
            Some(minute..=minute + 59_999),
            "1 700 000 000 s is 2023-11-14 22:13:20"
        );
        assert_eq!(
            times("2023-11-14T22:13:20Z"),
            Some(1_700_000_000_000..=1_700_000_000_999)
        );
        assert_eq!(
            times("2023-11-14T22:13:20.000..22:14"),
            Some(1_700_000_000_000..=minute + 119_999)
        );
        assert_eq!(times("1700000000000.."), Some(1_700_000_000_000..=i64::MAX));
        assert_eq!(times("2024-02-29"), times("1709164800000..1709251199999"));
        assert_eq!(times("2024-13-01"), None);
    }
}
