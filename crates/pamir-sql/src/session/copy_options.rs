//! What COPY's WITH says, checked.
use crate::ddl::def;
use pamir_parse::tree::{DefElem, DefValue};
use pamir_types::encoding::Encoding;
use pamir_types::{Error, Result, bail, err};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Text,
    Csv,
    Binary,
}

#[derive(Clone, Debug)]
pub(super) struct Options {
    pub format: Format,
    pub delimiter: u8,
    pub null: String,
    pub header: bool,
    /// The header must be the columns' names.
    pub header_match: bool,
    pub quote: u8,
    pub escape: u8,
    pub force_quote: Vec<String>,
    pub force_quote_all: bool,
    pub force_not_null: Vec<String>,
    pub force_null: Vec<String>,
    /// The rows are as if written long ago, which they are to everybody when the table was not there before: nothing but that is asked.
    pub freeze: bool,
    /// None: the client's.
    pub encoding: Option<Encoding>,
}

/// The columns of FORCE_NULL and its kin; None: no list.
fn columns(d: &DefElem) -> Option<Vec<String>> {
    let Some(DefValue::List(list)) = &d.value else { return None };
    list.iter().map(|v| if let DefValue::String(s) = v { Some(s.clone()) } else { None }).collect()
}

/// `text`: the statement that the options stand in.
pub(super) fn options(list: &[DefElem], text: &str) -> Result<Options> {
    let mut o = Options {
        format: Format::Text,
        delimiter: 0,
        null: "\0".into(),
        header: false,
        header_match: false,
        quote: 0,
        escape: 0,
        force_quote: vec![],
        force_quote_all: false,
        force_not_null: vec![],
        force_null: vec![],
        freeze: false,
        encoding: None,
    };
    for (i, d) in list.iter().enumerate() {
        let name = d.name.as_str();
        let here = |e: Error| def::placed(e, text, d.at);
        if list[..i].iter().any(|earlier| earlier.name == name) {
            return Err(here(err!(SYNTAX_ERROR, "conflicting or redundant options")));
        }
        let byte = || -> Result<u8> {
            match def::string(d)?.as_bytes() {
                [b] => Ok(*b),
                _ => Err(err!(FEATURE_NOT_SUPPORTED, "COPY {name} must be a single one-byte character")),
            }
        };
        let listed = || {
            columns(d).ok_or_else(|| {
                here(err!(INVALID_PARAMETER_VALUE, "argument to option \"{name}\" must be a list of column names"))
            })
        };
        match name {
            "format" => {
                o.format = match def::string(d)?.as_str() {
                    "text" => Format::Text,
                    "csv" => Format::Csv,
                    "binary" => Format::Binary,
                    other => {
                        return Err(here(err!(INVALID_PARAMETER_VALUE, "COPY format \"{other}\" not recognized")));
                    }
                }
            }
            "freeze" => o.freeze = def::boolean(d)?,
            "delimiter" => o.delimiter = byte()?,
            "null" => o.null = def::string(d)?,
            "header" => {
                if d.value.is_some() && def::string(d)?.eq_ignore_ascii_case("match") {
                    (o.header, o.header_match) = (true, true);
                } else {
                    o.header = def::boolean(d)
                        .map_err(|_| err!(SYNTAX_ERROR, "{name} requires a Boolean value or \"match\""))?;
                }
            }
            "quote" => o.quote = byte()?,
            "escape" => o.escape = byte()?,
            "force_quote" if d.value == Some(DefValue::Star) => o.force_quote_all = true,
            "force_quote" => o.force_quote = listed()?,
            "force_not_null" => o.force_not_null = listed()?,
            "force_null" => o.force_null = listed()?,
            "encoding" => {
                let e = def::string(d)?;
                let found = Encoding::by_name(&e).ok_or_else(|| {
                    here(err!(INVALID_PARAMETER_VALUE, "argument to option \"encoding\" must be a valid encoding name"))
                })?;
                if !found.is_there() {
                    return Err(Error::unsupported(format_args!("COPY encoding \"{e}\"")));
                }
                o.encoding = Some(found);
            }
            other => return Err(here(err!(SYNTAX_ERROR, "option \"{other}\" not recognized"))),
        }
    }
    settled(o)
}
/// Options that go together, and what those that were not said are.
fn settled(mut o: Options) -> Result<Options> {
    if o.format != Format::Csv {
        for (set, what) in [
            (o.quote != 0, "quote"),
            (o.escape != 0, "escape"),
            (o.force_quote_all || !o.force_quote.is_empty(), "force quote"),
            (!o.force_not_null.is_empty(), "force not null"),
            (!o.force_null.is_empty(), "force null"),
        ] {
            if set {
                bail!(FEATURE_NOT_SUPPORTED, "COPY {what} available only in CSV mode");
            }
        }
    }
    if o.format == Format::Binary && (o.delimiter != 0 || o.null != "\0") {
        bail!(SYNTAX_ERROR, "cannot specify {} in BINARY mode", if o.delimiter != 0 { "DELIMITER" } else { "NULL" });
    }
    if o.quote == 0 {
        o.quote = b'"';
    }
    if o.null == "\0" {
        o.null = if o.format == Format::Csv { String::new() } else { "\\N".into() };
    }
    if o.delimiter == 0 {
        o.delimiter = if o.format == Format::Csv { b',' } else { b'\t' };
    }
    if o.escape == 0 {
        o.escape = o.quote;
    }
    if matches!(o.delimiter, b'\n' | b'\r') {
        bail!(INVALID_PARAMETER_VALUE, "COPY delimiter cannot be newline or carriage return");
    }
    if o.null.contains(['\n', '\r']) {
        bail!(INVALID_PARAMETER_VALUE, "COPY null representation cannot use newline or carriage return");
    }
    // What a line of text may have of its own, or behind a backslash.
    if o.format == Format::Text && (matches!(o.delimiter, b'\\' | b'.' | b'a'..=b'z' | b'0'..=b'9')) {
        bail!(INVALID_PARAMETER_VALUE, "COPY delimiter cannot be \"{}\"", char::from(o.delimiter));
    }
    if o.format == Format::Binary && o.header {
        bail!(FEATURE_NOT_SUPPORTED, "cannot specify HEADER in BINARY mode");
    }
    if o.format == Format::Csv && o.delimiter == o.quote {
        bail!(INVALID_PARAMETER_VALUE, "COPY delimiter and quote must be different");
    }
    if o.null.as_bytes().contains(&o.delimiter) {
        bail!(FEATURE_NOT_SUPPORTED, "COPY delimiter must not appear in the NULL specification");
    }
    if o.format == Format::Csv && o.null.as_bytes().contains(&o.quote) {
        bail!(FEATURE_NOT_SUPPORTED, "CSV quote character must not appear in the NULL specification");
    }
    Ok(o)
}
