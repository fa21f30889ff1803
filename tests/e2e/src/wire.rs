//! One JSON request to chromedriver and its answer. Just enough HTTP for a server on the same machine.

use crate::Result;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpStream},
    time::Duration,
};

/// Longer than anything chromedriver itself waits for in these tests, so that its own message arrives.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);

/// Returns the `value` of the answer, or the driver's error.
pub fn request(port: u16, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    connection.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    write!(
        connection,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let answer: Value = serde_json::from_slice(&read_body(&mut BufReader::new(connection))?)?;
    let value = &answer["value"];
    match value.get("error").and_then(Value::as_str) {
        Some(error) => Err(format!("{error}: {}", first_line(&value["message"])).into()),
        None => Ok(value.clone()),
    }
}

fn read_body(answer: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut length = None;
    let mut line = String::new();
    while answer.read_line(&mut line)? > 0 && !line.trim_end().is_empty() {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse()?);
        }
        line.clear();
    }
    let mut body = vec![0; length.ok_or("chromedriver's answer has no length")?];
    answer.read_exact(&mut body)?;
    Ok(body)
}

/// The lines below are the driver's version and a stack of addresses.
fn first_line(message: &Value) -> &str {
    let message = message.as_str().unwrap_or_default();
    message.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_as_long_as_the_head_says() -> Result<()> {
        let mut answer: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}more";
        assert_eq!(read_body(&mut answer)?, b"{}");
        Ok(())
    }
}
