//! A release that was asked for or is narrowed by what the files show, and the one whose rules are used for it. Which rules those are, and
//! what shows it, is each broker's business.

use super::rule::is_between;
use super::{Finding, Place, Severity};
use crate::facts;

/// The releases of a broker that are proved against the real one.
pub trait Known: Copy + PartialEq + 'static {
    /// `rocketmq-`
    const PREFIX: &'static str;
    /// Numbers that a release's name may have; two at least.
    const MOST_PARTS: usize;
    /// Oldest first.
    const PROVED: &'static [Self];
    const NEWEST: Self;
    /// Those, and rows for releases in between that have rules of their own. Oldest first.
    const ROWS: &'static [Self] = Self::PROVED;

    /// `4.9.3`
    fn name(self) -> &'static str;
    /// The first release that has these rules.
    fn begins(self) -> &'static str {
        self.name()
    }
    fn number(self) -> [u32; 3];
    /// Whether a start takes the same course under both.
    fn decides_like(self, other: Self) -> bool;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release<K> {
    /// `4.9.3`
    pub asked: String,
    /// `asked`, `narrowed` by what the files show, or `assumed`
    pub found: &'static str,
    pub known: K,
}

/// No rules are known for a release that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRelease {
    pub asked: String,
}

impl<K: Known> Release<K> {
    /// Nobody said which, and no file tells: the newest one.
    pub fn assumed() -> Self {
        Self {
            asked: K::NEWEST.name().to_owned(),
            found: "assumed",
            known: K::NEWEST,
        }
    }

    /// `rocketmq-4.9.3` or `4.9.3`. One in between takes the rules of the nearest known one below it.
    pub fn parse(text: &str) -> Result<Self, BadRelease> {
        let number = text.strip_prefix(K::PREFIX).unwrap_or(text);
        let bad = || BadRelease {
            asked: text.to_owned(),
        };
        let version = version(number, K::MOST_PARTS).ok_or_else(bad)?;
        let below = |known: &&K| {
            self::version(known.begins(), K::MOST_PARTS).is_some_and(|known| known <= version)
        };
        Ok(Self {
            asked: number.to_owned(),
            found: "asked",
            known: *K::ROWS.iter().rev().find(below).ok_or_else(bad)?,
        })
    }

    /// The release whose rules are used, where it is another one.
    pub fn rules_of(&self) -> Option<String> {
        (self.known.name() != self.asked).then(|| self.known.name().to_owned())
    }
}

fn version(text: &str, most: usize) -> Option<Vec<u32>> {
    let parts: Option<Vec<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
    parts.filter(|parts| (2..=most).contains(&parts.len()))
}

/// A sign in the files of the release that wrote them; lines as in a [`super::Rule`].
#[derive(Clone, Debug)]
pub struct Sign {
    pub bound: Bound,
    /// The finding that tells it.
    pub id: &'static str,
    pub place: Option<Place>,
}

#[derive(Clone, Copy, Debug)]
pub enum Bound {
    Since(&'static str),
    /// Up to all of this line.
    Until(&'static str),
}

/// What a store's files say about its broker.
pub struct Narrowed<K> {
    /// The newest that is left.
    pub release: Release<K>,
    /// The known releases that the signs leave, oldest first.
    pub candidates: Vec<K>,
    /// The signs that left out any, each as a sentence with its bytes.
    pub findings: Vec<Finding>,
}

impl<K: Known> Narrowed<K> {
    pub fn by(mut signs: Vec<Sign>) -> Self {
        // What is there is surer than what is missing.
        signs.sort_by_key(|sign| matches!(sign.bound, Bound::Until(_)));
        let mut candidates = K::PROVED.to_vec();
        let mut findings = Vec::new();
        for sign in signs {
            let fits = |known: &K| match sign.bound {
                Bound::Since(line) => is_between(known.number(), line, None),
                Bound::Until(line) => is_between(known.number(), "0", Some(line)),
            };
            let left: Vec<K> = candidates.iter().copied().filter(fits).collect();
            // A sign that says nothing new, or contradicts the surer ones before it: an upgrade leaves such.
            if left.is_empty() || left.len() == candidates.len() {
                continue;
            }
            candidates = left;
            findings.push(Finding::new(sign.id, Severity::Info, sign.place, facts! {}));
        }
        let known = candidates.last().copied().unwrap_or(K::NEWEST);
        let release = Release {
            asked: known.name().to_owned(),
            found: if findings.is_empty() {
                "assumed"
            } else {
                "narrowed"
            },
            known,
        };
        Self {
            release,
            candidates,
            findings,
        }
    }

    /// The candidates by name, those under which a start takes the same course together.
    pub fn courses(&self) -> Vec<Vec<&'static str>> {
        let mut courses: Vec<(K, Vec<&'static str>)> = Vec::new();
        for known in &self.candidates {
            match courses.last_mut() {
                Some((like, names)) if known.decides_like(*like) => names.push(known.name()),
                _ => courses.push((*known, vec![known.name()])),
            }
        }
        courses.into_iter().map(|(_, names)| names).collect()
    }
}
