//! LIKE with a constant pattern of literal pieces: searchers are made once, when the expression is compiled.
//!
//! ```text
//! 'abc%'  '%abc'  '%abc%'  'ab%cd%ef'      first piece at the start, last at the end, the others one after the other, each as early as possible
//! ```
//! Patterns with `_` or an escape, other cases and long texts are the function's ([`crate::func`]).
use super::{Expr, Function};
use memchr::memmem::Finder;
use pamir_types::{Datum, oid};

/// Longer texts are the function's, which counts its work.
pub const LONG: usize = 16 << 10;

#[derive(Debug)]
pub struct Matcher {
    first: Box<[u8]>,
    middle: Box<[Finder<'static>]>,
    /// None: there is no `%`.
    last: Option<Box<[u8]>>,
    pub negated: bool,
}
impl Matcher {
    /// What a call of `f` is, where it is LIKE or NOT LIKE with such a pattern.
    pub fn of(f: &Function, args: &[Expr]) -> Option<Matcher> {
        let [_, Expr::Const(Datum::Text(pattern), _)] = args else { return None };
        let negated = match f.oid {
            850 | 858 | 1569 | 1571 | 1631 => false,
            851 | 859 | 1570 | 1572 | 1632 => true,
            _ => return None,
        };
        debug_assert!(matches!(*f.args, [oid::TEXT | oid::NAME | oid::BPCHAR, oid::TEXT]), "{}", f.name);
        if pattern.len() > LONG || pattern.bytes().any(|b| matches!(b, b'_' | b'\\')) {
            return None;
        }
        let mut pieces = pattern.as_bytes().split(|b| *b == b'%');
        let first = pieces.next().unwrap_or(&[]).into();
        let last = pieces.next_back().map(Into::into);
        let middle = pieces.filter(|p| !p.is_empty()).map(|p| Finder::new(p).into_owned()).collect();
        Some(Matcher { first, middle, last, negated })
    }
    /// The answer for a text that is not [`LONG`].
    #[inline]
    pub fn test(&self, s: &[u8]) -> bool {
        self.matches(s) != self.negated
    }
    #[inline]
    fn matches(&self, s: &[u8]) -> bool {
        let Some(last) = &self.last else { return s.len() == self.first.len() && (s.is_empty() || *s == *self.first) };
        // Nothing is compared with nothing: an empty box points nowhere, and vector instructions that read there, though masked, take a fault's time.
        let mut rest = s;
        if !self.first.is_empty() {
            let Some(r) = rest.strip_prefix(&*self.first) else { return false };
            rest = r;
        }
        if !last.is_empty() {
            let Some(r) = rest.strip_suffix(&**last) else { return false };
            rest = r;
        }
        for piece in &self.middle {
            match piece.find(rest) {
                Some(at) => rest = rest.get(at + piece.needle().len()..).unwrap_or(&[]),
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::func::{self, like::like};
    use proptest::prelude::*;

    fn text(s: &str) -> Expr {
        Expr::Const(Datum::from(s), pamir_types::Type::TEXT)
    }
    proptest! {
        #[test]
        fn matchers_are_the_function(s in "[ab%é]{0,8}", p in "[ab%é]{0,6}") {
            let want = like(s.as_bytes(), p.as_bytes(), false, false).unwrap();
            let args = [text(&s), text(&p)];
            let of = |oid| Matcher::of(func::function_by_oid(oid).unwrap(), &args).unwrap();
            prop_assert_eq!(of(850).test(s.as_bytes()), want);
            prop_assert_eq!(of(851).test(s.as_bytes()), !want);
        }
    }
    #[test]
    fn other_patterns_are_not_taken() {
        let f = func::function_by_oid(850).unwrap();
        for p in ["a_c", "a\\%", "\\"] {
            assert!(Matcher::of(f, &[text("x"), text(p)]).is_none(), "{p}");
        }
        let f = func::function_by_oid(1633).unwrap();
        assert!(Matcher::of(f, &[text("x"), text("a%")]).is_none());
    }
}
