//! Directories that cannot be served, each with the real binary: one line that says what is wrong and what to do, exit code 1, and not a byte changed.
//! `pamir check` says so too.
mod common;
use common::{BIN, Pamir, command, refused};
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Names and bytes of a directory's files.
fn contents(dir: &Path) -> Vec<(OsString, Vec<u8>)> {
    let files = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap());
    let mut v: Vec<_> = files.map(|e| (e.file_name(), std::fs::read(e.path()).unwrap())).collect();
    v.sort();
    v
}
/// CRC-32 as the files carry it.
fn crc32(b: &[u8]) -> u32 {
    !b.iter().fold(!0u32, |c, x| (0..8).fold(c ^ *x as u32, |c, _| (c >> 1) ^ (0xEDB8_8320 & (c & 1).wrapping_neg())))
}
fn change(file: &Path, f: impl FnOnce(&mut Vec<u8>)) {
    let mut b = std::fs::read(file).unwrap();
    f(&mut b);
    std::fs::write(file, b).unwrap();
}
fn segment(dir: &Path) -> PathBuf {
    let mut v: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    v.retain(|p| p.file_name().unwrap().to_str().unwrap().starts_with("log.0"));
    v.sort();
    v.pop().unwrap()
}
/// Any file of the log.
fn segment_or_spare(dir: &Path) -> Option<PathBuf> {
    let mut all = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    all.find(|p| p.file_name().unwrap().to_str().unwrap().starts_with("log."))
}
/// The start and the check of `dir` are refused with all of `words`, and leave it as it is.
fn refuses(what: &str, dir: &Path, words: &[&str]) {
    let before = contents(dir);
    let e = refused(dir, &[]);
    assert!(words.iter().all(|w| e.contains(w)), "{what}: {e}");
    assert!(contents(dir) == before, "{what}: the refused start changed the directory");
    let out = Command::new(BIN).args(["check", "--data-dir"]).arg(dir).output().unwrap();
    let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    assert_eq!(out.status.code(), Some(1), "{what}: {said}");
    assert!(words.iter().any(|w| said.contains(w)), "{what}: check says {said}");
    assert!(contents(dir) == before, "{what}: the check changed the directory");
}
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for e in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(e.path(), to.join(e.file_name())).unwrap();
    }
}

#[tokio::test]
async fn damaged_and_foreign_directories() {
    let all = TempDir::new().unwrap();
    let good = all.path().join("good");
    let server = Pamir::start(&good, &[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (id int PRIMARY KEY, s text)").await.unwrap();
    for i in 0..20 {
        c.batch_execute(&format!("INSERT INTO t VALUES ({i}, 'row {i}')")).await.unwrap();
    }
    server.kill();
    let mut n = 0;
    let mut case = |what: &str, words: &[&str], damage: &dyn Fn(&Path)| {
        n += 1;
        let dir = all.path().join(n.to_string());
        copy(&good, &dir);
        damage(&dir);
        refuses(what, &dir, words);
    };
    case("a newer superblock", &["format version 99", "Start the server version that wrote it"], &|d| {
        change(&d.join("pamir.super"), |b| {
            for copy in b.chunks_mut(4096) {
                copy[12..16].copy_from_slice(&99u32.to_le_bytes());
                let crc = crc32(&copy[12..]);
                copy[8..12].copy_from_slice(&crc.to_le_bytes());
            }
        });
    });
    case("a newer log", &["format version 99", "Start the server version that wrote it"], &|d| {
        change(&segment(d), |b| {
            b[12..16].copy_from_slice(&99u32.to_le_bytes());
            let crc = crc32(&b[12..48]);
            b[8..12].copy_from_slice(&crc.to_le_bytes());
        });
    });
    case("newer pages", &["format version is 99"], &|d| {
        change(&d.join("pamir.data"), |b| {
            for page in b.chunks_exact_mut(8192).filter(|p| p.iter().any(|x| *x != 0)) {
                page[4..6].copy_from_slice(&99u16.to_le_bytes());
                let crc = crc32(&page[4..]);
                page[..4].copy_from_slice(&crc.to_le_bytes());
            }
        });
    });
    case("both superblock copies damaged", &["superblock", "damaged", "backup"], &|d| {
        change(&d.join("pamir.super"), |b| {
            b[100] ^= 1;
            b[4196] ^= 1;
        });
    });
    case("another program's file", &["not a Pamir superblock", "--data-dir"], &|d| {
        std::fs::write(d.join("pamir.super"), [7; 8192]).unwrap();
    });
    case("no superblock", &["no \"pamir.super\"", "backup"], &|d| std::fs::remove_file(d.join("pamir.super")).unwrap());
    case("pages alone", &["pages but no \"pamir.super\"", "backup"], &|d| {
        std::fs::remove_file(d.join("pamir.super")).unwrap();
        while let Some(file) = segment_or_spare(d) {
            std::fs::remove_file(file).unwrap();
        }
    });
    case("no log", &["no log", "backup"], &|d| {
        while let Some(file) = segment_or_spare(d) {
            std::fs::remove_file(file).unwrap();
        }
    });
    case("somebody else's directory", &["data directory", "not empty", "photos", "--data-dir"], &|d| {
        for f in std::fs::read_dir(d).unwrap().flatten() {
            std::fs::remove_file(f.path()).unwrap();
        }
        std::fs::write(d.join("photos"), b"x").unwrap();
    });
    case("a cut data file", &["shorter than the newest checkpoint", "backup"], &|d| {
        change(&d.join("pamir.data"), |b| b.truncate(8192));
    });
    case("no data file", &["pamir.data"], &|d| std::fs::remove_file(d.join("pamir.data")).unwrap());
    case("a damaged page map", &["invalid page"], &|d| {
        change(&d.join("pamir.data"), |b| b.chunks_exact_mut(8192).for_each(|p| p[4000] ^= 1));
    });
    case("the middle of the log damaged", &["corrupt at byte", "backup"], &|d| {
        change(&segment(d), |b| b[4096 + 40] ^= 1)
    });
}

/// The lock is the directory's: no file in it can be removed or replaced under it. Who only checks needs no right to write, and shares it with others who do.
#[tokio::test]
async fn the_lock_and_a_check_without_write_permission() {
    let all = TempDir::new().unwrap();
    let data = all.path().join("data");
    let server = Pamir::start(&data, &[]);
    server.connect().await.batch_execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1)").await.unwrap();
    for f in std::fs::read_dir(&data).unwrap().flatten() {
        let name = f.file_name().into_string().unwrap();
        assert!(
            name.starts_with("log.") || ["pamir.data", "pamir.super", "pamir.system"].contains(&name.as_str()),
            "{name}"
        );
    }
    let e = refused(&data, &[]);
    assert!(e.contains("in use by another process"), "{e}");
    let out = Command::new(BIN).args(["check", "--data-dir"]).arg(&data).output().unwrap();
    assert!(String::from_utf8_lossy(&out.stderr).contains("in use by another process"), "{out:?}");
    server.kill();

    // SAFETY: geteuid has no preconditions.
    if unsafe { libc::geteuid() } != 0 {
        return;
    }
    let before = contents(&data);
    let bin = all.path().join("pamir");
    // By another process: a file that this one has open to write, a child of another test may have open a moment longer, and nobody may run it then.
    assert!(Command::new("cp").arg(BIN).arg(&bin).status().unwrap().success());
    let mode = |p: &Path, m: u32| std::fs::set_permissions(p, PermissionsExt::from_mode(m)).unwrap();
    mode(&bin, 0o755);
    mode(all.path(), 0o755);
    mode(&data, 0o555);
    for f in std::fs::read_dir(&data).unwrap().flatten() {
        mode(&f.path(), 0o444);
    }
    let check = || {
        let mut c = Command::new(&bin);
        c.args(["check", "--data-dir"]).arg(&data).uid(65534).gid(65534).stdout(Stdio::piped()).stderr(Stdio::piped());
        c.spawn().unwrap()
    };
    let both = [check(), check()];
    for c in both {
        let out = c.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
        assert_eq!(out.status.code(), Some(0), "{said}");
        assert!(said.contains("table postgres.public.t: 1 rows"), "{said}");
    }
    assert!(contents(&data) == before);
}

#[test]
fn what_is_no_directory_of_ones_own() {
    let all = TempDir::new().unwrap();
    let file = all.path().join("file");
    std::fs::write(&file, b"x").unwrap();
    let e = refused(&file, &[]);
    assert!(e.contains("file") && e.contains("ot a directory"), "{e}");
    assert_eq!(std::fs::read(&file).unwrap(), b"x");
    let e = refused(&file.join("below"), &[]);
    assert!(e.contains("below"), "{e}");

    // As somebody whom the directory's mode concerns.
    let bin = all.path().join("pamir");
    // By another process: a file that this one has open to write, a child of another test may have open a moment longer, and nobody may run it then.
    assert!(Command::new("cp").arg(BIN).arg(&bin).status().unwrap().success());
    std::fs::set_permissions(&bin, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::set_permissions(all.path(), PermissionsExt::from_mode(0o755)).unwrap();
    // SAFETY: geteuid has no preconditions.
    let root = unsafe { libc::geteuid() } == 0;
    for (mode, name) in [(0o000, "closed"), (0o500, "read-only")] {
        let dir = all.path().join(name);
        std::fs::create_dir(&dir).unwrap();
        if root {
            std::os::unix::fs::chown(&dir, Some(65534), Some(65534)).unwrap();
        }
        std::fs::set_permissions(&dir, PermissionsExt::from_mode(mode)).unwrap();
        let plain = command(&dir, &[]);
        let mut c = Command::new(&bin);
        c.args(plain.get_args()).stdout(Stdio::null()).stderr(Stdio::piped());
        if root {
            c.uid(65534).gid(65534);
        }
        let mut child = c.spawn().unwrap();
        let mut e = String::new();
        child.stderr.take().unwrap().read_to_string(&mut e).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{name}: {e}");
        let said = e.lines().filter(|l| l.starts_with("pamir: ")).collect::<Vec<_>>();
        assert!(said.len() == 1 && said[0].to_lowercase().contains("permission denied"), "{name}: {e}");
        std::fs::set_permissions(&dir, PermissionsExt::from_mode(0o700)).unwrap();
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0, "{name}: something was created");
    }
}
