//! Zeroed memory that stays untouched until used, and the private page buffer. All of this crate's raw allocation is here.
//!
//! The allocator's zeroed allocations of this size come straight from the kernel's zero pages, so a pool of many gigabytes costs
//! resident memory only for the frames that were used. Alignment is kept at the type's own (8 bytes): asking for more makes the
//! standard allocator clear the memory by hand and so touch all of it.
use pamir_error::{Result, err};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64};

#[cfg(target_endian = "big")]
compile_error!("page images are little-endian words; a big-endian port must swap them at the file boundary");

/// Types for which all-zero bytes are a valid value.
///
/// # Safety
/// Every byte zero must be a valid value of the type, and the type must not need dropping.
pub(crate) unsafe trait Zeroable: Sync + Send {}
// SAFETY: an atomic has the representation of its integer (or pointer); zero (null) is a value of each.
unsafe impl Zeroable for AtomicU64 {}
unsafe impl Zeroable for AtomicU8 {}
unsafe impl<T> Zeroable for AtomicPtr<T> {}
unsafe impl<T: Zeroable, const N: usize> Zeroable for [T; N] {}

/// A fixed slice of zeroed values.
pub(crate) struct Zeroed<T: Zeroable> {
    ptr: NonNull<T>,
    len: usize,
}
// SAFETY: it owns its values like a Box<[T]>; T is Send + Sync by the trait's bound.
unsafe impl<T: Zeroable> Send for Zeroed<T> {}
unsafe impl<T: Zeroable> Sync for Zeroed<T> {}

impl<T: Zeroable> Zeroed<T> {
    /// 53200 when the memory is not to be had.
    pub fn new(len: usize) -> Result<Zeroed<T>> {
        let layout = Layout::array::<T>(len.max(1)).map_err(|_| err!(OUT_OF_MEMORY, "out of memory"))?;
        // SAFETY: the layout is not of zero size: len is at least 1 and no Zeroable here is zero-sized (asserted).
        assert!(layout.size() > 0);
        let p = unsafe { alloc_zeroed(layout) }.cast::<T>();
        let ptr = NonNull::new(p).ok_or_else(|| {
            err!(OUT_OF_MEMORY, "out of memory")
                .detail(format!("Failed on request of size {} for the page cache.", layout.size()))
                .hint("Lower the cache size.")
        })?;
        Ok(Zeroed { ptr, len })
    }
}
impl<T: Zeroable> Deref for Zeroed<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `ptr` holds `len` initialized (zeroed, Zeroable) values for as long as `self` lives.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}
impl<T: Zeroable> Drop for Zeroed<T> {
    fn drop(&mut self) {
        // SAFETY: same layout as in `new` (it succeeded then); Zeroable types need no drop.
        unsafe { dealloc(self.ptr.as_ptr().cast(), Layout::array::<T>(self.len.max(1)).unwrap_unchecked()) }
    }
}

/// Asks for huge pages: a pool of gigabytes misses the TLB on nearly every page otherwise. Advice only; a refusal is no error.
pub(crate) fn prefer_huge_pages<T: Zeroable>(z: &Zeroed<T>) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        const HUGE: usize = 2 << 20;
        let start = (z.ptr.as_ptr() as usize).next_multiple_of(HUGE);
        let end = (z.ptr.as_ptr() as usize + z.len * size_of::<T>()) & !(HUGE - 1);
        if start < end {
            // SAFETY: the range lies within memory we own; the advice changes neither contents nor mapping.
            unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
        }
    }
    let _ = z;
}
/// Starts fetching the first `lines` cache lines (64 bytes) of `words`.
#[inline(always)]
pub(crate) fn prefetch(words: &[AtomicU64], lines: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for w in words.iter().step_by(8).take(lines) {
        // SAFETY: a prefetch reads nothing and cannot fault; the address is that of a live value.
        unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(w).cast()) };
    }
    let _ = (words, lines);
}

/// A zeroed value on the heap that never was on the stack.
pub(crate) fn zeroed_box<T: Zeroable>() -> Result<Box<T>> {
    let layout = Layout::new::<T>();
    assert!(layout.size() > 0);
    // SAFETY: non-zero size; the global allocator made it with T's layout and zero is a value of T, so Box may own it.
    unsafe {
        let p = alloc_zeroed(layout).cast::<T>();
        if p.is_null() {
            return Err(err!(OUT_OF_MEMORY, "out of memory"));
        }
        Ok(Box::from_raw(p))
    }
}

/// Bytes of a page, in memory and on disk.
pub const PAGE_SIZE: usize = 8192;
/// 64-bit words of a page.
pub(crate) const WORDS: usize = PAGE_SIZE / 8;

/// A private page image: words to compute with, bytes to read and write files with; aligned for direct transfers.
#[repr(C, align(4096))]
#[derive(Clone)]
pub(crate) struct PageBuf(pub [u64; WORDS]);

impl PageBuf {
    pub fn boxed() -> Box<PageBuf> {
        Box::new(PageBuf([0; WORDS]))
    }
    #[inline(always)]
    pub fn bytes(&self) -> &[u8; PAGE_SIZE] {
        // SAFETY: u64 has no padding, u8 no alignment; the size is the same and the borrow covers it.
        unsafe { &*self.0.as_ptr().cast() }
    }
    #[inline(always)]
    pub fn bytes_mut(&mut self) -> &mut [u8; PAGE_SIZE] {
        // SAFETY: as in `bytes`; any bytes are valid u64s.
        unsafe { &mut *self.0.as_mut_ptr().cast() }
    }
}
