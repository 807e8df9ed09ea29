//! The house as ARCHITECTURE.md draws it: which crate imports which, and which functions are long.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A function of more lines needs a reason, which ARCHITECTURE.md gives.
const LONG: usize = 120;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}
fn page() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md")
}
/// The names between backquotes.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_string).collect()
}
/// The rows of the table behind a heading, without its head.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let part = page.split(heading).nth(1).unwrap_or_else(|| panic!("{heading} is there"));
    let part = part.split("\n## ").next().unwrap_or(part);
    let rows = part.lines().filter(|l| l.starts_with('|')).skip(2);
    rows.map(|l| l.trim_matches('|').split('|').map(|c| c.trim().to_string()).collect()).collect()
}
/// The crates of ours that a manifest's section names.
fn imports(manifest: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(manifest).expect("a manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    let own = manifest["package"]["name"].as_str().expect("a name").to_string();
    let dependencies = manifest.get("dependencies").and_then(|d| d.as_table());
    let names = dependencies.into_iter().flatten().map(|(name, _)| name.clone());
    names.filter(|n| n.starts_with("pamir") && *n != own).collect()
}

#[test]
fn crates_import_what_the_table_says_and_only_from_above() {
    let rows = table(&page(), "## Crates, floor by floor");
    let mut above: Vec<String> = Vec::new();
    for row in &rows {
        let name = quoted(&row[0]).pop().expect("a crate");
        let said: BTreeSet<String> = quoted(&row[1]).into_iter().collect();
        for i in &said {
            assert!(above.contains(i), "{name} imports {i}, which does not stand above it");
        }
        assert_eq!(imports(&root().join("crates").join(&name).join("Cargo.toml")), said, "what {name} imports");
        above.push(name);
    }
    let there: BTreeSet<String> = fs::read_dir(root().join("crates"))
        .expect("crates")
        .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(there, above.into_iter().collect(), "every crate has its line");
}

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for e in fs::read_dir(dir).expect("a directory") {
        let path = e.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|x| x == "rs") {
            out.push(path);
        }
    }
}
/// Functions of more than [`LONG`] lines, as rustfmt lays them out: from the line with `fn` to the brace at its depth.
fn long_functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let body = line.trim_start();
        let words: Vec<&str> = body.split(' ').collect();
        let modifiers = ["pub", "pub(super)", "pub(crate)", "const", "unsafe", "async"];
        let Some(at) = words.iter().position(|w| !modifiers.contains(w)) else { continue };
        let (Some(&"fn"), Some(name)) = (words.get(at), words.get(at + 1)) else { continue };
        let depth = &line[..line.len() - body.len()];
        if line.ends_with('}') || line.ends_with(';') {
            continue;
        }
        // Where the signature ends: one without a body is a trait's.
        let signature = lines[i..].iter().find(|l| l.ends_with('{') || l.ends_with(';'));
        if signature.is_none_or(|l| l.ends_with(';')) {
            continue;
        }
        let end = lines[i..].iter().position(|l| l.starts_with(&format!("{depth}}}"))).unwrap_or(0);
        if end + 1 > LONG {
            let name = name.split(['(', '<']).next().unwrap_or(name);
            out.push((name.to_string(), end + 1));
        }
    }
    out
}

#[test]
fn long_functions_are_listed_with_their_reason() {
    let listed: BTreeSet<String> = table(&page(), "## Long functions").iter().flat_map(|row| quoted(&row[0])).collect();
    let mut found = BTreeSet::new();
    let mut files = Vec::new();
    for e in fs::read_dir(root().join("crates")).expect("crates") {
        sources(&e.expect("an entry").path().join("src"), &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        let crates = root().join("crates");
        let shown = file.strip_prefix(&crates).expect("within").to_string_lossy().replace("/src/", "/");
        for (name, _) in long_functions(&text) {
            found.insert(format!("{} {name}", shown.trim_end_matches(".rs")));
        }
    }
    assert_eq!(
        found, listed,
        "functions of more than {LONG} lines (left) and those that ARCHITECTURE.md argues (right)"
    );
}

#[test]
fn a_long_function_is_seen() {
    let body = "        let x = 1;\n".repeat(LONG);
    let text = format!("impl X {{\n    pub fn long(&self) {{\n{body}    }}\n    fn short() {{}}\n}}\n");
    assert_eq!(long_functions(&text), [("long".to_string(), LONG + 2)]);
}
