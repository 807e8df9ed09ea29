//! Files of the server that statements name: what is said where one cannot be had.
use pamir_types::{Error, err};
use std::io::ErrorKind;

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
