//! The S3 client against a small server of its protocol, which fails now and then: the same behaviour as of a directory, and an archive and a backup through it.
#![cfg(feature = "s3")]
mod common;
use common::*;
use pamir_backup::archive::{self, Archiver, Step};
use pamir_backup::base::{self, Progress};
use pamir_backup::restore::{Target, restore};
use pamir_backup::source::OwnLog;
use pamir_backup::store::Store;
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::platform::Real;
use pamir_txn::Shard;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Bucket {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    requests: AtomicU64,
    /// One of so many is answered with 503, half of them after it was done; 0: none.
    fail: AtomicU64,
}
fn decoded(s: &str) -> String {
    let (mut out, mut b) = (Vec::new(), s.bytes());
    while let Some(c) = b.next() {
        if c != b'%' {
            out.push(c);
            continue;
        }
        let hex = [b.next().unwrap(), b.next().unwrap()];
        out.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
    }
    String::from_utf8(out).unwrap()
}
impl Bucket {
    fn answer(
        &self,
        method: &str,
        target: &str,
        headers: &BTreeMap<String, String>,
        body: Vec<u8>,
    ) -> (u16, Vec<String>, Vec<u8>) {
        const WHEN: &str = "Last-Modified: Tue, 24 Nov 2026 12:00:00 GMT";
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let key = decoded(path.trim_start_matches("/bucket").trim_start_matches('/'));
        let mut all = self.objects.lock().unwrap();
        let tag = |b: &[u8]| format!("ETag: \"{:08x}\"", crc32fast::hash(b));
        match method {
            "PUT" => {
                if headers.get("if-none-match").is_some_and(|v| v == "*") && all.contains_key(&key) {
                    return (412, vec![], vec![]);
                }
                let t = tag(&body);
                all.insert(key, body);
                (200, vec![t], vec![])
            }
            "POST" if query.starts_with("delete") => {
                let text = String::from_utf8(body).unwrap();
                let mut xml = String::from("<?xml version=\"1.0\"?><DeleteResult>");
                for key in text.split("<Key>").skip(1).filter_map(|k| k.split("</Key>").next()) {
                    all.remove(key);
                    xml.push_str(&format!("<Deleted><Key>{key}</Key></Deleted>"));
                }
                xml.push_str("</DeleteResult>");
                (200, vec![], xml.into_bytes())
            }
            "DELETE" => {
                all.remove(&key);
                (204, vec![], vec![])
            }
            "GET" | "HEAD" if query.contains("list-type=2") => {
                let prefix = query.split('&').find_map(|q| q.strip_prefix("prefix=")).map(decoded).unwrap_or_default();
                let mut xml = String::from("<?xml version=\"1.0\"?><ListBucketResult><IsTruncated>false</IsTruncated>");
                for (k, b) in all.iter().filter(|(k, _)| k.starts_with(&prefix)) {
                    xml.push_str(&format!(
                        "<Contents><Key>{k}</Key><LastModified>2026-11-24T12:00:00.000Z</LastModified><ETag>\"x\"</ETag><Size>{}</Size></Contents>",
                        b.len()
                    ));
                }
                xml.push_str("</ListBucketResult>");
                (200, vec![], xml.into_bytes())
            }
            _ => match all.get(&key) {
                None => (404, vec![], vec![]),
                Some(b) => {
                    let range = headers.get("range").and_then(|r| r.strip_prefix("bytes="));
                    let Some((from, to)) = range.and_then(|r| r.split_once('-')) else {
                        return (200, vec![WHEN.into(), tag(b)], b.clone());
                    };
                    let (from, to): (usize, usize) =
                        (from.parse().unwrap(), to.parse::<usize>().unwrap().min(b.len() - 1));
                    let range = format!("Content-Range: bytes {from}-{to}/{}", b.len());
                    (206, vec![WHEN.into(), tag(b), range], b[from..=to].to_vec())
                }
            },
        }
    }
    fn serve(&self, s: TcpStream) -> std::io::Result<()> {
        let mut out = s.try_clone()?;
        let mut s = BufReader::new(s);
        loop {
            let mut line = String::new();
            if s.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let mut words = line.split_whitespace();
            let (method, target) = (words.next().unwrap().to_string(), words.next().unwrap().to_string());
            let mut headers = BTreeMap::new();
            loop {
                let mut h = String::new();
                s.read_line(&mut h)?;
                let Some((k, v)) = h.trim().split_once(": ") else { break };
                headers.insert(k.to_lowercase(), v.to_string());
            }
            let mut body = vec![0; headers.get("content-length").map_or(0, |l| l.parse().unwrap())];
            s.read_exact(&mut body)?;
            if headers.get("transfer-encoding").is_some_and(|t| t == "chunked") {
                loop {
                    let mut size = String::new();
                    s.read_line(&mut size)?;
                    let size = usize::from_str_radix(size.trim(), 16).unwrap();
                    let mut chunk = vec![0; size + 2];
                    s.read_exact(&mut chunk)?;
                    if size == 0 {
                        break;
                    }
                    body.extend_from_slice(&chunk[..size]);
                }
            }
            let n = self.requests.fetch_add(1, Relaxed);
            let of = self.fail.load(Relaxed);
            let fails = of > 0 && n.is_multiple_of(of);
            // Half of those that fail were done before.
            let answer = if fails && n % 2 == 1 { None } else { Some(self.answer(&method, &target, &headers, body)) };
            let (code, more, body) = answer.filter(|_| !fails).unwrap_or((503, vec![], vec![]));
            let mut head = format!("HTTP/1.1 {code} X\r\nContent-Length: {}\r\n", body.len());
            more.iter().for_each(|h| head.push_str(&format!("{h}\r\n")));
            head.push_str("\r\n");
            out.write_all(head.as_bytes())?;
            if method != "HEAD" {
                out.write_all(&body)?;
            }
        }
    }
}

#[test]
fn a_bucket_is_a_store() {
    let bucket = Arc::new(Bucket::default());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let served = bucket.clone();
    std::thread::spawn(move || {
        for s in listener.incoming().flatten() {
            let b = served.clone();
            std::thread::spawn(move || b.serve(s));
        }
    });
    let given = [
        ("AWS_ENDPOINT", format!("http://{at}")),
        ("AWS_ALLOW_HTTP", "true".into()),
        ("AWS_ACCESS_KEY_ID", "id".into()),
        ("AWS_SECRET_ACCESS_KEY", "secret".into()),
        ("AWS_REGION", "here".into()),
    ];
    // SAFETY: the only test of this program; no other thread reads the environment.
    given.iter().for_each(|(k, v)| unsafe { std::env::set_var(k, v) });
    assert!(Store::open("s3://").is_err());
    let open = || Store::open("s3://bucket/some/prefix").unwrap().without_pauses();
    let s = open();
    assert_eq!(s.list("").unwrap(), []);
    assert!(s.create("a/b", b"one").unwrap() && !s.create("a/b", b"two").unwrap());
    assert_eq!(s.get("a/b").unwrap(), b"one");
    s.put("a/b", b"three").unwrap();
    s.put("c", b"").unwrap();
    assert_eq!(
        (s.head("a/b", 2).unwrap(), s.head("a/b", 99).unwrap(), s.head("c", 9).unwrap()),
        (b"th".to_vec(), b"three".to_vec(), vec![])
    );
    assert_eq!(s.list("").unwrap(), [("a/b".to_string(), 5), ("c".to_string(), 0)]);
    assert_eq!(s.list("a/").unwrap(), [("a/b".to_string(), 5)]);
    assert_eq!(s.get("nope").unwrap_err().message(), "there is no object \"nope\" in s3://bucket/some/prefix");
    s.delete("a/b").unwrap();
    s.delete("a/b").unwrap();
    s.delete("c").unwrap();
    assert!(bucket.objects.lock().unwrap().is_empty());
    // A node, archived and backed up through a server that fails.
    bucket.fail.store(5, Relaxed);
    let mut options = options(None);
    options.stamps = true;
    let disk: Arc<dyn Disk> = Arc::new(SimDisk::new(1));
    let shard = Shard::open_stepped(disk.clone(), options).unwrap();
    let source = Arc::new(OwnLog::new(shard.clone()).unwrap());
    let o = archive::Options { piece_bytes: 2_000, ..Default::default() };
    let mut archiver = Archiver::new(open(), source.clone(), o, Some(disk), None);
    let t = begin(&shard);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    archiver.step(true).unwrap();
    for n in 0u32..60 {
        let t = begin(&shard);
        t.put(tree, &n.to_be_bytes(), &[n as u8; 100]).unwrap();
        t.commit().unwrap();
        if n == 20 {
            base::create(&open(), &*source, &Real, &Progress::default()).unwrap();
        }
        archiver.step(n % 10 == 0).unwrap();
    }
    while archiver.step(true).unwrap() != Step::Idle {}
    let restored = SimDisk::new(2);
    let shared: Arc<dyn Disk> = Arc::new(restored.clone());
    restore(&open(), None, None, Target::Latest, &shared, SEGMENT, &|_| ()).unwrap();
    assert_eq!(content(&restored, &[tree]), read_all(&shard, &[tree]));
    assert!(bucket.requests.load(Relaxed) > 20);
}
