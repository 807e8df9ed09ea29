//! COPY's files on the server: who may, and what is said where one cannot be had. How they are read and written is [`pamir_expr::files`]'.
use pamir_catalog::acl::Who;
use pamir_expr::files::{self, CHUNK, ServerFile, failed};
use pamir_types::{Result, bail, err, long};
use std::io::ErrorKind;
use std::path::Path;

/// 42501 unless the role may read (or write) files of the server.
pub fn may(who: &Who, write: bool) -> Result<()> {
    let what = if write { "to a file" } else { "from a file" };
    match files::may(who, write) {
        (_, true) => Ok(()),
        (name, false) => {
            Err(err!(INSUFFICIENT_PRIVILEGE, "must be superuser or have privileges of the {name} role to COPY {what}")
                .hint("Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone."))
        }
    }
}

fn open(path: &str, write: bool) -> Result<ServerFile> {
    let (doing, does) = if write {
        ("writing", "COPY TO instructs the PostgreSQL server process to write a file.")
    } else {
        ("reading", "COPY FROM instructs the PostgreSQL server process to read a file.")
    };
    let file = ServerFile::open(path, write, "COPY")?.map_err(|e| {
        let hinted = matches!(e.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied);
        let e = failed(format!("could not open file \"{path}\" for {doing}"), &e);
        if hinted { e.hint(format!("{does} You may want a client-side facility such as psql's \\copy.")) } else { e }
    })?;
    if file.is_directory() {
        bail!(WRONG_OBJECT_TYPE, "\"{path}\" is a directory");
    }
    Ok(file)
}

/// A file that is read.
pub struct Source {
    file: ServerFile,
    path: String,
}
impl Source {
    pub fn open(path: &str) -> Result<Source> {
        Ok(Source { file: open(path, false)?, path: path.into() })
    }
    /// Appends what comes next; false at the end.
    pub fn read(&self, out: &mut Vec<u8>) -> Result<bool> {
        let chunk =
            self.file.read()?.map_err(|e| failed(format!("could not read from COPY file \"{}\"", self.path), &e))?;
        long::append(out, &chunk)?;
        Ok(!chunk.is_empty())
    }
}

/// A file that is written.
pub struct Target {
    file: ServerFile,
    waiting: Vec<u8>,
}
impl Target {
    pub fn open(path: &str) -> Result<Target> {
        if !Path::new(path).is_absolute() {
            bail!(INVALID_NAME, "relative path not allowed for COPY to file");
        }
        Ok(Target { file: open(path, true)?, waiting: Vec::new() })
    }
    pub fn write(&mut self, b: &[u8]) -> Result<()> {
        long::append(&mut self.waiting, b)?;
        if self.waiting.len() < CHUNK { Ok(()) } else { self.flush() }
    }
    pub fn flush(&mut self) -> Result<()> {
        let bytes = std::mem::take(&mut self.waiting);
        self.file.write(bytes)?.map_err(|e| failed("could not write to COPY file".into(), &e))
    }
}
