//! information_schema's views of privileges and of roles: `table_privileges` and its kin, each privilege of each list a row.
//!
//! Shown is what the user, by a role, granted or was granted, and what everybody has. Views whose names begin with `role_` leave out what everybody has.
use super::info::Here;
use super::{Rows, RowsFn, ServerEnv, all};
use pamir_catalog::acl::{self, AclItem, ObjectKind, Who};
use pamir_catalog::types::Body;
use pamir_catalog::{Catalog, well_known};
use pamir_types::{Datum, Oid, Result};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "table_privileges" => |e, p| tables("table_privileges", e, p),
        "role_table_grants" => |e, p| tables("role_table_grants", e, p),
        "column_privileges" => |e, p| columns("column_privileges", e, p),
        "role_column_grants" => |e, p| columns("role_column_grants", e, p),
        "routine_privileges" => |e, p| routines("routine_privileges", e, p),
        "role_routine_grants" => |e, p| routines("role_routine_grants", e, p),
        "udt_privileges" => |e, p| types("udt_privileges", e, p),
        "role_udt_grants" => |e, p| types("role_udt_grants", e, p),
        "usage_privileges" => |e, p| usage("usage_privileges", e, p),
        "role_usage_grants" => |e, p| usage("role_usage_grants", e, p),
        "enabled_roles" => enabled_roles,
        "applicable_roles" => |e, p| memberships("applicable_roles", e, p),
        "administrable_role_authorizations" => |e, p| memberships("administrable_role_authorizations", e, p),
        _ => return None,
    })
}

/// One privilege that somebody has.
struct Given {
    grantor: String,
    grantee: String,
    privilege: &'static str,
    grantable: bool,
}
/// What decides which privileges a view shows.
struct Shown {
    who: Who,
    db: Oid,
    /// Those of roles alone.
    roles: bool,
}
impl Shown {
    fn new(view: &str, h: &Here, env: &dyn ServerEnv) -> Shown {
        Shown { who: Who::new(&h.c, env.scope().user, h.db), db: h.db, roles: view.starts_with("role_") }
    }
    /// The privileges of a list, those of `mask`.
    fn of(&self, c: &Catalog, list: &[AclItem], owner: Oid, mask: acl::Mode) -> Vec<Given> {
        let name = |role: Oid| c.role(role).map_or(String::new(), |r| r.name.clone());
        let mut out = Vec::new();
        for i in list {
            let public = i.grantee == acl::PUBLIC;
            let own = self.who.has_role(i.grantor) || !public && self.who.has_role(i.grantee);
            if !own && (self.roles || !public) {
                continue;
            }
            let all = !public && Who::new(c, i.grantee, self.db).has_role(owner);
            for (bit, privilege) in acl::NAMES.iter().enumerate().filter(|(b, _)| i.privs & mask & 1 << b != 0) {
                out.push(Given {
                    grantor: name(i.grantor),
                    grantee: if public { "PUBLIC".into() } else { name(i.grantee) },
                    privilege,
                    grantable: all || i.options & 1 << bit != 0,
                });
            }
        }
        out
    }
}
/// The list of one of the server's own tables.
fn own_list(name: &str) -> Vec<AclItem> {
    let owner = well_known::POSTGRES_ROLE;
    let secret = ["pg_authid", "pg_shadow", "pg_statistic", "pg_user_mapping", "pg_subscription", "pg_largeobject"];
    let mut list = acl::default_acl(ObjectKind::Table, owner);
    if !secret.contains(&name) {
        list.push(AclItem { grantee: acl::PUBLIC, grantor: owner, privs: acl::SELECT, options: 0 });
    }
    list
}
/// Tables and views with their lists: schema, name, owner, number (0: the server's own), list.
fn relations(h: &Here) -> Vec<(String, String, Oid, Oid, Vec<AclItem>)> {
    let mut out = Vec::new();
    for t in h.c.tables_and_views(h.db).into_iter().filter(|t| t.view.as_ref().is_none_or(|v| !v.materialized)) {
        let list = h.c.acl(ObjectKind::Table, t.oid, t.owner).into_owned();
        out.push((h.schema(t.schema).to_string(), t.name.clone(), t.owner, t.oid, list));
    }
    for v in all() {
        out.push((v.schema.into(), v.name.into(), well_known::POSTGRES_ROLE, 0, own_list(v.name)));
    }
    out
}
fn tables(view: &str, env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let shown = Shown::new(view, &h, env);
    let mut out = Rows::info(view, push);
    for (schema, name, owner, _, list) in relations(&h) {
        for g in shown.of(&h.c, &list, owner, ObjectKind::Table.all()) {
            out.add(|r| {
                r.set("grantor", g.grantor).set("grantee", g.grantee).set("table_catalog", &*h.name);
                r.set("table_schema", &*schema).set("table_name", &*name).set("privilege_type", g.privilege);
                r.set("is_grantable", g.grantable).set("with_hierarchy", g.privilege == "SELECT");
            })?;
        }
    }
    Ok(())
}
fn columns(view: &str, env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let shown = Shown::new(view, &h, env);
    let mut out = Rows::info(view, push);
    for (schema, name, owner, oid, list) in relations(&h) {
        let columns: Vec<(String, Option<i16>)> = match h.c.table(oid) {
            Some(t) => t.live_columns().map(|c| (c.name.clone(), Some(c.attnum))).collect(),
            None => {
                let own = all().iter().find(|v| v.schema == schema && v.name == name);
                own.into_iter().flat_map(|v| v.columns.iter()).map(|c| (c.0.to_string(), None)).collect()
            }
        };
        for (column, attnum) in columns {
            let own = attnum.and_then(|a| h.c.grants(oid)?.column(a));
            let mut given = shown.of(&h.c, &list, owner, ObjectKind::Column.all());
            // What the table's list and the column's say alike is one row.
            for g in shown.of(&h.c, own.map_or(&[], Vec::as_slice), owner, ObjectKind::Column.all()) {
                let same = |o: &Given| {
                    (&o.grantor, &o.grantee, o.privilege, o.grantable)
                        == (&g.grantor, &g.grantee, g.privilege, g.grantable)
                };
                if !given.iter().any(same) {
                    given.push(g);
                }
            }
            for g in given {
                out.add(|r| {
                    r.set("grantor", g.grantor).set("grantee", g.grantee).set("table_catalog", &*h.name);
                    r.set("table_schema", &*schema).set("table_name", &*name).set("column_name", &*column);
                    r.set("privilege_type", g.privilege).set("is_grantable", g.grantable);
                })?;
            }
        }
    }
    Ok(())
}
fn routines(view: &str, env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let shown = Shown::new(view, &h, env);
    let functions =
        super::functions::all(pamir_expr::func::all_functions(), env).map(|f| (f.oid, f.schema, f.name.to_string()));
    let aggregates =
        super::functions::all(pamir_expr::func::all_aggregates(), env).map(|a| (a.oid, a.schema, a.name.to_string()));
    let mut out = Rows::info(view, push);
    for (oid, schema, name) in functions.chain(aggregates) {
        let owner = h.c.function(oid).map_or(well_known::POSTGRES_ROLE, |f| f.owner);
        let list = h.c.acl(ObjectKind::Function, oid, owner);
        let (schema, specific) = (h.schema(schema), format!("{name}_{oid}"));
        for g in shown.of(&h.c, &list, owner, acl::EXECUTE) {
            out.add(|r| {
                r.set("grantor", g.grantor).set("grantee", g.grantee).set("specific_catalog", &*h.name);
                r.set("specific_schema", schema).set("specific_name", &*specific).set("routine_catalog", &*h.name);
                r.set("routine_schema", schema).set("routine_name", &*name).set("privilege_type", g.privilege);
                r.set("is_grantable", g.grantable);
            })?;
        }
    }
    Ok(())
}
fn types(view: &str, env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let shown = Shown::new(view, &h, env);
    let mut out = Rows::info(view, push);
    let mut add = |schema: &str, name: &str, oid: Oid, owner: Oid| -> Result<()> {
        for g in shown.of(&h.c, &h.c.acl(ObjectKind::Type, oid, owner), owner, acl::USAGE) {
            out.add(|r| {
                r.set("grantor", g.grantor).set("grantee", g.grantee).set("udt_catalog", &*h.name);
                r.set("udt_schema", schema).set("udt_name", name);
                r.set("privilege_type", "TYPE USAGE").set("is_grantable", g.grantable);
            })?;
        }
        Ok(())
    };
    for t in h.c.user_types(h.db).into_iter().filter(|t| matches!(t.body, Body::Composite(_))) {
        add(h.schema(t.schema), &t.name, t.oid, t.owner)?;
    }
    // Rows of tables are of types, too.
    for t in h.c.tables_and_views(h.db) {
        add(h.schema(t.schema), &t.name, pamir_catalog::types::row_type(t.oid), t.owner)?;
    }
    for v in all() {
        add(v.schema, v.name, 0, well_known::POSTGRES_ROLE)?;
    }
    Ok(())
}
/// Of domains and sequences; collations are everybody's.
fn usage(view: &str, env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let shown = Shown::new(view, &h, env);
    let mut out = Rows::info(view, push);
    let mut add = |schema: &str, name: &str, kind: &str, given: Vec<Given>| -> Result<()> {
        for g in given {
            out.add(|r| {
                r.set("grantor", g.grantor).set("grantee", g.grantee).set("object_catalog", &*h.name);
                r.set("object_schema", schema).set("object_name", name).set("object_type", kind);
                r.set("privilege_type", g.privilege).set("is_grantable", g.grantable);
            })?;
        }
        Ok(())
    };
    for t in h.c.user_types(h.db).into_iter().filter(|t| matches!(t.body, Body::Domain(_))) {
        let list = h.c.acl(ObjectKind::Type, t.oid, t.owner);
        add(h.schema(t.schema), &t.name, "DOMAIN", shown.of(&h.c, &list, t.owner, acl::USAGE))?;
    }
    // As PostgreSQL: of a sequence what was granted, not the owner's own.
    for s in h.c.sequences(h.db) {
        let Some(list) = h.c.grants(s.oid).and_then(|g| g.acl.as_ref()) else { continue };
        add(h.schema(s.schema), &s.name, "SEQUENCE", shown.of(&h.c, list, s.owner, acl::USAGE))?;
    }
    Ok(())
}

fn enabled_roles(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let who = Who::new(&h.c, env.scope().user, h.db);
    let mut out = Rows::info("enabled_roles", push);
    for x in h.c.roles().into_iter().filter(|x| who.has_role(x.oid)) {
        out.add(|r| {
            r.set("role_name", &*x.name);
        })?;
    }
    Ok(())
}
/// Roles that the user's roles are members of; those that may be granted on.
fn memberships(view: &str, env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let h = Here::new(env);
    let who = Who::new(&h.c, env.scope().user, h.db);
    let mut out = Rows::info(view, push);
    // Who owns the database is a member of pg_database_owner.
    if view == "applicable_roles"
        && let Some(owner) = h.c.database(h.db).map(|d| d.owner).filter(|o| who.has_role(*o))
    {
        out.add(|r| {
            r.set("grantee", h.role(owner)).set("role_name", "pg_database_owner").set("is_grantable", "NO");
        })?;
    }
    for x in h.c.roles().into_iter().filter(|x| who.has_role(x.oid)) {
        for m in x.member_of.iter().filter(|m| m.admin || view == "applicable_roles") {
            out.add(|r| {
                r.set("grantee", &*x.name).set("role_name", h.role(m.role)).set("is_grantable", m.admin);
            })?;
        }
    }
    Ok(())
}
