//! ts_headline: the part of a text that shows best what a query found, its words marked (wparser_def.c, ts_parse.c).
//!
//! A text is its tokens. A cover is a run of them that the query matches, as short as can be; a headline is made of the best cover, or of fragments
//! around several, made longer to where it reads well.
use super::config::{Config, Token};
use super::matching::{Match, execute};
use super::parser::{self, Parser};
use pamir_types::tsquery::{Operand, Query};
use pamir_types::tsvector::{MAX_LEXEME, MAX_POSITION};
use pamir_types::{Error, Result, Type, bail, err, text, work};

/// Bytes of what marks a word or parts fragments.
const MAX_MARK: usize = i16::MAX as usize;

struct Word<'a> {
    kind: u8,
    text: &'a str,
    at: u16,
    operand: Option<&'a Operand>,
    /// The same token for another operand.
    repeated: bool,
    within: bool,
    selected: bool,
    replaced: bool,
    skipped: bool,
}
pub struct Options {
    min_words: i32,
    max_words: i32,
    short_word: i32,
    max_fragments: i32,
    all: bool,
    start: String,
    stop: String,
    delimiter: String,
}
impl Default for Options {
    fn default() -> Options {
        Options {
            min_words: 15,
            max_words: 35,
            short_word: 3,
            max_fragments: 0,
            all: false,
            start: "<b>".into(),
            stop: "</b>".into(),
            delimiter: " ... ".into(),
        }
    }
}
/// deserialize_deflist: `a=1, b = 'x''y'`
fn settings(s: &str) -> Result<Vec<(String, String)>> {
    let bad = || err!(SYNTAX_ERROR, "invalid parameter list format: \"{s}\"");
    let (mut out, mut rest) = (Vec::new(), s);
    let blank = |c: char| c.is_ascii_whitespace();
    loop {
        rest = rest.trim_start_matches(|c| blank(c) || c == ',');
        if rest.is_empty() {
            return Ok(out);
        }
        let name;
        if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').ok_or_else(bad)?;
            name = quoted[..end].to_string();
            rest = &quoted[end + 1..];
        } else {
            let end = rest.find(|c: char| blank(c) || c == '=').ok_or_else(bad)?;
            name = rest[..end].to_string();
            rest = &rest[end..];
        }
        rest = rest.trim_start_matches(blank).strip_prefix('=').ok_or_else(bad)?.trim_start_matches(blank);
        let mut value = String::new();
        let escapes = rest.strip_prefix(['E', 'e']).is_some_and(|r| r.starts_with('\''));
        let body = if escapes { &rest[1..] } else { rest };
        if let Some(quoted) = body.strip_prefix('"') {
            let mut chars = quoted.char_indices().peekable();
            loop {
                match chars.next() {
                    Some((_, '"')) if chars.peek().is_some_and(|c| c.1 == '"') => {
                        value.push('"');
                        chars.next();
                    }
                    Some((at, '"')) => break rest = &quoted[at + 1..],
                    Some((_, c)) => value.push(c),
                    None => return Err(bad()),
                }
            }
        } else if let Some(quoted) = body.strip_prefix('\'') {
            let mut chars = quoted.char_indices().peekable();
            loop {
                match chars.next() {
                    Some((_, '\'')) if chars.peek().is_some_and(|c| c.1 == '\'') => {
                        value.push('\'');
                        chars.next();
                    }
                    Some((at, '\'')) => break rest = &quoted[at + 1..],
                    Some((_, '\\')) if chars.peek().is_some_and(|c| c.1 == '\\') => {
                        value.push('\\');
                        chars.next();
                    }
                    Some((_, c)) => value.push(c),
                    None => return Err(bad()),
                }
            }
        } else {
            let end = rest.find(|c: char| blank(c) || c == ',').unwrap_or(rest.len());
            value.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        out.push((name, value));
    }
}
impl Options {
    pub fn read(s: &str) -> Result<Options> {
        let mut o = Options::default();
        let number = |v: &str| -> Result<i32> {
            match text::parse(v, Type::INT4, &text::TextCtx::default())? {
                pamir_types::Datum::Int4(v) => Ok(v),
                _ => Err(Error::internal("no integer")),
            }
        };
        for (name, value) in settings(s)? {
            match name.to_ascii_lowercase().as_str() {
                "maxwords" => o.max_words = number(&value)?,
                "minwords" => o.min_words = number(&value)?,
                "shortword" => o.short_word = number(&value)?,
                "maxfragments" => o.max_fragments = number(&value)?,
                "startsel" => o.start = value,
                "stopsel" => o.stop = value,
                "fragmentdelimiter" => o.delimiter = value,
                "highlightall" => {
                    o.all = matches!(value.to_ascii_lowercase().as_str(), "1" | "on" | "true" | "t" | "y" | "yes")
                }
                _ => bail!(INVALID_PARAMETER_VALUE, "unrecognized headline parameter: \"{name}\""),
            }
        }
        let long = |v: &String| v.len() > MAX_MARK;
        match () {
            () if o.all => {}
            () if o.min_words >= o.max_words => {
                bail!(INVALID_PARAMETER_VALUE, "MinWords should be less than MaxWords")
            }
            () if o.min_words <= 0 => bail!(INVALID_PARAMETER_VALUE, "MinWords should be positive"),
            () if o.short_word < 0 => bail!(INVALID_PARAMETER_VALUE, "ShortWord should be >= 0"),
            () if o.max_fragments < 0 => bail!(INVALID_PARAMETER_VALUE, "MaxFragments should be >= 0"),
            () => {}
        }
        match () {
            () if long(&o.start) => bail!(INVALID_PARAMETER_VALUE, "value for \"StartSel\" is too long"),
            () if long(&o.stop) => bail!(INVALID_PARAMETER_VALUE, "value for \"StopSel\" is too long"),
            () if long(&o.delimiter) => {
                bail!(INVALID_PARAMETER_VALUE, "value for \"FragmentDelimiter\" is too long")
            }
            () => Ok(o),
        }
    }
}

/// ts_headline
pub fn headline(config: &Config, s: &str, query: &Query, options: &Options) -> Result<String> {
    let mut h = Headline { words: words(config, s, query)?, query, o: options };
    if options.max_fragments == 0 {
        h.choose_words()?
    } else {
        h.choose_fragments()?
    }
    let (mut out, mut fragments, mut within) = (String::new(), 0, false);
    for w in h.words.iter().filter(|w| !w.repeated) {
        work::charge(8)?;
        if !w.within {
            within = false;
            continue;
        }
        if !std::mem::replace(&mut within, true) {
            fragments += 1;
            if fragments > 1 {
                out.push_str(&options.delimiter);
            }
        }
        if w.replaced {
            out.push(' ');
        } else if !w.skipped {
            let (start, stop) = if w.selected { (&*options.start, &*options.stop) } else { ("", "") };
            pamir_types::memory::admit(out.len() + w.text.len())?;
            out.extend([start, w.text, stop]);
        }
    }
    Ok(out)
}
fn words<'a>(config: &Config, s: &'a str, query: &'a Query) -> Result<Vec<Word<'a>>> {
    let operands = query.operands();
    let (mut out, mut at, mut parser) = (Vec::new(), 0usize, Parser::new(s));
    while let Some(t) = parser.next()? {
        work::charge(t.text.len() + operands.len() + 8)?;
        if t.text.len() >= MAX_LEXEME {
            continue;
        }
        let word = |operand, repeated, at| Word {
            kind: t.kind,
            text: t.text,
            at,
            operand,
            repeated,
            within: false,
            selected: false,
            replaced: false,
            skipped: false,
        };
        let token = config.token(t.kind, t.text)?;
        at += usize::from(!matches!(token, Token::Unknown));
        let place = at.min(MAX_POSITION.into()) as u16;
        let first = out.len();
        if let Token::Lexeme(lexeme) = token {
            let means = |o: &&&Operand| if o.prefix { lexeme.starts_with(&o.text) } else { lexeme == o.text };
            for o in operands.iter().rev().filter(means) {
                out.push(word(Some(*o), out.len() > first, place));
            }
        }
        if out.len() == first {
            out.push(word(None, false, place));
        }
    }
    Ok(out)
}
/// Does it stand for others that follow it?
fn is_whole(kind: u8) -> bool {
    matches!(kind, parser::URL | parser::NUMHWORD | parser::ASCIIHWORD | parser::HWORD)
}
fn is_no_word(kind: u8) -> bool {
    matches!(kind, parser::BLANK | parser::TAG) || is_whole(kind)
}
fn is_no_end(kind: u8) -> bool {
    let number = matches!(kind, parser::SFLOAT | parser::VERSION | parser::FLOAT | parser::INT | parser::UINT);
    is_no_word(kind) || number || matches!(kind, parser::PROTOCOL | parser::ENTITY)
}
struct Headline<'a> {
    words: Vec<Word<'a>>,
    query: &'a Query,
    o: &'a Options,
}
/// A run of words around what was found.
struct Fragment {
    from: usize,
    to: usize,
    found: i32,
    length: i32,
    chosen: bool,
    excluded: bool,
}
impl Headline<'_> {
    fn counts(&self, i: usize) -> i32 {
        i32::from(!is_no_word(self.words[i].kind))
    }
    fn is_found(&self, i: usize) -> bool {
        self.words[i].operand.is_some() && !self.words[i].repeated
    }
    fn is_bad_end(&self, i: usize) -> bool {
        let w = &self.words[i];
        (is_no_end(w.kind) || w.text.len() as i64 <= i64::from(self.o.short_word)) && !self.is_found(i)
    }
    fn next_found(&self, from: usize) -> Option<usize> {
        (from..self.words.len()).find(|i| self.words[*i].operand.is_some())
    }
    /// hlCover: the first shortest run from `from` on that the query matches.
    fn cover(&self, from: usize) -> Result<Option<(usize, usize)>> {
        let most = i64::from(self.o.max_words).saturating_mul(10).max(100);
        let most = if self.o.max_fragments > 0 { most.saturating_mul(self.o.max_fragments.into()) } else { most };
        let mut first = self.next_found(from);
        while let Some(p) = first {
            let mut last = Some(p);
            while let Some(q) = last.filter(|q| ((q - p) as i64) < most) {
                work::charge(q - p + 4)?;
                let run = &self.words[p..=q];
                let met = execute(self.query, false, &mut |o, _| {
                    work::charge(run.len())?;
                    let mut at: Vec<u16> = Vec::new();
                    for w in run.iter().filter(|w| w.operand.is_some_and(|x| std::ptr::eq(x, o))) {
                        if at.last().is_none_or(|l| *l < w.at) {
                            at.push(w.at);
                        }
                    }
                    Ok((if at.is_empty() { Match::No } else { Match::Yes }, at))
                })?;
                if met {
                    return Ok(Some((p, q)));
                }
                last = self.next_found(q + 1);
            }
            first = self.next_found(p + 1);
        }
        Ok(None)
    }
    /// mark_fragment
    fn mark(&mut self, from: usize, to: usize) {
        let all = self.o.all;
        for w in self.words.iter_mut().take(to + 1).skip(from) {
            w.selected |= w.operand.is_some();
            w.replaced |= !all && w.kind == parser::TAG;
            w.skipped |= is_whole(w.kind);
            w.within = !w.repeated;
        }
    }
    /// The first words of the text, where nothing was found.
    fn mark_beginning(&mut self) {
        let (mut length, mut end) = (0, None);
        for i in 0..self.words.len() {
            if length >= self.o.min_words {
                break;
            }
            length += self.counts(i);
            end = Some(i);
        }
        if let Some(end) = end {
            self.mark(0, end);
        }
    }
    /// mark_hl_words: one run.
    fn choose_words(&mut self) -> Result<()> {
        if self.o.all {
            if let Some(last) = self.words.len().checked_sub(1) {
                self.mark(0, last);
            }
            return Ok(());
        }
        // (holds its cover, words found, from, to)
        let mut best: Option<(bool, i32, usize, usize)> = None;
        let mut from = 0;
        while let Some((p, q)) = self.cover(from)? {
            let (found, b, e) = self.stretch(p, q)?;
            let whole = b <= p && e >= q;
            let better = best.is_none_or(|(w, f, _, end)| {
                (whole && !w)
                    || (whole == w && found > f)
                    || (whole == w && found == f && !self.is_bad_end(e) && self.is_bad_end(end))
            });
            if better {
                best = Some((whole, found, b, e));
            }
            from = p + 1;
        }
        match best {
            Some((.., b, e)) => self.mark(b, e),
            None => self.mark_beginning(),
        }
        Ok(())
    }
    /// A cover made as long as a headline is to be: how many words found are in it, from where, to where.
    fn stretch(&self, p: usize, q: usize) -> Result<(i32, usize, usize)> {
        let (min, max, n) = (self.o.min_words, self.o.max_words, self.words.len());
        let (mut length, mut found, mut begin, mut end, mut i) = (0, 0, p, p, p);
        while i <= q && length < max {
            length += self.counts(i);
            found += i32::from(self.is_found(i));
            end = i;
            i += 1;
        }
        work::charge(i - p)?;
        if length < max {
            i -= 1;
            while i < n && length < max {
                if i > q {
                    length += self.counts(i);
                    found += i32::from(self.is_found(i));
                }
                end = i;
                if !self.is_bad_end(i) && length >= min {
                    break;
                }
                i += 1;
            }
            if length < min {
                begin = 0;
                for i in (0..p).rev() {
                    length += self.counts(i);
                    found += i32::from(self.is_found(i));
                    if length >= max || (!self.is_bad_end(i) && length >= min) {
                        begin = i;
                        break;
                    }
                }
            }
        } else {
            i = i.min(q);
            while length > min && self.is_bad_end(i) && i > 0 {
                length -= self.counts(i);
                found -= i32::from(self.is_found(i));
                i -= 1;
                end = i;
            }
        }
        Ok((found, begin, end))
    }
    /// get_next_fragment: at most so many words of a cover, from a word found to a word found.
    fn fragment(&self, from: usize, to: usize) -> Fragment {
        let from = (from..=to).find(|i| self.is_found(*i)).unwrap_or(to);
        let (mut length, mut found, mut i) = (0, 0, from);
        while i <= to && length < self.o.max_words {
            length += self.counts(i);
            found += i32::from(self.is_found(i));
            i += 1;
        }
        let mut end = to;
        if to > i {
            end = i;
            for k in (from..=i).rev() {
                end = k;
                if self.is_found(k) {
                    break;
                }
                length -= self.counts(k);
            }
        }
        Fragment { from, to: end, found, length, chosen: false, excluded: false }
    }
    /// mark_hl_fragments: several runs.
    fn choose_fragments(&mut self) -> Result<()> {
        let (mut all, mut from) = (Vec::new(), 0);
        while let Some((p, q)) = self.cover(from)? {
            let mut start = p;
            while start <= q {
                work::charge(8)?;
                let f = self.fragment(start, q);
                start = f.to + 1;
                all.push(f);
            }
            from = p + 1;
        }
        let mut chosen = 0;
        for _ in 0..self.o.max_fragments {
            work::charge(all.len())?;
            let mut best: Option<usize> = None;
            let (mut found, mut length) = (0, i32::MAX);
            for (i, f) in all.iter().enumerate().filter(|(_, f)| !f.chosen && !f.excluded) {
                if found < f.found || (found == f.found && length > f.length) {
                    (best, found, length) = (Some(i), f.found, f.length);
                }
            }
            let Some(best) = best else { break };
            let (from, to) = self.widen(&all[best])?;
            all[best].chosen = true;
            self.mark(from, to);
            chosen += 1;
            for (i, f) in all.iter_mut().enumerate() {
                let within = |at: usize| at >= from && at <= to;
                f.excluded |= i != best && (within(f.from) || within(f.to) || (f.from < from && f.to > to));
            }
        }
        if chosen == 0 {
            self.mark_beginning();
        }
        Ok(())
    }
    /// Makes a fragment longer on both sides, to where nothing is chosen yet.
    fn widen(&self, f: &Fragment) -> Result<(usize, usize)> {
        let (mut from, mut to, mut length) = (f.from, f.to, f.length);
        if length >= self.o.max_words {
            return Ok((from, to));
        }
        let most = (self.o.max_words - length) / 2;
        let (mut stretch, mut mark) = (0, from);
        for i in (0..f.from).rev() {
            if stretch >= most || self.words[i].within {
                break;
            }
            work::charge(1)?;
            length += self.counts(i);
            stretch += self.counts(i);
            mark = i;
        }
        while mark < from && self.is_bad_end(mark) {
            length -= self.counts(mark);
            mark += 1;
        }
        from = mark;
        mark = to;
        for i in to + 1..self.words.len() {
            if length >= self.o.max_words || self.words[i].within {
                break;
            }
            work::charge(1)?;
            length += self.counts(i);
            mark = i;
        }
        while mark > to && self.is_bad_end(mark) {
            mark -= 1;
        }
        to = mark;
        Ok((from, to))
    }
}
