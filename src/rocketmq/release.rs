//! Which release decides what how. A release is a row of policies; no procedure asks for a version number.

/// A release that was asked for, and the line whose rules are used for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// `4.9.3`
    pub asked: String,
    /// `asked` or `assumed`
    pub found: &'static str,
    pub known: Known,
}

/// The releases proved against the real broker, oldest first. From 4.9.3 to 4.9.8 no rule of recovery changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    R4_9_3,
    R4_9_8,
}

impl Known {
    pub const ALL: [Known; 2] = [Known::R4_9_3, Known::R4_9_8];

    pub fn name(self) -> &'static str {
        match self {
            Self::R4_9_3 => "4.9.3",
            Self::R4_9_8 => "4.9.8",
        }
    }
}

/// A release that is asked for and not known: what it takes instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRelease {
    pub asked: String,
}

/// The first release after the 4.9 line: from there on other rules hold, which are not followed here yet.
const END_OF_4_9: [u32; 3] = [5, 0, 0];

impl Release {
    /// Nobody said which: files of 4.9 look alike.
    pub fn assumed() -> Self {
        Self {
            asked: Known::R4_9_8.name().to_owned(),
            found: "assumed",
            known: Known::R4_9_8,
        }
    }

    /// `rocketmq-4.9.3` or `4.9.3`. One in between takes the rules of the nearest known one below it.
    pub fn parse(text: &str) -> Result<Self, BadRelease> {
        let number = text.strip_prefix("rocketmq-").unwrap_or(text);
        let bad = || BadRelease {
            asked: text.to_owned(),
        };
        let version = version(number).ok_or_else(bad)?;
        if version >= END_OF_4_9 {
            return Err(bad());
        }
        let known = Known::ALL
            .into_iter()
            .rev()
            .find(|known| self::version(known.name()).is_some_and(|known| known <= version))
            .ok_or_else(bad)?;
        Ok(Self {
            asked: number.to_owned(),
            found: "asked",
            known,
        })
    }

    /// The release whose rules are used, where it is another one.
    pub fn rules_of(&self) -> Option<String> {
        (self.known.name() != self.asked).then(|| self.known.name().to_owned())
    }
}

fn version(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split('.').map(|part| part.parse::<u32>().ok());
    let version = [
        parts.next()??,
        parts.next()??,
        parts.next().unwrap_or(Some(0))?,
    ];
    parts.next().is_none().then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_in_between_takes_the_rules_below_it() {
        let release = Release::parse("rocketmq-4.9.5").unwrap();
        assert_eq!(release.rules_of().as_deref(), Some("4.9.3"));
        assert_eq!(Release::parse("rocketmq-4.9.8").unwrap().rules_of(), None);
    }

    #[test]
    fn a_release_without_known_rules_is_refused() {
        assert!(Release::parse("rocketmq-5.1.4").is_err());
        assert!(Release::parse("rocketmq-3.2.6").is_err());
        assert!(Release::parse("rocketmq-new").is_err());
    }
}
