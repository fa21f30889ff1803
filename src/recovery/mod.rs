//! The words all brokers share: a rule that fired is a step; a step changes the map; all steps and what they led to are the outcome.
//! Names no broker.

pub mod checked;
pub mod difference;
pub mod finding;
pub mod map;
pub mod moments;
pub mod outcome;
pub mod release;
pub mod rule;
pub mod trace;

pub use finding::{Finding, Severity};
pub use outcome::Outcome;
pub use rule::{Kind, Phase, Rule};
pub use trace::{Change, Facts, Place, Step, Trace};

/// Told while a recovery runs, so that a person sees how far it is. The library cannot be stopped from inside: a worker is ended, a
/// process killed, and nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the log read so far, and how many there are to read at most.
    pub bytes: u64,
    pub of: u64,
}

#[macro_export]
macro_rules! facts {
    ($($name:ident = $value:expr),* $(,)?) => {
        $crate::recovery::Facts::from([
            $((std::borrow::Cow::Borrowed(stringify!($name)), $crate::recovery::trace::Fact::from($value))),*
        ])
    };
}
