//! SQL's values and names as XML (SQL/XML, "mapping SQL to XML"), as PostgreSQL maps them.
use crate::env::Env;
use crate::func::{json, reg, string};
use pamir_types::datetime::is_infinite;
use pamir_types::xml;
use pamir_types::{Datum, Result, Type, err, oid, work};

/// A name as XML's: what a name there may not have stands in it by its number, `_x0020_`. `full`: colons anywhere, and `xml` at the beginning, count
/// as well; `period`: so do periods.
pub fn name(s: &str, full: bool, period: bool) -> String {
    let mut out = String::with_capacity(s.len());
    for (i, c) in s.char_indices() {
        let first = i == 0;
        let fits = if first { xml::is_name_start(c) } else { xml::is_name_char(c) };
        match c {
            ':' if first || full => out.push_str("_x003A_"),
            '_' if s[i + 1..].starts_with('x') => out.push_str("_x005F_"),
            'x' | 'X' if full && first && s.get(..3).is_some_and(|h| h.eq_ignore_ascii_case("xml")) => {
                out.push_str(if c == 'x' { "_x0078_" } else { "_x0058_" })
            }
            '.' if period => out.push_str("_x002E_"),
            c if !fits => out.push_str(&format!("_x{:04X}_", c as u32)),
            c => out.push(c),
        }
    }
    out
}
/// The name that [`name`] was made of.
pub fn unmapped(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    while let Some(n) = rest.find("_x") {
        out.push_str(&rest[..n]);
        let code = rest.get(n + 2..n + 6).filter(|_| rest.as_bytes().get(n + 6) == Some(&b'_'));
        match code.and_then(|c| u32::from_str_radix(c, 16).ok()).and_then(char::from_u32) {
            Some(c) => {
                out.push(c);
                rest = &rest[n + 7..];
            }
            None => {
                out.push_str("_x");
                rest = &rest[n + 2..];
            }
        }
    }
    out.push_str(rest);
    out
}
/// An attribute's value.
pub fn attribute(s: &str, out: &mut String) {
    for c in s.chars() {
        match c {
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_ascii() => out.push(c),
            c => out.push_str(&format!("&#x{:X};", c as u32)),
        }
    }
}

/// A value as content. `escape`: strings get references for what would be markup, unless they are xml. 22008 for infinite times.
pub fn to_xml(d: &Datum, ty: Type, escape: bool, env: &mut dyn Env) -> Result<String> {
    let ty = if oid::is_domain(ty.oid) { env.catalog().base_type(ty) } else { ty };
    let infinite = |what: &str, kind: &str| {
        err!(DATETIME_FIELD_OVERFLOW, "{what} out of range")
            .detail(format!("XML does not support infinite {kind} values."))
    };
    Ok(match d {
        Datum::Array(a) if !matches!(ty.oid, oid::INT2VECTOR | oid::OIDVECTOR) => {
            let mut out = String::new();
            for d in a.items.iter().filter(|d| !d.is_null()) {
                work::charge(16)?;
                let s = to_xml(d, Type::new(a.elem), true, env)?;
                super::append(&mut out, &format!("<element>{s}</element>"))?;
            }
            out
        }
        Datum::Bool(b) => b.to_string(),
        Datum::Date(i32::MIN | i32::MAX) => return Err(infinite("date", "date")),
        Datum::Timestamp(t) | Datum::TimestampTz(t) if is_infinite(*t) => {
            return Err(infinite("timestamp", "timestamp"));
        }
        Datum::Date(_) | Datum::Timestamp(_) | Datum::TimestampTz(_) => json::iso_datetime(d, ty, env),
        Datum::Bytea(b) if ty.oid == oid::BYTEA => binary(b, env.setting("xmlbinary").as_deref() == Some("hex"))?,
        d => {
            string::admit_text([d])?;
            let s = reg::output_string(d, ty, env);
            if !escape || ty.oid == oid::XML {
                return Ok(s);
            }
            work::charge(s.len() / 8)?;
            let mut out = String::with_capacity(s.len());
            xml::escape(&s, &mut out);
            out
        }
    })
}
/// Bytes as digits, or in base 64 in lines of 72 characters.
fn binary(b: &[u8], hex: bool) -> Result<String> {
    const LINE: usize = 72 / 4 * 3;
    pamir_types::memory::admit(b.len().saturating_mul(2))?;
    work::charge(b.len() / 4)?;
    if hex {
        return Ok(b.iter().map(|b| format!("{b:02X}")).collect());
    }
    Ok(b.chunks(LINE).map(string::base64_encode).collect::<Vec<_>>().join("\r\n"))
}
