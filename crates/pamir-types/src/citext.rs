//! citext, the extension's type: a text that compares without regard to case (contrib/citext/citext.c).
//!
//! A value has what it compares by beside its text, so that order, equality and hash need no type; keys hold that alone, rows the text alone.
use crate::Datum;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Citext {
    pub text: Arc<str>,
    /// The text in small letters.
    pub folded: Box<str>,
}
impl Citext {
    pub fn new(text: Arc<str>) -> Citext {
        let folded = fold(&text).into();
        Citext { text, folded }
    }
}
/// lower() by the C.UTF-8 locale: letter by letter.
pub fn fold(s: &str) -> String {
    if s.is_ascii() {
        return s.to_ascii_lowercase();
    }
    s.chars().flat_map(char::to_lowercase).collect()
}
impl From<Citext> for Datum {
    fn from(v: Citext) -> Datum {
        Datum::Citext(Arc::new(v))
    }
}
