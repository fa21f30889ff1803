//! A small web server for the built page, under the headers a careful host would send.
//!
//! It answers GET and HEAD on this machine only, reads nothing outside its folder, and knows no caching, ranges or
//! keep-alive: for anything more, put dist/ on a real server with the same headers.

use crate::Result;
use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process, thread,
    time::Duration,
};

pub const DEFAULT_PORT: u16 = 8080;

/// How many ports after the wanted one are tried.
const MORE_PORTS: u16 = 100;

/// A browser sends far less; a connection that sends more, or nothing for long, is dropped.
const REQUEST_HEAD_LIMIT_BYTES: u64 = 64 * 1024;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Sent with every answer. Trunk.toml repeats them for those who serve with trunk.
const HEADERS: [(&str, &str); 6] = [
    // Scripts, wasm and workers from here only, no inline code, nothing from or to other hosts: a page that is handed
    // somebody's store files could not send them away if it wanted to.
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    // The next two together isolate the page, without which a browser gives it no memory shared between its workers.
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
];

/// Serves the folder until the process ends.
pub fn serve(dist: &Path, port: u16) -> Result<()> {
    let listener = listen(port)?;
    println!("serving http://{}/", listener.local_addr()?);
    io::stdout().flush()?; // whoever waits for this line may read it through a pipe
    for connection in listener.incoming() {
        let dist = dist.to_owned();
        // A browser that goes away in the middle of an answer is no news.
        thread::spawn(move || connection.and_then(|connection| answer(connection, &dist)));
    }
    Ok(())
}

/// For a parent that cannot promise to stop its child: when it ends, however it ends, its end of the pipe closes.
pub fn end_when_stdin_closes() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        process::exit(0);
    });
}

/// Port 0 leaves the choice to the system.
fn listen(port: u16) -> Result<TcpListener> {
    for candidate in port..=port.saturating_add(MORE_PORTS) {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, candidate)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            listener => return Ok(listener?),
        }
    }
    Err(format!("port {port} and the {MORE_PORTS} after it are all taken").into())
}

fn answer(mut connection: TcpStream, dist: &Path) -> io::Result<()> {
    connection.set_read_timeout(Some(REQUEST_TIMEOUT))?;
    let request = read_request(&connection)?;
    let response = respond(&request, dist);
    connection.write_all(response.head().as_bytes())?;
    if request.method != "HEAD" {
        connection.write_all(&response.body)?;
    }
    Ok(())
}

struct Request {
    method: String,
    target: String,
}

/// Reads up to the empty line; of the head only the first line matters here.
fn read_request(connection: &TcpStream) -> io::Result<Request> {
    let mut reader = BufReader::new(connection.take(REQUEST_HEAD_LIMIT_BYTES));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 && !line.trim_end().is_empty() {
        line.clear();
    }
    let mut words = first.split_whitespace().map(str::to_owned);
    Ok(Request {
        method: words.next().unwrap_or_default(),
        target: words.next().unwrap_or_default(),
    })
}

struct Response {
    status: &'static str,
    content_type: &'static str,
    body: Vec<u8>,
}

impl Response {
    fn sentence(status: &'static str, sentence: &str) -> Self {
        Self {
            status,
            content_type: "text/plain; charset=utf-8",
            body: sentence.into(),
        }
    }

    fn head(&self) -> String {
        let mut head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
             Allow: GET, HEAD\r\nCache-Control: no-store\r\nConnection: close\r\n",
            self.status,
            self.content_type,
            self.body.len()
        );
        for (name, value) in HEADERS {
            head += &format!("{name}: {value}\r\n");
        }
        head + "\r\n"
    }
}

fn respond(request: &Request, dist: &Path) -> Response {
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        return Response::sentence("405 Method Not Allowed", "only GET and HEAD are served\n");
    }
    let Some(file) = file_of(&request.target) else {
        return Response::sentence("400 Bad Request", "there can be no such file\n");
    };
    match fs::read(dist.join(&file)) {
        Ok(body) => Response {
            status: "200 OK",
            content_type: content_type(&file),
            body,
        },
        Err(_) => Response::sentence("404 Not Found", "there is no such file\n"),
    }
}

/// The file that a request is for, relative to the served folder and never outside it.
fn file_of(target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    if path.is_empty() {
        return Some("index.html".into());
    }
    path.split('/').map(file_name).collect()
}

/// One part of a path. Decoded first and judged afterwards: `%2e%2e%2f` is `../` too.
fn file_name(encoded: &str) -> Option<String> {
    let name = percent_decoded(encoded)?;
    let leads_elsewhere = matches!(name.as_str(), "" | "." | "..")
        || name.contains(['/', '\\', '\0'])
        || name.contains(':'); // a drive, on Windows
    (!leads_elsewhere).then_some(name)
}

/// RocketMQ has topics such as `%RETRY%group`, so sample stores have folders whose names need this.
fn percent_decoded(encoded: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        decoded.push(match byte {
            b'%' => hex_digit(rest.next()?)? << 4 | hex_digit(rest.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(decoded).ok()
}

fn hex_digit(character: u8) -> Option<u8> {
    let digit = char::from(character).to_digit(16)?;
    u8::try_from(digit).ok()
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(target: &str) -> Option<String> {
        file_of(target).map(|file| file.to_string_lossy().replace('\\', "/"))
    }

    #[test]
    fn a_request_names_a_file_of_the_page() {
        assert_eq!(path("/").as_deref(), Some("index.html"));
        assert_eq!(path("/?step=31#top").as_deref(), Some("index.html"));
        assert_eq!(path("/web.js?1").as_deref(), Some("web.js"));
        assert_eq!(
            path("/samples/a/%25RETRY%25cg/0").as_deref(),
            Some("samples/a/%RETRY%cg/0")
        );
    }

    #[test]
    fn no_request_leads_out_of_the_folder() {
        for target in [
            "",
            "web.js",
            "/..",
            "/../Cargo.toml",
            "/samples/../../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "/..%2fCargo.toml",
            "/..%5cCargo.toml",
            "/C:/boot.ini",
            "//etc/passwd",
            "/./web.js",
            "/samples/",
            "/a%00b",
            "/%ff",
            "/%2",
            "/%+1",
        ] {
            assert_eq!(path(target), None, "{target}");
        }
    }

    #[test]
    fn only_reading_is_allowed() {
        let request = Request {
            method: "POST".into(),
            target: "/".into(),
        };
        let response = respond(&request, Path::new("nowhere"));
        assert!(response.status.starts_with("405"));
    }

    #[test]
    fn every_answer_carries_the_policy() {
        let head = Response::sentence("404 Not Found", "").head();
        for (name, value) in HEADERS {
            assert!(head.contains(&format!("\r\n{name}: {value}\r\n")), "{name}");
        }
        assert!(head.ends_with("\r\n\r\n"));
    }

    #[test]
    fn trunk_serves_under_the_same_headers() {
        let trunk = include_str!("../../Trunk.toml");
        let (_, section) = trunk.split_once("[serve.headers]\n").unwrap_or_default();
        let expected: Vec<String> = HEADERS
            .iter()
            .map(|(name, value)| format!("{name} = \"{value}\""))
            .collect();
        assert_eq!(section.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_taken_port_gives_way_to_another() -> Result<()> {
        let first = listen(0)?;
        let taken = first.local_addr()?.port();
        assert_ne!(listen(taken)?.local_addr()?.port(), taken);
        Ok(())
    }
}
