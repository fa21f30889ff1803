//! A release that was asked for, and the one whose rules are used for it. Which rules those are is each broker's business.

/// The releases of a broker that are proved against the real one.
pub trait Known: Copy + Sized + 'static {
    /// `rocketmq-`
    const PREFIX: &'static str;
    /// Numbers that a release's name may have; two at least.
    const MOST_PARTS: usize;
    /// Oldest first.
    const PROVED: &'static [Self];
    const NEWEST: Self;

    /// `4.9.3`
    fn name(self) -> &'static str;
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
            self::version(known.name(), K::MOST_PARTS).is_some_and(|known| known <= version)
        };
        Ok(Self {
            asked: number.to_owned(),
            found: "asked",
            known: *K::PROVED.iter().rev().find(below).ok_or_else(bad)?,
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
