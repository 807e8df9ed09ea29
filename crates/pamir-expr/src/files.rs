//! Files of the server that statements name: opened, read and written by helper threads, [`CHUNK`] bytes at a time, so that no worker waits for a disk.
//!
//! Only regular files and character devices: a pipe could keep a helper for as long as its other end likes. Who may is asked before ([`may`]).
use pamir_catalog::acl::Who;
use pamir_catalog::acl::predefined::{READ_SERVER_FILES, WRITE_SERVER_FILES};
use pamir_storage::helpers;
use pamir_types::{Error, Result, err};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::sync::Arc;

/// Bytes of one read or write.
pub const CHUNK: usize = 256 << 10;
/// What PostgreSQL leaves of a new file's permissions (its umask is S_IWGRP | S_IWOTH).
const MODE: u32 = 0o644;

/// PostgreSQL's errcode_for_file_access.
pub fn failed(what: String, e: &std::io::Error) -> Error {
    let text = e.to_string();
    let reason = text.split(" (os error").next().unwrap_or(&text).to_string();
    match e.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => err!(INSUFFICIENT_PRIVILEGE, "{what}: {reason}"),
        ErrorKind::NotFound => err!(UNDEFINED_FILE, "{what}: {reason}"),
        ErrorKind::NotADirectory | ErrorKind::IsADirectory => err!(WRONG_OBJECT_TYPE, "{what}: {reason}"),
        ErrorKind::StorageFull => err!(DISK_FULL, "{what}: {reason}"),
        _ => err!(IO_ERROR, "{what}: {reason}"),
    }
}
/// The predefined role whose members may read (or write) files, beside superusers; whether the role is one of them.
pub fn may(who: &Who, write: bool) -> (&'static str, bool) {
    let (role, name) = match write {
        false => (READ_SERVER_FILES, "pg_read_server_files"),
        true => (WRITE_SERVER_FILES, "pg_write_server_files"),
    };
    (name, who.has_role(role))
}

/// An open file.
pub struct ServerFile(Arc<File>);
impl ServerFile {
    /// To be read, or to be written from its beginning. `what`: who asks, for the refusal (0A000) of what is no regular file. The inner error is the operating system's.
    pub fn open(path: &str, write: bool, what: &'static str) -> Result<std::io::Result<ServerFile>> {
        let path = path.to_string();
        helpers::run(move || {
            // Looked at first: to open a pipe is to wait.
            if let Ok(m) = std::fs::metadata(&path)
                && !m.is_file()
                && !m.is_dir()
                && !m.file_type().is_char_device()
            {
                return Err(Error::unsupported(format_args!("{what} with \"{path}\", which is no regular file")));
            }
            let mut options = OpenOptions::new();
            match write {
                true => options.write(true).create(true).truncate(true).mode(MODE),
                false => options.read(true),
            };
            Ok(options.open(&path).map(|f| ServerFile(Arc::new(f))))
        })?
    }
    pub fn is_directory(&self) -> bool {
        self.0.metadata().is_ok_and(|m| m.is_dir())
    }
    /// What comes next, up to [`CHUNK`] bytes; none at the end.
    pub fn read(&self) -> Result<std::io::Result<Vec<u8>>> {
        let file = self.0.clone();
        helpers::run(move || {
            let mut chunk = vec![0; CHUNK];
            let n = (&*file).read(&mut chunk)?;
            chunk.truncate(n);
            Ok(chunk)
        })
    }
    pub fn write(&self, bytes: Vec<u8>) -> Result<std::io::Result<()>> {
        let file = self.0.clone();
        helpers::run(move || (&*file).write_all(&bytes))
    }
}
