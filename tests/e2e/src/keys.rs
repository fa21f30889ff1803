//! A key press as the browser's debugging protocol wants it, from a name such as `Shift+ArrowRight`.

use serde_json::{Value, json};

/// The names are those of `KeyboardEvent.key`, the modifiers Alt, Control, Meta and Shift. A single character stands
/// for itself, with Shift for a capital letter only if the name says so.
#[derive(Debug, PartialEq)]
pub struct Key {
    modifiers: u8,
    key: String,
    code: String,
    windows_code: u32,
    text: Option<String>,
}

impl Key {
    pub fn named(name: &str) -> Option<Self> {
        let (modifiers, key) = split_modifiers(name)?;
        let (code, windows_code) = special(key)
            .map(|(code, windows_code)| (code.to_owned(), windows_code))
            .or_else(|| printable(key))?;
        // With Control, Alt or Meta a key is a command and types nothing.
        let types = modifiers & !SHIFT == 0;
        let text = match key {
            "Enter" => Some("\r"),
            _ if key.chars().count() == 1 => Some(key),
            _ => None,
        };
        Some(Self {
            modifiers,
            key: key.to_owned(),
            code,
            windows_code,
            text: text.filter(|_| types).map(str::to_owned),
        })
    }

    /// Parameters of `Input.dispatchKeyEvent` when the key goes down.
    pub fn down(&self) -> Value {
        let mut event = self.event(match self.text {
            Some(_) => "keyDown",
            None => "rawKeyDown",
        });
        if let Some(text) = &self.text {
            event["text"] = json!(text);
        }
        event
    }

    /// … and when it comes up again.
    pub fn up(&self) -> Value {
        self.event("keyUp")
    }

    fn event(&self, kind: &str) -> Value {
        json!({
            "type": kind,
            "modifiers": self.modifiers,
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.windows_code,
        })
    }
}

const SHIFT: u8 = 8;

fn split_modifiers(name: &str) -> Option<(u8, &str)> {
    let mut modifiers = 0;
    let mut rest = name;
    // "+" alone, or at the end, is the key itself
    while let Some((modifier, key)) = rest.split_once('+').filter(|(_, key)| !key.is_empty()) {
        modifiers |= match modifier {
            "Alt" => 1,
            "Control" => 2,
            "Meta" => 4,
            "Shift" => SHIFT,
            _ => return None,
        };
        rest = key;
    }
    Some((modifiers, rest))
}

fn special(key: &str) -> Option<(&'static str, u32)> {
    Some(match key {
        "Backspace" => ("Backspace", 8),
        "Tab" => ("Tab", 9),
        "Enter" => ("Enter", 13),
        "Escape" => ("Escape", 27),
        " " => ("Space", 32),
        "PageUp" => ("PageUp", 33),
        "PageDown" => ("PageDown", 34),
        "End" => ("End", 35),
        "Home" => ("Home", 36),
        "ArrowLeft" => ("ArrowLeft", 37),
        "ArrowUp" => ("ArrowUp", 38),
        "ArrowRight" => ("ArrowRight", 39),
        "ArrowDown" => ("ArrowDown", 40),
        "Delete" => ("Delete", 46),
        _ => return None,
    })
}

/// Letters and digits have a place on every keyboard; of other characters only what they type is known.
fn printable(key: &str) -> Option<(String, u32)> {
    let mut characters = key.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else {
        return None;
    };
    let upper = character.to_ascii_uppercase();
    Some(match upper {
        'A'..='Z' => (format!("Key{upper}"), upper.into()),
        '0'..='9' => (format!("Digit{upper}"), upper.into()),
        _ => (String::new(), 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn down(name: &str) -> Value {
        Key::named(name).map_or(Value::Null, |key| key.down())
    }

    #[test]
    fn a_letter_types_itself() {
        assert_eq!(
            down("j"),
            json!({"type": "keyDown", "modifiers": 0, "key": "j", "code": "KeyJ",
                   "windowsVirtualKeyCode": 74, "text": "j"})
        );
    }

    #[test]
    fn a_command_types_nothing() {
        assert_eq!(
            down("Control+Shift+k"),
            json!({"type": "rawKeyDown", "modifiers": 10, "key": "k", "code": "KeyK",
                   "windowsVirtualKeyCode": 75})
        );
        assert_eq!(down("ArrowRight")["type"], "rawKeyDown");
    }

    #[test]
    fn plus_is_a_key_too() {
        assert_eq!(down("+")["text"], "+");
        assert_eq!(down("Shift++")["modifiers"], 8);
    }

    #[test]
    fn an_unknown_name_is_no_key() {
        assert_eq!(Key::named("Sideways"), None);
        assert_eq!(Key::named("Super+a"), None);
        assert_eq!(Key::named(""), None);
    }
}
