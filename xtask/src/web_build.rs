//! The page from its sources: cargo compiles two wasm, the page for size and the reader of its workers for speed; wasm-bindgen (as a
//! library, so that its version is the one in Cargo.lock and nobody installs a tool) writes the glue, and the rest is copied.
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
    fmt, fs,
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
    let compiled = Program::ALL
        .map(|program| compile(&program, profile.named(program.release)))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    start_afresh(&dist)?;
    for wasm in compiled {
        bind(&wasm, &dist, profile)?;
    }
    copy_tree(&root.join("static"), &dist)?;
    let html = fs::read_to_string(root.join("index.html"))?;
    fs::write(dist.join("index.html"), without_trunk(&html))?;

    let (page, behind) = sizes(&dist)?;
    println!("built dist/: the first page is {page}; the reader, fetched behind it, {behind}");
    Ok(dist)
}

/// One of the page's two programs, and how it is compiled.
pub struct Program {
    pub name: &'static str,
    pub features: &'static str,
    release: &'static str,
}

impl Program {
    pub const ALL: [Self; 2] = [
        Self {
            name: "web",
            features: "web,fetch-texts",
            release: "web",
        },
        Self {
            name: "reader",
            features: "web",
            release: "release",
        },
    ];
}

impl Profile {
    /// Cargo's name of it, which is also that of its folder, but for `dev`.
    fn named(self, release: &'static str) -> &'static str {
        match self {
            Self::Release => release,
            Self::Debug => "dev",
        }
    }
}

/// Returns the compiled wasm, still without its JavaScript.
fn compile(program: &Program, profile: &str) -> Result<PathBuf> {
    ensure_wasm_target()?;
    let mut cargo = workspace::cargo()?;
    cargo
        .args(["build", "--locked", "--package", "storescope"])
        .args(["--bin", program.name, "--features", program.features])
        .args(["--profile", profile])
        .args(["--target", WASM_TARGET]);
    workspace::run(&mut cargo)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let built = workspace::target_dir()?.join(WASM_TARGET).join(folder);
    Ok(built.join(program.name).with_extension("wasm"))
}

/// An old build leaves nothing behind, such as a sample that is gone.
fn start_afresh(dist: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dist) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::create_dir_all(dist)
}

/// Writes NAME.js and NAME_bg.wasm. A debug build keeps the names of functions, which a panic's trace then shows.
fn bind(wasm: &Path, dist: &Path, profile: Profile) -> Result<()> {
    let release = profile == Profile::Release;
    Bindgen::new()
        .input_path(wasm)
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

#[derive(Clone, Copy, Default)]
struct Size {
    raw: usize,
    gzip: usize,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (raw, gzip) = (self.raw.div_ceil(1024), self.gzip.div_ceil(1024));
        write!(f, "{raw} KiB, {gzip} KiB gzip")
    }
}

/// What a first visit fetches before anybody can use the page, and what comes behind it, while a store is looked for: the workers and
/// their program, the texts about stores, and those of another language. All files but the sample stores, each compressed by itself as a web server would.
fn sizes(dist: &Path) -> io::Result<(Size, Size)> {
    let (mut page, mut behind) = (Size::default(), Size::default());
    let mut folders = vec![dist.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                if name != "samples" {
                    folders.push(entry.path());
                }
                continue;
            }
            let bytes = fs::read(entry.path())?;
            let size = if BEHIND.iter().any(|behind| name == *behind) {
                &mut behind
            } else {
                &mut page
            };
            size.raw += bytes.len();
            size.gzip += gzip_size(&bytes)?;
        }
    }
    Ok((page, behind))
}

const BEHIND: [&str; 6] = [
    "reader.js",
    "reader_bg.wasm",
    "worker.js",
    "ahead.js",
    "en.json",
    "zh.json",
];

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
    fn neither_sample_stores_nor_the_reader_count_as_part_of_the_first_page() -> Result<()> {
        let dist = std::env::temp_dir().join(format!("xtask-first-page-{}", std::process::id()));
        for file in [
            "index.html",
            "snippets/a/b.js",
            "samples/torn/commitlog",
            "reader_bg.wasm",
        ] {
            let file = dist.join(file);
            fs::create_dir_all(file.parent().unwrap_or(&dist))?;
            fs::write(file, [b'x'; 1000])?;
        }
        let (page, behind) = sizes(&dist)?;
        fs::remove_dir_all(&dist)?;
        assert_eq!((page.raw, behind.raw), (2000, 1000));
        assert!(page.gzip < 100, "{}", page.gzip);
        Ok(())
    }
}
