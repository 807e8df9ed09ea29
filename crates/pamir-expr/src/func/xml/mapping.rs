//! Tables, queries, schemas and databases as XML, and their XML Schemas (SQL/XML, "mapping tables to XML").
//!
//! ```text
//!   table_to_xml(t, nulls, forest, ns)      <t> <row> <a>1</a> </row> ... </t>, with `forest` <t> <a>1</a> </t> ...
//!   table_to_xmlschema(...)                 types of the columns, a type of the rows, of the table, the element
//! ```
//! Rows come from statements that are run for the function ([`crate::spi`]), which see what its caller sees.
//!
//! Limits: cursors (0A000). A query's columns of a domain are of what it is over.
use super::super::registry::bad_args;
use super::super::{CallInfo, reg};
use super::{append, made, value};
use crate::env::Env;
use crate::spi::{Answer, Query};
use pamir_types::{Datum, Oid, Result, Type, bail, err, oid};

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
const XSD: &str = "http://www.w3.org/2001/XMLSchema";
/// Schemas of a database that are mapped.
const SCHEMAS: &str = "SELECT oid, nspname FROM pg_catalog.pg_namespace WHERE pg_catalog.has_schema_privilege(oid, 'USAGE') \
    AND NOT (nspname ~ '^pg_' OR nspname = 'information_schema') ORDER BY nspname";
/// Tables of a schema that are.
const TABLES: &str = "SELECT oid FROM pg_catalog.pg_class WHERE relnamespace = $1 AND relkind IN ('r', 'm', 'v') \
    AND pg_catalog.has_table_privilege(oid, 'SELECT') ORDER BY relname";

/// What the last arguments say.
#[derive(Clone, Copy)]
struct How<'a> {
    /// NULLs are elements with xsi:nil.
    nulls: bool,
    /// No element around the rows.
    forest: bool,
    namespace: &'a str,
}
fn how<'a>(args: &'a [Datum]) -> Result<(&'a [Datum], How<'a>)> {
    match args {
        [rest @ .., Datum::Bool(nulls), Datum::Bool(forest), Datum::Text(ns)] => {
            Ok((rest, How { nulls: *nulls, forest: *forest, namespace: ns }))
        }
        _ => Err(bad_args("a mapping to XML", args)),
    }
}

fn run(env: &mut dyn Env, text: &str, params: &[(Type, Datum)], limit: u64) -> Result<Answer> {
    env.spi()?.execute(&Query { read_only: true, limit, ..Query::new(text, params) })
}
fn oids(env: &mut dyn Env, text: &str, params: &[(Type, Datum)]) -> Result<Vec<Oid>> {
    let rows = run(env, text, params, 0)?.rows;
    Ok(rows.iter().filter_map(|r| if let Some(Datum::Oid(o)) = r.first() { Some(*o) } else { None }).collect())
}
fn tables(env: &mut dyn Env, schema: Oid) -> Result<Vec<Oid>> {
    oids(env, TABLES, &[(Type::OID, Datum::Oid(schema))])
}
/// Schema and name of a relation.
fn relation(env: &mut dyn Env, o: Oid) -> Result<(String, String)> {
    named(
        env,
        "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1",
        o,
        "relation",
    )
}
fn named(env: &mut dyn Env, text: &str, o: Oid, what: &str) -> Result<(String, String)> {
    let a = run(env, text, &[(Type::OID, Datum::Oid(o))], 0)?;
    match a.rows.first().map(Vec::as_slice) {
        Some([Datum::Text(schema), Datum::Text(name)]) => Ok((schema.to_string(), name.to_string())),
        _ => bail!(UNDEFINED_TABLE, "{what} with OID {o} does not exist"),
    }
}
fn schema(env: &mut dyn Env, d: &Datum) -> Result<(Oid, String)> {
    let Datum::Text(name) = d else { return Err(bad_args("schema_to_xml", std::slice::from_ref(d))) };
    let params = [(Type::new(oid::NAME), d.clone())];
    let found = oids(env, "SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1", &params)?;
    let Some(o) = found.first() else { return Err(err!(INVALID_SCHEMA_NAME, "schema \"{name}\" does not exist")) };
    Ok((*o, name.to_string()))
}
fn mapped(s: &str) -> String {
    value::name(s, true, false)
}
/// Names joined by periods.
fn several(parts: &[&str]) -> String {
    parts.iter().map(|p| value::name(p, true, true)).collect::<Vec<_>>().join(".")
}

// Rows

fn open(out: &mut String, name: &str, schema: Option<&str>, how: How, top: bool) {
    out.push('<');
    out.push_str(name);
    if top {
        out.push_str(&format!(" xmlns:xsi=\"{XSI}\""));
        if !how.namespace.is_empty() {
            out.push_str(&format!(" xmlns=\"{}\"", how.namespace));
        }
    }
    if schema.is_some() {
        match how.namespace {
            "" => out.push_str(" xsi:noNamespaceSchemaLocation=\"#\""),
            ns => out.push_str(&format!(" xsi:schemaLocation=\"{ns} #\"")),
        }
    }
    out.push_str(">\n");
}
fn close(out: &mut String, name: &str) {
    out.push_str(&format!("</{name}>\n"));
}
fn row(
    out: &mut String,
    columns: &[(String, Type)],
    row: &[Datum],
    table: Option<&str>,
    how: How,
    top: bool,
    env: &mut dyn Env,
) -> Result<()> {
    let name = table.map_or_else(|| if how.forest { "row" } else { "table" }.to_string(), mapped);
    match how.forest {
        true => open(out, &name, None, how, top),
        false => out.push_str("<row>\n"),
    }
    for ((column, ty), d) in columns.iter().zip(row) {
        let column = mapped(column);
        if !d.is_null() {
            let s = value::to_xml(d, *ty, true, env)?;
            append(out, &format!("  <{column}>{s}</{column}>\n"))?;
        } else if how.nulls {
            append(out, &format!("  <{column} xsi:nil=\"true\"/>\n"))?;
        }
    }
    if how.forest {
        close(out, &name);
        out.push('\n');
    } else {
        out.push_str("</row>\n\n");
    }
    Ok(())
}
fn query(
    text: &str,
    table: Option<&str>,
    schema: Option<&str>,
    how: How,
    top: bool,
    env: &mut dyn Env,
) -> Result<String> {
    let name = table.map_or("table".into(), mapped);
    let a = run(env, text, &[], 0)?;
    if !a.has_rows {
        bail!(DATA_EXCEPTION, "invalid query");
    }
    let mut out = String::new();
    if !how.forest {
        open(&mut out, &name, schema, how, top);
        out.push('\n');
    }
    if let Some(s) = schema {
        out.push_str(&format!("{s}\n\n"));
    }
    for r in &a.rows {
        row(&mut out, &a.columns, r, table, how, top, env)?;
    }
    if !how.forest {
        close(&mut out, &name);
    }
    Ok(out)
}
fn rows_of(table: Oid, schema: Option<&str>, how: How, top: bool, env: &mut dyn Env) -> Result<String> {
    let shown = reg::name(table, oid::REGCLASS, env);
    let (_, name) = relation(env, table)?;
    query(&format!("SELECT * FROM {shown}"), Some(&name), schema, how, top, env)
}
fn schema_rows(o: Oid, name: &str, xsd: Option<&str>, how: How, top: bool, env: &mut dyn Env) -> Result<String> {
    let mut out = String::new();
    let name = mapped(name);
    open(&mut out, &name, xsd, how, top);
    out.push('\n');
    if let Some(s) = xsd {
        out.push_str(&format!("{s}\n\n"));
    }
    for t in tables(env, o)? {
        let rows = rows_of(t, None, how, false, env)?;
        append(&mut out, &rows)?;
        out.push('\n');
    }
    close(&mut out, &name);
    Ok(out)
}
fn database_rows(xsd: Option<&str>, how: How, env: &mut dyn Env) -> Result<String> {
    let mut out = String::new();
    let name = mapped(env.database());
    open(&mut out, &name, xsd, how, true);
    out.push('\n');
    if let Some(s) = xsd {
        out.push_str(&format!("{s}\n\n"));
    }
    for (o, n) in schemas(env)? {
        let rows = schema_rows(o, &n, None, how, false, env)?;
        append(&mut out, &rows)?;
        out.push('\n');
    }
    close(&mut out, &name);
    Ok(out)
}
fn schemas(env: &mut dyn Env) -> Result<Vec<(Oid, String)>> {
    let rows = run(env, SCHEMAS, &[], 0)?.rows;
    Ok(rows
        .iter()
        .filter_map(|r| match r.as_slice() {
            [Datum::Oid(o), Datum::Text(n)] => Some((*o, n.to_string())),
            _ => None,
        })
        .collect())
}

// Schemas

/// A relation's columns, domains among their types.
fn columns(table: Oid, env: &mut dyn Env) -> Result<Vec<(String, Type)>> {
    if let Some(t) = env.catalog().table(table) {
        let declared = |c: &pamir_catalog::Column| t.declared.domain(c.attnum).map_or(c.ty, Type::new);
        return Ok(t.live_columns().map(|c| (c.name.clone(), declared(c))).collect());
    }
    let shown = reg::name(table, oid::REGCLASS, env);
    Ok(run(env, &format!("SELECT * FROM {shown}"), &[], 1)?.columns)
}
fn type_name(ty: Type, env: &mut dyn Env) -> Result<String> {
    let length = |word: &str| if ty.typmod == -1 { word.to_string() } else { format!("{word}_{}", ty.typmod - 4) };
    let digits = |word: &str| if ty.typmod == -1 { word.to_string() } else { format!("{word}_{}", ty.typmod) };
    Ok(match ty.oid {
        oid::BPCHAR => length("CHAR"),
        oid::VARCHAR => length("VARCHAR"),
        oid::NUMERIC if ty.typmod != -1 => {
            let m = ty.typmod - 4;
            format!("NUMERIC_{}_{}", (m >> 16) & 0xffff, m & 0xffff)
        }
        oid::NUMERIC => "NUMERIC".into(),
        oid::INT4 => "INTEGER".into(),
        oid::INT2 => "SMALLINT".into(),
        oid::INT8 => "BIGINT".into(),
        oid::FLOAT4 => "REAL".into(),
        oid::FLOAT8 => "DOUBLE".into(),
        oid::BOOL => "BOOLEAN".into(),
        oid::TIME => digits("TIME"),
        oid::TIMETZ => digits("TIME_WTZ"),
        oid::TIMESTAMP => digits("TIMESTAMP"),
        oid::TIMESTAMPTZ => digits("TIMESTAMP_WTZ"),
        oid::DATE => "DATE".into(),
        oid::XML => "XML".into(),
        o => {
            let (schema, name) = named(
                env,
                "SELECT n.nspname, t.typname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.oid = $1",
                o,
                "type",
            )?;
            let kind = if oid::is_domain(o) { "Domain" } else { "UDT" };
            several(&[kind, env.database(), &schema, &name])
        }
    })
}
/// The definition of a type.
fn simple_type(o: Oid, env: &mut dyn Env) -> Result<String> {
    if o == oid::XML {
        return Ok(
            "<xsd:complexType mixed=\"true\">\n  <xsd:sequence>\n    <xsd:any name=\"element\" minOccurs=\"0\" \
            maxOccurs=\"unbounded\" processContents=\"skip\"/>\n  </xsd:sequence>\n</xsd:complexType>\n"
                .into(),
        );
    }
    let name = type_name(Type::new(o), env)?;
    let whole = |base: &str, most: i64, least: i64| {
        format!(
            "  <xsd:restriction base=\"xsd:{base}\">\n    <xsd:maxInclusive value=\"{most}\"/>\n    <xsd:minInclusive value=\"{least}\"/>\n  </xsd:restriction>\n"
        )
    };
    let empty = |base: &str| format!("  <xsd:restriction base=\"xsd:{base}\"></xsd:restriction>\n");
    let patterned = |base: &str, pattern: &str| {
        format!(
            "  <xsd:restriction base=\"xsd:{base}\">\n    <xsd:pattern value=\"{pattern}\"/>\n  </xsd:restriction>\n"
        )
    };
    let (two, zone) = ("\\p{Nd}{2}", "(\\+|-)\\p{Nd}{2}:\\p{Nd}{2}");
    let time = format!("{two}:{two}:{two}(.\\p{{Nd}}+)?");
    let date = format!("\\p{{Nd}}{{4}}-{two}-{two}");
    let body = match o {
        oid::BPCHAR | oid::VARCHAR | oid::TEXT => {
            "  <xsd:restriction base=\"xsd:string\">\n  </xsd:restriction>\n".into()
        }
        oid::BYTEA => {
            let base = if env.setting("xmlbinary").as_deref() == Some("hex") { "hexBinary" } else { "base64Binary" };
            format!("  <xsd:restriction base=\"xsd:{base}\">\n  </xsd:restriction>\n")
        }
        oid::INT2 => whole("short", i16::MAX.into(), i16::MIN.into()),
        oid::INT4 => whole("int", i32::MAX.into(), i32::MIN.into()),
        oid::INT8 => whole("long", i64::MAX, i64::MIN),
        oid::FLOAT4 => empty("float"),
        oid::FLOAT8 => empty("double"),
        oid::BOOL => empty("boolean"),
        oid::TIME => patterned("time", &time),
        oid::TIMETZ => patterned("time", &format!("{time}{zone}")),
        oid::TIMESTAMP => patterned("dateTime", &format!("{date}T{time}")),
        oid::TIMESTAMPTZ => patterned("dateTime", &format!("{date}T{time}{zone}")),
        oid::DATE => patterned("date", &date),
        o if oid::is_domain(o) => {
            let base = env.catalog().base_type(Type::new(o));
            format!("  <xsd:restriction base=\"{}\"/>\n", type_name(base, env)?)
        }
        _ => String::new(),
    };
    Ok(format!("<xsd:simpleType name=\"{name}\">\n{body}</xsd:simpleType>\n"))
}
fn types(of: &[Vec<(String, Type)>], out: &mut String, env: &mut dyn Env) -> Result<()> {
    let mut all: Vec<Oid> = Vec::new();
    let add = |all: &mut Vec<Oid>, o: Oid| {
        if !all.contains(&o) {
            all.push(o);
        }
    };
    of.iter().flatten().for_each(|c| add(&mut all, c.1.oid));
    for i in 0..all.len() {
        let base = env.catalog().base_type(Type::new(all[i])).oid;
        add(&mut all, base);
    }
    for o in all {
        let s = simple_type(o, env)?;
        append(out, &format!("{s}\n"))?;
    }
    Ok(())
}
fn begin(how: How) -> String {
    let mut out = format!("<xsd:schema\n    xmlns:xsd=\"{XSD}\"");
    if !how.namespace.is_empty() {
        out.push_str(&format!("\n    targetNamespace=\"{}\"\n    elementFormDefault=\"qualified\"", how.namespace));
    }
    out.push_str(">\n\n");
    out
}
const END: &str = "</xsd:schema>";

/// The schema of rows with such columns; of a table, if there is one.
fn table_schema(columns: Vec<(String, Type)>, table: Option<Oid>, how: How, env: &mut dyn Env) -> Result<String> {
    let (element, of_table, of_row) = match table {
        Some(o) => {
            let (schema, name) = relation(env, o)?;
            let db = env.database().to_string();
            (mapped(&name), several(&["TableType", &db, &schema, &name]), several(&["RowType", &db, &schema, &name]))
        }
        None => (if how.forest { "row" } else { "table" }.into(), "TableType".into(), "RowType".into()),
    };
    let mut out = begin(how);
    types(std::slice::from_ref(&columns), &mut out, env)?;
    out.push_str(&format!("<xsd:complexType name=\"{of_row}\">\n  <xsd:sequence>\n"));
    for (name, ty) in &columns {
        let ty = type_name(Type::new(ty.oid), env)?;
        let null = if how.nulls { "nillable=\"true\"" } else { "minOccurs=\"0\"" };
        append(&mut out, &format!("    <xsd:element name=\"{}\" type=\"{ty}\" {null}></xsd:element>\n", mapped(name)))?;
    }
    out.push_str("  </xsd:sequence>\n</xsd:complexType>\n\n");
    if !how.forest {
        out.push_str(&format!(
            "<xsd:complexType name=\"{of_table}\">\n  <xsd:sequence>\n    <xsd:element name=\"row\" type=\"{of_row}\" minOccurs=\"0\" \
             maxOccurs=\"unbounded\"/>\n  </xsd:sequence>\n</xsd:complexType>\n\n"
        ));
    }
    out.push_str(&format!(
        "<xsd:element name=\"{element}\" type=\"{}\"/>\n\n",
        if how.forest { of_row } else { of_table }
    ));
    out.push_str(END);
    Ok(out)
}
fn schema_schema(o: Oid, name: &str, how: How, env: &mut dyn Env) -> Result<String> {
    let tables = tables(env, o)?;
    let mut out = begin(how);
    let all = tables.iter().map(|t| columns(*t, env)).collect::<Result<Vec<_>>>()?;
    types(&all, &mut out, env)?;
    let db = env.database().to_string();
    let ty = several(&["SchemaType", &db, name]);
    let (group, kind, times) = match how.forest {
        true => ("sequence", "RowType", " minOccurs=\"0\" maxOccurs=\"unbounded\""),
        false => ("all", "TableType", ""),
    };
    out.push_str(&format!("<xsd:complexType name=\"{ty}\">\n  <xsd:{group}>\n"));
    for t in tables {
        let (_, table) = relation(env, t)?;
        let of = several(&[kind, &db, name, &table]);
        append(&mut out, &format!("    <xsd:element name=\"{}\" type=\"{of}\"{times}/>\n", mapped(&table)))?;
    }
    out.push_str(&format!(
        "  </xsd:{group}>\n</xsd:complexType>\n\n<xsd:element name=\"{}\" type=\"{ty}\"/>\n\n{END}",
        mapped(name)
    ));
    Ok(out)
}
fn database_schema(how: How, env: &mut dyn Env) -> Result<String> {
    let mut out = begin(how);
    let schemas = schemas(env)?;
    let mut all = Vec::new();
    for (o, _) in &schemas {
        for t in tables(env, *o)? {
            all.push(columns(t, env)?);
        }
    }
    types(&all, &mut out, env)?;
    let db = env.database().to_string();
    let ty = several(&["CatalogType", &db]);
    out.push_str(&format!("<xsd:complexType name=\"{ty}\">\n  <xsd:all>\n"));
    for (_, n) in &schemas {
        let of = several(&["SchemaType", &db, n]);
        append(&mut out, &format!("    <xsd:element name=\"{}\" type=\"{of}\"/>\n", mapped(n)))?;
    }
    out.push_str(&format!(
        "  </xsd:all>\n</xsd:complexType>\n\n<xsd:element name=\"{}\" type=\"{ty}\"/>\n\n{END}",
        mapped(&db)
    ));
    Ok(out)
}

// The functions

fn table_arg(rest: &[Datum]) -> Result<Oid> {
    match rest {
        [Datum::Oid(o)] => Ok(*o),
        _ => Err(bad_args("table_to_xml", rest)),
    }
}
fn query_arg(rest: &[Datum]) -> Result<&str> {
    match rest {
        [Datum::Text(s)] => Ok(s),
        _ => Err(bad_args("query_to_xml", rest)),
    }
}
fn query_columns(text: &str, env: &mut dyn Env) -> Result<Vec<(String, Type)>> {
    Ok(run(env, text, &[], 1)?.columns)
}
pub fn table_to_xml(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    made(&rows_of(table_arg(rest)?, None, how, true, env)?)
}
pub fn table_to_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    let t = table_arg(rest)?;
    let columns = columns(t, env)?;
    made(&table_schema(columns, Some(t), how, env)?)
}
pub fn table_to_xml_and_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    let t = table_arg(rest)?;
    let columns = columns(t, env)?;
    let xsd = table_schema(columns, Some(t), how, env)?;
    made(&rows_of(t, Some(&xsd), how, true, env)?)
}
pub fn query_to_xml(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    made(&query(query_arg(rest)?, None, None, how, true, env)?)
}
pub fn query_to_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    let columns = query_columns(query_arg(rest)?, env)?;
    made(&table_schema(columns, None, how, env)?)
}
pub fn query_to_xml_and_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    let text = query_arg(rest)?;
    let columns = query_columns(text, env)?;
    let xsd = table_schema(columns, None, how, env)?;
    made(&query(text, None, Some(&xsd), how, true, env)?)
}
pub fn schema_to_xml(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    let (o, name) = schema(env, rest.first().unwrap_or(&Datum::Null))?;
    made(&schema_rows(o, &name, None, how, true, env)?)
}
pub fn schema_to_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    let (o, name) = schema(env, rest.first().unwrap_or(&Datum::Null))?;
    made(&schema_schema(o, &name, how, env)?)
}
pub fn schema_to_xml_and_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (rest, how) = how(args)?;
    let (o, name) = schema(env, rest.first().unwrap_or(&Datum::Null))?;
    let xsd = schema_schema(o, &name, how, env)?;
    made(&schema_rows(o, &name, Some(&xsd), how, true, env)?)
}
pub fn database_to_xml(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (_, how) = how(args)?;
    made(&database_rows(None, how, env)?)
}
pub fn database_to_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (_, how) = how(args)?;
    made(&database_schema(how, env)?)
}
pub fn database_to_xml_and_xmlschema(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (_, how) = how(args)?;
    let xsd = database_schema(how, env)?;
    made(&database_rows(Some(&xsd), how, env)?)
}
