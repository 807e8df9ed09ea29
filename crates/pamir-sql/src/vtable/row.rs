//! Building a virtual table's row by column name.
use super::{VirtualTable, find};
use pamir_types::array::Array;
use pamir_types::{Datum, Oid, Result, Type, oid};
use std::sync::Arc;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

/// Where rows of one table go.
pub(crate) struct Rows<'a> {
    table: Option<&'static VirtualTable>,
    push: Push<'a>,
}
/// One row being made. Columns that are set in their own order cost no search.
pub(crate) struct Row {
    columns: &'static [(&'static str, Type)],
    values: Vec<Datum>,
    next: usize,
}

fn nothing(ty: Type) -> Datum {
    match ty.oid {
        oid::BOOL => Datum::Bool(false),
        oid::INT2 => Datum::Int2(0),
        oid::INT4 => Datum::Int4(0),
        oid::INT8 => Datum::Int8(0),
        oid::FLOAT4 => Datum::Float4(0.0),
        oid::OID | oid::REGPROC | oid::XID | oid::REGTYPE => Datum::Oid(0),
        oid::CHAR => Datum::Char(0),
        oid::NAME => Datum::text(""),
        _ => Datum::Null,
    }
}

impl<'a> Rows<'a> {
    pub fn catalog(name: &str, push: Push<'a>) -> Rows<'a> {
        Rows { table: find("pg_catalog", name), push }
    }
    pub fn own(name: &str, push: Push<'a>) -> Rows<'a> {
        Rows { table: find(pamir_catalog::PAMIR_CATALOG, name), push }
    }
    pub fn info(name: &str, push: Push<'a>) -> Rows<'a> {
        Rows { table: find("information_schema", name), push }
    }
    /// Makes one row.
    pub fn add(&mut self, f: impl FnOnce(&mut Row)) -> Result<()> {
        let Some(t) = self.table else { return Ok(()) };
        let values = t.columns.iter().map(|c| if t.view { Datum::Null } else { nothing(c.1) }).collect();
        let mut row = Row { columns: t.columns, values, next: 0 };
        f(&mut row);
        (self.push)(row.values)
    }
}
impl Row {
    /// Sets a column, converting to its type where PostgreSQL's column is another integer or string type.
    pub fn set(&mut self, name: &str, v: impl Into<Datum>) -> &mut Row {
        let at = match self.columns.get(self.next) {
            Some(c) if c.0 == name => Some(self.next),
            _ => self.columns.iter().position(|c| c.0 == name),
        };
        debug_assert!(at.is_some(), "no column {name}");
        if let Some(at) = at
            && let (Some(slot), Some(c)) = (self.values.get_mut(at), self.columns.get(at))
        {
            *slot = fit(v.into(), c.1);
            self.next = at + 1;
        }
        self
    }
    pub fn oid(&mut self, name: &str, v: Oid) -> &mut Row {
        self.set(name, Datum::Oid(v))
    }
    pub fn chr(&mut self, name: &str, v: char) -> &mut Row {
        self.set(name, Datum::Char(v as u8))
    }
}
fn fit(d: Datum, ty: Type) -> Datum {
    let n = match &d {
        Datum::Int2(v) => *v as i64,
        Datum::Int4(v) => *v as i64,
        Datum::Int8(v) => *v,
        Datum::Oid(v) => *v as i64,
        Datum::Bool(b) if ty.oid == oid::VARCHAR => return Datum::text(if *b { "YES" } else { "NO" }),
        _ => return d,
    };
    match ty.oid {
        oid::INT2 => Datum::Int2(n as i16),
        oid::INT4 => Datum::Int4(n as i32),
        oid::INT8 => Datum::Int8(n),
        oid::FLOAT4 => Datum::Float4(n as f32),
        oid::OID | oid::REGPROC | oid::XID | oid::REGTYPE => Datum::Oid(n as u32),
        oid::TEXT | oid::VARCHAR | oid::NAME => Datum::text(n.to_string()),
        _ => d,
    }
}
/// int2vector and oidvector count from 0.
pub(crate) fn int2vector(v: impl IntoIterator<Item = i16>) -> Datum {
    vector(oid::INT2, v.into_iter().map(Datum::Int2).collect())
}
pub(crate) fn oidvector(v: impl IntoIterator<Item = Oid>) -> Datum {
    vector(oid::OID, v.into_iter().map(Datum::Oid).collect())
}
fn vector(elem: Oid, items: Vec<Datum>) -> Datum {
    let dims = if items.is_empty() { vec![] } else { vec![(items.len() as i32, 0)] };
    Datum::Array(Arc::new(Array { elem, dims, items }))
}
pub(crate) fn array(elem: Oid, items: Vec<Datum>) -> Datum {
    Datum::Array(Arc::new(Array::from_vec(elem, items)))
}
