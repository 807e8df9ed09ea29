//! A store at work: operations that are tried again, a pace for what is written, errors that name the object.
//!
//! ```text
//!   Transient fault ── pause (doubles, up to MAX_PAUSE) ── again, up to ATTEMPTS times ── 58030
//!   Refused, Missing ── at once
//! ```
//! Pauses end when the operation is cancelled (57014). An object whose creation was tried again may be there by the first try: who creates compares ([`Store::create`]).
use crate::objects::{Directory, Fault, Objects, Outcome};
use pamir_error::{Error, Result, err};
use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often a transient fault is met before it is an error,
const ATTEMPTS: u32 = 6;
/// and the pauses between.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// A pause looks this often whether it is cancelled.
const GLANCE: Duration = Duration::from_millis(50);
/// What has been written is ahead of the pace by so much at most.
const BURST: Duration = Duration::from_millis(100);

/// Bytes that went each way.
#[derive(Default, Debug)]
pub struct Traffic {
    pub written: AtomicU64,
    pub read: AtomicU64,
    /// Faults that were met and tried again.
    pub retries: AtomicU64,
}

/// See the module's words. Clones share pace and cancellation.
#[derive(Clone)]
pub struct Store {
    objects: Arc<dyn Objects>,
    /// Bytes a second; 0: as fast as it goes.
    rate: u64,
    due: Arc<Mutex<Instant>>,
    cancelled: Arc<AtomicBool>,
    /// Tests do not wait.
    first_pause: Duration,
    pub traffic: Arc<Traffic>,
}

impl Store {
    /// The store that a target names: a directory, `file://DIR`, or `s3://BUCKET/PREFIX` in a build that has it. 22023 where it makes no sense.
    pub fn open(target: &str) -> Result<Store> {
        let bad = |why: &str| {
            err!(INVALID_PARAMETER_VALUE, "\"{target}\" is no place for backups: {why}")
                .hint("Name a directory, or s3://BUCKET/PREFIX.")
        };
        if target.is_empty() {
            return Err(bad("it is empty"));
        }
        let Some((scheme, rest)) = target.split_once("://") else {
            return Ok(Store::new(Arc::new(Directory::new(Path::new(target)))));
        };
        match scheme {
            "file" if !rest.is_empty() => Ok(Store::new(Arc::new(Directory::new(Path::new(rest))))),
            #[cfg(feature = "s3")]
            "s3" => Ok(Store::new(Arc::new(crate::s3::Bucket::open(rest)?))),
            #[cfg(not(feature = "s3"))]
            "s3" => Err(err!(FEATURE_NOT_SUPPORTED, "this build of Pamir has no S3 client")
                .hint("Build it with --features s3, or name a directory.")),
            _ => Err(bad("its scheme is unknown")),
        }
    }
    pub fn new(objects: Arc<dyn Objects>) -> Store {
        Store {
            objects,
            rate: 0,
            due: Arc::new(Mutex::new(Instant::now())),
            cancelled: Arc::default(),
            first_pause: FIRST_PAUSE,
            traffic: Arc::default(),
        }
    }
    /// Writes no more than so many bytes a second; 0: as fast as it goes.
    pub fn with_rate(self, rate: u64) -> Store {
        Store { rate, ..self }
    }
    /// Ends with 57014 once the flag is set.
    pub fn with_cancel(self, cancelled: Arc<AtomicBool>) -> Store {
        Store { cancelled, ..self }
    }
    /// Pauses are of no length.
    pub fn without_pauses(self) -> Store {
        Store { first_pause: Duration::ZERO, ..self }
    }
    pub fn describe(&self) -> String {
        self.objects.describe()
    }
    /// 57014 if the operation is cancelled.
    pub fn check_cancel(&self) -> Result<()> {
        if self.cancelled.load(Ordering::Acquire) {
            return Err(err!(QUERY_CANCELED, "the backup is cancelled"));
        }
        Ok(())
    }
    fn rest(&self, d: Duration) -> Result<()> {
        let end = Instant::now() + d;
        loop {
            self.check_cancel()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(GLANCE));
        }
    }
    fn error(&self, what: &str, name: &str, f: Fault) -> Error {
        let at = self.describe();
        match f {
            Fault::Missing => err!(UNDEFINED_FILE, "there is no object \"{name}\" in {at}"),
            Fault::Exists => err!(DUPLICATE_OBJECT, "object \"{name}\" is in {at} already"),
            Fault::Transient(why) | Fault::Refused(why) => {
                err!(IO_ERROR, "could not {what} object \"{name}\" in {at}: {why}")
            }
        }
    }
    /// Tries until it is done, or must be given up.
    fn attempt<T>(&self, mut f: impl FnMut() -> Outcome<T>) -> Result<Outcome<T>> {
        let mut pause = self.first_pause;
        for n in 1.. {
            self.check_cancel()?;
            match f() {
                Err(Fault::Transient(why)) if n < ATTEMPTS => {
                    self.traffic.retries.fetch_add(1, Ordering::Relaxed);
                    tracing::debug!(store = %self.describe(), "an operation is tried again: {why}");
                    self.rest(pause)?;
                    pause = (pause * 2).min(MAX_PAUSE);
                }
                outcome => return Ok(outcome),
            }
        }
        Ok(Err(Fault::Transient("it was tried too often".into())))
    }
    /// Waits until so many bytes may be written.
    fn pace(&self, bytes: usize) -> Result<()> {
        if self.rate == 0 {
            return self.check_cancel();
        }
        let wait = {
            let mut due = self.due.lock();
            let now = Instant::now();
            let start = (*due).max(now.checked_sub(BURST).unwrap_or(now));
            *due = start + Duration::from_secs_f64(bytes as f64 / self.rate as f64);
            start.saturating_duration_since(now)
        };
        self.rest(wait)
    }
    fn write(&self, name: &str, bytes: &[u8], create: bool) -> Result<Outcome<()>> {
        // No fault of the store's, and not to be tried again.
        let mut pace = |n: usize| self.pace(n).map_err(|e| Fault::Refused(e.message().into()));
        let written = self.attempt(|| self.objects.put(name, bytes, create, &mut pace))?;
        if written.is_err() {
            self.check_cancel()?;
        }
        Ok(written)
    }
    /// Writes an object that nobody else writes.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.write(name, bytes, false)?.map_err(|f| self.error("write", name, f))?;
        self.traffic.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }
    /// Writes an object if there is none of that name. False: there is one, perhaps this very one, by a try whose answer was lost.
    pub fn create(&self, name: &str, bytes: &[u8]) -> Result<bool> {
        match self.write(name, bytes, true)? {
            Ok(()) => {
                self.traffic.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                Ok(true)
            }
            Err(Fault::Exists) => Ok(false),
            Err(f) => Err(self.error("write", name, f)),
        }
    }
    pub fn get(&self, name: &str) -> Result<Vec<u8>> {
        let b = self.attempt(|| self.objects.get(name))?.map_err(|f| self.error("read", name, f))?;
        self.traffic.read.fetch_add(b.len() as u64, Ordering::Relaxed);
        Ok(b)
    }
    /// The first `len` bytes, or fewer where the object is shorter.
    pub fn head(&self, name: &str, len: u64) -> Result<Vec<u8>> {
        self.attempt(|| self.objects.get_range(name, 0, len))?.map_err(|f| self.error("read", name, f))
    }
    pub fn list(&self, prefix: &str) -> Result<Vec<(String, u64)>> {
        self.attempt(|| self.objects.list(prefix))?.map_err(|f| self.error("list", prefix, f))
    }
    pub fn delete(&self, name: &str) -> Result<()> {
        self.attempt(|| self.objects.delete(name))?.map_err(|f| self.error("delete", name, f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::{Memory, Pace, STEP};

    /// Fails so many times before each success.
    struct Flaky(Memory, AtomicU64, u64);
    impl Flaky {
        fn fails(&self) -> Outcome<()> {
            if self.1.fetch_add(1, Ordering::Relaxed) % (self.2 + 1) < self.2 {
                return Err(Fault::Transient("away".into()));
            }
            Ok(())
        }
    }
    impl Objects for Flaky {
        fn put(&self, name: &str, bytes: &[u8], create: bool, pace: Pace) -> Outcome<()> {
            self.fails()?;
            self.0.put(name, bytes, create, pace)
        }
        fn get(&self, name: &str) -> Outcome<Vec<u8>> {
            self.fails()?;
            self.0.get(name)
        }
        fn get_range(&self, name: &str, from: u64, len: u64) -> Outcome<Vec<u8>> {
            self.fails()?;
            self.0.get_range(name, from, len)
        }
        fn list(&self, prefix: &str) -> Outcome<Vec<(String, u64)>> {
            self.fails()?;
            self.0.list(prefix)
        }
        fn delete(&self, name: &str) -> Outcome<()> {
            self.fails()?;
            self.0.delete(name)
        }
        fn describe(&self) -> String {
            "a flaky store".into()
        }
    }
    fn flaky(times: u64) -> Store {
        Store::new(Arc::new(Flaky(Memory::default(), AtomicU64::new(0), times))).without_pauses()
    }

    #[test]
    fn transient_faults_are_tried_again() {
        let s = flaky(u64::from(ATTEMPTS) - 1);
        s.put("a", b"x").unwrap();
        assert!(s.create("b", b"y").unwrap() && !s.create("b", b"z").unwrap());
        assert_eq!((s.get("a").unwrap(), s.head("b", 9).unwrap()), (b"x".to_vec(), b"y".to_vec()));
        assert_eq!(s.list("").unwrap().len(), 2);
        s.delete("a").unwrap();
        assert!(s.traffic.retries.load(Ordering::Relaxed) >= 25);
        let e = flaky(u64::from(ATTEMPTS)).put("dir/a", b"x").unwrap_err();
        assert_eq!(e.message(), "could not write object \"dir/a\" in a flaky store: away");
    }
    #[test]
    fn targets_and_cancels() {
        assert!(Store::open("").is_err() && Store::open("gs://x").is_err() && Store::open("file://").is_err());
        assert_eq!(Store::open("/a/b").unwrap().describe(), "/a/b");
        assert_eq!(Store::open("file:///a/b").unwrap().describe(), "/a/b");
        let flag = Arc::new(AtomicBool::new(true));
        let s = flaky(0).with_cancel(flag);
        assert_eq!(s.put("a", b"x").unwrap_err().code(), pamir_error::error::state::QUERY_CANCELED);
    }
    #[test]
    fn an_object_is_written_in_steps_and_can_be_cancelled_between() {
        let dir = tempfile::tempdir().unwrap();
        let flag = Arc::new(AtomicBool::new(false));
        let s = Store::open(dir.path().to_str().unwrap()).unwrap().with_cancel(flag.clone()).with_rate(1 << 20);
        let bytes: Vec<u8> = (0..3 * STEP + 5).map(|n| n as u8).collect();
        let mut steps = Vec::new();
        let mut step = |n| {
            steps.push(n);
            Ok(())
        };
        s.objects.put("d/a", &bytes, true, &mut step).unwrap();
        assert_eq!((steps, s.get("d/a").unwrap()), (vec![STEP, STEP, STEP, 5], bytes.clone()));
        // The first step is a burst that is free, the last is due in more than a second: nothing but the cancel ends it sooner.
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            flag.store(true, Ordering::Release);
        });
        let e = s.put("d/b", &[1; 8 * STEP]).unwrap_err();
        assert_eq!(e.code(), pamir_error::error::state::QUERY_CANCELED);
        canceller.join().unwrap();
        let names: Vec<_> = std::fs::read_dir(dir.path().join("d")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["a"]);
    }
    #[test]
    fn a_pace_is_kept() {
        let s = Store::new(Arc::new(Memory::default())).with_rate(1 << 20);
        let started = Instant::now();
        (0..6).for_each(|n| s.put(&n.to_string(), &[0; 128 << 10]).unwrap());
        // 768 kB, of which the last is due after 640 and a burst's 100 are free.
        assert!(started.elapsed() >= Duration::from_millis(500), "{:?}", started.elapsed());
    }
}
