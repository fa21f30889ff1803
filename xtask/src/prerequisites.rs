//! What a fresh machine may lack: each `ensure_…` looks first, fetches what is missing, and otherwise says in one line
//! what to install.

use crate::{Result, workspace};
use std::{env, path::Path, process::Command};

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
