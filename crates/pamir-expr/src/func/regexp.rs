//! PostgreSQL's regular expressions (ARE, regex/README and regexp.c) on the `regex` crate.
//!
//! ```text
//! ARE text --translate--> regex crate syntax --compile--> cached per thread --> matches
//! ```
//! Differences of the two engines and what is done about them:
//! - AREs take the *longest* match; the crate takes the first in the pattern's order. Where alternatives or repeated groups leave a choice, the
//!   found match is stretched to the longest end at which the whole pattern still matches.
//! - Groups are divided otherwise there, and quantifiers may be mixed: what the groups are, and where a mixed pattern ends, is found by
//!   [`dissect`]. The crate still says whether and where a match begins, in time linear in the text.
//! - Back references and look-around are [`dissect`]'s alone.
//!
//! Letter classes follow the C collation: \w, \d, \s and [[:alpha:]] are ASCII.
mod dissect;

use super::registry::{bad_args, funcs};
use super::string::text;
use super::*;
use pamir_types::{Error, bail, err, work};
use regex::Regex;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Compiled expressions a thread keeps; the cache is emptied when full.
const CACHE_SIZE: usize = 64;
/// Limit of one compiled program, in bytes.
const PROGRAM_LIMIT: usize = 4 << 20;
/// DUPMAX: the greatest repetition count.
const MAX_COUNT: u32 = 255;

pub struct Compiled {
    /// None: it is not regular, and the tree knows all.
    re: Option<Regex>,
    /// For stretching matches of patterns with a choice.
    longest: Option<Longest>,
    /// For what the crate cannot tell of a match, or of the pattern.
    tree: Option<dissect::Tree>,
}

/// Finds the end of the longest match from where one starts.
struct Longest {
    dfa: DFA,
    cache: RefCell<Cache>,
    /// The whole pattern between anchors, for the groups.
    whole: Regex,
}
impl Longest {
    fn build(re: &str, f: Flags) -> Result<Longest> {
        let syntax = syntax::Config::new().case_insensitive(f.icase).dot_matches_new_line(true);
        let config =
            DFA::config().match_kind(MatchKind::All).unicode_word_boundary(true).skip_cache_capacity_check(true);
        let dfa = DFA::builder()
            .configure(config)
            .syntax(syntax)
            .thompson(thompson::Config::new().nfa_size_limit(Some(PROGRAM_LIMIT)))
            .build(re)
            .map_err(|_| invalid("regular expression is too complex"))?;
        let cache = RefCell::new(dfa.create_cache());
        Ok(Longest { dfa, cache, whole: build(&format!("^(?:{re})$"), f)? })
    }
    /// None: the automaton cannot tell (a word's boundary beside characters that are not ASCII).
    fn end(&self, s: &str, start: usize) -> Option<usize> {
        let input = Input::new(s).span(start..s.len()).anchored(Anchored::Yes);
        Some(self.dfa.try_search_fwd(&mut self.cache.borrow_mut(), &input).ok()??.offset())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Flags {
    icase: bool,
    /// `.` and `[^` do not match newline.
    newline_stop: bool,
    /// `^` and `$` match at newlines.
    newline_anchor: bool,
    expanded: bool,
    literal: bool,
    global: bool,
}

fn invalid(what: &str) -> Error {
    err!(INVALID_REGULAR_EXPRESSION, "invalid regular expression: {what}")
}
fn parse_flags(s: &str) -> Result<Flags> {
    let mut f = Flags::default();
    for c in s.chars() {
        match c {
            'g' => f.global = true,
            'i' => f.icase = true,
            'c' => f.icase = false,
            'n' | 'm' => (f.newline_stop, f.newline_anchor) = (true, true),
            'p' => (f.newline_stop, f.newline_anchor) = (true, false),
            'w' => (f.newline_stop, f.newline_anchor) = (false, true),
            's' => (f.newline_stop, f.newline_anchor) = (false, false),
            'x' => f.expanded = true,
            't' => f.expanded = false,
            'q' => f.literal = true,
            'e' => f.literal = false,
            'b' => return Err(Error::unsupported("basic regular expressions (option b)")),
            c => bail!(INVALID_PARAMETER_VALUE, "invalid regular expression option: \"{c}\""),
        }
    }
    Ok(f)
}

#[derive(Default)]
struct Translated {
    re: String,
    alternation: bool,
    greedy: bool,
    lazy: bool,
    anchored: bool,
    /// It has back references or look-around: `re` is not the pattern.
    irregular: bool,
    /// How many quantifiers leave a choice, and whether one is of a group.
    quantifiers: usize,
    repeats_group: bool,
    groups: usize,
    /// Which of them are closed, by number.
    closed: Vec<bool>,
}
impl Translated {
    /// May there be several ways to match that PostgreSQL and the crate choose differently from?
    fn has_choice(&self) -> bool {
        self.alternation || self.repeats_group && self.quantifiers > 1
    }
    fn quantifier(&mut self, lazy: bool, after: Option<char>) {
        self.lazy |= lazy;
        self.greedy |= !lazy;
        self.quantifiers += 1;
        self.repeats_group |= after == Some(')');
    }
}

/// Takes prefixes and embedded options, `(?xyz)` at the very start, off a pattern. Some of them make a literal of the rest.
fn embedded_options<'p>(pattern: &'p str, f: &mut Flags) -> Result<&'p str> {
    let mut p = pattern;
    if let Some(rest) = p.strip_prefix("***=") {
        f.literal = true;
        return Ok(rest);
    } else if let Some(rest) = p.strip_prefix("***:") {
        p = rest;
    } else if p.starts_with("***") {
        return Err(invalid("invalid quantifier operand"));
    }
    if f.literal {
        return Ok(p);
    }
    let Some(rest) = p.strip_prefix("(?") else { return Ok(p) };
    let Some(end) = rest.find(')').filter(|e| *e > 0 && rest[..*e].bytes().all(|b| b.is_ascii_lowercase())) else {
        return Ok(p);
    };
    for c in rest[..end].chars() {
        match c {
            'i' => f.icase = true,
            'c' => f.icase = false,
            'n' | 'm' => (f.newline_stop, f.newline_anchor) = (true, true),
            'p' => (f.newline_stop, f.newline_anchor) = (true, false),
            'w' => (f.newline_stop, f.newline_anchor) = (false, true),
            's' => (f.newline_stop, f.newline_anchor) = (false, false),
            'x' => f.expanded = true,
            't' => f.expanded = false,
            'e' => {}
            'q' => {
                f.literal = true;
                break;
            }
            'b' => return Err(Error::unsupported("basic regular expressions (option b)")),
            _ => return Err(invalid("invalid embedded option")),
        }
    }
    Ok(&rest[end + 1..])
}

/// What stands between an opening parenthesis with a question mark, at `i`, and the group's content. True: a group was opened.
fn special_group(c: &[char], i: &mut usize, t: &mut Translated) -> Result<bool> {
    match (c.get(*i + 1), c.get(*i + 2)) {
        (Some(':'), _) => {
            t.re.push_str("(?:");
            *i += 2;
            Ok(true)
        }
        (Some('#'), _) => {
            while c.get(*i).is_some_and(|x| *x != ')') {
                *i += 1;
            }
            *i += 1;
            Ok(false)
        }
        (Some(x @ ('=' | '!' | '<')), y) if *x != '<' || matches!(y, Some('=' | '!')) => {
            t.irregular = true;
            t.re.push_str("(?:");
            *i += if *x == '<' { 3 } else { 2 };
            Ok(true)
        }
        _ => Err(invalid("quantifier operand invalid")),
    }
}

/// `{m}`, `{m,}`, `{m,n}`, whose digits begin at `i`. `atom`: something to repeat stands before it.
fn repetition(c: &[char], i: &mut usize, atom: bool, t: &mut Translated) -> Result<()> {
    let after = i.checked_sub(2).and_then(|k| c.get(k)).copied();
    let end = c.get(*i..).and_then(|r| r.iter().position(|x| *x == '}')).map(|e| *i + e);
    let Some(end) = end else { return Err(invalid("braces {} not balanced")) };
    let body: String = c.get(*i..end).unwrap_or(&[]).iter().collect();
    let (lo, hi) = match body.split_once(',') {
        None => (body.as_str(), Some(body.as_str())),
        Some((lo, "")) => (lo, None),
        Some((lo, hi)) => (lo, Some(hi)),
    };
    let count = || invalid("invalid repetition count(s)");
    let lo: u32 = lo.parse().map_err(|_| count())?;
    let hi: Option<u32> = hi.map(|h| h.parse().map_err(|_| count())).transpose()?;
    if lo > MAX_COUNT || hi.is_some_and(|h| h > MAX_COUNT || h < lo) {
        return Err(count());
    }
    if !atom {
        return Err(invalid("quantifier operand invalid"));
    }
    t.re.push('{');
    t.re.push_str(&body);
    t.re.push('}');
    *i = end + 1;
    // {m} has no preference of its own, {m,m} has.
    let lazy = c.get(*i) == Some(&'?');
    if lazy {
        t.re.push('?');
        *i += 1;
    }
    if body.contains(',') {
        t.quantifier(lazy, after);
    }
    Ok(())
}

/// ARE to the crate's syntax.
fn translate(pattern: &str, f: &mut Flags) -> Result<Translated> {
    let mut t = Translated::default();
    let p = embedded_options(pattern, f)?;
    if f.literal {
        t.re = regex::escape(p);
        return Ok(t);
    }
    let c: Vec<char> = p.chars().collect();
    let mut i = 0usize;
    // The parentheses that are open: is it one of look-around, or within one? Nothing is captured there. And the group that each is, 0 for none.
    let mut open: Vec<(bool, usize)> = Vec::new();
    // Whether a quantifier may follow: after an atom, and not after another quantifier.
    let mut atom = false;
    while let Some(&ch) = c.get(i) {
        i += 1;
        match ch {
            ' ' | '\t' | '\n' | '\r' if f.expanded => {}
            '#' if f.expanded => {
                while c.get(i).is_some_and(|x| *x != '\n') {
                    i += 1;
                }
            }
            '(' => {
                atom = false;
                let within = open.last().is_some_and(|o| o.0);
                if c.get(i) == Some(&'?') {
                    let plain = c.get(i + 1) == Some(&':');
                    if special_group(&c, &mut i, &mut t)? {
                        open.push((within || !plain, 0));
                    }
                } else {
                    t.re.push('(');
                    t.groups += usize::from(!within);
                    t.closed.resize(t.groups + 1, false);
                    open.push((within, if within { 0 } else { t.groups }));
                }
            }
            ')' => {
                let Some((look, group)) = open.pop() else { return Err(invalid("parentheses () not balanced")) };
                if let Some(closed) = t.closed.get_mut(group) {
                    *closed = true;
                }
                t.re.push(')');
                // What is repeated is no constraint.
                atom = !look || open.last().is_some_and(|o| o.0);
            }
            '|' => {
                t.alternation = true;
                t.re.push('|');
                atom = false;
            }
            '*' | '+' | '?' => {
                if !atom {
                    return Err(invalid("quantifier operand invalid"));
                }
                t.re.push(ch);
                atom = false;
                let after = i.checked_sub(2).and_then(|k| c.get(k)).copied();
                let lazy = c.get(i) == Some(&'?');
                if lazy {
                    t.re.push('?');
                    i += 1;
                }
                t.quantifier(lazy, after);
            }
            '{' if c.get(i).is_some_and(char::is_ascii_digit) => {
                repetition(&c, &mut i, atom, &mut t)?;
                atom = false;
            }
            '[' => {
                match c.get(i..i + 6).map(|x| x.iter().collect::<String>()).as_deref() {
                    Some("[:<:]]") => {
                        t.re.push_str(r"(?-u:\b{start})");
                        i += 6;
                    }
                    Some("[:>:]]") => {
                        t.re.push_str(r"(?-u:\b{end})");
                        i += 6;
                    }
                    _ => bracket(&c, &mut i, f, &mut t.re)?,
                }
                atom = true;
            }
            '.' => {
                t.re.push_str(if f.newline_stop { r"[^\n]" } else { "." });
                atom = true;
            }
            '^' => {
                t.re.push_str(if f.newline_anchor { "(?m:^)" } else { "^" });
                atom = false;
            }
            '$' => {
                t.re.push_str(if f.newline_anchor { "(?m:$)" } else { "$" });
                atom = false;
            }
            '\\' => atom = escape(&c, &mut i, &mut t, open.iter().any(|o| o.0))?,
            ch => {
                t.re.push_str(&regex::escape(ch.encode_utf8(&mut [0; 4])));
                atom = true;
            }
        }
    }
    if !open.is_empty() {
        return Err(invalid("parentheses () not balanced"));
    }
    t.anchored = c.first() == Some(&'^') && c.last() == Some(&'$') && !t.alternation && !f.newline_anchor;
    if pattern.starts_with("^(?:") && pattern.ends_with(")$") && !f.newline_anchor {
        t.anchored = true;
    }
    Ok(t)
}
fn push_char(v: u32, out: &mut String) -> Result<()> {
    match char::from_u32(v) {
        Some(ch) => {
            out.push_str(&regex::escape(ch.encode_utf8(&mut [0; 4])));
            Ok(())
        }
        None => Err(invalid("invalid escape \\ sequence")),
    }
}
fn hex(c: &[char], i: &mut usize, n: usize) -> Result<u32> {
    let s: String = c.get(*i..*i + n).unwrap_or(&[]).iter().collect();
    *i += n;
    if s.len() == n { u32::from_str_radix(&s, 16).ok() } else { None }
        .ok_or_else(|| invalid("invalid escape \\ sequence"))
}
/// A character that an escape stands for; None when the escape is not a character.
fn escape_char(ch: char, c: &[char], i: &mut usize) -> Result<Option<u32>> {
    Ok(Some(match ch {
        'a' => 7,
        'b' => 8,
        'B' => 92,
        'c' => {
            let x = c.get(*i).copied().ok_or_else(|| invalid("invalid escape \\ sequence"))?;
            *i += 1;
            u32::from(x) & 31
        }
        'e' => 27,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        'u' => hex(c, i, 4)?,
        'U' => hex(c, i, 8)?,
        'x' => {
            let s: String = c.get(*i..).unwrap_or(&[]).iter().take_while(|x| x.is_ascii_hexdigit()).collect();
            if s.is_empty() {
                return Err(invalid("invalid escape \\ sequence"));
            }
            *i += s.len();
            u32::from_str_radix(&s, 16).map_err(|_| invalid("invalid escape \\ sequence"))?
        }
        '0' => {
            let s: String =
                c.get(*i..).unwrap_or(&[]).iter().take(2).take_while(|x| ('0'..='7').contains(*x)).collect();
            *i += s.len();
            if s.is_empty() { 0 } else { u32::from_str_radix(&s, 8).unwrap_or(0) }
        }
        ch if !ch.is_alphanumeric() => u32::from(ch),
        _ => return Ok(None),
    }))
}
/// An escape outside brackets. True when it is an atom that a quantifier may follow.
fn escape(c: &[char], i: &mut usize, t: &mut Translated, within_look: bool) -> Result<bool> {
    let out = &mut t.re;
    let Some(&ch) = c.get(*i) else { return Err(invalid("invalid escape \\ sequence")) };
    *i += 1;
    let class = match ch {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        's' => r"[ \t\n\r\x0b\x0c]",
        'S' => r"[^ \t\n\r\x0b\x0c]",
        _ => "",
    };
    if !class.is_empty() {
        out.push_str(class);
        return Ok(true);
    }
    let constraint = match ch {
        'A' => r"\A",
        'Z' => r"\z",
        'm' => r"(?-u:\b{start})",
        'M' => r"(?-u:\b{end})",
        'y' => r"(?-u:\b)",
        'Y' => r"\B",
        _ => "",
    };
    if !constraint.is_empty() {
        out.push_str(constraint);
        return Ok(false);
    }
    if ('1'..='9').contains(&ch) {
        let n = ch as usize - '0' as usize;
        if !t.closed.get(n).is_some_and(|c| *c) || within_look {
            return Err(invalid("invalid backreference number"));
        }
        t.irregular = true;
        out.push_str("(?:)");
        return Ok(true);
    }
    match escape_char(ch, c, i)? {
        Some(v) => push_char(v, out)?,
        None => return Err(invalid("invalid escape \\ sequence")),
    }
    Ok(true)
}
fn class_char(v: u32, out: &mut String) -> Result<()> {
    match char::from_u32(v) {
        Some(ch) => {
            if ch.is_ascii() && !ch.is_ascii_alphanumeric() {
                out.push_str(&format!("\\x{v:02x}"));
            } else {
                out.push(ch);
            }
            Ok(())
        }
        None => Err(invalid("invalid escape \\ sequence")),
    }
}
/// A bracket expression; `i` is after the `[`.
fn bracket(c: &[char], i: &mut usize, f: &Flags, out: &mut String) -> Result<()> {
    let unbalanced = || invalid("brackets [] not balanced");
    out.push('[');
    let negated = c.get(*i) == Some(&'^');
    if negated {
        out.push('^');
        *i += 1;
        if f.newline_stop {
            out.push_str(r"\n");
        }
    }
    let mut first = true;
    let mut low: Option<u32> = None;
    loop {
        let Some(&ch) = c.get(*i) else { return Err(unbalanced()) };
        *i += 1;
        if ch == ']' && !first {
            break;
        }
        first = false;
        // One element: a character (that may start or end a range) or a class.
        let element = match (ch, c.get(*i)) {
            ('[', Some(&k @ (':' | '.' | '='))) => {
                let start = *i + 1;
                let mut end = start;
                while c.get(end).is_some_and(|x| *x != k || c.get(end + 1) != Some(&']')) {
                    end += 1;
                }
                if c.get(end).is_none() {
                    return Err(unbalanced());
                }
                let name: String = c.get(start..end).unwrap_or(&[]).iter().collect();
                *i = end + 2;
                if k == ':' {
                    const CLASSES: [&str; 13] = [
                        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
                        "space", "upper", "xdigit",
                    ];
                    match name.as_str() {
                        "word" => out.push_str("0-9A-Za-z_"),
                        n if CLASSES.contains(&n) => out.push_str(&format!("[:{n}:]")),
                        _ => return Err(invalid("invalid character class")),
                    }
                    low = None;
                    continue;
                }
                let mut it = name.chars();
                match (it.next(), it.next()) {
                    (Some(x), None) => u32::from(x),
                    _ => return Err(invalid("invalid collating element")),
                }
            }
            ('\\', Some(&e)) => {
                *i += 1;
                let class = match e {
                    'd' => "0-9",
                    'w' => "0-9A-Za-z_",
                    's' => r"\x20\t\n\r\x0b\x0c",
                    'D' => "[^0-9]",
                    'W' => "[^0-9A-Za-z_]",
                    'S' => r"[^\x20\t\n\r\x0b\x0c]",
                    _ => "",
                };
                if !class.is_empty() {
                    out.push_str(class);
                    low = None;
                    continue;
                }
                escape_char(e, c, i)?.ok_or_else(|| invalid("invalid escape \\ sequence"))?
            }
            ('\\', None) => return Err(invalid("invalid escape \\ sequence")),
            ('-', Some(x)) if low.is_some() && *x != ']' => {
                // A range: its end is the next element.
                let Some(&hi) = c.get(*i) else { return Err(unbalanced()) };
                *i += 1;
                let hi = match hi {
                    '\\' => {
                        let Some(&e) = c.get(*i) else { return Err(unbalanced()) };
                        *i += 1;
                        escape_char(e, c, i)?.ok_or_else(|| invalid("invalid character range"))?
                    }
                    '[' if c.get(*i) == Some(&'.') => {
                        let v = c.get(*i + 1).copied().ok_or_else(unbalanced)?;
                        *i += 4;
                        u32::from(v)
                    }
                    h => u32::from(h),
                };
                if low.is_some_and(|l| l > hi) {
                    return Err(invalid("invalid character range"));
                }
                out.push('-');
                class_char(hi, out)?;
                low = None;
                continue;
            }
            (x, _) => u32::from(x),
        };
        class_char(element, out)?;
        low = Some(element);
    }
    out.push(']');
    Ok(())
}

fn build(re: &str, f: Flags) -> Result<Regex> {
    regex::RegexBuilder::new(re)
        .case_insensitive(f.icase)
        .dot_matches_new_line(true)
        .size_limit(PROGRAM_LIMIT)
        .build()
        .map_err(|e| match e {
            regex::Error::CompiledTooBig(_) => invalid("regular expression is too complex"),
            _ => invalid("invalid regular expression"),
        })
}
thread_local! {
    static CACHE: RefCell<FxHashMap<(String, Flags), Rc<Compiled>>> = RefCell::new(FxHashMap::default());
}
fn compile(pattern: &str, flags: Flags) -> Result<Rc<Compiled>> {
    let key = (pattern.to_string(), flags);
    if let Some(c) = CACHE.with(|cache| cache.borrow().get(&key).cloned()) {
        return Ok(c);
    }
    // It charges work, which the cache must not be held for.
    let c = Rc::new(compiled(pattern, flags)?);
    CACHE.with(|cache| {
        let mut cache = cache.borrow_mut();
        if cache.len() >= CACHE_SIZE {
            cache.clear();
        }
        cache.insert(key, c.clone());
    });
    Ok(c)
}
fn compiled(pattern: &str, flags: Flags) -> Result<Compiled> {
    let mut f = flags;
    let t = translate(pattern, &mut f)?;
    let mixed = t.lazy && (t.greedy || t.alternation);
    let divided = t.groups > 0 && (mixed || t.has_choice());
    let tree = match t.irregular || divided || mixed && !t.anchored {
        true => {
            let mut own = flags;
            let rest = embedded_options(pattern, &mut own)?;
            Some(dissect::Tree::parse(rest, own)?)
        }
        false => None,
    };
    let longest = match t.has_choice() && !t.anchored && !t.lazy && tree.is_none() {
        true => Some(Longest::build(&t.re, f)?),
        false => None,
    };
    let re = if t.irregular { None } else { Some(build(&t.re, f)?) };
    Ok(Compiled { re, longest, tree })
}
/// `~`: does the pattern match anywhere?
pub fn matches(s: &str, pattern: &str, icase: bool) -> Result<bool> {
    compile(pattern, Flags { icase, ..Flags::default() })?.is_match(s)
}
/// jsonpath's `like_regex`: `.` and `[^` stop at line feeds unless `dotall`.
pub(super) fn matches_lines(
    s: &str,
    pattern: &str,
    icase: bool,
    dotall: bool,
    mline: bool,
    quote: bool,
) -> Result<bool> {
    let lines = !quote;
    let f = Flags {
        icase,
        newline_stop: lines && !dotall,
        newline_anchor: lines && mline,
        literal: quote,
        ..Flags::default()
    };
    compile(pattern, f)?.is_match(s)
}

/// One match: the whole span and each group's.
type Spans = Vec<Option<(usize, usize)>>;

/// A text by characters, for a tree: each, and where it begins; the text's end is the last place.
struct Characters {
    chars: Vec<char>,
    places: Vec<usize>,
}
impl Characters {
    fn of(s: &str) -> Result<Characters> {
        pamir_types::memory::admit(s.len().saturating_mul(size_of::<char>() + size_of::<usize>()))?;
        let places = s.char_indices().map(|x| x.0).chain([s.len()]).collect();
        Ok(Characters { chars: s.chars().collect(), places })
    }
}

impl Compiled {
    fn is_match(&self, s: &str) -> Result<bool> {
        match &self.re {
            Some(re) => Ok(re.is_match(s)),
            None => Ok(self.find(s, 0)?.is_some()),
        }
    }
    /// The match of a pattern with a tree.
    fn divided(&self, tree: &dissect::Tree, s: &str, c: &Characters, from: usize) -> Result<Option<Spans>> {
        let character = |byte: usize| c.places.partition_point(|p| *p < byte);
        let start = match &self.re {
            Some(re) => match re.find_at(s, from) {
                Some(m) => Some(character(m.start())),
                None => return Ok(None),
            },
            None => None,
        };
        let place = |at: usize| c.places.get(at).copied().unwrap_or(s.len());
        let found = tree.find(&c.chars, character(from), start)?;
        Ok(found.map(|spans| spans.into_iter().map(|g| g.map(|(a, b)| (place(a), place(b)))).collect()))
    }
    /// The first match at or after `from`.
    fn find(&self, s: &str, from: usize) -> Result<Option<Spans>> {
        match &self.tree {
            Some(t) => self.divided(t, s, &Characters::of(s)?, from),
            None => self.longest(s, from),
        }
    }
    /// The leftmost longest match at or after `from`.
    fn longest(&self, s: &str, from: usize) -> Result<Option<Spans>> {
        let Some(caps) = self.re.as_ref().and_then(|re| re.captures_at(s, from)) else { return Ok(None) };
        let spans: Spans = caps.iter().map(|m| m.map(|m| (m.start(), m.end()))).collect();
        let (Some(longest), Some(Some((start, end)))) = (&self.longest, spans.first().copied()) else {
            return Ok(Some(spans));
        };
        let whole = |e: usize| {
            let c = longest.whole.captures(s.get(start..e)?)?;
            Some(c.iter().map(|m| m.map(|m| (start + m.start(), start + m.end()))).collect::<Spans>())
        };
        if let Some(e) = longest.end(s, start) {
            work::charge(e - start)?;
            return Ok(Some(if e > end { whole(e).unwrap_or(spans) } else { spans }));
        }
        let mut e = s.len();
        while e > end {
            work::charge(e - start)?;
            if let Some(c) = s.is_char_boundary(e).then(|| whole(e)).flatten() {
                return Ok(Some(c));
            }
            e -= 1;
        }
        Ok(Some(spans))
    }
    /// Successive matches as PostgreSQL finds them: after an empty one the search moves on by one character.
    fn each(&self, s: &str, from: usize, f: &mut dyn FnMut(&Spans) -> Result<bool>) -> Result<()> {
        let mut at = from;
        let chars = match &self.tree {
            Some(t) => Some((t, Characters::of(s)?)),
            None => None,
        };
        while at <= s.len() {
            let found = match &chars {
                Some((t, c)) => self.divided(t, s, c, at)?,
                None => self.longest(s, at)?,
            };
            let Some(spans) = found else { break };
            work::charge(work::CALL as usize)?;
            let Some(Some((a, b))) = spans.first().copied() else { break };
            if !f(&spans)? {
                break;
            }
            at = b;
            if a == b {
                match s.get(b..).and_then(|r| r.chars().next()) {
                    Some(ch) => at += ch.len_utf8(),
                    None => break,
                }
            }
        }
        Ok(())
    }
}
fn extracting(pattern: &str, flags: Flags) -> Result<Rc<Compiled>> {
    compile(pattern, Flags { global: false, ..flags })
}
fn no_global(f: Flags, func: &str, hint: Option<&str>) -> Result<Flags> {
    if f.global {
        let e = err!(INVALID_PARAMETER_VALUE, "{func}() does not support the \"global\" option");
        return Err(match hint {
            Some(h) => e.hint(h),
            None => e,
        });
    }
    Ok(f)
}
fn slice(s: &str, span: Option<(usize, usize)>) -> Datum {
    span.and_then(|(a, b)| s.get(a..b)).map_or(Datum::Null, text)
}
/// The groups of a match, or the whole match when there are none.
fn groups(s: &str, spans: &Spans) -> Vec<Datum> {
    let from = usize::from(spans.len() > 1);
    spans.iter().skip(from).map(|g| slice(s, *g)).collect()
}
fn substring(s: &str, pattern: &str) -> Result<Datum> {
    let c = extracting(pattern, Flags::default())?;
    Ok(c.find(s, 0)?.and_then(|m| groups(s, &m).into_iter().next()).unwrap_or(Datum::Null))
}
/// Appends `with` where `\1`..`\9` and `\&` stand for parts of the match.
fn expand(s: &str, spans: &Spans, with: &str, out: &mut String) {
    let mut it = with.chars();
    while let Some(ch) = it.next() {
        if ch != '\\' {
            out.push(ch);
            continue;
        }
        let part = match it.next() {
            Some('&') => spans.first(),
            Some(d @ '0'..='9') if d != '0' => spans.get(d as usize - '0' as usize),
            Some('\\') => {
                out.push('\\');
                continue;
            }
            Some(x) => {
                out.push('\\');
                out.push(x);
                continue;
            }
            None => {
                out.push('\\');
                continue;
            }
        };
        if let Some((a, b)) = part.copied().flatten() {
            out.push_str(s.get(a..b).unwrap_or(""));
        }
    }
}
/// Replaces the `n`-th match at or after character `start` (0: every one).
fn replace(s: &str, pattern: &str, with: &str, f: Flags, start: i32, n: i32) -> Result<Datum> {
    let c = extracting(pattern, f)?;
    let (mut out, mut copied, mut k) = (String::with_capacity(s.len()), 0usize, 0i32);
    c.each(s, char_offset(s, start), &mut |spans| {
        k += 1;
        if let Some(Some((a, b))) = spans.first().copied()
            && (n == 0 || k == n)
        {
            // What one match adds: the text before it, and all of what replaces it with as many copies of it.
            let refs = with.bytes().filter(|b| *b == b'\\').count();
            let len = out.len() + (a - copied) + with.len() + refs * (b - a);
            if len > super::string::MAX_VALUE {
                return Err(pamir_types::memory::out_of_memory(len));
            }
            pamir_types::memory::admit_growth(out.capacity(), len)?;
            out.push_str(s.get(copied..a).unwrap_or(""));
            expand(s, spans, with, &mut out);
            copied = b;
        }
        Ok(n == 0 || k < n)
    })?;
    out.push_str(s.get(copied..).unwrap_or(""));
    Ok(out.into())
}
/// Where the `start`-th character begins; behind the end, where nothing matches, when there are not so many and one more.
fn char_offset(s: &str, start: i32) -> usize {
    let skip = (start - 1).max(0) as usize;
    s.char_indices().nth(skip).map_or_else(|| s.len() + usize::from(s.chars().count() < skip), |x| x.0)
}
fn positive(v: i32, what: &str) -> Result<i32> {
    if v <= 0 {
        bail!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"{what}\": {v}");
    }
    Ok(v)
}
fn regexp_replace(args: &[Datum]) -> Result<Datum> {
    match args {
        [Datum::Text(s), Datum::Text(p), Datum::Text(r)] => replace(s, p, r, Flags::default(), 1, 1),
        [Datum::Text(s), Datum::Text(p), Datum::Text(r), Datum::Text(o)] => {
            if o.starts_with(|c: char| c.is_ascii_digit()) {
                return Err(err!(INVALID_PARAMETER_VALUE, "invalid regular expression option: \"{}\"", &o[..1])
                    .hint("If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly."));
            }
            let f = parse_flags(o)?;
            replace(s, p, r, f, 1, i32::from(!f.global))
        }
        [Datum::Text(s), Datum::Text(p), Datum::Text(r), Datum::Int4(start)] => {
            replace(s, p, r, Flags::default(), positive(*start, "start")?, 1)
        }
        [Datum::Text(s), Datum::Text(p), Datum::Text(r), Datum::Int4(start), Datum::Int4(n), rest @ ..] => {
            if *n < 0 {
                bail!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"n\": {n}");
            }
            let f = match rest {
                [Datum::Text(o)] => parse_flags(o)?,
                _ => Flags::default(),
            };
            replace(s, p, r, f, positive(*start, "start")?, *n)
        }
        _ => Err(bad_args("regexp_replace", args)),
    }
}
fn string_pattern_flags(args: &[Datum]) -> Result<(&str, &str, Flags)> {
    match args {
        [Datum::Text(s), Datum::Text(p)] => Ok((s, p, Flags::default())),
        [Datum::Text(s), Datum::Text(p), Datum::Text(o)] => Ok((s, p, parse_flags(o)?)),
        _ => Err(bad_args("regular expression", args)),
    }
}
fn regexp_match(args: &[Datum]) -> Result<Datum> {
    let (s, p, f) = string_pattern_flags(args)?;
    let f = no_global(f, "regexp_match", Some("Use the regexp_matches function instead."))?;
    Ok(extracting(p, f)?.find(s, 0)?.map_or(Datum::Null, |m| array::text_array(groups(s, &m))))
}
fn regexp_matches(args: &[Datum], push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    let (s, p, f) = string_pattern_flags(args)?;
    extracting(p, f)?.each(s, 0, &mut |m| {
        push(vec![array::text_array(groups(s, m))])?;
        Ok(f.global)
    })
}
/// The pieces between matches; empty matches at either end or right after another match do not split.
fn split(args: &[Datum], func: &str, push: &mut dyn FnMut(Datum) -> Result<()>) -> Result<()> {
    let (s, p, f) = string_pattern_flags(args)?;
    let f = no_global(f, func, None)?;
    let (mut from, mut last_end) = (0usize, 0usize);
    extracting(p, f)?.each(s, 0, &mut |m| {
        if let Some(Some((a, b))) = m.first().copied() {
            if a < s.len() && b > last_end {
                push(slice(s, Some((from, a))))?;
                from = b;
            }
            last_end = b;
        }
        Ok(true)
    })?;
    push(slice(s, Some((from, s.len()))))
}
fn count(args: &[Datum]) -> Result<Datum> {
    let (s, p, start, f) = match args {
        [Datum::Text(s), Datum::Text(p)] => (s, p, 1, Flags::default()),
        [Datum::Text(s), Datum::Text(p), Datum::Int4(a)] => (s, p, *a, Flags::default()),
        [Datum::Text(s), Datum::Text(p), Datum::Int4(a), Datum::Text(o)] => (s, p, *a, parse_flags(o)?),
        _ => return Err(bad_args("regexp_count", args)),
    };
    let f = no_global(f, "regexp_count", None)?;
    let from = char_offset(s, positive(start, "start")?);
    let mut n = 0;
    extracting(p, f)?.each(s, from, &mut |_| {
        n += 1;
        Ok(true)
    })?;
    Ok(Datum::Int4(n))
}
fn like(args: &[Datum]) -> Result<Datum> {
    let (s, p, f) = string_pattern_flags(args)?;
    let f = no_global(f, "regexp_like", None)?;
    compile(p, f)?.is_match(s).map(Datum::Bool)
}
/// The span of the `n`-th match's subexpression.
fn nth(s: &str, p: &str, f: Flags, start: i32, n: i32, sub: i32) -> Result<Option<(usize, usize)>> {
    let from = char_offset(s, positive(start, "start")?);
    let n = positive(n, "n")?;
    if sub < 0 {
        bail!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"subexpr\": {sub}");
    }
    let (mut k, mut found) = (0, None);
    extracting(p, f)?.each(s, from, &mut |m| {
        k += 1;
        if k == n {
            found = m.get(sub as usize).copied().flatten();
        }
        Ok(k < n)
    })?;
    Ok(found)
}
fn int(args: &[Datum], i: usize, default: i32) -> i32 {
    match args.get(i) {
        Some(Datum::Int4(v)) => *v,
        _ => default,
    }
}
fn options(args: &[Datum], i: usize, func: &str) -> Result<Flags> {
    match args.get(i) {
        Some(Datum::Text(o)) => no_global(parse_flags(o)?, func, None),
        _ => Ok(Flags::default()),
    }
}
fn instr(args: &[Datum]) -> Result<Datum> {
    let [Datum::Text(s), Datum::Text(p), ..] = args else { return Err(bad_args("regexp_instr", args)) };
    let end = int(args, 4, 0);
    if end != 0 && end != 1 {
        bail!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"endoption\": {end}");
    }
    let f = options(args, 5, "regexp_instr")?;
    let span = nth(s, p, f, int(args, 2, 1), int(args, 3, 1), int(args, 6, 0))?;
    Ok(Datum::Int4(span.map_or(0, |(a, b)| {
        let at = if end == 1 { b } else { a };
        string::char_len(s.get(..at).unwrap_or("")) as i32 + 1
    })))
}
fn substr(args: &[Datum]) -> Result<Datum> {
    let [Datum::Text(s), Datum::Text(p), ..] = args else { return Err(bad_args("regexp_substr", args)) };
    let f = options(args, 4, "regexp_substr")?;
    Ok(slice(s, nth(s, p, f, int(args, 2, 1), int(args, 3, 1), int(args, 5, 0))?))
}

funcs! { pub FUNCS {
    textregexeq (s: Text, p: Text) => matches(s, p, false).map(Datum::Bool);
    textregexne (s: Text, p: Text) => matches(s, p, false).map(|b| Datum::Bool(!b));
    texticregexeq (s: Text, p: Text) => matches(s, p, true).map(Datum::Bool);
    texticregexne (s: Text, p: Text) => matches(s, p, true).map(|b| Datum::Bool(!b));
    nameregexeq (s: Text, p: Text) => matches(s, p, false).map(Datum::Bool);
    nameregexne (s: Text, p: Text) => matches(s, p, false).map(|b| Datum::Bool(!b));
    nameicregexeq (s: Text, p: Text) => matches(s, p, true).map(Datum::Bool);
    nameicregexne (s: Text, p: Text) => matches(s, p, true).map(|b| Datum::Bool(!b));
    textregexsubstr (s: Text, p: Text) => substring(s, p);
    substring_2074 (s: Text, p: Text, e: Text) => substring(s, &super::like::similar_escape(p, Some(e))?);
    textregexreplace_noopt raw = |_, args, _| regexp_replace(args);
    textregexreplace raw = |_, args, _| regexp_replace(args);
    textregexreplace_extended raw = |_, args, _| regexp_replace(args);
    textregexreplace_extended_no_flags raw = |_, args, _| regexp_replace(args);
    textregexreplace_extended_no_n raw = |_, args, _| regexp_replace(args);
    regexp_match raw = |_, args, _| regexp_match(args);
    regexp_match_no_flags raw = |_, args, _| regexp_match(args);
    regexp_matches set = |_, args, _, push| regexp_matches(args, push);
    regexp_matches_no_flags set = |_, args, _, push| regexp_matches(args, push);
    regexp_split_to_table set = |_, args, _, push| split(args, "regexp_split_to_table", &mut |d| push(vec![d]));
    regexp_split_to_table_no_flags set = |_, args, _, push| split(args, "regexp_split_to_table", &mut |d| push(vec![d]));
    regexp_split_to_array raw = |_, args, _| { let mut v = Vec::new(); split(args, "regexp_split_to_array", &mut |d| { v.push(d); Ok(()) })?; Ok(array::text_array(v)) };
    regexp_split_to_array_no_flags raw = |_, args, _| { let mut v = Vec::new(); split(args, "regexp_split_to_array", &mut |d| { v.push(d); Ok(()) })?; Ok(array::text_array(v)) };
    regexp_count raw = |_, args, _| count(args);
    regexp_count_no_start raw = |_, args, _| count(args);
    regexp_count_no_flags raw = |_, args, _| count(args);
    regexp_like raw = |_, args, _| like(args);
    regexp_like_no_flags raw = |_, args, _| like(args);
    regexp_instr raw = |_, args, _| instr(args);
    regexp_instr_no_start raw = |_, args, _| instr(args);
    regexp_instr_no_n raw = |_, args, _| instr(args);
    regexp_instr_no_endoption raw = |_, args, _| instr(args);
    regexp_instr_no_flags raw = |_, args, _| instr(args);
    regexp_instr_no_subexpr raw = |_, args, _| instr(args);
    regexp_substr raw = |_, args, _| substr(args);
    regexp_substr_no_start raw = |_, args, _| substr(args);
    regexp_substr_no_n raw = |_, args, _| substr(args);
    regexp_substr_no_flags raw = |_, args, _| substr(args);
    regexp_substr_no_subexpr raw = |_, args, _| substr(args);
} }
