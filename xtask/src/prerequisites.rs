//! What a fresh machine may lack: each `ensure_…` looks first, fetches what is missing, and otherwise says in one line
//! what to install.

use crate::{Result, workspace};
use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// rust-toolchain.toml names the target too, but rustup ignores that where its automatic installation is off.
pub fn ensure_wasm_target() -> Result<()> {
    if wasm_target_is_there() {
        return Ok(());
    }
    workspace::run(Command::new("rustup").args(["target", "add", WASM_TARGET])).map_err(
        |error| format!("{error}; the page needs Rust's target {WASM_TARGET}: please install it"),
    )?;
    Ok(())
}

/// Asks the compiler and not rustup: Rust may come from a distribution.
fn wasm_target_is_there() -> bool {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.current_dir(workspace::root()).args([
        "--print",
        "target-libdir",
        "--target",
        WASM_TARGET,
    ]);
    rustc.output().is_ok_and(|output| {
        let dir = String::from_utf8_lossy(&output.stdout);
        output.status.success() && Path::new(dir.trim()).is_dir()
    })
}

/// `component` is `rustfmt` or `clippy`; `subcommand` is what cargo calls it.
pub fn ensure_component(component: &str, subcommand: &str) -> Result<()> {
    if workspace::succeeds(workspace::cargo()?.args([subcommand, "--version"])) {
        return Ok(());
    }
    workspace::run(Command::new("rustup").args(["component", "add", component]))
        .map_err(|error| format!("{error}; please install {component}"))?;
    Ok(())
}

/// A Chromium or Chrome, and the chromedriver that steers it.
pub struct Browser {
    pub chrome: PathBuf,
    pub chromedriver: PathBuf,
}

pub fn ensure_browser() -> Result<Browser> {
    if let Some(browser) = find_browser()? {
        return Ok(browser);
    }
    if is_root() && find_on_path(&["apt-get"]).is_some() {
        apt_get(&["update"])?;
        apt_get(&[
            "install",
            "-y",
            "--no-install-recommends",
            "chromium",
            "chromium-driver",
        ])?;
    }
    find_browser()?.ok_or_else(|| {
        "the browser tests need chromium (or chrome) and chromedriver: please install both, \
         or name them in $CHROME and $CHROMEDRIVER"
            .into()
    })
}

fn find_browser() -> Result<Option<Browser>> {
    let chrome = named_or_on_path("CHROME", &["chromium", "google-chrome", "chrome"])?;
    let chromedriver = named_or_on_path("CHROMEDRIVER", &["chromedriver"])?;
    Ok(chrome
        .zip(chromedriver)
        .map(|(chrome, chromedriver)| Browser {
            chrome,
            chromedriver,
        }))
}

/// A variable that names nothing is a mistake to report. Taking another program instead would hide it.
fn named_or_on_path(variable: &str, programs: &[&str]) -> Result<Option<PathBuf>> {
    let Some(value) = env::var_os(variable).filter(|value| !value.is_empty()) else {
        return Ok(find_on_path(programs));
    };
    let named = PathBuf::from(value);
    // A bare name is looked up as a shell would.
    let found = match named.to_str() {
        Some(name) if named.components().count() == 1 => find_on_path(&[name]),
        _ => named.is_file().then(|| named.clone()),
    };
    match found {
        Some(program) => Ok(Some(program)),
        None => Err(format!("${variable} names {}, which is not there", named.display()).into()),
    }
}

/// The first of the programs that is there, in the order of their names.
fn find_on_path(programs: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    programs.iter().find_map(|program| {
        let file_name = format!("{program}{}", env::consts::EXE_SUFFIX);
        env::split_paths(&path)
            .map(|dir| dir.join(&file_name))
            .find(|file| file.is_file())
    })
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let mut apt_get = Command::new("apt-get");
    apt_get
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(arguments);
    workspace::run(&mut apt_get)
}
