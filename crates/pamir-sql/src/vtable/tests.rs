use super::*;
use pamir_catalog::system::{by_oid, fixed, types};
use pamir_catalog::{Catalog, NameScope, Relation, well_known};
use pamir_types::oid;

#[test]
fn tables_have_postgres_shapes() {
    let t = find("pg_catalog", "pg_class").unwrap();
    assert_eq!((t.oid, t.columns.len(), t.columns[0].0, t.columns[1].0), (1259, 33, "oid", "relname"));
    assert_eq!(
        find("pg_catalog", "pg_index").unwrap().columns.iter().find(|c| c.0 == "indkey").unwrap().1.oid,
        oid::INT2VECTOR
    );
    assert!(find("information_schema", "columns").unwrap().view);
    assert!(find("public", "pg_class").is_none());
    assert_eq!(by_oid(1247).map(|t| t.name), Some("pg_type"));
    for name in [
        "pg_attribute",
        "pg_namespace",
        "pg_roles",
        "pg_settings",
        "pg_stat_activity",
        "pg_stats",
        "pg_locks",
        "pg_trigger",
        "pg_rewrite",
        "pg_inherits",
        "pg_policy",
        "pg_publication",
        "pg_statistic_ext",
        "pg_foreign_table",
        "pg_extension",
        "pg_event_trigger",
        "pg_enum",
        "pg_partitioned_table",
        "pg_db_role_setting",
        "pg_default_acl",
        "pg_init_privs",
        "pg_seclabels",
        "pg_subscription",
        "pg_transform",
        "pg_ts_config",
        "pg_user_mappings",
        "pg_largeobject_metadata",
        "pg_parameter_acl",
        "pg_auth_members",
    ] {
        assert!(find("pg_catalog", name).is_some(), "{name}");
    }
}
#[test]
fn fixed_rows_parse_whole() {
    for t in all() {
        let Some(data) = fixed(t.name) else { continue };
        let rows = read_fixed(t.schema, t.name);
        assert_eq!(rows.len(), data.lines().count(), "{}", t.name);
        for (row, line) in rows.iter().zip(data.lines()) {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!((row.len(), fields.len()), (t.columns.len(), t.columns.len()), "{}: {line}", t.name);
            for (d, s) in row.iter().zip(fields) {
                assert_eq!(d.is_null(), s == "\\N", "{}: {s:?} in {line}", t.name);
            }
        }
    }
}
#[test]
fn every_known_type_is_in_pg_type() {
    let oids: Vec<u32> =
        read_fixed("pg_catalog", "pg_type").iter().map(|r| if let Datum::Oid(o) = r[0] { o } else { 0 }).collect();
    for (ty, arr, name) in oid::TYPES {
        assert!(oids.contains(ty), "{name}");
        assert!(*arr == 0 || oids.contains(arr), "{name}[]");
    }
    assert_eq!(types::operator_class(oid::INT4, "btree"), 1978);
    assert_eq!(types::operator_class(oid::VARCHAR, "btree"), 3126);
    assert_eq!(types::collation_of(oid::TEXT), 100);
}
#[test]
fn pg_catalog_is_searched_first() {
    let c = Catalog::initial();
    let scope = NameScope::public(well_known::POSTGRES_DB);
    assert!(matches!(c.resolve(&scope, None, "pg_class"), Ok(Some(Relation::Virtual(v))) if v.oid == 1259));
    assert!(matches!(c.resolve(&scope, Some("information_schema"), "tables"), Ok(Some(Relation::Virtual(_)))));
    assert!(c.resolve(&scope, None, "tables").unwrap().is_none());
    assert_eq!(c.display_name(&scope, 1259).as_deref(), Some("pg_class"));
}
