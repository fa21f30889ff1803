//! The built page under the project's own server, so that the tests meet the same headers as a visitor.

use crate::Result;
use serde_json::Value;
use std::{
    env,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    sync::OnceLock,
};

/// The page, built and served.
pub struct Page {
    url: String,
    server: Child,
    /// Kept open: a server that prints into a closed pipe would fail.
    server_output: BufReader<ChildStdout>,
}

impl Page {
    /// The page that all tests of this process share; the first to ask builds it.
    ///
    /// Nothing drops a static. The server ends nevertheless, because it watches its input, which closes with this
    /// process.
    pub fn shared() -> Result<&'static Self> {
        static PAGE: OnceLock<std::result::Result<Page, String>> = OnceLock::new();
        let page = PAGE.get_or_init(|| Self::serve().map_err(|error| error.to_string()));
        page.as_ref().map_err(|error| error.as_str().into())
    }

    /// Builds the page and serves it on a free port for as long as the value lives.
    ///
    /// Starts the program itself and not `cargo xtask`: stopping cargo would leave the server behind.
    pub fn serve() -> Result<Self> {
        let mut server = Command::new(build_xtask()?)
            .args(["serve", "--port", "0", "--until-stdin-closes"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = server.stdout.take().ok_or("the server has no output")?;
        let mut page = Self {
            url: String::new(),
            server,
            server_output: BufReader::new(stdout),
        };
        page.url = page.read_url()?;
        Ok(page)
    }

    /// Where the page is, with a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    fn read_url(&mut self) -> Result<String> {
        let mut line = String::new();
        while self.server_output.read_line(&mut line)? > 0 {
            if let Some(url) = line.strip_prefix("serving ") {
                return Ok(url.trim_end().to_owned());
            }
            line.clear();
        }
        Err("the page was not served: see what `cargo xtask serve` says".into())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // It may have ended already, which is all that is wanted.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn root() -> Result<&'static Path> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(here
        .ancestors()
        .nth(2)
        .ok_or("tests/e2e is not in its place")?)
}

/// Returns the program, wherever cargo was told to put it.
fn build_xtask() -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root()?)
        .args(["build", "--locked", "--package", "xtask"])
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8(output.stdout)?;
    let executable = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    executable.ok_or_else(|| "xtask could not be built".into())
}
