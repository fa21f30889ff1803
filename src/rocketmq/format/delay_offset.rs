//! `config/delayOffset.json`: how far each delay level was delivered: `{"offsetTable":{1:10,2:3}}`, keys without quotes.
//!
//! Only whether it parses matters to a start (4.9): the offsets stay in memory. Read as the broker's JSON parser (fastjson) does:
//! unquoted and single-quoted keys and missing commas' neighbours are fine, characters behind the value are not.
//! Source: `ConfigManager`, `DelayOffsetSerializeWrapper`.

/// Whether the broker's parser takes the text, else the byte at which it stops.
pub fn parse(text: &str) -> Result<(), usize> {
    let mut parser = Parser {
        bytes: text.as_bytes(),
        at: 0,
    };
    parser.space();
    if parser.peek().is_none() {
        return Ok(());
    }
    parser.value(0)?;
    parser.space();
    match parser.peek() {
        None => Ok(()),
        Some(_) => Err(parser.at),
    }
}

struct Parser<'t> {
    bytes: &'t [u8],
    at: usize,
}

/// Deeper than this no configuration goes; a hostile file ends here instead of in the stack.
const MAX_DEPTH: u32 = 64;

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn space(&mut self) {
        while matches!(
            self.peek(),
            Some(b' ' | b'\n' | b'\r' | b'\t' | 0x0c | 0x08)
        ) {
            self.next();
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), usize> {
        self.space();
        if self.peek() == Some(byte) {
            self.next();
            Ok(())
        } else {
            Err(self.at)
        }
    }

    fn value(&mut self, depth: u32) -> Result<(), usize> {
        self.space();
        if depth > MAX_DEPTH {
            return Err(self.at);
        }
        match self.peek() {
            Some(b'{') => self.items(b'}', true, depth),
            Some(b'[') => self.items(b']', false, depth),
            Some(quote @ (b'"' | b'\'')) => self.string(quote),
            Some(b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => {
                self.word();
                Ok(())
            }
            _ => Err(self.at),
        }
    }

    fn items(&mut self, close: u8, keyed: bool, depth: u32) -> Result<(), usize> {
        self.next();
        loop {
            self.space();
            match self.peek() {
                Some(byte) if byte == close => {
                    self.next();
                    return Ok(());
                }
                Some(b',') => {
                    self.next();
                    continue;
                }
                None => return Err(self.at),
                Some(_) => {}
            }
            if keyed {
                match self.peek() {
                    Some(quote @ (b'"' | b'\'')) => self.string(quote)?,
                    Some(b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.word(),
                    _ => return Err(self.at),
                }
                self.expect(b':')?;
            }
            self.value(depth.saturating_add(1))?;
        }
    }

    fn word(&mut self) {
        while matches!(
            self.peek(),
            Some(b'-' | b'+' | b'.' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z')
        ) {
            self.next();
        }
    }

    fn string(&mut self, quote: u8) -> Result<(), usize> {
        self.next();
        loop {
            match self.peek() {
                Some(b'\\') => {
                    self.next();
                    self.next();
                }
                Some(byte) if byte == quote => {
                    self.next();
                    return Ok(());
                }
                Some(_) => self.next(),
                None => return Err(self.at),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn keys_without_quotes_are_taken_and_nuls_are_not() {
        assert_eq!(parse("{\n\t\"offsetTable\":{1:10,2:3\n\t}\n}"), Ok(()));
        assert_eq!(parse("{\"offsetTable\":{}}"), Ok(()));
        assert_eq!(parse("  "), Ok(()));
        assert_eq!(parse("\0\0\0\0"), Err(0));
        assert_eq!(parse("{\"offsetTable\":{1:10}}}"), Err(22));
        assert_eq!(parse("{\"offsetTable\":{1:10"), Err(20));
    }
}
