//! `cargo xtask pictures`: the README's pictures, of a store that the real broker left behind.

use crate::{Result, cases::case, workspace};

/// The store in the pictures: a body bit flipped in the last file, and the broker died.
const CASE: &str = "4.9.3/crash-crc-last-file";

pub fn make() -> Result<()> {
    let folder = workspace::target_dir()?.join("pictures/broker-a/store");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let case = case::Case::open(&case::cases_folder(workspace::root()).join(CASE));
    case.store().write_to(&folder);
    let mut browser = workspace::cargo()?;
    browser
        .args([
            "run",
            "--locked",
            "--package",
            "e2e",
            "--bin",
            "pictures",
            "--",
        ])
        .arg(&folder)
        .arg(workspace::root().join("docs"));
    workspace::run(&mut browser)
}
