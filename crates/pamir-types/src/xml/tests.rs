//! Texts made of pieces: nothing panics, what is well-formed is so again when its tree is written, and the reader's growth is bounded.
use super::parse::{Strictness, Want, parse};
use super::tree::{Kind, NONE, ROOT, Tree};
use super::{Part, check, decl, format, is_well_formed};

struct Chance(u64);
impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}
const PIECES: &[&str] = &[
    "<a>",
    "</a>",
    "<b x='1' p:y=\"2\"/>",
    "<p:a xmlns:p='urn:p'>",
    "</p:a>",
    "&lt;",
    "&#65;",
    "&#x0;",
    "&e;",
    "&",
    "<",
    ">",
    "]]>",
    "<![CDATA[",
    "<!--",
    "-->",
    "--",
    "<?p ",
    "?>",
    "<?xml version='1.0'?>",
    "<!DOCTYPE a [<!ENTITY e \"<b>&f;</b>\"><!ENTITY f 'x'>]>",
    "<!DOCTYPE a SYSTEM 'x'",
    "é",
    "\u{1}",
    "\r\n",
    "\n",
    "x",
    "\"",
    "'",
    "=",
    " ",
    "xmlns",
    ":",
    "/",
    "[",
    "]",
    "%p;",
    "\u{10ffff}",
];
fn tree(s: &str) -> Option<Tree> {
    parse(s, Want::Tree, Strictness::All).unwrap().tree
}

#[test]
fn pieces_of_all_kinds() {
    let mut c = Chance(7);
    let mut whole = 0;
    for _ in 0..60_000 {
        let n = 1 + c.below(9);
        let s: String = (0..n).map(|_| PIECES[c.below(PIECES.len())]).collect();
        for part in [Part::Document, Part::Content] {
            let fits = is_well_formed(&s, part).unwrap();
            if fits && part == Part::Document {
                whole += 1;
            }
        }
        let mut out = Vec::new();
        format(&s, &mut out);
        let Some(t) = tree(&s) else { continue };
        let mut written = String::new();
        t.serialize(ROOT, &mut written).unwrap();
        assert!(check(&written, Part::Document).is_ok(), "{s:?} was written as {written:?}");
        t.string_value(ROOT, &mut String::new()).unwrap();
        for (i, n) in t.nodes.iter().enumerate().skip(1) {
            assert!(n.parent < i as u32);
            assert!(n.kind != Kind::Attribute || n.next == NONE);
        }
    }
    assert!(whole > 100, "{whole}");
}
#[test]
fn entities_do_not_explode() {
    let mut s = String::from("<!DOCTYPE a [<!ENTITY e0 'xxxxxxxxxxxxxxxxxxxx'>");
    for i in 1..30 {
        s.push_str(&format!("<!ENTITY e{i} '&e{0};&e{0};&e{0};&e{0};'>", i - 1));
    }
    for doc in ["<a>&e29;</a>", "<a b='&e29;'/>"] {
        let parsed = parse(&format!("{s}]>{doc}"), Want::Tree, Strictness::All).unwrap();
        assert!(parsed.complaints.contains("entity reference loop"), "{}", parsed.complaints);
    }
}
#[test]
fn long_texts_take_their_length() {
    let refs = format!("<a>{}</a>", "&lt;".repeat(300_000));
    assert_eq!(tree(&refs).unwrap().nodes.len(), 3);
    let deep = "<a>".repeat(100_000);
    assert!(parse(&deep, Want::Content, Strictness::All).unwrap().complaints.contains("Excessive depth"));
    let wide = format!("<a>{}</a>", "<b c='d'/>".repeat(50_000));
    assert_eq!(tree(&wide).unwrap().nodes.len(), 100_002);
}
#[test]
fn declarations() {
    let d = decl::read("<?xml version=\"1.1\" encoding='x' standalone='no' ?>x").unwrap();
    assert_eq!((d.len, d.version.as_deref(), d.standalone), (51, Some("1.1"), Some(false)));
    assert_eq!(decl::read("<?xml-a?>").unwrap().len, 0);
    assert_eq!(decl::read("<?xml?>"), Err(decl::Broken::Space));
    assert!(decl::has_doctype(" <!-- - --> <?a?> <!DOCTYPE a>") && !decl::has_doctype("<!-- -- --><!DOCTYPE a>"));
}
