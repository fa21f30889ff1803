//! A template and facts make a sentence: spans of plain, strong and mono text.
//!
//! | in a template | shows |
//! |---|---|
//! | `**abort**`, `` `0` `` | strong, mono |
//! | `{n}` | an integer grouped (`163 577 344`), a text as it is |
//! | `{n:bytes}` | `28.0 MiB`; the exact number is the span's title |
//! | `{n:hex}` | `5e0c11d7` |
//! | `{n:time}`, `{n:clock}` | `2026-03-02 14:02:11.902 UTC`, `14:02:11.902` (the whole time is the title) |
//! | `{n:count message\|messages}` | `1 message`, `2 messages`; with one form (Chinese) always that |
//! | `{n:plural is\|are}` | the word alone |
//! | `{path:file}` | the short name of a file, `…134217728`; the path is the title |
//!
//! A slot without its fact shows its own name in braces: a gap that a reader sees and a test finds.

use super::numbers;
use crate::recovery::Facts;
use crate::recovery::trace::Fact;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Plain,
    Strong,
    Mono,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub look: Look,
    pub text: String,
    /// The exact value, where the text is rounded or shortened.
    pub title: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(pub Vec<Span>);

impl Sentence {
    pub fn plain(text: &str) -> Self {
        let mut sentence = Self::default();
        sentence.push(Look::Plain, text, None);
        sentence
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// This sentence, a space, and that one. Chinese sentences end in a full-width stop, which brings its own space.
    pub fn then(mut self, other: Self) -> Self {
        let wide = self
            .0
            .last()
            .is_some_and(|span| span.text.ends_with(['。', '；', '：', '，']));
        if !self.is_empty() && !other.is_empty() && !wide {
            self.push(Look::Plain, " ", None);
        }
        for span in other.0 {
            self.push(span.look, &span.text, span.title);
        }
        self
    }

    /// With a full stop, if it has none.
    pub fn ended(mut self, stop: &str) -> Self {
        if !self
            .to_string()
            .ends_with(['.', '。', '!', '?', '！', '？'])
        {
            self.push(Look::Plain, stop, None);
        }
        self
    }

    fn push(&mut self, look: Look, text: &str, title: Option<String>) {
        if text.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.look == look && last.title.is_none() && title.is_none() => {
                last.text.push_str(text)
            }
            _ => self.0.push(Span {
                look,
                text: text.to_owned(),
                title,
            }),
        }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|span| f.write_str(&span.text))
    }
}

/// Fills a template's slots.
pub fn fill(template: &str, facts: &Facts) -> Sentence {
    let mut sentence = Sentence::default();
    let mut look = Look::Plain;
    for piece in pieces(template) {
        match piece {
            Piece::Text(text) => sentence.push(look, text, None),
            Piece::Strong => {
                look = if look == Look::Strong {
                    Look::Plain
                } else {
                    Look::Strong
                }
            }
            Piece::Mono => {
                look = if look == Look::Mono {
                    Look::Plain
                } else {
                    Look::Mono
                }
            }
            Piece::Slot { name, format } => match facts.get(name) {
                Some(fact) => {
                    let (text, title) = show(fact, format);
                    sentence.push(look, &text, title);
                }
                None => sentence.push(look, &format!("{{{name}}}"), None),
            },
        }
    }
    sentence
}

/// The names of a template's slots, in order.
pub fn slots(template: &str) -> Vec<&str> {
    let slot = |piece| match piece {
        Piece::Slot { name, .. } => Some(name),
        _ => None,
    };
    pieces(template).into_iter().filter_map(slot).collect()
}

/// Formats that a template asks for and that there are not.
pub fn unknown_formats(template: &str) -> Vec<&str> {
    let unknown = |piece| match piece {
        Piece::Slot { format, .. } => {
            let word = format.split(' ').next().unwrap_or("");
            let known = matches!(
                word,
                "" | "n" | "bytes" | "hex" | "time" | "clock" | "count" | "plural" | "file"
            );
            (!known).then_some(format)
        }
        _ => None,
    };
    pieces(template).into_iter().filter_map(unknown).collect()
}

enum Piece<'t> {
    Text(&'t str),
    Strong,
    Mono,
    Slot { name: &'t str, format: &'t str },
}

fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        let at = rest.find(['*', '`', '{']).unwrap_or(rest.len());
        let (text, special) = rest.split_at(at);
        if !text.is_empty() {
            found.push(Piece::Text(text));
        }
        rest = if let Some(after) = special.strip_prefix("**") {
            found.push(Piece::Strong);
            after
        } else if let Some(after) = special.strip_prefix('`') {
            found.push(Piece::Mono);
            after
        } else if let Some((slot, after)) = special
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
        {
            let (name, format) = slot.split_once(':').unwrap_or((slot, ""));
            found.push(Piece::Slot { name, format });
            after
        } else {
            let mut rest = special.chars();
            if rest.next().is_some() {
                found.push(Piece::Text(special.get(..1).unwrap_or("")));
            }
            rest.as_str()
        };
    }
    found
}

fn show(fact: &Fact, format: &str) -> (String, Option<String>) {
    let number = match fact {
        Fact::Int(number) => *number,
        Fact::Text(text) if format == "file" => return file(text),
        Fact::Text(text) => return (text.clone(), None),
    };
    let (word, forms) = format.split_once(' ').unwrap_or((format, ""));
    match word {
        "bytes" => {
            let short = numbers::bytes(number);
            let exact = format!("{}\u{a0}B", numbers::grouped(number));
            let title = (short != exact).then_some(exact);
            (short, title)
        }
        "hex" => (numbers::hex(number), None),
        "time" => (numbers::time(number), None),
        "clock" => (numbers::clock(number), Some(numbers::time(number))),
        "count" => (
            format!("{}\u{a0}{}", numbers::grouped(number), form(number, forms)),
            None,
        ),
        "plural" => (form(number, forms).to_owned(), None),
        _ => (numbers::grouped(number), None),
    }
}

/// One of `message|messages`, by the number.
fn form(number: i64, forms: &str) -> &str {
    match forms.split_once('|') {
        Some((one, _)) if number == 1 => one,
        Some((_, many)) => many,
        None => forms,
    }
}

/// How a file is called in a sentence: `…134217728` for one of the log, `TopicA/0 …005980` for one of a queue.
fn file(path: &str) -> (String, Option<String>) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let digits = name.len() >= 17 && name.bytes().all(|byte| byte.is_ascii_digit());
    let Some(tail) = digits
        .then(|| name.get(name.len().saturating_sub(9)..))
        .flatten()
    else {
        let short = path.split_once('/').map_or(path, |_| name);
        return (short.to_owned(), (short != path).then(|| path.to_owned()));
    };
    // A queue's file lies two folders below the one that all queues share.
    let queue = folder.split_once('/').map_or("", |(_, queue)| queue);
    let short = if queue.is_empty() {
        format!("…{tail}")
    } else {
        format!("{queue} …{tail}")
    };
    (short, Some(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts;

    fn spans(template: &str, facts: &Facts) -> Vec<(Look, String)> {
        let clean = |text: &str| text.replace(['\u{202f}', '\u{a0}'], " ");
        fill(template, facts)
            .0
            .into_iter()
            .map(|span| (span.look, clean(&span.text)))
            .collect()
    }

    #[test]
    fn bold_mono_and_slots_make_spans() {
        let facts = facts! { at = 163_577_344i64, why = "body CRC" };
        assert_eq!(
            spans("**{why} differs** at `{at}`: the scan stops", &facts),
            [
                (Look::Strong, "body CRC differs".to_owned()),
                (Look::Plain, " at ".to_owned()),
                (Look::Mono, "163 577 344".to_owned()),
                (Look::Plain, ": the scan stops".to_owned()),
            ]
        );
    }

    #[test]
    fn formats_show_numbers_as_people_read_them() {
        let facts =
            facts! { n = 1i64, m = 29_359_616i64, t = 1_772_460_131_902i64, crc = 0x5e0c_11d7i64 };
        let plain = |template| {
            fill(template, &facts)
                .to_string()
                .replace(['\u{202f}', '\u{a0}'], " ")
        };
        assert_eq!(
            plain("{n:count message|messages} {n:plural is|are} cut"),
            "1 message is cut"
        );
        assert_eq!(plain("{m:count message|messages}"), "29 359 616 messages");
        assert_eq!(plain("{n:count 条消息}"), "1 条消息");
        assert_eq!(
            plain("{crc:hex} {t:clock} {t:time}"),
            "5e0c11d7 14:02:11.902 2026-03-02 14:02:11.902 UTC"
        );
        let bytes = fill("{m:bytes}", &facts);
        assert_eq!(
            bytes.0[0].title.as_deref(),
            Some("29\u{202f}359\u{202f}616\u{a0}B")
        );
    }

    #[test]
    fn a_missing_fact_is_seen() {
        assert_eq!(
            fill("at {offset:bytes}", &Facts::new()).to_string(),
            "at {offset}"
        );
        assert_eq!(fill("5 * 3 { 2", &Facts::new()).to_string(), "5 * 3 { 2");
    }

    #[test]
    fn files_have_short_names() {
        for (path, short) in [
            ("commitlog/00000000000134217728", "…134217728"),
            (
                "consumequeue/TopicA/0/00000000000000005980",
                "TopicA/0 …000005980",
            ),
            ("index/20231114221320000", "…221320000"),
            ("checkpoint", "checkpoint"),
            ("config/topics.json", "topics.json"),
        ] {
            assert_eq!(file(path).0, short);
        }
    }

    #[test]
    fn sentences_follow_each_other_as_the_language_wants() {
        let join = |a, b| Sentence::plain(a).then(Sentence::plain(b)).to_string();
        assert_eq!(
            join("It starts.", "Nothing is cut."),
            "It starts. Nothing is cut."
        );
        assert_eq!(join("能启动。", "没有截断。"), "能启动。没有截断。");
    }
}
