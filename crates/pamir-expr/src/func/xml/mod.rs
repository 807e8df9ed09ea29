//! Functions of xml: the grammar's own (XMLELEMENT and so on), well-formedness, aggregates; [`path`] asks by XPath, [`table`] is XMLTABLE, [`value`] makes
//! XML of SQL's values and names, [`mapping`] of whole tables, queries and schemas.
//!
//! ```text
//!   XMLELEMENT(NAME a, XMLATTRIBUTES(x AS b), y)  ->  pamir_xml_element('a', '{b}', x, y)        names are mapped when a statement is bound
//!   XMLTABLE(...)                                 ->  pamir_xml_table(...), a function in FROM
//! ```
//! What has a syntax of its own is bound to functions that PostgreSQL does not have; `deparse::xml` writes them as they were. A value is its text, so nothing is
//! kept of a document between two calls, and who asks a path reads it again.
//!
//! Limits: warnings of the reader are told by functions that ask paths, and by no input; a context ("SQL function \"xpath\" statement 1") stands also where the
//! arguments are no constants.
use super::registry::{OWN_OIDS, OwnRow, SET, STABLE, STRICT, VARIADIC, bad_args, funcs};
use super::*;
use pamir_types::xml::{self, Part, decl};
use pamir_types::{bail, err, long, memory, oid, work};

mod mapping;
mod path;
pub mod table;
pub mod value;

/// XMLCONCAT
pub const CONCAT: &str = "pamir_xml_concat";
/// XMLELEMENT: its name, the attributes' names, the attributes' values, the content.
pub const ELEMENT: &str = "pamir_xml_element";
/// XMLFOREST: the names, the values.
pub const FOREST: &str = "pamir_xml_forest";
/// XMLPARSE: the text, whether it is a document, whether white space is preserved.
pub const PARSE: &str = "pamir_xml_parse";
/// XMLPI: the target, the content.
pub const PI: &str = "pamir_xml_pi";
/// XMLROOT: the value, the version, then 1: STANDALONE YES, 0: NO, -1: NO VALUE, -2: nothing was said.
pub const ROOT: &str = "pamir_xml_root";
/// XMLSERIALIZE: the value, whether it is to be a document, NULL of the type that was asked for.
pub const SERIALIZE: &str = "pamir_xml_serialize";
/// IS DOCUMENT
pub const IS_DOCUMENT: &str = "pamir_xml_is_document";
/// XMLTABLE, see [`table`].
pub const TABLE: &str = "pamir_xml_table";

/// Is it a function for what XML has of the grammar? It is computed when the statement runs, never ahead, since PostgreSQL computes it then.
pub fn is_grammar(f: &Function) -> bool {
    f.own_name().starts_with("pamir_xml_")
}
const fn own(n: Oid, name: &'static str, args: &'static [Oid], ret: Oid, flags: u8, body: Eval) -> OwnRow {
    OwnRow { oid: OWN_OIDS + 400 + n, name, args, ret, flags, body: Body::scalar(body) }
}
pub static OWN: &[OwnRow] = &[
    own(0, CONCAT, &[oid::XML], oid::XML, VARIADIC | STABLE, concat),
    own(1, ELEMENT, &[oid::TEXT, 1009, oid::ANY], oid::XML, VARIADIC | STABLE, element),
    own(2, FOREST, &[1009, oid::ANY], oid::XML, VARIADIC | STABLE, forest),
    own(3, PARSE, &[oid::TEXT, oid::BOOL, oid::BOOL], oid::XML, STRICT | STABLE, parse),
    own(4, PI, &[oid::TEXT, oid::TEXT], oid::XML, STABLE, instruction),
    own(5, ROOT, &[oid::XML, oid::TEXT, oid::INT4], oid::XML, STABLE, root),
    own(6, SERIALIZE, &[oid::XML, oid::BOOL, oid::ANY], oid::TEXT, STABLE, serialize),
    own(7, IS_DOCUMENT, &[oid::XML], oid::BOOL, STRICT | STABLE, is_document),
    OwnRow {
        oid: OWN_OIDS + 408,
        name: TABLE,
        args: &[oid::XML, oid::TEXT, oid::ANY],
        ret: oid::RECORD,
        flags: VARIADIC | SET | STABLE,
        body: Body::set(table::rows),
    },
];
funcs! { pub FUNCS {
    xmlcomment (s: Text) => comment(s);
    texttoxml raw = of_text;
    xmltotext (s: Text) => Ok(Datum::Text(s.clone()));
    xmlvalidate raw = |_, _, _| Err(err!(FEATURE_NOT_SUPPORTED, "xmlvalidate is not implemented"));
    xmlconcat2 raw = concat2;
    xml_is_well_formed raw = well_formed;
    xml_is_well_formed_document (s: Text) => xml::is_well_formed(s, Part::Document).map(Datum::Bool);
    xml_is_well_formed_content (s: Text) => xml::is_well_formed(s, Part::Content).map(Datum::Bool);
    xmlexists raw = path::exists;
    xpath raw = path::xpath;
    xpath_2932 raw = path::xpath_plain;
    xpath_exists raw = path::exists;
    xpath_exists_3050 raw = path::exists_plain;
    table_to_xml raw = mapping::table_to_xml;
    query_to_xml raw = mapping::query_to_xml;
    table_to_xmlschema raw = mapping::table_to_xmlschema;
    query_to_xmlschema raw = mapping::query_to_xmlschema;
    table_to_xml_and_xmlschema raw = mapping::table_to_xml_and_xmlschema;
    query_to_xml_and_xmlschema raw = mapping::query_to_xml_and_xmlschema;
    schema_to_xml raw = mapping::schema_to_xml;
    schema_to_xmlschema raw = mapping::schema_to_xmlschema;
    schema_to_xml_and_xmlschema raw = mapping::schema_to_xml_and_xmlschema;
    database_to_xml raw = mapping::database_to_xml;
    database_to_xmlschema raw = mapping::database_to_xmlschema;
    database_to_xml_and_xmlschema raw = mapping::database_to_xml_and_xmlschema;
} }

/// A value made of a text, which is not longer than a value may be.
fn made(s: &str) -> Result<Datum> {
    if s.len() > string::MAX_VALUE {
        return Err(memory::out_of_memory(s.len()));
    }
    Ok(Datum::Text(long::shared(s)?))
}
/// Appends, once there is room.
fn append(out: &mut String, s: &str) -> Result<()> {
    work::charge(s.len() / 16 + 1)?;
    let len = out.len() + s.len();
    if len > string::MAX_VALUE {
        return Err(memory::out_of_memory(len));
    }
    memory::admit_growth(out.capacity(), len)?;
    out.push_str(s);
    Ok(())
}

fn comment(s: &str) -> Result<Datum> {
    if s.contains("--") || s.ends_with('-') {
        bail!(INVALID_XML_COMMENT, "invalid XML comment");
    }
    made(&format!("<!--{s}-->"))
}
fn of_text(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Text(s)] = args else { return Err(bad_args("xml", args)) };
    xml::check(s, env.text_ctx().xml_part)?;
    Ok(Datum::Text(s.clone()))
}
fn well_formed(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Text(s)] = args else { return Err(bad_args("xml_is_well_formed", args)) };
    xml::is_well_formed(s, env.text_ctx().xml_part).map(Datum::Bool)
}
fn parse(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let [Datum::Text(s), Datum::Bool(document), _] = args else { return Err(bad_args(PARSE, args)) };
    xml::check(s, if *document { Part::Document } else { Part::Content })?;
    Ok(Datum::Text(s.clone()))
}
fn is_document(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let [Datum::Text(s)] = args else { return Err(bad_args(IS_DOCUMENT, args)) };
    xml::is_well_formed(s, Part::Document).map(Datum::Bool)
}
fn serialize(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let (s, document) = match args {
        [Datum::Null, ..] => return Ok(Datum::Null),
        [Datum::Text(s), Datum::Bool(document), _] => (s, *document),
        _ => return Err(bad_args(SERIALIZE, args)),
    };
    if document && !xml::is_well_formed(s, Part::Document)? {
        bail!(NOT_AN_XML_DOCUMENT, "not an XML document");
    }
    Ok(Datum::Text(s.clone()))
}
fn instruction(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let Some((Datum::Text(target), content)) = args.split_first() else { return Err(bad_args(PI, args)) };
    let wrong = |detail: String| {
        Err(err!(INVALID_XML_PROCESSING_INSTRUCTION, "invalid XML processing instruction").detail(detail))
    };
    if target.eq_ignore_ascii_case("xml") {
        return Err(err!(SYNTAX_ERROR, "invalid XML processing instruction")
            .detail(format!("XML processing instruction target name cannot be \"{target}\".")));
    }
    match content {
        [] => made(&format!("<?{target}?>")),
        [Datum::Text(s)] if s.contains("?>") => wrong("XML processing instruction cannot contain \"?>\".".into()),
        [Datum::Text(s)] => made(&format!("<?{target} {}?>", s.trim_start_matches(' '))),
        _ => Ok(Datum::Null),
    }
}
fn root(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let (s, version, standalone) = match args {
        [Datum::Null, ..] => return Ok(Datum::Null),
        [Datum::Text(s), version, Datum::Int4(n)] => (s, version, *n),
        _ => return Err(bad_args(ROOT, args)),
    };
    let d = decl::read(s).unwrap_or_default();
    let version = if let Datum::Text(v) = version { Some(&**v) } else { None };
    let standalone = match standalone {
        -2 => d.standalone,
        -1 => None,
        n => Some(n == 1),
    };
    let mut out = String::new();
    decl::write(&mut out, version, standalone);
    append(&mut out, &s[d.len..])?;
    made(&out)
}

/// Values put together: their bodies, and what their declarations agree on.
#[derive(Default)]
struct Joined {
    body: String,
    any: bool,
    /// All are standalone, or say that they are not; one that says nothing takes it away.
    standalone: Option<bool>,
    version: Option<String>,
    no_version: bool,
}
impl Joined {
    fn add(&mut self, s: &str) -> Result<()> {
        let d = decl::read(s).unwrap_or_default();
        self.standalone = match (self.any, self.standalone, d.standalone) {
            (_, _, None) | (true, None, _) => None,
            (false, _, Some(own)) => Some(own),
            (true, Some(all), Some(own)) => Some(all && own),
        };
        match (d.version, &self.version) {
            (None, _) => self.no_version = true,
            (Some(v), None) => self.version = Some(v),
            (Some(v), Some(all)) => self.no_version |= v != *all,
        }
        self.any = true;
        append(&mut self.body, &s[d.len..])
    }
    fn head(&self) -> String {
        let mut out = String::new();
        let version = self.version.as_deref().filter(|_| !self.no_version);
        if version.is_some() || self.standalone.is_some() {
            decl::write(&mut out, version, self.standalone);
        }
        out
    }
    fn finish(&self) -> Result<Datum> {
        if !self.any {
            return Ok(Datum::Null);
        }
        let mut out = self.head();
        append(&mut out, &self.body)?;
        made(&out)
    }
}
fn concat(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let mut all = Joined::default();
    for a in args {
        match a {
            Datum::Null => {}
            Datum::Text(s) => all.add(s)?,
            _ => return Err(bad_args(CONCAT, args)),
        }
    }
    all.finish()
}
fn concat2(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    match args {
        [Datum::Null, x] | [x, Datum::Null] => Ok(x.clone()),
        args => concat(ci, args, env),
    }
}

/// xmlagg: each value is put behind all before it, as xmlconcat2 does.
#[derive(Default)]
pub struct Agg {
    /// The only value so far, which stays as it is.
    first: Option<Datum>,
    all: Joined,
}
impl AggState for Agg {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let s = match args {
            [Datum::Null] => return Ok(()),
            [Datum::Text(s)] => s,
            _ => return Err(bad_args("xmlagg", args)),
        };
        if !self.all.any && self.first.is_none() {
            self.first = Some(Datum::Text(s.clone()));
            return Ok(());
        }
        if let Some(Datum::Text(first)) = self.first.take() {
            self.all.add(&first)?;
        } else {
            // What is there is a value with the declaration it would be written with.
            let d = decl::read(&self.all.head()).unwrap_or_default();
            (self.all.no_version, self.all.version, self.all.standalone) =
                (d.version.is_none(), d.version, d.standalone);
        }
        self.all.add(s)
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        match self.first.take() {
            Some(d) => Ok(d),
            None => self.all.finish(),
        }
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        match &self.first {
            Some(d) => Ok(d.clone()),
            None => self.all.finish(),
        }
    }
}

fn names(d: &Datum) -> Vec<&str> {
    let items = if let Datum::Array(a) = d { a.items.as_slice() } else { &[] };
    items.iter().map(|n| if let Datum::Text(n) = n { &**n } else { "" }).collect()
}
fn element(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Text(name), attributes, values @ ..] = args else { return Err(bad_args(ELEMENT, args)) };
    let attributes = names(attributes);
    let types = ci.arg_types.get(2..).unwrap_or(&[]);
    let mut out = format!("<{name}");
    let mut content = None::<String>;
    for (i, (d, ty)) in values.iter().zip(types).enumerate() {
        if d.is_null() {
            continue;
        }
        match attributes.get(i) {
            Some(a) => {
                let s = value::to_xml(d, *ty, false, env)?;
                append(&mut out, &format!(" {a}=\""))?;
                let mut shown = String::new();
                value::attribute(&s, &mut shown);
                append(&mut out, &shown)?;
                out.push('"');
            }
            None => {
                let s = value::to_xml(d, *ty, true, env)?;
                append(content.get_or_insert_default(), &s)?;
            }
        }
    }
    match content {
        None => out.push_str("/>"),
        Some(c) => {
            out.push('>');
            append(&mut out, &c)?;
            out.push_str(&format!("</{name}>"));
        }
    }
    made(&out)
}
fn forest(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let Some((of, values)) = args.split_first() else { return Err(bad_args(FOREST, args)) };
    let types = ci.arg_types.get(1..).unwrap_or(&[]);
    let (mut out, mut any) = (String::new(), false);
    for ((name, d), ty) in names(of).iter().zip(values).zip(types) {
        if !d.is_null() {
            any = true;
            let s = value::to_xml(d, *ty, true, env)?;
            append(&mut out, &format!("<{name}>{s}</{name}>"))?;
        }
    }
    if any { made(&out) } else { Ok(Datum::Null) }
}
