//! The page from its sources: cargo compiles one wasm, wasm-bindgen (as a library, so that its version is the one in
//! Cargo.lock and nobody installs a tool) writes the glue, and the rest is copied.
//!
//! No wasm-opt: the newest gains less than one percent of what is sent, and those of the distributions cannot read
//! what rustc writes today.

use crate::{
    Result,
    prerequisites::{WASM_TARGET, ensure_wasm_target},
    workspace,
};
use flate2::{Compression, write::GzEncoder};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};
use wasm_bindgen_cli_support::Bindgen;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    Release,
    Debug,
}

/// Builds the page and returns the folder with it.
pub fn build(profile: Profile) -> Result<PathBuf> {
    let root = workspace::root();
    let dist = root.join("dist");
    let wasm = compile(profile)?;
    start_afresh(&dist)?;
    bind(&wasm, &dist, profile)?;
    copy_tree(&root.join("static"), &dist)?;
    let html = fs::read_to_string(root.join("index.html"))?;
    fs::write(dist.join("index.html"), without_trunk(&html))?;

    let size = first_page(&dist)?;
    println!(
        "built dist/: the first page is {} KiB, {} KiB gzip",
        size.raw.div_ceil(1024),
        size.gzip.div_ceil(1024)
    );
    Ok(dist)
}

/// Returns the compiled wasm, still without its JavaScript.
fn compile(profile: Profile) -> Result<PathBuf> {
    ensure_wasm_target()?;
    let mut cargo = workspace::cargo()?;
    cargo
        .args(["build", "--locked", "--package", "storescope"])
        .args(["--bin", "web", "--features", "web"])
        .args(["--target", WASM_TARGET]);
    let folder = match profile {
        Profile::Release => {
            cargo.args(["--profile", "web"]);
            "web"
        }
        Profile::Debug => "debug",
    };
    workspace::run(&mut cargo)?;
    let built = workspace::target_dir()?.join(WASM_TARGET).join(folder);
    Ok(built.join("web.wasm"))
}

/// An old build leaves nothing behind, such as a sample that is gone.
fn start_afresh(dist: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dist) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::create_dir_all(dist)
}

/// Writes web.js and web_bg.wasm. A debug build keeps the names of functions, which a panic's trace then shows.
fn bind(wasm: &Path, dist: &Path, profile: Profile) -> Result<()> {
    let release = profile == Profile::Release;
    Bindgen::new()
        .input_path(wasm)
        .out_name("web")
        .web(true)?
        .typescript(false)
        .debug(!release)
        .remove_name_section(release)
        .remove_producers_section(release)
        .generate(dist)?;
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// index.html is written for trunk: its directives are the lines that open with `<link data-trunk`.
fn without_trunk(html: &str) -> String {
    html.lines()
        .filter(|line| !line.contains("<link data-trunk"))
        .flat_map(|line| [line, "\n"])
        .collect()
}

struct Size {
    raw: usize,
    gzip: usize,
}

/// What a first visit fetches: all files but the sample stores, each compressed by itself as a web server would.
fn first_page(dist: &Path) -> io::Result<Size> {
    let mut size = Size { raw: 0, gzip: 0 };
    for entry in fs::read_dir(dist)? {
        let entry = entry?;
        if entry.file_name() == "samples" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            let inner = first_page(&entry.path())?;
            size.raw += inner.raw;
            size.gzip += inner.gzip;
        } else {
            let bytes = fs::read(entry.path())?;
            size.raw += bytes.len();
            size.gzip += gzip_size(&bytes)?;
        }
    }
    Ok(size)
}

fn gzip_size(bytes: &[u8]) -> io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_keeps_all_lines_but_those_for_trunk() {
        let html = "<head>\n<link data-trunk rel=\"rust\">\n<link rel=\"icon\">\n</head>\n";
        assert_eq!(
            without_trunk(html),
            "<head>\n<link rel=\"icon\">\n</head>\n"
        );
    }

    #[test]
    fn sample_stores_do_not_count_as_part_of_the_first_page() -> Result<()> {
        let dist = std::env::temp_dir().join(format!("xtask-first-page-{}", std::process::id()));
        for file in ["index.html", "snippets/a/b.js", "samples/torn/commitlog"] {
            let file = dist.join(file);
            fs::create_dir_all(file.parent().unwrap_or(&dist))?;
            fs::write(file, [b'x'; 1000])?;
        }
        let size = first_page(&dist)?;
        fs::remove_dir_all(&dist)?;
        assert_eq!(size.raw, 2000);
        assert!(size.gzip < 100, "{}", size.gzip);
        Ok(())
    }
}
