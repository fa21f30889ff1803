//! A browser of its own for one test, in the words of a test: go there, click this, drop that, wait until.

use crate::{Result, keys::Key, wire};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Generous: the tests share their machine with builds.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(30);

const DEFAULT_VIEWPORT: (u32, u32) = (1440, 900);

const CHROME_FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox", // in a container the tests run as root, for whom Chromium has no sandbox
    "--disable-gpu",
    "--disable-dev-shm-usage", // /dev/shm of a container is small
    "--accept-lang=en-US",     // the page picks its language by the browser's
    // no visits to other hosts
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
];

/// How WebDriver spells "this is an element".
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColourScheme {
    Light,
    Dark,
}

/// A headless Chromium and its chromedriver; both end with the value.
pub struct Browser {
    driver: Child,
    /// Kept open: a driver that prints into a closed pipe would fail.
    driver_output: BufReader<ChildStdout>,
    port: u16,
    session: String,
}

/// Starting, asking, ending.
impl Browser {
    /// Takes the programs in `$CHROMEDRIVER` and `$CHROME`, or else the chromedriver on the path and the browser it
    /// finds.
    pub fn start() -> Result<Self> {
        let program = env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let mut driver = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let stdout = driver.stdout.take().ok_or("chromedriver has no output")?;
        let mut browser = Self {
            driver,
            driver_output: BufReader::new(stdout),
            port: 0,
            session: String::new(),
        };
        browser.port = browser.read_port()?;
        let session = wire::request(
            browser.port,
            "POST",
            "/session",
            Some(&session_wish(env::var("CHROME").ok())),
        )?;
        browser.session = string(&session["sessionId"])?;
        let (width, height) = DEFAULT_VIEWPORT;
        browser.set_viewport(width, height)?;
        Ok(browser)
    }

    /// The driver picks a free port itself, so that two tests never pick the same.
    fn read_port(&mut self) -> Result<u16> {
        let mut line = String::new();
        while self.driver_output.read_line(&mut line)? > 0 {
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                return Ok(port.trim_end().trim_end_matches('.').parse()?);
            }
            line.clear();
        }
        Err("chromedriver ended before it listened".into())
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value> {
        let path = format!("/session/{}{path}", self.session);
        wire::request(self.port, "POST", &path, Some(body))
    }

    fn get(&self, path: &str) -> Result<Value> {
        let path = format!("/session/{}{path}", self.session);
        wire::request(self.port, "GET", &path, None)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", self.evidence());
        }
        // Ending the session closes the browser; killing the driver alone would leave it open.
        let session = format!("/session/{}", self.session);
        let _ = wire::request(self.port, "DELETE", &session, None);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn session_wish(chrome: Option<String>) -> Value {
    let mut options = json!({ "args": CHROME_FLAGS });
    if let Some(chrome) = chrome {
        options["binary"] = json!(chrome);
    }
    let patience_ms = PATIENCE.as_secs() * 1000;
    json!({"capabilities": {"alwaysMatch": {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL"},
        "timeouts": {"pageLoad": patience_ms, "script": patience_ms},
    }}})
}

/// What a visitor does.
impl Browser {
    pub fn goto(&self, url: &str) -> Result<()> {
        self.post("/url", &json!({ "url": url }))?;
        Ok(())
    }

    /// Clicks into the middle of an element, as a visitor could: an element that is hidden or covered is an error.
    pub fn click(&self, css: &str) -> Result<()> {
        let element = self.find(css)?;
        self.post(&format!("/element/{element}/click"), &json!({}))
            .map_err(|error| format!("click on {css}: {error}"))?;
        Ok(())
    }

    /// Presses and releases a key wherever the focus is. Names are those of `KeyboardEvent.key`, with modifiers before
    /// them: `j`, `Enter`, `Shift+ArrowRight`, `Control+k`.
    pub fn press(&self, name: &str) -> Result<()> {
        let key = Key::named(name).ok_or_else(|| format!("there is no key {name}"))?;
        self.cdp("Input.dispatchKeyEvent", &key.down())?;
        self.cdp("Input.dispatchKeyEvent", &key.up())?;
        Ok(())
    }

    /// Chooses files (or a folder, if the input takes one) for an `<input type=file>`.
    pub fn set_files(&self, css: &str, paths: &[impl AsRef<Path>]) -> Result<()> {
        let element = self.find(css)?;
        let text = absolute(paths)?.join("\n");
        self.post(
            &format!("/element/{element}/value"),
            &json!({ "text": text }),
        )?;
        Ok(())
    }

    /// Drops files and folders of this machine onto the visible middle of an element.
    ///
    /// The page cannot tell it from a drop by hand: the events are trusted, and `webkitGetAsEntry` gives folders.
    pub fn drop_paths(&self, css: &str, paths: &[impl AsRef<Path>]) -> Result<()> {
        let (x, y) = self.visible_middle(css)?;
        let files = absolute(paths)?;
        for kind in ["dragEnter", "dragOver", "drop"] {
            let event = json!({
                "type": kind, "x": x, "y": y,
                "data": {"items": [], "files": files, "dragOperationsMask": 1},
            });
            self.cdp("Input.dispatchDragEvent", &event)?;
        }
        Ok(())
    }

    /// The size of the page's area in CSS pixels; the window around it does not count.
    pub fn set_viewport(&self, width: u32, height: u32) -> Result<()> {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.cdp("Emulation.setDeviceMetricsOverride", &metrics)?;
        Ok(())
    }

    /// What the visitor's system prefers.
    pub fn set_colour_scheme(&self, scheme: ColourScheme) -> Result<()> {
        let value = match scheme {
            ColourScheme::Light => "light",
            ColourScheme::Dark => "dark",
        };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.cdp("Emulation.setEmulatedMedia", &features)?;
        Ok(())
    }
}

/// What a visitor sees, and what a developer does.
impl Browser {
    /// Runs the body of a function: `return` gives the result, `arguments` has the arguments. A promise is awaited.
    pub fn js(&self, script: &str, arguments: &Value) -> Result<Value> {
        let call = json!({"script": script, "args": arguments});
        self.post("/execute/sync", &call)
    }

    /// The first such element, as WebDriver numbers it. None is an error.
    pub fn find(&self, css: &str) -> Result<String> {
        let question = json!({"using": "css selector", "value": css});
        let element = self
            .post("/element", &question)
            .map_err(|error| format!("{css}: {error}"))?;
        string(&element[ELEMENT])
    }

    pub fn exists(&self, css: &str) -> Result<bool> {
        let found = self.js(
            "return document.querySelector(arguments[0]) !== null",
            &json!([css]),
        )?;
        Ok(found == true)
    }

    /// The text of the first such element as it is shown.
    pub fn text(&self, css: &str) -> Result<String> {
        let text = self.js(
            "return document.querySelector(arguments[0])?.innerText",
            &json!([css]),
        )?;
        string(&text).map_err(|_| format!("there is no {css}").into())
    }

    /// Waits until the condition holds. An error counts as "not yet", as the page may be drawing the element anew;
    /// when time is up, the last one is told.
    pub fn wait_for(
        &self,
        what: &str,
        mut condition: impl FnMut(&Self) -> Result<bool>,
    ) -> Result<()> {
        let start = Instant::now();
        loop {
            let held = condition(self);
            if matches!(held, Ok(true)) {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                let reason = held.err().map(|error| format!(" ({error})"));
                return Err(format!(
                    "waited in vain for {what}{}\n{}",
                    reason.unwrap_or_default(),
                    self.evidence()
                )
                .into());
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// What the console got since the last call, such as `SEVERE: …` for an error.
    pub fn console(&self) -> Result<Vec<String>> {
        let log = self.post("/se/log", &json!({"type": "browser"}))?;
        let entries = log.as_array().ok_or("the console is not a list")?;
        entries
            .iter()
            .map(|entry| {
                let (level, message) = (string(&entry["level"])?, string(&entry["message"])?);
                Ok(format!("{level}: {message}"))
            })
            .collect()
    }

    /// Writes the page's area as a PNG.
    pub fn screenshot(&self, png: impl AsRef<Path>) -> Result<()> {
        let encoded = string(&self.get("/screenshot")?)?;
        fs::write(png, BASE64_STANDARD.decode(encoded)?)?;
        Ok(())
    }

    /// A command of the Chrome DevTools Protocol.
    pub fn cdp(&self, command: &str, parameters: &Value) -> Result<Value> {
        self.post(
            "/goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        )
        .map_err(|error| format!("{command}: {error}").into())
    }

    fn visible_middle(&self, css: &str) -> Result<(f64, f64)> {
        let middle = self.js(
            "const box = document.querySelector(arguments[0])?.getBoundingClientRect();
             if (!box) return null;
             const middle = (start, end, limit) => (Math.max(start, 0) + Math.min(end, limit)) / 2;
             return [middle(box.left, box.right, innerWidth), middle(box.top, box.bottom, innerHeight)];",
            &json!([css]),
        )?;
        let (x, y) = (middle[0].as_f64(), middle[1].as_f64());
        x.zip(y).ok_or_else(|| format!("there is no {css}").into())
    }

    /// For whoever reads why a test failed.
    fn evidence(&self) -> String {
        let png = screenshot_of_this_test();
        let picture = match self.screenshot(&png) {
            Ok(()) => png.display().to_string(),
            Err(error) => format!("none: {error}"),
        };
        let console = match self.console() {
            Ok(lines) => lines.join("\n  "),
            Err(error) => error.to_string(),
        };
        format!("screenshot: {picture}\nconsole:\n  {console}")
    }
}

/// The test harness names each thread after its test.
fn screenshot_of_this_test() -> PathBuf {
    let thread = thread::current();
    let test = thread.name().unwrap_or("test").replace("::", "-");
    env::temp_dir().join(format!("storescope-{test}.png"))
}

/// Chromium takes no other paths.
fn absolute(paths: &[impl AsRef<Path>]) -> Result<Vec<String>> {
    paths
        .iter()
        .map(|path| {
            let path = std::path::absolute(path)?;
            let text = path.to_str().ok_or("the path is not Unicode")?;
            Ok(text.to_owned())
        })
        .collect()
}

fn string(value: &Value) -> Result<String> {
    let text = value
        .as_str()
        .ok_or_else(|| format!("not a text: {value}"))?;
    Ok(text.to_owned())
}
