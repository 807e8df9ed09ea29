//! Values too long for a leaf: a chain of pages, 8144 bytes each.
//!
//! A chain is immutable: changing the value writes a new one and frees the old. Every chain has a number that is never used again; its
//! pages carry it and their index. So a reader that holds a reference from a validated leaf walks on page by page, and a page
//! with that number and index is the right one whatever happened to the leaf since; anything else means that the value was replaced, and the reader restarts.
use super::Shared;
use super::btree::node::OverflowRef;
use super::page::*;
use super::pool::{COUNTS, Miss};
use super::{PAGE_SIZE, Store, TreeId};
use pamir_error::{Result, bail};

pub(crate) const BODY: usize = PAGE_SIZE - HEADER;
/// The longest value: PostgreSQL's limit of a field.
pub const MAX_VALUE: usize = 1 << 30;

/// Appends the chain's bytes. Waits for pages itself; only `Restart` sends the caller back to the leaf.
pub(crate) fn read(store: &Store, r: OverflowRef, out: &mut Vec<u8>) -> Result<(), Miss> {
    let pool = &store.shared.pool;
    out.reserve((r.len as usize).min(MAX_VALUE));
    let (mut pid, mut index, mut left) = (r.pid, 0u64, r.len as usize);
    while left > 0 {
        let page = match pool.fetch(pid) {
            Ok(p) => p,
            Err(Miss::Missing(pid)) => {
                store.wait_page(pid)?;
                if !pool.is_resident(pid) && pool.row(pid)?.entry().is_free() {
                    return Err(Miss::Restart);
                }
                continue;
            }
            Err(Miss::Restart) if pool.table.row(pid).is_some() => {
                std::thread::yield_now();
                continue;
            }
            Err(e) => return Err(e),
        };
        let start = out.len();
        let w3 = page.words.word(3);
        let n = ((w3 >> 32) as usize).min(BODY);
        let ours = kind_of(page.words) == KIND_OVERFLOW && page.words.word(4) == r.chain && w3 as u32 as u64 == index;
        if ours {
            copy_out(page.words, HEADER, n, out);
        }
        let next = page.words.word(5);
        if !page.valid() {
            out.truncate(start);
            continue;
        }
        if !ours || n == 0 || n > left {
            return Err(Miss::Restart);
        }
        COUNTS.with(|c| c.set((c.get().0 + 1, c.get().1)));
        left -= n;
        index += 1;
        pid = next;
        if left > 0 {
            super::io::prefetch(&store.shared, pid);
        }
    }
    Ok(())
}

/// Writes a value as a new chain. On an error nothing is left behind.
pub(crate) fn write(shared: &Shared, tree: TreeId, value: &[u8]) -> Result<OverflowRef> {
    let pool = &shared.pool;
    if value.len() > MAX_VALUE {
        bail!(PROGRAM_LIMIT_EXCEEDED, "value of {} bytes exceeds the limit of {MAX_VALUE} bytes", value.len());
    }
    let chain = {
        let mut g = pool.lock_inner();
        g.next_chain += 1;
        g.next_chain - 1
    };
    let count = value.len().div_ceil(BODY);
    // back to front, so that each page knows the next
    let mut next = 0;
    for index in (0..count).rev() {
        let part = &value[index * BODY..((index + 1) * BODY).min(value.len())];
        let page = match pool.new_page(tree.0, KIND_OVERFLOW) {
            Ok(p) => p,
            Err(e) => {
                free_chain(shared, next)?;
                return Err(e);
            }
        };
        set_word(page.words, 0, word0(KIND_OVERFLOW, 0));
        set_word(page.words, 1, page.pid);
        set_word(page.words, 2, tree.0);
        set_word(page.words, 3, index as u64 | (part.len() as u64) << 32);
        set_word(page.words, 4, chain);
        set_word(page.words, 5, next);
        write_bytes(page.words, HEADER, part);
        next = page.pid;
    }
    Ok(OverflowRef { pid: next, chain, len: value.len() as u64 })
}
fn free_chain(shared: &Shared, mut pid: u64) -> Result<()> {
    while pid != 0 {
        let page = shared.pool.lock_to_free(pid)?;
        pid = page.words.word(5);
        shared.pool.free_locked(page);
    }
    Ok(())
}
/// Frees a chain that no leaf refers to any more.
pub(crate) fn free(shared: &Shared, r: OverflowRef) -> Result<()> {
    free_chain(shared, r.pid)
}
