//! COPY's files on the server: who may, what is opened, and how they are read and written without a worker's waiting for a disk.
//!
//! Files are read and written by helper threads, [`CHUNK`] bytes at a time. Only regular files and character devices: a pipe could keep a helper for as long as its other end likes.
use pamir_catalog::acl::Who;
use pamir_catalog::acl::predefined::{READ_SERVER_FILES, WRITE_SERVER_FILES};
use pamir_expr::files::failed;
use pamir_storage::helpers;
use pamir_types::{Error, Result, bail, err, long};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

/// Bytes of one read or write.
const CHUNK: usize = 256 << 10;
/// What PostgreSQL leaves of a new file's permissions (its umask is S_IWGRP | S_IWOTH).
const MODE: u32 = 0o644;

/// 42501 unless the role may read (or write) files of the server.
pub fn may(who: &Who, write: bool) -> Result<()> {
    let (role, name, what) = match write {
        false => (READ_SERVER_FILES, "pg_read_server_files", "from a file"),
        true => (WRITE_SERVER_FILES, "pg_write_server_files", "to a file"),
    };
    if who.has_role(role) {
        return Ok(());
    }
    Err(err!(INSUFFICIENT_PRIVILEGE, "must be superuser or have privileges of the {name} role to COPY {what}")
        .hint("Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone."))
}

fn open(path: &str, write: bool) -> Result<File> {
    let (doing, does) = if write {
        ("writing", "COPY TO instructs the PostgreSQL server process to write a file.")
    } else {
        ("reading", "COPY FROM instructs the PostgreSQL server process to read a file.")
    };
    let error = |e: std::io::Error| {
        let hinted = matches!(e.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied);
        let e = failed(format!("could not open file \"{path}\" for {doing}"), &e);
        if hinted { e.hint(format!("{does} You may want a client-side facility such as psql's \\copy.")) } else { e }
    };
    // Looked at first: to open a pipe is to wait.
    match std::fs::metadata(path) {
        Ok(m) if m.is_dir() && !write => bail!(WRONG_OBJECT_TYPE, "\"{path}\" is a directory"),
        Ok(m) if !m.is_file() && !m.is_dir() && !m.file_type().is_char_device() => {
            return Err(Error::unsupported(format_args!("COPY with \"{path}\", which is no regular file")));
        }
        Err(e) if !write => return Err(error(e)),
        _ => {}
    }
    let mut options = OpenOptions::new();
    match write {
        true => options.write(true).create(true).truncate(true).mode(MODE),
        false => options.read(true),
    };
    options.open(path).map_err(error)
}

/// A file that is read.
pub struct Source {
    file: Arc<File>,
    path: String,
}
impl Source {
    pub fn open(path: &str) -> Result<Source> {
        let name = path.to_string();
        let file = helpers::run(move || open(&name, false))??;
        Ok(Source { file: Arc::new(file), path: path.into() })
    }
    /// Appends what comes next; false at the end.
    pub fn read(&self, out: &mut Vec<u8>) -> Result<bool> {
        let file = self.file.clone();
        let read = helpers::run(move || {
            let mut chunk = vec![0; CHUNK];
            let n = (&*file).read(&mut chunk)?;
            chunk.truncate(n);
            Ok::<_, std::io::Error>(chunk)
        })?;
        let chunk = read.map_err(|e| failed(format!("could not read from COPY file \"{}\"", self.path), &e))?;
        long::append(out, &chunk)?;
        Ok(!chunk.is_empty())
    }
}

/// A file that is written.
pub struct Target {
    file: Arc<File>,
    waiting: Vec<u8>,
}
impl Target {
    pub fn open(path: &str) -> Result<Target> {
        if !Path::new(path).is_absolute() {
            bail!(INVALID_NAME, "relative path not allowed for COPY to file");
        }
        let name = path.to_string();
        let file = helpers::run(move || open(&name, true))??;
        Ok(Target { file: Arc::new(file), waiting: Vec::new() })
    }
    pub fn write(&mut self, b: &[u8]) -> Result<()> {
        long::append(&mut self.waiting, b)?;
        if self.waiting.len() < CHUNK { Ok(()) } else { self.flush() }
    }
    pub fn flush(&mut self) -> Result<()> {
        let (file, bytes) = (self.file.clone(), std::mem::take(&mut self.waiting));
        helpers::run(move || (&*file).write_all(&bytes))?.map_err(|e| failed("could not write to COPY file".into(), &e))
    }
}
