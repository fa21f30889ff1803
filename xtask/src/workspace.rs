//! Where things are, and how another program is started.

use crate::Result;
use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder of the root Cargo.toml.
pub fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// Where cargo puts what it builds. A relative `CARGO_TARGET_DIR` counts from the user's folder, not from the root.
pub fn target_dir() -> Result<PathBuf> {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => Ok(std::path::absolute(dir)?),
        None => Ok(root().join("target")),
    }
}

/// The cargo that runs this task, at the root and with the same target folder.
pub fn cargo() -> Result<Command> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(root())
        .env("CARGO_TARGET_DIR", target_dir()?);
    Ok(cargo)
}

/// Runs a program that may be missing, for its verdict alone: its output is thrown away.
pub fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Runs a program in the user's sight.
pub fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{program} failed ({status})").into())
    }
}
