//! pg_class, pg_attribute, pg_index, pg_constraint and what else describes relations.
use super::ServerEnv;
use super::privileges::{acl_of, column_acl};
use super::row::{array, int2vector, oidvector};
use super::{Rows, RowsFn, all, wanted_oid, wanted_text};
use crate::stored::readable;
use pamir_catalog::declared::ReplicaIdentity;
use pamir_catalog::depend::default_oid;
use pamir_catalog::system::types::{collation_of, layout_of, operator_class};
use pamir_catalog::temporary::is_temporary;
use pamir_catalog::types::{Body, Composite, UserType, row_type};
use pamir_catalog::{
    Catalog, FkAction, ForeignKey, Identity, Index, IndexColumn, NameScope, Sequence, Table, acl, defs, policy,
    virtual_schema, well_known,
};
use pamir_plan::bind::BindCtx;
use pamir_types::{Datum, Oid, Result, Type, oid};
use std::sync::Arc;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_class" => class,
        "pg_attribute" => attribute,
        "pg_attrdef" => attrdef,
        "pg_index" => index,
        "pg_constraint" => constraint,
        "pg_tables" => tables,
        "pg_indexes" => indexes,
        "pg_views" => views,
        "pg_matviews" => matviews,
        "pg_rules" => rules,
        "pg_rewrite" => rewrite,
        "pg_sequence" => sequence,
        "pg_sequences" => sequences,
        "pg_inherits" => inherits,
        "pg_partitioned_table" => partitioned,
        "pg_depend" => super::depend::depend,
        "pg_statistic_ext" => extended,
        "pg_stats" => stats,
        _ => return None,
    })
}
fn here(env: &dyn ServerEnv) -> (Arc<Catalog>, Oid) {
    (env.catalog().clone(), env.scope().database)
}
/// Which relations' rows are asked for: those of an OID, of a name, or all.
struct Only {
    oid: Option<Oid>,
    name: Option<String>,
}
impl Only {
    /// By the columns of the table that have a relation's OID, its name.
    fn of(env: &dyn ServerEnv, oids: &[&str], names: &[&str]) -> Only {
        Only {
            oid: oids.iter().find_map(|c| wanted_oid(env, c)),
            name: names.iter().find_map(|c| wanted_text(env, c)).map(str::to_string),
        }
    }
    fn is(&self, oid: Oid, name: &str) -> bool {
        self.oid.is_none_or(|o| o == oid) && self.name.as_ref().is_none_or(|n| n == name)
    }
    /// A table for its own sake or that of one of its indexes.
    fn takes(&self, t: &Table) -> bool {
        self.is(t.oid, &t.name) || t.indexes.iter().any(|i| self.is(i.oid, &i.name))
    }
    fn tables<'c>(&self, c: &'c Catalog, db: Oid) -> Vec<&'c Arc<Table>> {
        let mut all = match self.oid {
            Some(o) => c.table(o).or_else(|| c.index_table(o)).into_iter().filter(|t| t.database == db).collect(),
            None => c.tables_and_views(db),
        };
        all.retain(|t| self.takes(t));
        all
    }
    fn sequences<'c>(&self, c: &'c Catalog, db: Oid) -> Vec<&'c Arc<Sequence>> {
        let mut all = match self.oid {
            Some(o) => c.sequence(o).into_iter().filter(|s| s.database == db).collect(),
            None => c.sequences(db),
        };
        all.retain(|s| self.is(s.oid, &s.name));
        all
    }
    fn composites<'c>(&self, c: &'c Catalog, db: Oid) -> Vec<(&'c Arc<UserType>, &'c Composite)> {
        let all = match self.oid {
            Some(o) => c.composite_by_relation(o).into_iter().filter(|t| t.database == db).collect(),
            None => c.user_types(db),
        };
        let of = |t: &'c Arc<UserType>| if let Body::Composite(x) = &t.body { Some((t, x)) } else { None };
        all.into_iter().filter_map(of).filter(|(t, x)| self.is(x.relation, &t.name)).collect()
    }
    fn virtuals(&self) -> impl Iterator<Item = &'static pamir_catalog::system::VirtualTable> {
        all().iter().filter(|v| self.is(v.oid, v.name))
    }
}

const HEAP: Oid = 2;

/// `{fillfactor=70}`; NULL: none.
fn options(t: &Table, relation: Oid) -> Datum {
    let list: Vec<Datum> = t.declared.options(relation).map(|(n, v)| format!("{n}={v}").into()).collect();
    if list.is_empty() { Datum::Null } else { array(oid::TEXT, list) }
}
/// pg_class.relkind of what is a table here.
fn kind_of(t: &Table) -> char {
    match &t.view {
        None if t.is_partitioned() => 'p',
        None => 'r',
        Some(v) if v.materialized => 'm',
        Some(_) => 'v',
    }
}
/// The relation whose rows are of a type.
fn relation_of(c: &Catalog, row: Oid) -> Option<Oid> {
    match oid::user_class(row)? {
        oid::UserClass::Row => Some(oid::user_number(row)),
        _ => match &c.user_type(row)?.body {
            Body::Composite(x) => Some(x.relation),
            _ => None,
        },
    }
}
fn class(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_class", push);
    let common = |r: &mut super::Row, of: Oid, unlogged: bool| {
        let persistence = match unlogged {
            _ if is_temporary(of) => b't',
            true => b'u',
            false => b'p',
        };
        r.set("relpersistence", Datum::Char(persistence)).set("relispopulated", true);
    };
    let text_cx = env.text_ctx().clone();
    let frozen = super::objects::frozen(env);
    let mut only = Only::of(env, &["oid"], &["relname"]);
    only.oid = only.oid.or_else(|| relation_of(&c, wanted_oid(env, "reltype")?));
    for t in only.tables(&c, db) {
        let (pages, rows) = t.stats.as_ref().map_or((0, -1.0), |s| (s.pages, s.rows));
        out.add(|r| {
            common(r, t.oid, t.declared.more.unlogged);
            r.oid("oid", t.oid)
                .set("relname", &*t.name)
                .oid("relnamespace", t.schema)
                .oid("reltype", row_type(t.oid))
                .oid("relowner", t.owner)
                .oid("relam", if t.plain_view().is_none() && !t.is_partitioned() { HEAP } else { 0 })
                .oid("relfilenode", if t.plain_view().is_none() && !t.is_partitioned() { t.oid } else { 0 });
            r.set("relpages", pages as i64)
                .set("reltuples", Datum::Float4(rows as f32))
                .set("relhasindex", !t.indexes.is_empty())
                .chr("relkind", kind_of(t));
            r.set("relhasrules", t.view.is_some() || !c.rules_of(t.oid).is_empty());
            if let (Some(b), Some(p)) = (t.bound(), c.partition_parent(t)) {
                r.set("relispartition", true);
                if let Ok(text) = pamir_expr::partition::bound_text(b, p, &text_cx) {
                    r.set("relpartbound", text);
                }
            }
            r.set("relhassubclass", !t.children().is_empty()).oid("reloftype", t.of_type().unwrap_or(0));
            r.set("relispopulated", t.view.as_ref().is_none_or(|v| v.populated));
            r.set("relnatts", t.columns.len() as i64).set("relchecks", t.checks.len() as i64);
            r.set("relhastriggers", super::triggers::has_some(t)).chr(
                "relreplident",
                if t.plain_view().is_none() { t.declared.more.replica_identity.letter() } else { 'n' },
            );
            if matches!(kind_of(t), 'r' | 'm') {
                r.set("relfrozenxid", frozen.clone()).oid("relminmxid", super::objects::FIRST_MULTIXACT);
            }
            r.set("relrowsecurity", t.security.enabled).set("relforcerowsecurity", t.security.forced);
            r.set("relacl", acl_of(&c, t.oid)).set("reloptions", options(t, t.oid));
        })?;
        for i in &t.indexes {
            out.add(|r| {
                common(r, i.oid, t.declared.more.unlogged);
                r.oid("oid", i.oid)
                    .set("relname", &*i.name)
                    .oid("relnamespace", t.schema)
                    .oid("relowner", t.owner)
                    .oid("relam", i.method.oid())
                    .oid("relfilenode", if t.is_partitioned() { 0 } else { i.oid })
                    .set("relispartition", t.index_parent(i.oid).is_some())
                    .set(
                        "relhassubclass",
                        t.is_partitioned()
                            && t.children().iter().any(|x| c.table(*x).is_some_and(|x| x.index_part(i.oid).is_some())),
                    );
                r.set("reltuples", Datum::Float4(rows as f32))
                    .chr("relkind", if t.is_partitioned() { 'I' } else { 'i' })
                    .set("relnatts", (i.columns.len() + i.include.len()) as i64)
                    .chr("relreplident", 'n')
                    .set("reloptions", options(t, i.oid));
            })?;
        }
    }
    for s in only.sequences(&c, db) {
        out.add(|r| {
            // As what they are a column's of.
            let of = s.owned_by.and_then(|(t, _)| c.table(t));
            common(r, s.oid, of.is_some_and(|t| t.declared.more.unlogged));
            r.oid("oid", s.oid)
                .set("relname", &*s.name)
                .oid("relnamespace", s.schema)
                .oid("relowner", s.owner)
                .oid("relfilenode", s.oid);
            r.set("relpages", 1i64)
                .set("reltuples", Datum::Float4(1.0))
                .chr("relkind", 'S')
                .set("relnatts", 3i64)
                .chr("relreplident", 'n')
                .set("relacl", acl_of(&c, s.oid));
        })?;
    }
    for (t, x) in only.composites(&c, db) {
        out.add(|r| {
            common(r, x.relation, false);
            r.oid("oid", x.relation)
                .set("relname", &*t.name)
                .oid("relnamespace", t.schema)
                .oid("reltype", t.oid)
                .oid("relowner", t.owner);
            r.chr("relkind", 'c').set("relnatts", x.fields.len() as i64).chr("relreplident", 'n');
        })?;
    }
    for v in only.virtuals() {
        out.add(|r| {
            common(r, v.oid, false);
            r.oid("oid", v.oid)
                .set("relname", v.name)
                .oid("relnamespace", virtual_schema(v.schema))
                .oid("reltype", row_type(v.oid))
                .oid("relowner", well_known::POSTGRES_ROLE);
            r.set("reltuples", Datum::Float4(-1.0))
                .chr("relkind", if v.view { 'v' } else { 'r' })
                .set("relnatts", v.columns.len() as i64)
                .chr("relreplident", 'n');
            r.oid("relam", if v.view { 0 } else { HEAP }).set("relhasrules", v.view);
        })?;
    }
    Ok(())
}

struct Att<'a> {
    rel: Oid,
    name: &'a str,
    ty: Type,
    /// What its values are stored as: another type where `ty` is a domain.
    stored: Oid,
    num: i16,
    not_null: bool,
}
fn attribute_row(out: &mut Rows, a: Att, more: impl FnOnce(&mut super::Row)) -> Result<()> {
    let l = layout_of(a.stored);
    out.add(|r| {
        r.oid("attrelid", a.rel)
            .set("attname", a.name)
            .oid("atttypid", a.ty.oid)
            .set("attstattarget", -1i64)
            .set("attlen", l.len)
            .set("attnum", a.num);
        r.set("attndims", i64::from(a.ty.is_array()))
            .set("attcacheoff", -1i64)
            .set("atttypmod", a.ty.typmod)
            .set("attbyval", l.by_value);
        r.set("attalign", Datum::Char(l.align)).set("attstorage", Datum::Char(l.storage)).set("attnotnull", a.not_null);
        r.set("attislocal", true).oid("attcollation", collation_of(a.stored));
        more(r);
    })
}
/// What every table has beside its columns.
fn system_columns(out: &mut Rows, rel: Oid) -> Result<()> {
    const COLUMNS: [(&str, Oid); 6] = [
        ("ctid", oid::TID),
        ("xmin", oid::XID),
        ("cmin", oid::CID),
        ("xmax", oid::XID),
        ("cmax", oid::CID),
        ("tableoid", oid::OID),
    ];
    for (n, (name, ty)) in (1..).zip(COLUMNS) {
        let ty = Type::new(ty);
        attribute_row(out, Att { rel, name, ty, stored: ty.oid, num: -n, not_null: true }, |r| {
            r.set("attstattarget", 0i64);
        })?;
    }
    Ok(())
}
fn index_columns(out: &mut Rows, c: &Catalog, t: &Table) -> Result<()> {
    for i in &t.indexes {
        for (n, (name, ty)) in index_attributes(t, i).into_iter().enumerate() {
            let ty = kept_as(t, i, n, ty);
            attribute_row(
                out,
                Att { rel: i.oid, name: &name, ty, stored: c.base_type(ty).oid, num: n as i16 + 1, not_null: false },
                |r| {
                    if n < i.columns.len() {
                        r.oid("attcollation", key_collation(c, t, i, n));
                    }
                },
            )?;
        }
    }
    Ok(())
}
fn attribute(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_attribute", push);
    let only = Only::of(env, &["attrelid"], &[]);
    for t in only.tables(&c, db) {
        if t.plain_view().is_none() {
            system_columns(&mut out, t.oid)?;
        }
        for col in &t.columns {
            let ty = if col.dropped { Type::new(0) } else { t.declared_type(col) };
            attribute_row(
                &mut out,
                Att { rel: t.oid, name: &col.name, ty, stored: col.ty.oid, num: col.attnum, not_null: col.not_null },
                |r| {
                    r.set("atthasdef", col.default.is_some() || col.generated.is_some())
                        .set("atthasmissing", col.missing.is_some());
                    match col.identity {
                        Some(Identity::Always) => r.chr("attidentity", 'a'),
                        Some(Identity::ByDefault) => r.chr("attidentity", 'd'),
                        None => r,
                    };
                    if col.generated.is_some() {
                        r.chr("attgenerated", 's');
                    }
                    if col.dropped {
                        r.set("atttypmod", col.ty.typmod).set("attstattarget", 0i64);
                    }
                    if t.view.is_some() {
                        r.set("attndims", 0i64);
                    }
                    if let Some(c) = c.column_collation(t, col.attnum) {
                        r.oid("attcollation", c);
                    }
                    let more = &t.declared.more;
                    if let Some(n) = more.statistics(col.attnum) {
                        r.set("attstattarget", i64::from(n));
                    }
                    if let Some(s) = more.storage(col.attnum) {
                        r.set("attstorage", Datum::Char(s));
                    }
                    if let Some(m) = more.compression(col.attnum) {
                        r.set("attcompression", Datum::Char(m));
                    }
                    let told: Vec<Datum> =
                        more.column_options(col.attnum).map(|(n, v)| format!("{n}={v}").into()).collect();
                    if !told.is_empty() {
                        r.set("attoptions", array(oid::TEXT, told));
                    }
                    let origin = t.column_origin(col.attnum);
                    r.set("attinhcount", i64::from(origin.parents)).set("attislocal", origin.local);
                    r.set("attisdropped", col.dropped).set("attacl", column_acl(&c, t.oid, col.attnum));
                },
            )?;
        }
        index_columns(&mut out, &c, t)?;
    }
    for s in only.sequences(&c, db) {
        for (n, (name, ty)) in
            [("last_value", Type::INT8), ("log_cnt", Type::INT8), ("is_called", Type::BOOL)].into_iter().enumerate()
        {
            attribute_row(
                &mut out,
                Att { rel: s.oid, name, ty, stored: ty.oid, num: n as i16 + 1, not_null: true },
                |_| {},
            )?;
        }
    }
    for (_, x) in only.composites(&c, db) {
        for f in &x.fields {
            let a = Att {
                rel: x.relation,
                name: &f.name,
                ty: f.ty,
                stored: c.base_type(f.ty).oid,
                num: f.attnum,
                not_null: false,
            };
            let of_domain = || c.user_type(f.ty.oid)?.collation();
            attribute_row(&mut out, a, |r| {
                if let Some(c) = f.collation.or_else(of_domain) {
                    r.oid("attcollation", c);
                }
            })?;
        }
    }
    for v in only.virtuals() {
        if !v.view {
            system_columns(&mut out, v.oid)?;
        }
        for (n, (name, ty)) in v.columns.iter().enumerate() {
            attribute_row(
                &mut out,
                Att {
                    rel: v.oid,
                    name,
                    ty: *ty,
                    stored: ty.oid,
                    num: n as i16 + 1,
                    not_null: v.not_null.get(n) == Some(&true),
                },
                |_| {},
            )?;
        }
    }
    Ok(())
}
/// What pg_attribute calls the type of an index's column: a column's with its domain, a hash where only that is kept.
fn kept_as(t: &Table, i: &Index, at: usize, ty: Type) -> Type {
    match i.columns.get(at) {
        Some(_) if i.method == pamir_catalog::Method::Hash => Type::INT4,
        Some((IndexColumn::Attr(a), _)) => t.column(*a).map_or(ty, |c| t.declared_type(c)),
        _ => ty,
    }
}
/// Names and types of an index's columns; an expression is called as a query's column would be, or `expr`.
fn index_attributes(t: &Table, i: &Index) -> Vec<(String, Type)> {
    let keys = i.columns.iter().map(|(c, _)| match c {
        IndexColumn::Attr(a) => t.column(*a).map_or((String::new(), Type::TEXT), |c| (c.name.clone(), c.ty)),
        IndexColumn::Expr(e, ty) => (pamir_plan::bind::name_of_stored(e), *ty),
    });
    let included = i.include.iter().filter_map(|a| t.column(*a)).map(|c| (c.name.clone(), c.ty));
    let all: Vec<_> = keys.chain(included).collect();
    let names = pamir_catalog::names::distinct(all.iter().map(|c| &*c.0));
    std::iter::zip(names, all).map(|(name, (_, ty))| (name, ty)).collect()
}
fn attrdef(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, db), scope) = (here(env), env.scope().clone());
    let mut out = Rows::catalog("pg_attrdef", push);
    let only = Only::of(env, &["adrelid"], &[]);
    for t in only.tables(&c, db) {
        for col in t.live_columns() {
            if let Some(e) = col.default.as_ref().or(col.generated.as_ref()) {
                out.add(|r| {
                    r.oid("oid", default_oid(t.oid, col.attnum))
                        .oid("adrelid", t.oid)
                        .set("adnum", col.attnum)
                        .set("adbin", defs::shown_expr(&c, &scope, e));
                })?;
            }
        }
    }
    Ok(())
}
/// The collation of an index's key column; 0 for types without.
fn key_collation(c: &Catalog, t: &Table, i: &Index, at: usize) -> Oid {
    let (ty, own) = match i.columns.get(at) {
        Some((IndexColumn::Attr(a), _)) => (t.column(*a).map_or(0, |c| c.ty.oid), c.column_collation(t, *a)),
        Some((IndexColumn::Expr(_, ty), _)) => (ty.oid, None),
        None => (0, None),
    };
    t.declared.index_collation(i.oid, at).or(own).unwrap_or_else(|| collation_of(ty))
}
fn index(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, db), scope) = (here(env), env.scope().clone());
    let mut out = Rows::catalog("pg_index", push);
    let only = Only::of(env, &["indrelid", "indexrelid"], &[]);
    for t in only.tables(&c, db).into_iter().filter(|t| t.plain_view().is_none()) {
        for i in &t.indexes {
            let types: Vec<Oid> = index_attributes(t, i).iter().map(|a| a.1.oid).take(i.columns.len()).collect();
            let keys = i
                .columns
                .iter()
                .map(|(c, _)| if let IndexColumn::Attr(a) = c { *a } else { 0 })
                .chain(i.include.iter().copied());
            let exprs: Vec<&str> = i
                .columns
                .iter()
                .filter_map(|(c, _)| if let IndexColumn::Expr(e, _) = c { Some(e.0.as_str()) } else { None })
                .collect();
            out.add(|r| {
                r.oid("indexrelid", i.oid)
                    .oid("indrelid", t.oid)
                    .set("indnatts", (i.columns.len() + i.include.len()) as i64)
                    .set("indnkeyatts", i.columns.len() as i64);
                r.set("indisunique", i.is_unique())
                    .set("indnullsnotdistinct", i.nulls_not_distinct)
                    .set("indisprimary", i.is_primary())
                    .set("indisexclusion", i.excludes.is_some())
                    .set("indimmediate", i.deferrable.is_none())
                    .set("indisclustered", t.declared.more.clustered == Some(i.oid))
                    .set("indisreplident", t.declared.more.replica_identity == ReplicaIdentity::Index(i.oid));
                r.set("indisvalid", !t.is_invalid(i.oid))
                    .set("indisready", true)
                    .set("indislive", true)
                    .set("indkey", int2vector(keys));
                let method = i.method.name();
                let class =
                    |(n, ty): (usize, &Oid)| t.declared.class(i.oid, n).unwrap_or_else(|| operator_class(*ty, method));
                r.set("indcollation", oidvector((0..types.len()).map(|n| key_collation(&c, t, i, n))))
                    .set("indclass", oidvector(types.iter().enumerate().map(class)));
                r.set(
                    "indoption",
                    int2vector(i.columns.iter().map(|(_, o)| i16::from(o.desc) | i16::from(o.nulls_first) << 1)),
                );
                if !exprs.is_empty() {
                    r.set("indexprs", pamir_catalog::types::shown(&c, &scope, &exprs.join(", ")));
                }
                if let Some(p) = &i.predicate {
                    r.set("indpred", &*p.0);
                }
            })?;
        }
    }
    Ok(())
}
fn action(a: FkAction) -> char {
    match a {
        FkAction::NoAction => 'a',
        FkAction::Restrict => 'r',
        FkAction::Cascade => 'c',
        FkAction::SetNull => 'n',
        FkAction::SetDefault => 'd',
    }
}
fn constraint(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_constraint", push);
    let keys = |v: &[i16]| array(oid::INT2, v.iter().map(|a| Datum::Int2(*a)).collect());
    let only = Only::of(env, &["conrelid"], &[]);
    for t in only.tables(&c, db).into_iter().filter(|t| t.plain_view().is_none()) {
        let common = |r: &mut super::Row, oid: Oid, name: &str, kind: char, valid: bool| {
            r.oid("oid", oid)
                .set("conname", name)
                .oid("connamespace", t.schema)
                .chr("contype", kind)
                .set("convalidated", valid)
                .oid("conrelid", t.oid);
            r.set("conislocal", true).set("connoinherit", matches!(kind, 'p' | 'u' | 'x' | 'f'));
            if kind != 'f' {
                r.chr("confupdtype", ' ').chr("confdeltype", ' ').chr("confmatchtype", ' ');
            }
        };
        for i in t.indexes.iter().filter(|i| i.constraint) {
            let column = |c: &IndexColumn| if let IndexColumn::Attr(a) = c { *a } else { 0 };
            let cols: Vec<i16> = i.columns.iter().map(|(c, _)| column(c)).collect();
            let kind = match &i.excludes {
                Some(_) => 'x',
                None if i.is_primary() => 'p',
                None => 'u',
            };
            out.add(|r| {
                common(r, i.oid, &i.name, kind, true);
                if let Some(x) = &i.excludes {
                    r.set("conexclop", array(oid::OID, x.iter().map(|x| Datum::Oid(x.operator)).collect()));
                }
                r.set("condeferrable", i.deferrable.is_some()).set("condeferred", i.initially_deferred());
                if let Some(p) = t.index_parent(i.oid) {
                    r.oid("conparentid", p).set("coninhcount", 1i64).set("conislocal", false);
                }
                r.oid("conindid", i.oid).set("conkey", keys(&cols));
            })?;
        }
        for k in &t.checks {
            let scope = NameScope::stored(env.scope().database);
            let mut cx = BindCtx { catalog: &c, scope: &scope, params: Vec::new(), env: &mut *env, text: "" };
            let read = readable(pamir_plan::bind::columns_of_stored(&k.expr.0, t, &mut cx), Vec::new)?;
            out.add(|r| {
                common(r, k.oid, &k.name, 'c', !k.not_valid);
                let origin = t.check_origin(k.oid);
                r.set("coninhcount", i64::from(origin.parents)).set("conislocal", origin.local);
                r.set("connoinherit", t.is_no_inherit(k.oid)).set("conbin", &*k.expr.0);
                if !read.is_empty() {
                    r.set("conkey", keys(&read));
                }
            })?;
        }
        for f in &t.foreign_keys {
            let f: &ForeignKey = f;
            out.add(|r| {
                common(r, f.oid, &f.name, 'f', !f.not_valid);
                if let Some(p) = t.foreign_key_parent(f.oid) {
                    r.oid("conparentid", p).set("coninhcount", 1i64).set("conislocal", false);
                }
                r.set("connoinherit", !t.is_partitioned());
                r.set("condeferrable", f.deferrable)
                    .set("condeferred", f.initially_deferred)
                    .oid("conindid", f.ref_index)
                    .oid("confrelid", f.ref_table);
                r.chr("confupdtype", action(f.on_update))
                    .chr("confdeltype", action(f.on_delete))
                    .chr("confmatchtype", if f.match_full { 'f' } else { 's' });
                r.set("conkey", keys(&f.columns)).set("confkey", keys(&f.ref_columns));
                if let Some(set) = t.declared.set_columns(f.oid) {
                    r.set("confdelsetcols", keys(set));
                }
            })?;
        }
    }
    for g in c.triggers(db) {
        let (Some(k), Some(t)) = (&g.constraint, c.table(g.table)) else { continue };
        out.add(|r| {
            r.oid("oid", k.oid)
                .set("conname", &*g.name)
                .oid("connamespace", t.schema)
                .chr("contype", 't')
                .set("condeferrable", k.deferrable)
                .set("condeferred", k.initially_deferred)
                .set("convalidated", true)
                .oid("conrelid", t.oid);
            r.set("conislocal", true).set("connoinherit", true);
            r.chr("confupdtype", ' ').chr("confdeltype", ' ').chr("confmatchtype", ' ');
        })?;
    }
    for t in c.user_types(db).into_iter().filter(|_| only.oid.is_none_or(|o| o == 0)) {
        let Body::Domain(d) = &t.body else { continue };
        for k in &d.checks {
            out.add(|r| {
                r.oid("oid", k.oid)
                    .set("conname", &*k.name)
                    .oid("connamespace", t.schema)
                    .chr("contype", 'c')
                    .set("convalidated", !k.not_valid)
                    .oid("contypid", t.oid);
                r.set("conislocal", true).set("conbin", &*k.expr.0);
                r.chr("confupdtype", ' ').chr("confdeltype", ' ').chr("confmatchtype", ' ');
            })?;
        }
    }
    Ok(())
}
fn owner_name(c: &Catalog, oid: Oid) -> String {
    c.role(oid).map_or(String::new(), |r| r.name.clone())
}
fn schema_name(c: &Catalog, oid: Oid) -> String {
    c.schema(oid).map_or(String::new(), |s| s.name.clone())
}
fn tables(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_tables", push);
    let only = wanted_text(env, "tablename").map(str::to_string);
    let named = |t: &Table| only.as_ref().is_none_or(|n| *n == t.name);
    for t in c.tables_that(db, named).into_iter().filter(|t| t.view.is_none()) {
        out.add(|r| {
            r.set("schemaname", schema_name(&c, t.schema))
                .set("tablename", &*t.name)
                .set("tableowner", owner_name(&c, t.owner));
            r.set("hasindexes", !t.indexes.is_empty())
                .set("hasrules", !c.rules_of(t.oid).is_empty())
                .set("hastriggers", super::triggers::has_some(t))
                .set("rowsecurity", t.security.enabled);
        })?;
    }
    for v in all().iter().filter(|v| !v.view) {
        out.add(|r| {
            r.set("schemaname", v.schema)
                .set("tablename", v.name)
                .set("tableowner", "postgres")
                .set("hasindexes", false)
                .set("hasrules", false)
                .set("hastriggers", false);
            r.set("rowsecurity", false);
        })?;
    }
    Ok(())
}
fn indexes(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, db), scope) = (here(env), env.scope().clone());
    let mut out = Rows::catalog("pg_indexes", push);
    let only = wanted_text(env, "tablename").map(str::to_string);
    for t in c.tables_that(db, |t| only.as_ref().is_none_or(|n| *n == t.name)) {
        for i in &t.indexes {
            out.add(|r| {
                r.set("schemaname", schema_name(&c, t.schema))
                    .set("tablename", &*t.name)
                    .set("indexname", &*i.name)
                    .set("indexdef", defs::index_def(&c, t, i, false, &scope));
            })?;
        }
    }
    Ok(())
}
/// The relations of this database that are views, with their definitions.
pub(super) fn definitions(env: &mut dyn ServerEnv) -> Result<Vec<(Arc<Table>, String)>> {
    let (c, db) = here(env);
    let mut all = Vec::new();
    for t in c.views(db) {
        all.push((t.clone(), env.view_definition(t, Default::default())?));
    }
    Ok(all)
}
fn inherits(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_inherits", push);
    for t in c.tables(db) {
        for (n, p) in t.parents().iter().enumerate() {
            out.add(|r| {
                r.oid("inhrelid", t.oid).oid("inhparent", *p).set("inhseqno", n as i64 + 1);
            })?;
        }
        for (part, of) in t.partition().iter().flat_map(|p| &p.indexes) {
            out.add(|r| {
                r.oid("inhrelid", *part).oid("inhparent", *of).set("inhseqno", 1i64);
            })?;
        }
    }
    Ok(())
}
fn partitioned(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_partitioned_table", push);
    for t in c.tables(db) {
        let Some(s) = t.scheme() else { continue };
        let attr = |k: &pamir_catalog::partition::KeyColumn| match &k.of {
            IndexColumn::Attr(a) => *a,
            IndexColumn::Expr(..) => 0,
        };
        let method = if s.strategy == pamir_catalog::partition::Strategy::Hash { "hash" } else { "btree" };
        let texts: Vec<&str> = s
            .key
            .iter()
            .filter_map(|k| if let IndexColumn::Expr(e, _) = &k.of { Some(e.0.as_str()) } else { None })
            .collect();
        let default = c.default_partition(t).map_or(0, |d| d.oid);
        out.add(|r| {
            r.oid("partrelid", t.oid).chr("partstrat", s.strategy.letter()).set("partnatts", s.key.len() as i64);
            r.oid("partdefid", default).set("partattrs", int2vector(s.key.iter().map(attr)));
            let class = |k: &pamir_catalog::partition::KeyColumn| {
                k.class.unwrap_or_else(|| operator_class(k.ty(t).oid, method))
            };
            r.set("partclass", oidvector(s.key.iter().map(class)));
            let collation = |k: &pamir_catalog::partition::KeyColumn| {
                k.collation.unwrap_or_else(|| pamir_catalog::system::types::collation_of(k.ty(t).oid))
            };
            r.set("partcollation", oidvector(s.key.iter().map(collation)));
            if !texts.is_empty() {
                r.set("partexprs", texts.join(", "));
            }
        })?;
    }
    Ok(())
}
fn rewrite(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_rewrite", push);
    for t in c.views(db) {
        let Some(v) = &t.view else { continue };
        out.add(|r| {
            r.oid("oid", v.rule).set("rulename", "_RETURN").oid("ev_class", t.oid);
            r.chr("ev_type", '1').chr("ev_enabled", 'O').set("is_instead", true);
            r.set("ev_qual", "<>").set("ev_action", &*v.text.0);
        })?;
    }
    for x in c.rules(db) {
        out.add(|r| {
            r.oid("oid", x.oid).set("rulename", &*x.name).oid("ev_class", x.relation);
            r.chr("ev_type", x.event.code()).set("ev_enabled", Datum::Char(x.enabled)).set("is_instead", x.instead);
            r.set("ev_qual", "<>").set("ev_action", x.actions.first().map_or("<>", |a| &a.0));
        })?;
    }
    Ok(())
}
fn views(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, _), all_views) = (here(env), definitions(env)?);
    let mut out = Rows::catalog("pg_views", push);
    for (t, text) in all_views.into_iter().filter(|v| v.0.plain_view().is_some()) {
        out.add(|r| {
            r.set("schemaname", schema_name(&c, t.schema)).set("viewname", &*t.name);
            r.set("viewowner", owner_name(&c, t.owner)).set("definition", text);
        })?;
    }
    for v in all().iter().filter(|v| v.view) {
        out.add(|r| {
            r.set("schemaname", v.schema).set("viewname", v.name).set("viewowner", "postgres");
        })?;
    }
    Ok(())
}
fn rules(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_rules", push);
    for x in c.rules(db) {
        let Some(t) = c.table(x.relation) else { continue };
        let text = env.rule_definition(x.oid, Default::default())?;
        out.add(|r| {
            r.set("schemaname", schema_name(&c, t.schema)).set("tablename", &*t.name);
            r.set("rulename", &*x.name).set("definition", text);
        })?;
    }
    Ok(())
}
fn matviews(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, _), all_views) = (here(env), definitions(env)?);
    let mut out = Rows::catalog("pg_matviews", push);
    for (t, text) in all_views {
        let Some(v) = t.view.as_ref().filter(|v| v.materialized) else { continue };
        out.add(|r| {
            r.set("schemaname", schema_name(&c, t.schema)).set("matviewname", &*t.name);
            r.set("matviewowner", owner_name(&c, t.owner)).set("definition", text);
            r.set("hasindexes", !t.indexes.is_empty()).set("ispopulated", v.populated);
        })?;
    }
    Ok(())
}
fn sequence(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, db) = here(env);
    let mut out = Rows::catalog("pg_sequence", push);
    for s in c.sequences(db) {
        out.add(|r| {
            r.oid("seqrelid", s.oid)
                .oid("seqtypid", s.ty.oid)
                .set("seqstart", s.def.start)
                .set("seqincrement", s.def.increment);
            r.set("seqmax", s.def.max).set("seqmin", s.def.min).set("seqcache", s.cache).set("seqcycle", s.def.cycle);
        })?;
    }
    Ok(())
}
fn sequences(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, db), engine) = (here(env), env.engine()?.clone());
    let mut out = Rows::catalog("pg_sequences", push);
    for s in c.sequences(db) {
        let last = engine.seq_read(s.storage)?.filter(|x| x.1).map(|x| x.0);
        out.add(|r| {
            r.set("schemaname", schema_name(&c, s.schema))
                .set("sequencename", &*s.name)
                .set("sequenceowner", owner_name(&c, s.owner))
                .oid("data_type", s.ty.oid);
            r.set("start_value", s.def.start)
                .set("min_value", s.def.min)
                .set("max_value", s.def.max)
                .set("increment_by", s.def.increment);
            r.set("cycle", s.def.cycle).set("cache_size", s.cache).set("last_value", last);
        })?;
    }
    Ok(())
}
fn extended(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, db), scope) = (here(env), env.scope().clone());
    let mut out = Rows::catalog("pg_statistic_ext", push);
    for e in c.extended_of(db) {
        out.add(|r| {
            r.oid("oid", e.oid).oid("stxrelid", e.table).set("stxname", &*e.name).oid("stxnamespace", e.schema);
            r.oid("stxowner", e.owner)
                .set("stxstattarget", e.target)
                .set("stxkeys", int2vector(e.columns.iter().copied()));
            r.set("stxkind", array(oid::CHAR, e.kinds.iter().map(|k| Datum::Char(*k)).collect()));
            let exprs: Vec<&str> = e.exprs.iter().map(|x| x.0.as_str()).collect();
            if !exprs.is_empty() {
                r.set("stxexprs", pamir_catalog::types::shown(&c, &scope, &exprs.join(", ")));
            }
        })?;
    }
    Ok(())
}
fn stats(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let ((c, db), text) = (here(env), env.text_ctx().clone());
    let who = acl::Who::of(&c, env.scope());
    let mut out = Rows::catalog("pg_stats", push);
    for t in c.tables(db) {
        let Some(s) = &t.stats else { continue };
        // Values of rows that are not to be seen stand in statistics, too.
        if policy::active(&c, t, who.role) != policy::Active::No {
            continue;
        }
        for (attnum, cs) in &s.columns {
            let Some(col) = t.column(*attnum).filter(|c| !c.dropped) else { continue };
            if !who.on_columns(&c, t, &[*attnum], acl::SELECT) {
                continue;
            }
            let list = |values: &mut dyn Iterator<Item = &Vec<u8>>| -> Result<Datum> {
                let items = values.map(|b| pamir_types::row::decode_value(b, col.ty)).collect::<Result<Vec<_>>>()?;
                if items.is_empty() {
                    return Ok(Datum::Null);
                }
                let a = array(col.ty.oid, items);
                let ty = oid::array_of(col.ty.oid).map_or(Type::TEXT, Type::new);
                Ok(Datum::text(pamir_types::text::to_string(&a, ty, &text)))
            };
            let (common, histogram) = (list(&mut cs.mcv.iter().map(|m| &m.0))?, list(&mut cs.histogram.iter())?);
            let frequencies = if cs.mcv.is_empty() {
                Datum::Null
            } else {
                array(oid::FLOAT4, cs.mcv.iter().map(|m| Datum::Float4(m.1)).collect())
            };
            out.add(|r| {
                r.set("schemaname", schema_name(&c, t.schema))
                    .set("tablename", &*t.name)
                    .set("attname", &*col.name)
                    .set("inherited", false);
                r.set("null_frac", Datum::Float4(cs.null_frac))
                    .set("avg_width", cs.avg_width)
                    .set("n_distinct", Datum::Float4(cs.n_distinct));
                r.set("most_common_vals", common)
                    .set("most_common_freqs", frequencies)
                    .set("histogram_bounds", histogram);
                r.set("correlation", Datum::Float4(cs.correlation));
            })?;
        }
    }
    Ok(())
}
